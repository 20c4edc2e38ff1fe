#pragma once

#include <fmt/format.h>
#include <random>
#include <string>
#include <vector>

namespace dynid {

/// The text of a random MJCF model: nested default classes and childclass, degrees or radians, any
/// eulerseq, every kind of orientation, inertias as diaginertia, fullinertia or from primitive
/// geoms, hinge and slide joints with pos, ref, springs and limits, several joints in a body, fixed
/// bodies, a fixed or free base. The same seed gives the same text.
class RandomMjcf {
 public:
  explicit RandomMjcf(std::uint64_t seed) : rng_(seed) {}

  std::string text() {
    degrees_ = chance(0.5);
    sequence_ = "";
    for (int i = 0; i < 3; ++i) sequence_ += "xyzXYZ"[index(6)];
    std::string out = "<mujoco model=\"random\">\n<compiler autolimits=\"true\"";
    if (!degrees_ || chance(0.5)) out += degrees_ ? " angle=\"degree\"" : " angle=\"radian\"";
    out += " eulerseq=\"" + sequence_ + "\"/>\n";
    if (chance(0.7)) out += "<option gravity=\"" + vector(9.0) + "\"/>\n";
    out += defaults() + "<worldbody>\n";
    out += body(0, true);
    return out + "</worldbody>\n</mujoco>\n";
  }

 private:
  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(rng_); }
  bool chance(double p) { return uniform(0, 1) < p; }
  size_t index(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(rng_); }
  std::string number(double x) { return fmt::format("{:.17g}", x); }
  std::string vector(double size, int n = 3) {
    std::string out;
    for (int i = 0; i < n; ++i) out += (i > 0 ? " " : "") + number(uniform(-size, size));
    return out;
  }
  std::string angle(double limit) {
    return number(uniform(-limit, limit) * (degrees_ ? 57.29577951308232 : 1.0));
  }

  std::string orientation() {
    switch (index(7)) {
      case 0:
        return " quat=\"" + vector(2.0, 4) + "\"";
      case 1:
        return " axisangle=\"" + vector(2.0) + " " + angle(3.0) + "\"";
      case 2:
        return " euler=\"" + angle(3.0) + " " + angle(3.0) + " " + angle(3.0) + "\"";
      case 3:
        return " xyaxes=\"" + vector(2.0, 6) + "\"";
      case 4:
        return " zaxis=\"" + vector(2.0) + "\"";
      case 5:
        return chance(0.5) ? " zaxis=\"0 0 -1\"" : " quat=\"0.707107 0 0.707107 0\"";
      default:
        return "";
    }
  }

  std::string jointAttributes() {
    std::string out;
    if (chance(0.3)) out += " damping=\"" + number(uniform(0, 2)) + "\"";
    if (chance(0.3)) out += " armature=\"" + number(uniform(0, 0.5)) + "\"";
    if (chance(0.3)) out += " frictionloss=\"" + number(uniform(0, 0.5)) + "\"";
    if (chance(0.3)) out += " stiffness=\"" + number(uniform(0, 5)) + "\"";
    return out;
  }

  std::string defaults() {
    return "<default>\n<joint" + jointAttributes() + "/><geom density=\"" +
           number(uniform(500, 3000)) + "\"/>\n<default class=\"arm\"><joint axis=\"0 1 0\"" +
           jointAttributes() + "/>\n<default class=\"wrist\"><joint pos=\"0.01 0.02 0.03\"" +
           jointAttributes() + "/><geom type=\"capsule\" size=\"0.03 0.1\"" + orientation() +
           "/></default>\n</default>\n<default class=\"slider\"><joint type=\"slide\" axis=\"" +
           vector(1.0) + "\"/></default>\n</default>\n";
  }

