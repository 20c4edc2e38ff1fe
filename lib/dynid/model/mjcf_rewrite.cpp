#include "dynid/model/mjcf_rewrite.h"

#include "dynid/core/text.h"
#include "dynid/model/mjcf_writer.h"
#include "dynid/model/xml_edits.h"
#include "dynid/model/xml_text.h"
#include "dynid/robot/mjcf.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <set>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace dynid {
namespace {

/// Options of a <compiler> with which MuJoCo changes or ignores the inertias of <inertial>.
std::vector<std::string> inertiaOptionsOf(const XmlSpan& section) {
  std::vector<std::string> options;
  if (section.name != "compiler") return options;
  for (const char* flag : {"balanceinertia", "inertiafromgeom"})
    if (const XmlAttribute* attribute = section.attribute(flag);
        attribute != nullptr && attribute->value == "true")
      options.emplace_back(flag);
  for (const char* number : {"boundmass", "boundinertia", "settotalmass"})
    if (const XmlAttribute* attribute = section.attribute(number);
        attribute != nullptr && parseFinite(trim(attribute->value)).value_or(0.0) > 0.0)
      options.emplace_back(number);
  return options;
}

class MjcfRewriter {
 public:
  MjcfRewriter(const std::string& text,
               const std::map<std::string, InertialParameters>& inertials,
               const std::map<std::string, MjcfJointEffects>& joints)
      : names_(mjcfNames(text)), inertials_(inertials), joints_(joints) {}

  std::string rewritten(const std::string& text, const std::optional<Eigen::Vector3d>& gravity) {
    XmlEdits edits(text);
    if (gravity) setGravity(edits, *gravity);
    for (const XmlSpan& section : edits.root().children) {
      for (const std::string& option : inertiaOptionsOf(section)) {
        if (option == "inertiafromgeom")
          edits.setAttribute(section, option, "auto");
        else
          edits.removeAttribute(section, option);
      }
      const XmlAttribute* angle = section.name == "compiler" ? section.attribute("angle") : nullptr;
      if (angle != nullptr) degrees_ = angle->value == "degree";
    }
    visit(edits, edits.root());
    requireFound(inertials_, found_bodies_, "body");
    requireFound(joints_, found_joints_, "joint");
    return edits.result();
  }

 private:
  static void setGravity(XmlEdits& edits, const Eigen::Vector3d& wanted) {
    Eigen::Vector3d given(0.0, 0.0, -9.81);  // MuJoCo's default
    const XmlSpan* option = nullptr;
    const XmlSpan* disabled = nullptr;
    for (const XmlSpan& section : edits.root().children) {
      if (section.name != "option") continue;
      const XmlAttribute* gravity = section.attribute("gravity");
      if (option == nullptr || gravity != nullptr) option = &section;
      if (gravity != nullptr) {
        std::istringstream numbers(gravity->value);
        numbers >> given.x() >> given.y() >> given.z();
      }
      const XmlSpan* flag = section.child("flag");
      const XmlAttribute* state = flag == nullptr ? nullptr : flag->attribute("gravity");
      if (state != nullptr) disabled = state->value == "disable" ? flag : nullptr;
    }
    if (wanted == (disabled != nullptr ? Eigen::Vector3d::Zero() : given)) return;
    if (disabled != nullptr) edits.setAttribute(*disabled, "gravity", "enable");
    if (option != nullptr)
      edits.setAttribute(*option, "gravity", xmlNumbers(wanted));
    else
      edits.insertFirst(edits.root(), {"<option gravity=\"" + xmlNumbers(wanted) + "\"/>"});
  }

  template <typename Values>
  static void requireFound(const Values& values,
                           const std::set<std::string>& found,
                           const std::string& kind) {
    for (const auto& [name, value] : values)
      if (found.count(name) == 0)
        throw std::invalid_argument(fmt::format("the MJCF has no {} \"{}\"", kind, name));
  }

  /// Visits the elements in the order of MjcfElement::ordinal.
  void visit(XmlEdits& edits, const XmlSpan& element) {
    const auto name = names_.find(++ordinal_);
    if (name != names_.end() && element.name == "body") setInertial(edits, element, name->second);
    if (name != names_.end() && element.name == "joint") setEffects(edits, element, name->second);
    for (const XmlSpan& child : element.children) visit(edits, child);
  }

  void setInertial(XmlEdits& edits, const XmlSpan& body, const std::string& name) {
    const auto found = inertials_.find(name);
    if (found == inertials_.end()) return;
    found_bodies_.insert(name);
    const InertialParameters& pi = found->second;
    if (!pi.allFinite() || (!(pi(0) > 0.0) && !pi.isZero(0.0)))
      throw std::invalid_argument(
          fmt::format("body \"{}\" got the mass {} kg; a positive mass and finite moments are "
                      "expected",
                      name,
                      toText(pi(0))));
    const std::string line = mjcfInertial(pi);
    if (const XmlSpan* inertial = body.child("inertial"))
      edits.replace(*inertial, {line});
    else
      edits.insertFirst(body, {line});
  }

  void setEffects(XmlEdits& edits, const XmlSpan& joint, const std::string& name) {
    const auto found = joints_.find(name);
    if (found == joints_.end()) return;
    found_joints_.insert(name);
    const auto set = [&](const char* attribute, double value) {
      if (!std::isfinite(value))
        throw std::invalid_argument(
            fmt::format("{} of joint \"{}\" is not finite", attribute, name));
      edits.setAttribute(joint, attribute, xmlNumber(value));
    };
    set("damping", found->second.damping);
    set("frictionloss", found->second.frictionloss);
    set("armature", found->second.armature);
    if (const std::optional<MjcfSpring>& spring = found->second.spring) {
      set("stiffness", spring->stiffness);
      const bool in_degrees = degrees_ && !spring->prismatic;
      set("springref", spring->reference * (in_degrees ? 180.0 / std::numbers::pi : 1.0));
    }
  }

  const std::map<int, std::string> names_;
  const std::map<std::string, InertialParameters>& inertials_;
  const std::map<std::string, MjcfJointEffects>& joints_;
  std::set<std::string> found_bodies_, found_joints_;
  bool degrees_ = true;  // MuJoCo's default
  int ordinal_ = 0;
};

}  // namespace

std::vector<std::string> mjcfInertiaOptions(const std::string& text) {
  std::vector<std::string> options;
  for (const XmlSpan& section : locateElements(text).children)
    for (const std::string& option : inertiaOptionsOf(section))
      if (std::find(options.begin(), options.end(), option) == options.end())
        options.push_back(option);
  return options;
}

std::string rewriteMjcf(const std::string& text,
                        const std::map<std::string, InertialParameters>& inertials,
                        const std::map<std::string, MjcfJointEffects>& joints,
                        const std::optional<Eigen::Vector3d>& gravity) {
  return MjcfRewriter(text, inertials, joints).rewritten(text, gravity);
}

}  // namespace dynid
