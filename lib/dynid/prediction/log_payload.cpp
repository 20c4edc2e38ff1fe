#include "dynid/prediction/log_payload.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"

#include <cmath>
#include <string>

namespace dynid {
namespace {

/// The unnamed payload of this training log; nullptr if there is none.
const PayloadModel* ofTrainingLog(const Model& model, const LogInfo& info) {
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
  const PayloadModel* stated = ofTrainingLog(model, info);
  if (stated == nullptr) return std::nullopt;
  PayloadNote note;
  note.name = stated->name;
  note.link = stated->link;
  return note;
}

}  // namespace

std::optional<Payload> payloadOf(const Model& model,
                                 const LogInfo& info,
                                 const std::string& stated) {
  const PayloadTable table =
      collectPayloads(*model.robot, {noteOf(model, info)}, {stated}, {info.path});
  if (table.payloads.empty()) return std::nullopt;
  return table.payloads.front();
}

const PayloadModel* knownPayload(const Model& model, const LogInfo& info, const Payload& payload) {
  const PayloadModel* known = ofTrainingLog(model, info);
  // The name of an unnamed payload is that of a file, which other logs may have, too
  const bool named = !namesPayloadOf(payload.name, info.path);
  for (const PayloadModel& other : model.payloads)
    if (named && other.name == payload.name) known = &other;
  return known != nullptr && known->link == payload.link ? known : nullptr;
}

const PayloadModel* likePayload(const Model& model, const LogInfo& info, const Payload& payload) {
  constexpr double kSameMass = 0.02;  // relative
  if (!namesPayloadOf(payload.name, info.path) || std::isfinite(payload.known(1))) return nullptr;
  const PayloadModel* like = nullptr;
  for (const PayloadModel& other : model.payloads) {
    const double mass = other.parameters(0);
    if (other.link != payload.link || !(std::abs(payload.known(0) - mass) <= kSameMass * mass))
      continue;
    if (like != nullptr) return nullptr;  // which of them is not known
    like = &other;
  }
  return like;
}

std::optional<Payload> payloadToPredict(const Model& model,
                                        const LogInfo& info,
                                        const std::string& stated) {
  std::optional<Payload> payload = payloadOf(model, info, stated);
  if (!payload) return payload;
  const PayloadModel* known = knownPayload(model, info, *payload);
  if (known == nullptr) known = likePayload(model, info, *payload);
  if (known != nullptr) payload->known = known->parameters;
  if (!payload->fullyKnown()) {  // missing values: a point mass at the link's origin
    if (!std::isfinite(payload->known(0)))
      throw InputError(info.path.filename().string() +
                       ":/payload: the mass of the load is neither in the log nor in the model");
    for (int c = 1; c < 10; ++c)
      if (!std::isfinite(payload->known(c))) payload->known(c) = 0.0;
  }
  return payload;
}

}  // namespace dynid