  std::string joint() {
    const std::vector<std::string> classes = {"", "arm", "wrist", "slider"};
    const std::string& chosen = classes[index(classes.size())];
    std::string out = "<joint name=\"j" + std::to_string(++joints_) + "\"";
    if (!chosen.empty()) out += " class=\"" + chosen + "\"";
    const bool slide = chosen == "slider" || (chosen.empty() && chance(0.2));
    if (slide && chosen.empty())
      out += " type=\"slide\"";
    else if (!slide && chance(0.2))
      out += " type=\"hinge\"";
    out = out + jointAttributes();
    if (chance(0.5)) out += " axis=\"" + vector(1.0) + "\"";
    if (chance(0.4)) out += " pos=\"" + vector(0.2) + "\"";
    const auto value = [&](double size) {
      return slide ? number(uniform(-size, size)) : angle(size);
    };
    if (chance(0.3)) out += " ref=\"" + value(1.0) + "\"";
    if (chance(0.3)) out += " springref=\"" + value(1.0) + "\"";
    if (chance(0.5)) {
      const double scale = degrees_ && !slide ? 57.29577951308232 : 1.0;
      out += " range=\"" + number(-scale * uniform(0.5, 2)) + " " +
             number(scale * uniform(0.5, 2)) + "\"";
      if (chance(0.3)) out += " limited=\"true\"";
    }
    return out + "/>\n";
  }

  std::string inertial() {
    std::string out =
        "<inertial pos=\"" + vector(0.2) + "\" mass=\"" + number(uniform(0.1, 5)) + "\"";
    const double a = uniform(0.01, 0.1), b = uniform(0.01, 0.1), c = uniform(0.01, 0.1);
    if (chance(0.5))
      return out + orientation() + " diaginertia=\"" + number(a + b) + " " + number(b + c) + " " +
             number(a + c) + "\"/>\n";
    // Second moments diag(a, b, c) with small products satisfy the triangle inequality.
    const double s = 0.2 * std::min({a, b, c});
    return out + " fullinertia=\"" + number(b + c) + " " + number(a + c) + " " + number(a + b) +
           " " + vector(s) + "\"/>\n";
  }

  std::string geom() {
    const std::vector<std::string> types = {"sphere", "capsule", "cylinder", "box", "ellipsoid"};
    const size_t type = index(types.size());
    const auto size = [&] { return number(uniform(0.02, 0.2)); };
    std::string out = "<geom type=\"" + types[type] + "\"";
    if (type > 0 && chance(0.4)) {
      out += " fromto=\"" + vector(0.3, 6) + "\" size=\"" + size() + "\"";
    } else {
      out += " size=\"" + size();
      if (type >= 1) out += " " + size();
      if (type >= 3) out += " " + size();
      out += "\" pos=\"" + vector(0.2) + "\"" + orientation();
    }
    if (chance(0.3)) out += " mass=\"" + number(uniform(0.1, 2)) + "\"";
    if (chance(0.2)) out += " density=\"" + number(uniform(100, 2000)) + "\"";
    if (chance(0.2)) out += " contype=\"0\" conaffinity=\"0\"";
    return out + "/>\n";
  }

  std::string body(int depth, bool first) {
    std::string out = "<body name=\"b" + std::to_string(++bodies_) + "\" pos=\"" + vector(0.5) +
                      "\"" + orientation();
    if (chance(0.3)) out += std::string(" childclass=\"") + (chance(0.5) ? "arm" : "wrist") + "\"";
    out += ">\n";
    const bool free = first && chance(0.3);
    if (free) out += "<freejoint name=\"base\"/>\n";
    const size_t count = free ? 0 : first ? 1 : index(4);
    for (size_t i = 0; i < count; ++i) out += joint();
    if (chance(0.5)) {
      out += inertial();
      if (chance(0.3)) out += geom();
    } else {
      for (size_t i = 0; i <= index(3); ++i) out += geom();
      if (chance(0.3)) out += "<geom class=\"wrist\"/>\n";
    }
    const size_t children = depth >= 4 ? 0 : depth == 0 ? 1 + index(2) : index(3);
    for (size_t i = 0; i < children; ++i) out += body(depth + 1, false);
    return out + "</body>\n";
  }

  std::mt19937_64 rng_;
  bool degrees_ = true;
  std::string sequence_;
  int joints_ = 0, bodies_ = 0;
};

inline std::string randomMjcf(std::uint64_t seed) { return RandomMjcf(seed).text(); }

}  // namespace dynid
