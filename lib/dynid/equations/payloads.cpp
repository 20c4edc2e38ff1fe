#include "dynid/equations/payloads.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/robot/plausibility.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <stdexcept>

namespace dynid {
namespace {

namespace fs = std::filesystem;

// Values of the same payload agree to this relative and absolute (SI) difference. Numbers of single
// precision differ by 1e-7, and differences of them are compared with zero.
constexpr double kSameRelative = 1e-6, kSameAbsolute = 1e-9;

PayloadNote noteFromOption(const std::string& option) {
  const size_t colon = option.rfind(':');
  const std::optional<double> mass =
      colon == std::string::npos ? std::nullopt : parseFinite(option.substr(colon + 1));
  if (!mass || *mass <= 0.0 || colon == 0)
    throw UsageError("`payload`: \"" + option +
                     "\" is not LINK:MASS with a mass in kg, as in tool0:2.5");
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

// Refuses values that no body has.
void expectPossible(const Payload& payload, const std::string& place) {
  if (!payload.known.allFinite()) return;
  const Plausibility judged = plausibilityOf("payload", payload.known);
  if (!judged.physical)
    throw InputError(
        fmt::format("{}: {}; correct mass, com or inertia (about the centre of mass), or leave "
                    "the inertia out: it is then identified",
                    place,
                    join(judged.problems, "; ")));
}

// What is different in the second of two payloads of the same name; "" if nothing is.
std::string difference(const Payload& first, const Payload& second) {
  if (first.link != second.link)
    return fmt::format("is on the link \"{}\" and on \"{}\"", first.link, second.link);
  for (Eigen::Index c = 0; c < std::ssize(kInertialNames); ++c) {
    const double a = first.known(c), b = second.known(c);
    // Unknown values (NaN) are never different.
    if (std::abs(a - b) > kSameRelative * (std::abs(a) + std::abs(b)) + kSameAbsolute)
      return fmt::format("has {0} = {1:.6g} {3} and {0} = {2:.6g} {3}",
                         kInertialNames[c],
                         a,
                         b,
                         kInertialUnits[c]);
  }
  return "";
}

fs::path identityOf(const fs::path& file) { return fs::absolute(file).lexically_normal(); }

// The name of an unnamed payload after the last `count` parts of the path of its log.
std::string nameFrom(const fs::path& file, std::ptrdiff_t count) {
  fs::path last;
  const std::ptrdiff_t skipped =
      std::max<std::ptrdiff_t>(std::distance(file.begin(), file.end()) - count, 0);
  for (auto part = std::next(file.begin(), skipped); part != file.end(); ++part) last /= *part;
  return "payload " + last.string();
}

// The shortest name of an unnamed payload that no other of these files can have.
std::string nameOfUnnamed(const fs::path& file, const std::vector<fs::path>& unnamed) {
  const fs::path whole = identityOf(file);
  std::ptrdiff_t count = 1;
  const auto shared = [&](const fs::path& other) {
    return other != whole && nameFrom(other, count) == nameFrom(whole, count);
  };
  while (std::any_of(unnamed.begin(), unnamed.end(), shared)) ++count;
  return nameFrom(whole, count);
}

}  // namespace

int addPayload(PayloadTable& table, const Payload& payload, const std::string& place) {
  const auto same = [&](const Payload& known) { return known.name == payload.name; };
  const auto found = std::find_if(table.payloads.begin(), table.payloads.end(), same);
  const auto index = found - table.payloads.begin();
  if (found == table.payloads.end()) {
    table.payloads.push_back(payload);
    table.places.push_back(place);
    return static_cast<int>(index);
  }
  if (const std::string differs = difference(*found, payload); !differs.empty())
    throw InputError(fmt::format(
        "{} and {}: the payload \"{}\" {}; payloads of the same name are one payload: correct "
        "the values, or give different payloads different names (`payload/name` in the logs)",
        table.places[index],
        place,
        payload.name,
        differs));
  found->known = found->known.array().isFinite().select(found->known, payload.known);
  return static_cast<int>(index);
}

PayloadTable collectPayloads(const Robot& robot,
                             const std::vector<std::optional<PayloadNote>>& notes,
                             const std::vector<std::string>& options,
                             const std::vector<fs::path>& files) {
  std::vector<fs::path> unnamed;
  for (size_t i = 0; i < notes.size(); ++i)
    if (notes[i] ? notes[i]->name.empty() : !options[i].empty())
      unnamed.push_back(identityOf(files[i]));
  PayloadTable table;
  for (size_t i = 0; i < notes.size(); ++i) {
    std::optional<PayloadNote> note = notes[i];
    if (!options[i].empty()) {
      PayloadNote given = noteFromOption(options[i]);
      if (note) given.name = note->name;
      note = given;
    }
    table.of_log.push_back(-1);
    if (!note) continue;
    const std::string place = files[i].string() + ":/payload";
    if (note->link.empty()) note->link = robot.payload_link.value_or("");
    if (note->link.empty())
      throw InputError(
          place +
          ": carries a payload, but neither the log nor the robot description says on which link; "
          "add [payload] link = \"...\" to the description");
    Payload payload;
    payload.name = note->name.empty() ? nameOfUnnamed(files[i], unnamed) : note->name;
    payload.link = note->link;
    payload.known = knownParameters(*note);
    expectPossible(payload, place);
    try {
      std::tie(payload.placement.body, payload.placement.X_BL) = robot.findLink(note->link);
    } catch (const std::invalid_argument& error) {
      throw InputError(place + ": " + error.what());
    }
    table.of_log.back() = addPayload(table, payload, place);
  }
  return table;
}

bool namesPayloadOf(const std::string& name, const fs::path& file) {
  const fs::path whole = identityOf(file);
  for (std::ptrdiff_t count = 1; count <= std::distance(whole.begin(), whole.end()); ++count)
    if (name == nameFrom(whole, count)) return true;
  return false;
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
