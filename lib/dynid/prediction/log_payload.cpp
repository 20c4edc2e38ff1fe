#include "dynid/prediction/log_payload.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"

#include <cmath>
#include <string>

namespace dynid {
namespace {

/// The payload that was stated beside this training log; nullptr if there is none.
const PayloadModel* statedAtTraining(const Model& model, const LogInfo& info) {
  std::string digest;  // computed only where a payload is named after a log
  for (const LogRecord& record : model.provenance.logs)
    for (const PayloadModel& known : model.payloads) {
      if (!namesPayloadOf(known.name, record.file)) continue;
      if (digest.empty()) digest = sha256OfFile(info.path);
      if (record.sha256 == digest) return &known;
    }
  return nullptr;
}

/// The payload that belongs to the log, by what the log states and by what the model was trained
/// with.
std::optional<PayloadNote> noteOf(const Model& model, const LogInfo& info) {
  if (info.payload) return info.payload;
  const PayloadModel* stated = statedAtTraining(model, info);
  if (stated == nullptr) return std::nullopt;
  PayloadNote note;
  note.name = stated->name;
  note.link = stated->link;
  return note;
}

}  // namespace

std::optional<Payload> payloadToPredict(const Model& model, const LogInfo& info) {
  const std::string file = info.path.filename().string();
  const std::optional<PayloadNote> note = noteOf(model, info);
  const PayloadTable table = collectPayloads(*model.robot, {note}, {""}, {info.path});
  if (table.payloads.empty()) return std::nullopt;
  Payload payload = table.payloads.front();
  const bool named = !note->name.empty();
  for (const PayloadModel& known : model.payloads)
    if (named ? known.name == payload.name : namesPayloadOf(known.name, info.path))
      payload.known = known.parameters;
  if (!payload.fullyKnown()) {  // missing values: a point mass at the link's origin
    if (!std::isfinite(payload.known(0)))
      throw InputError(file +
                       ":/payload: the mass of the load is neither in the log nor in the model");
    for (int c = 1; c < 10; ++c)
      if (!std::isfinite(payload.known(c))) payload.known(c) = 0.0;
  }
  return payload;
}

}  // namespace dynid
