#include "dynid/logs/units.h"

#include "dynid/core/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <numbers>
#include <span>
#include <vector>

namespace dynid {
namespace {

struct NamedUnit {
  const char* name;  // without blanks, '*', '^' and middle dots
  double to_si;
  bool linear;
};

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kPoundForce = 4.4482216152605;  // [N] exact
constexpr double kInch = 0.0254;                 // [m] exact

constexpr std::array kTimeUnits = std::to_array<NamedUnit>({{"s", 1.0, false},
                                                            {"ms", 1e-3, false},
                                                            {"us", 1e-6, false},
                                                            {"ns", 1e-9, false},
                                                            {"sec", 1.0, false},
                                                            {"second", 1.0, false},
                                                            {"seconds", 1.0, false},
                                                            {"msec", 1e-3, false},
                                                            {"milliseconds", 1e-3, false},
                                                            {"usec", 1e-6, false},
                                                            {"microseconds", 1e-6, false},
                                                            {"nsec", 1e-9, false},
                                                            {"nanoseconds", 1e-9, false},
                                                            {"µs", 1e-6, false},
                                                            {"μs", 1e-6, false},
                                                            {"min", 60.0, false},
                                                            {"h", 3600.0, false},
                                                            {"d", 86400.0, false},
                                                            {"days", 86400.0, false}});
constexpr std::array kPositionUnits = std::to_array<NamedUnit>({{"rad", 1.0, false},
                                                                {"deg", kDegree, false},
                                                                {"m", 1.0, true},
                                                                {"mm", 1e-3, true},
                                                                {"mrad", 1e-3, false},
                                                                {"urad", 1e-6, false},
                                                                {"radian", 1.0, false},
                                                                {"radians", 1.0, false},
                                                                {"degree", kDegree, false},
                                                                {"degrees", kDegree, false},
                                                                {"°", kDegree, false},
                                                                {"rev", kTurn, false},
                                                                {"turn", kTurn, false},
                                                                {"turns", kTurn, false},
                                                                {"cm", 1e-2, true},
                                                                {"um", 1e-6, true},
                                                                {"in", kInch, true}});
constexpr std::array kVelocityUnits = std::to_array<NamedUnit>(
    {{"rad/s", 1.0, false},       {"deg/s", kDegree, false},    {"m/s", 1.0, true},
     {"mm/s", 1e-3, true},        {"rpm", kTurn / 60.0, false}, {"mrad/s", 1e-3, false},
     {"urad/s", 1e-6, false},     {"dps", kDegree, false},      {"rad/sec", 1.0, false},
     {"deg/sec", kDegree, false}, {"radians/s", 1.0, false},    {"degrees/s", kDegree, false},
     {"rads-1", 1.0, false},      {"degs-1", kDegree, false},   {"ms-1", 1.0, true},
     {"°/s", kDegree, false},     {"rev/s", kTurn, false},      {"rev/min", kTurn / 60.0, false},
     {"turn/s", kTurn, false},    {"turns/s", kTurn, false},    {"cm/s", 1e-2, true}});
constexpr std::array kAccelerationUnits = std::to_array<NamedUnit>({{"rad/s2", 1.0, false},
                                                                    {"deg/s2", kDegree, false},
                                                                    {"m/s2", 1.0, true},
                                                                    {"mm/s2", 1e-3, true},
                                                                    {"rad/s/s", 1.0, false},
                                                                    {"deg/s/s", kDegree, false},
                                                                    {"rads-2", 1.0, false},
                                                                    {"degs-2", kDegree, false},
                                                                    {"ms-2", 1.0, true},
                                                                    {"°/s2", kDegree, false},
                                                                    {"rev/s2", kTurn, false},
                                                                    {"cm/s2", 1e-2, true}});
constexpr std::array kEffortUnits =
    std::to_array<NamedUnit>({{"Nm", 1.0, false},
                              {"N", 1.0, true},
                              {"mNm", 1e-3, false},
                              {"kNm", 1e3, false},
                              {"Ncm", 1e-2, false},
                              {"Nmm", 1e-3, false},
                              {"N.m", 1.0, false},
                              {"N-m", 1.0, false},
                              {"Newtonmeter", 1.0, false},
                              {"newtonmeter", 1.0, false},
                              {"newtonmeters", 1.0, false},
                              {"mN", 1e-3, true},
                              {"kN", 1e3, true},
                              {"lbfft", kPoundForce * 12.0 * kInch, false},
                              {"ftlbf", kPoundForce * 12.0 * kInch, false},
                              {"lbfin", kPoundForce* kInch, false},
                              {"lbf", kPoundForce, true}});
constexpr std::array kCurrentUnits = std::to_array<NamedUnit>({{"A", 1.0, false},
                                                               {"mA", 1e-3, false},
                                                               {"Amp", 1.0, false},
                                                               {"amps", 1.0, false},
                                                               {"ampere", 1.0, false},
                                                               {"amperes", 1.0, false}});

std::span<const NamedUnit> table(Quantity quantity) {
  switch (quantity) {
    case Quantity::kTime:
      return kTimeUnits;
    case Quantity::kPosition:
      return kPositionUnits;
    case Quantity::kVelocity:
      return kVelocityUnits;
    case Quantity::kAcceleration:
      return kAccelerationUnits;
    case Quantity::kEffort:
      return kEffortUnits;
    case Quantity::kCurrent:
      return kCurrentUnits;
  }
  return {};
}

void removeAll(std::string& text, std::string_view part) {
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
}

std::string canonical(std::string_view text) {
  std::string plain(trim(text));
  for (size_t at = plain.find("²"); at != std::string::npos; at = plain.find("²"))
    plain.replace(at, std::string_view("²").size(), "2");
  for (const char* ignored : {" ", "\t", "*", "^", "·", "⋅", "{", "}"}) removeAll(plain, ignored);
  return plain;
}

bool equalIgnoringCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

bool hasUpperCase(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

}  // namespace

std::optional<Unit> parseUnit(Quantity quantity, std::string_view text) {
  const std::string plain = canonical(text);
  if (plain.empty()) return std::nullopt;
  for (const NamedUnit& unit : table(quantity))
    if (plain == unit.name) return Unit{unit.to_si, unit.linear};
  // Accepts "RAD", "Deg/s", but not where case has a meaning (mN m, MN m).
  for (const NamedUnit& unit : table(quantity))
    if (!hasUpperCase(unit.name) && equalIgnoringCase(plain, unit.name))
      return Unit{unit.to_si, unit.linear};
  return std::nullopt;
}

std::optional<Unit> parseUnitPrefix(Quantity quantity, std::string_view text) {
  text = trim(text.substr(0, text.find_first_of("([{,;")));
  while (!text.empty()) {
    if (const std::optional<Unit> unit = parseUnit(quantity, text)) return unit;
    const size_t blank = text.find_last_of(" \t");
    text = blank == std::string_view::npos ? std::string_view() : trim(text.substr(0, blank));
  }
  return std::nullopt;
}

std::string siUnit(Quantity quantity, bool linear) {
  switch (quantity) {
    case Quantity::kTime:
      return "s";
    case Quantity::kPosition:
      return linear ? "m" : "rad";
    case Quantity::kVelocity:
      return linear ? "m/s" : "rad/s";
    case Quantity::kAcceleration:
      return linear ? "m/s^2" : "rad/s^2";
    case Quantity::kEffort:
      return linear ? "N" : "N m";
    case Quantity::kCurrent:
      return "A";
  }
  return {};
}

std::string knownUnits(Quantity quantity) {
  std::vector<std::string> names;
  for (const NamedUnit& unit : table(quantity)) names.emplace_back(unit.name);
  names.resize(std::min<size_t>(names.size(), quantity == Quantity::kEffort ? 6 : 4));
  for (std::string& name : names)
    if (name.ends_with("s2")) name.insert(name.size() - 1, "^");
  return join(names);
}

}  // namespace dynid
