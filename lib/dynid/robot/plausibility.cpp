#include "dynid/robot/plausibility.h"

#include "dynid/core/text.h"
#include "dynid/math/quantile.h"
#include "dynid/robot/inertial_fault.h"
#include "dynid/spatial/pseudo_inertia.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace dynid {
namespace {

/// Printed inertias are rounded: a violation below this fraction of the largest moment is not
/// reported.
constexpr double kRounding = 1e-6;
/// Smallest eigenvalue of a usable pseudo-inertia divided by its trace. It corresponds to a plate
/// of one kilogram with a thickness of about 0.1 mm.
constexpr double kExtent = 1e-9;
/// Density of osmium, the densest material [kg/m^3].
constexpr double kDensest = 22600.0;
/// A tenth of the density of the lightest foams used in machines [kg/m^3]: below it the moments or
/// the mass of a link are in a wrong unit.
constexpr double kLightest = 2.0;

/// Names the sum of two moments that is too small: in the link's axes if these violate the
/// inequality, else in principal axes.
std::string triangleSentence(const Eigen::Matrix3d& I, const Eigen::Vector3d& moments) {
  constexpr std::array<const char*, 3> kNames = {"Ixx", "Iyy", "Izz"};
  const char* const end = ": no body has such an inertia";
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double gap = (I(k, k) - I(i, i) - I(j, j)) / I(k, k);
    if (gap > kRounding)
      return std::string(kNames[std::min(i, j)]) + " + " + kNames[std::max(i, j)] + " < " +
             kNames[k] + " by " + toPercent(gap, 2) + end;
  }
  return "the two smaller principal moments sum to " +
         toPercent((moments(2) - moments(0) - moments(1)) / moments(2), 2) +
         " less than the largest" + end;
}

/// Mass divided by the volume of the uniform ellipsoid with second moments s: semi-axes sqrt(5
/// s_i/m).
double ellipsoidDensity(double mass, const Eigen::Vector3d& moments) {
  const Eigen::Vector3d s = (0.5 * moments.sum() - moments.array()).max(0.0).matrix();
  const double volume =
      4.0 / 3.0 * std::numbers::pi * std::sqrt(125.0 * s.prod() / (mass * mass * mass));
  return volume > 0.0 ? mass / volume : kInfinity;
}

/// Distance of a link's centre of mass from its origin or from the joint of its body, whichever is
/// smaller [m]; 0 without a mass.
double centreDistance(const Body::FixedLink& link) {
  if (!link.inertial || !((*link.inertial)(0) > 0.0)) return 0.0;
  const Eigen::Vector3d com = centerOfMassInertia(*link.inertial).com;
  return std::min(com.norm(), (link.X_BL * com).norm());
}

}  // namespace

Plausibility plausibilityOf(const std::string& link, const InertialParameters& pi) {
  Plausibility result;
  result.name = link;
  const auto add = [&](const std::string& sentence) {
    result.problems.push_back("link " + link + ": " + sentence);
  };
  result.mass = pi(0);
  if (!pi.allFinite()) {
    result.physical = false;
    result.com = result.moments = Eigen::Vector3d::Constant(kInfinity);
    add("a number of the inertia is not finite");
    return result;
  }
  const CenterOfMassInertia body = centerOfMassInertia(pi);
  result.com = body.com;
  result.moments =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(body.inertia_about_com, Eigen::EigenvaluesOnly)
          .eigenvalues();
  const double largest = result.moments.cwiseAbs().maxCoeff();
  result.triangle_gap =
      largest > 0.0 ? (result.moments(0) + result.moments(1) - result.moments(2)) / largest : 0.0;
  result.pseudo_inertia_min_eigenvalue = smallestPseudoEigenvalue(pi);
  if (!(result.mass > 0.0)) {
    result.physical = false;
    add("a mass of " + toText(result.mass) + " kg is not positive");
    return result;
  }
  const double rounding = std::max(kRounding * largest, result.mass * kPointRadius * kPointRadius);
  if (result.moments(0) < -rounding) {
    result.physical = false;
    add("the principal moment " + toText(result.moments(0)) +
        " kg m^2 about the centre of mass is negative");
  } else if (result.triangle_gap * largest < -rounding) {
    result.physical = false;
    add(triangleSentence(body.inertia_about_com, result.moments));
  }
  if (!result.physical) return result;
  result.smallest_density = ellipsoidDensity(result.mass, result.moments);
  if (!std::isfinite(result.smallest_density) || result.triangle_gap < kRounding)
    add("all of the mass lies in a plane, a line or a point; a simulator may refuse it");
  else if (result.smallest_density > kDensest)
    add("the inertia is so small for the mass that the material would weigh at least " +
        toText(result.smallest_density, 2) +
        " kg/m^3, more than any; check the units (kg, kg m^2)");
  else if (result.smallest_density < kLightest)
    add("the inertia is that of a body of only " + toText(result.smallest_density, 2) +
        " kg/m^3, far lighter than foam; check the units (kg, kg m^2) and the point the inertia is "
        "taken about");
  else if (!usableAsPrior(pi))
    add(fmt::format(
        "the centre of mass lies {:.3g} m from the link's origin, {:.2g} times the radius of "
        "gyration; check the units (m, kg m^2)",
        body.com.norm(),
        body.com.norm() / std::sqrt(result.moments.sum() / (2.0 * result.mass))));
  return result;
}

