#include "dynid/model/mjcf_rewrite.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/model/mjcf_writer.h"
#include "dynid/model/xml_edits.h"
#include "dynid/model/xml_text.h"

#include <cmath>
#include <fmt/format.h>
#include <set>
#include <stdexcept>

namespace dynid {
namespace {

class MjcfRewriter {
 public:
  MjcfRewriter(const std::map<std::string, InertialParameters>& inertials,
               const std::map<std::string, MjcfJointEffects>& joints)
      : inertials_(inertials), joints_(joints) {}

  std::string rewritten(const std::string& file, const std::string& text) {
    XmlEdits edits(text);
    const XmlSpan* compiler = edits.root().child("compiler");
    const XmlAttribute* from_geom =
        compiler == nullptr ? nullptr : compiler->attribute("inertiafromgeom");
    if (from_geom != nullptr && from_geom->value == "true")
      throw InputError(file +
                       ": the compiler option inertiafromgeom=\"true\" makes MuJoCo ignore "
                       "<inertial>; set it to \"auto\"");
    visit(edits, edits.root());
    return edits.result();
  }

  void requireAllFound() const {
    requireFound(inertials_, found_bodies_, "body");
    requireFound(joints_, found_joints_, "joint");
  }

 private:
  template <typename Values>
  static void requireFound(const Values& values,
                           const std::set<std::string>& found,
                           const std::string& kind) {
    for (const auto& [name, value] : values)
      if (found.count(name) == 0)
        throw std::invalid_argument(
            fmt::format("rewriteMjcf: no file has a {} \"{}\"", kind, name));
  }

  /// `<joint>` of defaults, equalities and tendons are no joints of a body.
  void visit(XmlEdits& edits, const XmlSpan& element) {
    for (const XmlSpan& child : element.children) {
      if (child.name == "default" || child.name == "equality" || child.name == "tendon" ||
          child.name == "actuator" || child.name == "sensor" || child.name == "contact")
        continue;
      const XmlAttribute* name = child.attribute("name");
      if (name != nullptr && child.name == "body") setInertial(edits, child, name->value);
      if (name != nullptr && child.name == "joint") setEffects(edits, child, name->value);
      visit(edits, child);
    }
  }

  void setInertial(XmlEdits& edits, const XmlSpan& body, const std::string& name) {
    const auto found = inertials_.find(name);
    if (found == inertials_.end()) return;
    found_bodies_.insert(name);
    const InertialParameters& pi = found->second;
    if (!pi.allFinite() || (!(pi(0) > 0.0) && !pi.isZero(0.0)))
      throw std::invalid_argument(fmt::format(
          "rewriteMjcf: body \"{}\" got the mass {} kg; a positive mass and finite moments are "
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
            fmt::format("rewriteMjcf: {} of joint \"{}\" is not finite", attribute, name));
      edits.setAttribute(joint, attribute, xmlNumber(value));
    };
    set("damping", found->second.damping);
    set("frictionloss", found->second.frictionloss);
    set("armature", found->second.armature);
  }

  const std::map<std::string, InertialParameters>& inertials_;
  const std::map<std::string, MjcfJointEffects>& joints_;
  std::set<std::string> found_bodies_, found_joints_;
};

}  // namespace

std::map<std::string, std::string> rewriteMjcf(
    const std::map<std::string, std::string>& files,
    const std::map<std::string, InertialParameters>& inertials,
    const std::map<std::string, MjcfJointEffects>& joints) {
  MjcfRewriter rewriter(inertials, joints);
  std::map<std::string, std::string> rewritten;
  for (const auto& [name, text] : files) rewritten[name] = rewriter.rewritten(name, text);
  rewriter.requireAllFound();
  return rewritten;
}

}  // namespace dynid
