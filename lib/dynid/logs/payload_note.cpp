#include "dynid/logs/payload_note.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"

#include <cmath>

namespace dynid {
namespace {

std::string textEntry(const H5Input& input, const std::string& entry) {
  const std::string name = "payload/" + entry;
  const std::vector<std::string> texts =
      input.has(name) ? input.texts(name) : input.textAttribute("payload", entry.c_str());
  return texts.empty() ? std::string() : texts.front();
}

std::vector<double> numberEntry(const H5Input& input, const std::string& entry, size_t count) {
  const std::string name = "payload/" + entry;
  std::vector<double> values;
  if (input.has(name)) {
    const H5Numbers dataset = input.numbers(name);
    if (dataset.rows() * dataset.columns() > 16)
      throw InputError(dataset.place() + ": has too many numbers; expected " +
                       std::to_string(count));
    values = dataset.readAll();
  } else {
    values = input.numberAttribute("payload", entry.c_str());
  }
  if (values.empty()) return values;
  if (values.size() != count)
    throw InputError(input.place(name) + ": has " + std::to_string(values.size()) +
                     " numbers; expected " + std::to_string(count));
  for (const double value : values)
    if (!std::isfinite(value))
      throw InputError(input.place(name) + ": is not finite; leave it out if it is not known");
  return values;
}

void checkMass(double mass, const std::string& place) {
  if (!(std::isfinite(mass) && mass >= 0.0))
    throw InputError(place + ": is " + toText(mass) + " kg; a mass is finite and not negative");
}

}  // namespace

std::optional<PayloadNote> readPayload(const H5Input& input, std::vector<std::string>& notes) {
  if (input.hasGroup("payload")) {
    PayloadNote payload;
    payload.link = textEntry(input, "link");
    payload.name = textEntry(input, "name");
    if (const std::vector<double> mass = numberEntry(input, "mass", 1); !mass.empty()) {
      checkMass(mass[0], input.place("payload/mass"));
      if (mass[0] == 0.0) return std::nullopt;
      payload.mass = mass[0];
    }
    if (const std::vector<double> com = numberEntry(input, "com", 3); !com.empty())
      payload.com = Eigen::Vector3d::Map(com.data());
    if (const std::vector<double> inertia = numberEntry(input, "inertia", 6); !inertia.empty())
      payload.inertia = Eigen::Matrix<double, 6, 1>::Map(inertia.data());
    return payload;
  }
  const std::vector<double> mass = input.numberAttribute("/", "payload_mass_kg");
  if (mass.size() != 1) return std::nullopt;
  checkMass(mass[0], input.place("") + ": attribute 'payload_mass_kg'");
  if (mass[0] == 0.0) return std::nullopt;
  notes.push_back("payload_mass_kg: a payload of " + toText(mass[0]) +
                  " kg, with unknown centre of mass and inertia");
  PayloadNote payload;
  payload.mass = mass[0];
  return payload;
}

}  // namespace dynid
