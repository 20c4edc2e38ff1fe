#include "dynid/model/urdf_rewrite.h"

#include "dynid/core/text.h"
#include "dynid/model/xml_offsets.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace dynid {
namespace {

constexpr int kDigits = 17;

/// Replace [begin, end) of the original by `text`.
struct Edit {
  size_t begin = 0, end = 0;
  std::string text;
};

std::string digits(double value) { return toText(value == 0.0 ? 0.0 : value, kDigits); }

std::string attributeOf(const char* name, double value) {
  return std::string(" ") + name + "=\"" + digits(value) + "\"";
}

/// How the file is laid out: its line ends, and what stands before an element on its line.
class Layout {
 public:
  explicit Layout(const std::string& text) : text_(text) {
    const size_t newline = text.find('\n');
    newline_ =
        newline != std::string::npos && newline > 0 && text[newline - 1] == '\r' ? "\r\n" : "\n";
  }

  const std::string& newline() const { return newline_; }

  /// True if only blanks stand before the place on its line, and there is a line above.
  bool startsLine(size_t place) const {
    const size_t begin = lineBegin(place);
    return begin > 0 && text_.find_first_not_of(" \t", begin) >= place;
  }
  std::string indent(size_t place) const {
    const size_t begin = lineBegin(place);
    const size_t end = std::min(text_.find_first_not_of(" \t", begin), place);
    return text_.substr(begin, end - begin);
  }
  size_t lineBegin(size_t place) const {
    const size_t newline = place == 0 ? std::string::npos : text_.rfind('\n', place - 1);
    return newline == std::string::npos ? 0 : newline + 1;
  }

  /// What one level of nesting adds: from the first child of `parent` that starts a line.
  std::string step(const XmlSpan& parent) const {
    for (const XmlSpan& child : parent.children) {
      if (!startsLine(child.begin)) continue;
      const std::string outer = indent(parent.begin), inner = indent(child.begin);
      if (inner.size() > outer.size() && inner.compare(0, outer.size(), outer) == 0)
        return inner.substr(outer.size());
    }
    return "";
  }

 private:
  const std::string& text_;
  std::string newline_;
};

class Rewriter {
 public:
  explicit Rewriter(const std::string& text)
      : text_(text), layout_(text), robot_(locateElements(text)) {
    step_ = layout_.step(robot_);
    if (step_.empty()) step_ = "  ";
  }

  void setInertial(const std::string& link, const InertialParameters& pi) {
    const XmlSpan& element = find("link", link);
    const std::vector<std::string> lines = inertialLines(link, pi);
    if (const XmlSpan* inertial = element.child("inertial")) {
      const bool own_lines = layout_.startsLine(inertial->begin);
      const std::string indent = layout_.indent(inertial->begin);
      const std::string inner = layout_.step(*inertial);
      edits_.push_back({inertial->begin,
                        inertial->end,
                        block(lines, own_lines, indent, inner.empty() ? step_ : inner)});
    } else {
      insertFirst(element, lines);
    }
  }

  void removeInertial(const std::string& link) {
    const XmlSpan* inertial = find("link", link).child("inertial");
    if (inertial == nullptr) return;
    size_t begin = inertial->begin;
    const size_t next = text_.find_first_not_of(" \t\r", inertial->end);
    if (layout_.startsLine(begin) && next != std::string::npos && text_[next] == '\n') {
      begin = layout_.lineBegin(begin) - 1;  // with the line end before it
      if (begin > 0 && text_[begin - 1] == '\r') --begin;
    }
    edits_.push_back({begin, inertial->end, ""});
  }

  void setDynamics(const std::string& joint, const JointDynamics& dynamics) {
    if (!std::isfinite(dynamics.damping) || !std::isfinite(dynamics.friction))
      throw std::invalid_argument("rewriteUrdf: damping or friction of joint \"" + joint +
                                  "\" is not finite");
    const XmlSpan& element = find("joint", joint);
    const XmlSpan* existing = element.child("dynamics");
    if (existing == nullptr) {
      insertFirst(element,
                  {"<dynamics" + attributeOf("damping", dynamics.damping) +
                   attributeOf("friction", dynamics.friction) + "/>"});
      return;
    }
    setAttribute(*existing, "damping", dynamics.damping);
    setAttribute(*existing, "friction", dynamics.friction);
  }

