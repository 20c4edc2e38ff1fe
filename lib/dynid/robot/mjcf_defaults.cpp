#include "dynid/robot/mjcf_defaults.h"

#include "dynid/core/text.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace dynid {
namespace {

constexpr const char* kMain = "main";
void addOver(const std::map<std::string, std::string>& attributes,
             std::map<std::string, std::string>& base) {
  for (const auto& [name, value] : attributes)
    if (name != "class") base[name] = value;
}

}  // namespace

std::string defaultKind(const std::string& element) {
  constexpr std::array<std::string_view, 10> kActuators = {"general",
                                                           "motor",
                                                           "position",
                                                           "velocity",
                                                           "intvelocity",
                                                           "damper",
                                                           "cylinder",
                                                           "muscle",
                                                           "adhesion",
                                                           "plugin"};
  const bool actuator =
      std::find(kActuators.begin(), kActuators.end(), element) != kActuators.end();
  return actuator ? "actuator" : element;
}

MjcfDefaults::MjcfDefaults(const MjcfElement& root) {
  classes_.emplace(kMain, Class{});
  for (const MjcfElement& child : root.children) {
    if (child.name != "default") continue;
    read(child, kMain);
    if (const auto name = child.text("class")) classes_.emplace(*name, Class{kMain, {}});
  }
}

void MjcfDefaults::read(const MjcfElement& element, const std::string& name) {
  Class& current = classes_.at(name);
  for (const MjcfElement& child : element.children)
    if (child.name != "default") addOver(child.attributes, current.kinds[defaultKind(child.name)]);
  for (const MjcfElement& child : element.children) {
    if (child.name != "default") continue;
    const std::string nested = child.requiredName("class");
    if (!classes_.emplace(nested, Class{name, {}}).second)
      child.fail("a second default class named \"" + nested + "\"; names must be unique");
    read(child, nested);
  }
}

void MjcfDefaults::requireClass(const MjcfElement& element, const std::string& name) const {
  if (classes_.count(name) > 0) return;
  std::vector<std::string> names;
  for (const auto& [known, attributes] : classes_) names.push_back(known);
  element.fail("<" + element.name + "> names the default class \"" + name +
               "\", which the model does not have" + didYouMean(name, names));
}

MjcfElement MjcfDefaults::complete(const MjcfElement& element,
                                   const std::string& kind,
                                   const std::string& childclass) const {
  const std::string name = element.text("class").value_or(childclass.empty() ? kMain : childclass);
  requireClass(element, name);
  MjcfElement result;
  result.name = element.name;
  result.file = element.file;
  result.line = element.line;
  result.ordinal = element.ordinal;
  std::vector<const Attributes*> chain;
  for (std::string at = name; !at.empty(); at = classes_.at(at).parent) {
    const Class& current = classes_.at(at);
    if (const auto found = current.kinds.find(kind); found != current.kinds.end())
      chain.push_back(&found->second);
  }
  for (auto outer = chain.rbegin(); outer != chain.rend(); ++outer)
    addOver(**outer, result.attributes);
  addOver(element.attributes, result.attributes);
  return result;
}

}  // namespace dynid
