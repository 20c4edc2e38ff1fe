#include "dynid/robot/initial_description.h"

#include "dynid/core/text.h"
#include "dynid/robot/load_robot.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace dynid {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(),
                    escape.size(),
                    "\\u%04X",
                    static_cast<unsigned>(static_cast<unsigned char>(c)));
      out += escape.data();
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string key(const std::string& name) {
  const bool bare =
      name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") ==
      std::string::npos;
  return bare ? name : quoted(name);
}

/// Replaces control characters, so that the text stays on one line of a comment.
std::string inComment(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  return text;
}

std::string number(double value) { return toText(value, 10); }

std::string limitsOf(const JointLimits& limits) {
  std::vector<std::string> parts;
  if (std::isfinite(limits.lower) && std::isfinite(limits.upper))
    parts.push_back("position = [" + number(limits.lower) + ", " + number(limits.upper) + "]");
  if (std::isfinite(limits.velocity)) parts.push_back("velocity = " + number(limits.velocity));
  const double acceleration = std::isfinite(limits.velocity) ? limits.velocity / 0.25 : 10.0;
  parts.push_back("acceleration = " + number(acceleration));
  if (std::isfinite(limits.effort)) parts.push_back("effort = " + number(limits.effort));
  return "{ " + join(parts) + " }";
}

std::string jointTable(const Robot& robot, const Joint& joint) {
  const std::string unit = joint.prismatic ? "N/A" : "N m/A";
  const Body& body = robot.bodies[joint.body];
  const char* kind = joint.prismatic ? "prismatic" : joint.continuous ? "continuous" : "revolute";
  return "[joint." + key(joint.name) + "]   # " + kind + ", moves " + inComment(body.name) + "\n" +
         "# friction = \"auto\"            # or a list of: viscous coulomb offset asymmetric "
         "sqrt_viscous\n" +
         "#                              # quadratic_viscous load stribeck presliding ripple\n" +
         "# position_effects = [{ type = \"spring\" }]   # or polynomial, fourier, "
         "counterbalance\n" +
         "# drive_inertia = true\n" +
         "# gear_ratio = 100.0           # motor turns per joint turn\n" +
         "# drive_gain = 10.0            # " + unit + " on the joint side, or \"identify\"\n" +
         "# limits = " + limitsOf(joint.limits) + "\n\n";
}

std::string linkTable(const Body& body) {
  std::string text = "# [link." + key(inComment(body.name)) + "]\n";
  if (body.prior && (*body.prior)(0) > 0.0) {
    const double mass = (*body.prior)(0);
    text += "# mass = [" + number(0.5 * mass) + ", " + number(1.5 * mass) +
            "]   # bounds, kg; the file says " + toText(mass) + "\n";
  } else {
    text += "# mass = [0.5, 5.0]            # bounds, kg; the file says nothing\n";
  }
  text += "# com_box = [[-0.1, -0.1, -0.1], [0.1, 0.1, 0.1]]   # m, link frame\n";
  text +=
      "# ellipsoid = { center = [0.0, 0.0, 0.0], radii = [0.2, 0.2, 0.2] }   # the mass lies "
      "inside\n#\n";
  return text;
}

}  // namespace

std::string initialDescription(const std::filesystem::path& urdf) {
  const Robot robot = loadRobot(urdf);
  std::string text = "# Robot description of " + inComment(robot.name) + ", beside " +
                     inComment(urdf.filename().string()) + ".\n" +
                     "# Lines that start with # are settings at their default or as an example; "
                     "remove the # to use them.\n";
  text += robot.bodySource() + (" = " + quoted(urdf.filename().string())) + "\n";
  text += "# gravity = [" + number(robot.gravity.x()) + ", " + number(robot.gravity.y()) + ", " +
          number(robot.gravity.z()) + "]   # m/s^2, frame of the root link " +
          inComment(robot.root_link) + "\n";
  text += std::string("# base = \"") + (robot.floating_base ? "floating" : "fixed") + "\"\n";
  text += "# ignore = []                  # names of joints held at 0\n\n";
  text += "# [robot]\n# total_mass = [10.0, 50.0]     # bounds over all moving links, kg\n\n";
  for (const Joint& joint : robot.joints) text += jointTable(robot, joint);
  for (const Body& body : robot.bodies) {
    const std::string& master = robot.treeJoint(body.joint).name;
    if (body.joint_name != master)
      text += "# Joint " + inComment(body.joint_name) + " mimics " + inComment(master) +
              " and needs no entry.\n";
  }
  for (const Body& body : robot.bodies) text += linkTable(body);
  const std::string last =
      robot.bodies.empty() ? robot.root_link : robot.bodies.back().links.back().name;
  text +=
      "# [payload]\n# link = " + quoted(last) + "   # link that carries the payload of a log\n#\n";
  if (robot.joints.size() >= 2) {
    const Joint& a = robot.joints[robot.joints.size() - 2];
    const Joint& b = robot.joints.back();
    text += "# [[transmission]]             # one table per group of joints with coupled motors\n";
    text += "# joints = [" + quoted(a.name) + ", " + quoted(b.name) + "]\n";
    text += "# matrix = [[1.0, 0.0], [-1.0, 1.0]]   # T: q_joint = T q_actuator + offset\n";
    text += "# offset = [0.0, 0.0]          # rad\n# measured = \"joint\"\n";
  }
  return text;
}

}  // namespace dynid