  std::string result() {
    std::stable_sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) {
      return a.begin < b.begin;
    });
    std::string out;
    size_t done = 0;
    for (const Edit& edit : edits_) {
      out.append(text_, done, edit.begin - done);
      out += edit.text;
      done = edit.end;
    }
    return out.append(text_, done);
  }

 private:
  const XmlSpan& find(const std::string& tag, const std::string& name) const {
    std::vector<std::string> names;
    for (const XmlSpan& element : robot_.children) {
      const XmlAttribute* attribute = element.name == tag ? element.attribute("name") : nullptr;
      if (attribute == nullptr) continue;
      if (attribute->value == name) return element;
      names.push_back(attribute->value);
    }
    throw std::invalid_argument("rewriteUrdf: the URDF has no " + tag + " \"" + name + "\"" +
                                didYouMean(name, names));
  }

  static std::vector<std::string> inertialLines(const std::string& link,
                                                const InertialParameters& pi) {
    if (!pi.allFinite())
      throw std::invalid_argument("rewriteUrdf: a parameter of link \"" + link +
                                  "\" is not finite");
    if (!(pi(0) > 0.0) && !pi.isZero(0.0))
      throw std::invalid_argument("rewriteUrdf: link \"" + link + "\" got the mass " +
                                  toText(pi(0)) +
                                  " kg; a positive mass is expected (its centre of mass is h/m)");
    const CenterOfMassInertia body = centerOfMassInertia(pi);
    const Eigen::Matrix3d& I = body.inertia_about_com;
    const std::string inertia = attributeOf("ixx", I(0, 0)) + attributeOf("ixy", I(0, 1)) +
                                attributeOf("ixz", I(0, 2)) + attributeOf("iyy", I(1, 1)) +
                                attributeOf("iyz", I(1, 2)) + attributeOf("izz", I(2, 2));
    return {"<inertial>",
            "<origin xyz=\"" + digits(body.com.x()) + " " + digits(body.com.y()) + " " +
                digits(body.com.z()) + "\" rpy=\"0 0 0\"/>",
            "<mass" + attributeOf("value", body.mass) + "/>",
            "<inertia" + inertia + "/>",
            "</inertial>"};
  }

  /// The lines as they stand in the file, without the first indent: the first and the last at
  /// `indent`, the others one `step` deeper; or all on one line.
  std::string block(const std::vector<std::string>& lines,
                    bool own_lines,
                    const std::string& indent,
                    const std::string& step) const {
    std::string out = lines.front();
    for (size_t i = 1; i < lines.size(); ++i) {
      if (own_lines) out += layout_.newline() + indent + (i + 1 < lines.size() ? step : "");
      out += lines[i];
    }
    return out;
  }

  /// Makes the lines the first child of the element, opening `<link name="x"/>` where need be.
  void insertFirst(const XmlSpan& parent, const std::vector<std::string>& lines) {
    const bool blank =
        text_.find_first_not_of(" \t\r\n", parent.content_begin) >= parent.content_end;
    const bool has_lines =
        text_.substr(parent.content_begin, parent.content_end - parent.content_begin).find('\n') !=
        std::string::npos;
    const bool own_lines =
        layout_.startsLine(parent.begin) && (parent.self_closing || blank || has_lines);
    const std::string outer = layout_.indent(parent.begin);
    const std::string own_step = layout_.step(parent);
    const std::string step = own_step.empty() ? step_ : own_step;
    std::string inserted = block(lines, own_lines, outer + step, step);
    if (own_lines) inserted = layout_.newline() + outer + step + inserted;
    if (parent.self_closing) {
      const std::string close =
          (own_lines ? layout_.newline() + outer : "") + "</" + parent.name + ">";
      edits_.push_back({parent.end - 2, parent.end, ">" + inserted + close});
      return;
    }
    if (own_lines && blank && !has_lines) inserted += layout_.newline() + outer;
    edits_.push_back({parent.content_begin, parent.content_begin, inserted});
  }

  void setAttribute(const XmlSpan& element, const char* name, double value) {
    if (const XmlAttribute* attribute = element.attribute(name)) {
      edits_.push_back({attribute->value_begin, attribute->value_end, digits(value)});
      return;
    }
    const size_t place =
        element.attributes.empty() ? element.name_end : element.attributes.back().value_end + 1;
    edits_.push_back({place, place, attributeOf(name, value)});
  }

  const std::string& text_;
  Layout layout_;
  XmlSpan robot_;
  std::string step_;
  std::vector<Edit> edits_;
};

}  // namespace

std::string rewriteUrdf(const std::string& urdf_text,
                        const std::map<std::string, InertialParameters>& inertials,
                        const std::map<std::string, JointDynamics>& dynamics,
                        const std::set<std::string>& massless) {
  Rewriter rewriter(urdf_text);
  for (const auto& [link, pi] : inertials) {
    if (massless.count(link) > 0)
      throw std::invalid_argument("rewriteUrdf: link \"" + link +
                                  "\" is given an inertia and listed as massless");
    rewriter.setInertial(link, pi);
  }
  for (const std::string& link : massless) rewriter.removeInertial(link);
  for (const auto& [joint, values] : dynamics) rewriter.setDynamics(joint, values);
  return rewriter.result();
}

}  // namespace dynid