std::vector<Plausibility> plausibilityOf(const Robot& robot) {
  std::vector<Plausibility> all;
  const auto add = [&](const std::vector<Body::FixedLink>& links, double largest) {
    for (const Body::FixedLink& link : links) {
      if (link.rejected) all.push_back(plausibilityOf(link.name, *link.rejected));
      if (!link.inertial || link.inertial->isZero(0.0)) continue;
      all.push_back(plausibilityOf(link.name, *link.inertial));
      if (const double distance = centreDistance(link); distance > largest)
        all.back().problems.push_back(
            fmt::format("link {}: the centre of mass lies {:.3g} m from the link's origin, the "
                        "robot is {:.3g} m long; check its unit (m)",
                        link.name,
                        distance,
                        reachOf(robot)));
    }
  };
  add(robot.root_links, kInfinity);
  for (const Body& body : robot.bodies) add(body.links, largestCentreDistance(robot));
  return all;
}

bool isHalfInteger(double value) { return 2.0 * value == std::round(2.0 * value); }

bool areFarRoundLimits(const JointLimits& limits) {
  constexpr double kFarRange = 8.0 * std::numbers::pi;
  return limits.upper - limits.lower > kFarRange && isHalfInteger(limits.lower) &&
         isHalfInteger(limits.upper);
}

bool isAsInDegrees(double angle) {
  constexpr double kTurn = 2.0 * std::numbers::pi, kRounded = 0.05;  // 6.3, 12.6: rounded turns
  const double size = std::abs(angle);
  return size > 2.0 * kTurn + kRounded || (size > kTurn + kRounded && isHalfInteger(size));
}

std::optional<LengthFault> lengthsInMillimetres(const Robot& robot) {
  constexpr double kLongestChain = 100.0, kLongestOffset = 5.0;  // [m]
  constexpr double kLightestChain = 5.0;                         // [kg/m]
  std::vector<double> chain, offsets;
  std::string joint;
  double longest = 0.0, mass = 0.0;
  LengthFault fault;
  for (const Body& body : robot.bodies) {
    const double offset = body.X_PJ.p.norm();
    chain.push_back(offset + (body.parent >= 0 ? chain[body.parent] : 0.0));
    fault.reach = std::max(fault.reach, chain.back());
    if (body.prior) mass += (*body.prior)(0);
    if (offset > 0.0) offsets.push_back(offset);
    if (offset <= longest) continue;
    longest = offset;
    joint = body.joint_name;
  }
  if (fault.reach < kLongestChain || !(median(offsets) > kLongestOffset)) return std::nullopt;
  if (mass > kLightestChain * fault.reach) return std::nullopt;
  fault.message = fmt::format(
      "the description seems to be in millimetres: the offset of {} is {:.4g} m and the longest "
      "chain "
      "of joints {:.4g} m{}",
      joint,
      longest,
      fault.reach,
      mass > 0.0 ? fmt::format(", for links of {:.3g} kg together", mass) : std::string());
  fault.remedy =
      "URDF and MJCF are in metres: multiply every position (xyz of origins, limits of prismatic "
      "joints) by 0.001 and every moment of inertia by 1e-6; the scale of meshes is separate";
  return fault;
}

