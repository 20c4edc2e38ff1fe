#include "dynid/equations/payloads.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"

#include <cmath>
#include <stdexcept>

namespace dynid {
namespace {

PayloadNote noteFromOption(const std::string& option) {
  const size_t colon = option.rfind(':');
  const std::optional<double> mass =
      colon == std::string::npos ? std::nullopt : parseFinite(option.substr(colon + 1));
  if (!mass || *mass <= 0.0 || colon == 0)
    throw UsageError("`payload`: \"" + option +
                     "\" is not FILE=link:mass with a mass in kg, for example log.h5=tool0:2.5");
  PayloadNote note;
  note.link = option.substr(0, colon);
  note.mass = *mass;
  return note;
}

// The known ones of the ten parameters about the link's origin; NaN for the others.
InertialParameters knownParameters(const PayloadNote& note) {
  InertialParameters known = InertialParameters::Constant(std::numeric_limits<double>::quiet_NaN());
  known(0) = note.mass;
  if (!note.com || !std::isfinite(note.mass)) return known;
  known.segment<3>(1) = note.mass * *note.com;
  if (!note.inertia) return known;
  const Eigen::Matrix<double, 6, 1>& i = *note.inertia;
  return inertialFromCenterOfMass(
      note.mass,
      *note.com,
      Eigen::Matrix3d{{i(0), i(1), i(2)}, {i(1), i(3), i(4)}, {i(2), i(4), i(5)}});
}

}  // namespace

PayloadTable collectPayloads(const Robot& robot,
                             const std::vector<std::optional<PayloadNote>>& notes,
                             const std::vector<std::string>& options,
                             const std::vector<std::string>& files) {
  PayloadTable table;
  for (size_t i = 0; i < notes.size(); ++i) {
    std::optional<PayloadNote> note = notes[i];
    if (!options[i].empty()) {
      const PayloadNote given = noteFromOption(options[i]);
      if (!note) note = PayloadNote{};
      note->link = given.link;
      note->mass = given.mass;
    }
    table.of_log.push_back(-1);
    if (!note) continue;
    if (note->link.empty()) note->link = robot.payload_link.value_or("");
    if (note->link.empty())
      throw InputError(
          files[i] +
          ":/payload: carries a payload, but neither the log nor the robot description says on "
          "which link; add [payload] link = \"...\" to the description");
    const std::string name = note->name.empty() ? "payload " + files[i] : note->name;
    for (size_t p = 0; p < table.payloads.size(); ++p)
      if (table.payloads[p].name == name) table.of_log.back() = static_cast<int>(p);
    if (table.of_log.back() >= 0) continue;
    Payload payload;
    payload.name = name;
    payload.link = note->link;
    payload.note = *note;
    payload.known = knownParameters(*note);
    try {
      std::tie(payload.placement.body, payload.placement.X_BL) = robot.findLink(note->link);
    } catch (const std::invalid_argument& error) {
      throw InputError(files[i] + ":/payload: " + error.what());
    }
    table.of_log.back() = static_cast<int>(table.payloads.size());
    table.payloads.push_back(std::move(payload));
  }
  return table;
}

std::vector<Payload> appendPayloadColumns(std::vector<Payload> payloads, ParameterLayout& layout) {
  for (size_t p = 0; p < payloads.size(); ++p) {
    Payload& payload = payloads[p];
    payload.placement.first_column = layout.size();
    for (size_t c = 0; c < kInertialNames.size(); ++c) {
      Column column;
      column.kind = ColumnKind::kPayload;
      column.owner = static_cast<int>(p);
      column.carrier = payload.placement.body;
      column.component = static_cast<int>(c);
      column.name = payload.name + "." + std::string(kInertialNames[c]);
      column.unit = std::string(kInertialUnits[c]);
      layout.append(column);
    }
  }
  return payloads;
}

std::vector<std::optional<PayloadPlacement>> distinctPlacements(
    const std::vector<Payload>& payloads, bool some_log_without) {
  std::vector<std::optional<PayloadPlacement>> distinct;
  if (some_log_without) distinct.emplace_back(std::nullopt);
  for (const Payload& payload : payloads) distinct.emplace_back(payload.placement);
  return distinct;
}

}  // namespace dynid
