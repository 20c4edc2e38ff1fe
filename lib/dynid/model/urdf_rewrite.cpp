#include "dynid/model/urdf_rewrite.h"

#include "dynid/core/text.h"
#include "dynid/model/xml_edits.h"
#include "dynid/model/xml_text.h"

#include <cmath>
#include <stdexcept>
#include <vector>

namespace dynid {
namespace {

std::string attributeOf(const char* name, double value) {
  return std::string(" ") + name + "=\"" + xmlNumber(value) + "\"";
}

/// The joint of a transmission with one joint and one actuator; "" for all others.
std::string transmittedJoint(const XmlSpan& element) {
  if (element.name != "transmission" || element.child("actuator") == nullptr) return "";
  std::string joint;
  for (const XmlSpan& child : element.children) {
    if (child.name != "joint") continue;
    const XmlAttribute* name = child.attribute("name");
    if (name == nullptr || !joint.empty()) return "";
    joint = name->value;
  }
  return joint;
}

class Rewriter {
 public:
  explicit Rewriter(const std::string& text) : edits_(text) {}

  void setInertial(const std::string& link, const InertialParameters& pi) {
    const XmlSpan& element = find("link", link);
    const std::vector<std::string> lines = inertialLines(link, pi);
    if (const XmlSpan* inertial = element.child("inertial"))
      edits_.replace(*inertial, lines);
    else
      edits_.insertFirst(element, lines);
  }

  void removeInertial(const std::string& link) {
    if (const XmlSpan* inertial = find("link", link).child("inertial")) edits_.remove(*inertial);
  }

  void setDynamics(const std::string& joint, const JointDynamics& dynamics) {
    if (!std::isfinite(dynamics.damping) || !std::isfinite(dynamics.friction))
      throw std::invalid_argument("damping or friction of joint \"" + joint + "\" is not finite");
    const XmlSpan& element = find("joint", joint);
    const XmlSpan* existing = element.child("dynamics");
    if (existing == nullptr && dynamics.damping == 0.0 && dynamics.friction == 0.0) return;
    if (existing == nullptr) {
      edits_.insertFirst(element,
                         {"<dynamics" + attributeOf("damping", dynamics.damping) +
                          attributeOf("friction", dynamics.friction) + "/>"});
      return;
    }
    edits_.setAttribute(*existing, "damping", xmlNumber(dynamics.damping));
    edits_.setAttribute(*existing, "friction", xmlNumber(dynamics.friction));
  }

  void setRotorInertia(const std::string& joint, double inertia) {
    const XmlSpan* actuator = nullptr;
    for (const XmlSpan& element : edits_.root().children)
      if (transmittedJoint(element) == joint) actuator = element.child("actuator");
    if (actuator == nullptr || !std::isfinite(inertia))
      throw std::invalid_argument("joint \"" + joint +
                                  "\" has no transmission or no finite drive inertia");
    const XmlSpan* gear = actuator->child("drake:gear_ratio");
    const XmlAttribute* written = gear == nullptr ? nullptr : gear->attribute("value");
    const double ratio = written == nullptr ? 1.0 : parseFinite(written->value).value_or(1.0);
    const std::string value = xmlNumber(ratio == 0.0 ? inertia : inertia / (ratio * ratio));
    if (edits_.root().attribute("xmlns:drake") == nullptr && !names_drake_) {
      edits_.setAttribute(edits_.root(), "xmlns:drake", "http://drake.mit.edu");
      names_drake_ = true;
    }
    if (const XmlSpan* existing = actuator->child("drake:rotor_inertia"))
      edits_.setAttribute(*existing, "value", value);
    else
      edits_.insertFirst(*actuator, {"<drake:rotor_inertia value=\"" + value + "\"/>"});
  }

  std::string result() const { return edits_.result(); }

 private:
  const XmlSpan& find(const std::string& tag, const std::string& name) const {
    std::vector<std::string> names;
    for (const XmlSpan& element : edits_.root().children) {
      const XmlAttribute* attribute = element.name == tag ? element.attribute("name") : nullptr;
      if (attribute == nullptr) continue;
      if (attribute->value == name) return element;
      names.push_back(attribute->value);
    }
    throw std::invalid_argument("the URDF has no " + tag + " \"" + name + "\"" +
                                didYouMean(name, names));
  }

  static std::vector<std::string> inertialLines(const std::string& link,
                                                const InertialParameters& pi) {
    if (!pi.allFinite())
      throw std::invalid_argument("a parameter of link \"" + link + "\" is not finite");
    if (!(pi(0) > 0.0) && !pi.isZero(0.0))
      throw std::invalid_argument("link \"" + link + "\" got the mass " + toText(pi(0)) +
                                  " kg; a positive mass is expected (its centre of mass is h/m)");
    const CenterOfMassInertia body = centerOfMassInertia(pi);
    const Eigen::Matrix3d& I = body.inertia_about_com;
    const std::string inertia = attributeOf("ixx", I(0, 0)) + attributeOf("ixy", I(0, 1)) +
                                attributeOf("ixz", I(0, 2)) + attributeOf("iyy", I(1, 1)) +
                                attributeOf("iyz", I(1, 2)) + attributeOf("izz", I(2, 2));
    return {"<inertial>",
            "<origin xyz=\"" + xmlNumbers(body.com) + "\" rpy=\"0 0 0\"/>",
            "<mass" + attributeOf("value", body.mass) + "/>",
            "<inertia" + inertia + "/>",
            "</inertial>"};
  }

  XmlEdits edits_;
  bool names_drake_ = false;
};

}  // namespace

std::string rewriteUrdf(const std::string& urdf_text,
                        const std::map<std::string, InertialParameters>& inertials,
                        const std::map<std::string, JointDynamics>& dynamics,
                        const std::set<std::string>& massless,
                        const std::map<std::string, double>& rotor_inertias) {
  Rewriter rewriter(urdf_text);
  for (const auto& [link, pi] : inertials) {
    if (massless.count(link) > 0)
      throw std::invalid_argument("link \"" + link +
                                  "\" is given an inertia and listed as massless");
    rewriter.setInertial(link, pi);
  }
  for (const std::string& link : massless) rewriter.removeInertial(link);
  for (const auto& [joint, values] : dynamics) rewriter.setDynamics(joint, values);
  for (const auto& [joint, value] : rotor_inertias) rewriter.setRotorInertia(joint, value);
  return rewriter.result();
}

std::set<std::string> jointsWithTransmission(const std::string& urdf_text) {
  std::set<std::string> joints;
  const XmlSpan root = locateElements(urdf_text);
  for (const XmlSpan& element : root.children)
    if (const std::string joint = transmittedJoint(element); !joint.empty()) joints.insert(joint);
  return joints;
}

}  // namespace dynid