std::vector<std::string> offsetsInMillimetres(const Robot& robot) {
  constexpr double kLong = 5.0, kRatio = 100.0;  // offsets of robots in metres reach 3 m
  double usual = 0.0;
  for (const Body& body : robot.bodies)
    if (const double offset = body.X_PJ.p.norm(); offset <= kLong) usual = std::max(usual, offset);
  Remarks remarks;
  for (const Body& body : robot.bodies)
    if (const double offset = body.X_PJ.p.norm();
        body.parent >= 0 && usual > 0.0 && offset > std::max(kLong, kRatio * usual))
      remarks.add(
          "offsets of more than 5 m and 100 times the robot's others, as if in millimetres: joints",
          body.joint_name);
  return remarks.lines();
}

double reachOf(const Robot& robot) {
  constexpr double kReachOfAPoint = 0.3, kSameOrigin = 1e-6;  // [m]
  double reach = 0.0, strokes = 0.0;
  for (const Body& body : robot.bodies)
    if (body.parent >= 0) reach += body.X_PJ.p.norm();
  for (const Joint& joint : robot.joints)
    if (const double stroke = joint.limits.upper - joint.limits.lower;
        joint.prismatic && std::isfinite(stroke))
      strokes += stroke;
  reach = std::max(reach, strokes);
  return reach > kSameOrigin ? reach : kReachOfAPoint;
}

double longestChain(const Robot& robot) {
  std::vector<double> lengths;
  for (const Body& body : robot.bodies)  // parents come before their children
    lengths.push_back(body.parent >= 0 ? lengths[body.parent] + body.X_PJ.p.norm() : 0.0);
  return lengths.empty() ? 0.0 : *std::max_element(lengths.begin(), lengths.end());
}

double largestCentreDistance(const Robot& robot) {
  constexpr double kCentreOverReach = 2.0;
  if (!robot.loops.empty() || robot.numBodies() < 4) return kInfinity;
  double size = reachOf(robot);
  for (const Body& body : robot.bodies) size = std::max(size, body.X_PJ.p.norm());
  return kCentreOverReach * size;
}

bool usableAsPrior(const InertialParameters& pi) {
  return pi.allFinite() && pi(0) > 0.0 &&
         smallestPseudoEigenvalue(pi) > kExtent * pseudoInertia(pi).trace();
}

std::vector<std::string> inertialWarnings(const TreeDocument& document, const Robot& robot) {
  Remarks remarks;
  for (const TreeLink& link : document.links)
    if (link.fault != InertialFault::kNone) remarks.add(remarkOf(link.fault), link.name);
  for (const TreeLink& link : document.links)
    if (link.inertial && !link.inertial->isZero(0.0) &&
        !plausibilityOf(link.name, *link.inertial).physical)
      remarks.add("no body has these principal moments (two sum to less than the third): links",
                  link.name);
  const double largest = largestCentreDistance(robot);
  for (const Body& body : robot.bodies)
    for (const Body::FixedLink& link : body.links)
      if (centreDistance(link) > largest)
        remarks.add(
            "the centre of mass lies farther from the link's origin than twice the length of the "
            "robot; check its unit: links",
            link.name);
  for (const Body& body : robot.bodies) {
    const bool given =
        std::any_of(body.links.begin(), body.links.end(), [](const Body::FixedLink& link) {
          return link.rejected || (link.inertial && !link.inertial->isZero(0.0));
        });
    if (given && !(body.prior && usableAsPrior(*body.prior)))
      remarks.add(
          "the described inertia is not usable as a prior: identification uses a capsule from "
          "joint to joint instead (dynid check reports what is wrong with each link): bodies",
          body.name);
  }
  return remarks.lines();
}

}  // namespace dynid
