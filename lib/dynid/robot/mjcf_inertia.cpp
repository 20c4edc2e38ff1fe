#include "dynid/robot/mjcf_inertia.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <optional>

namespace dynid {
namespace {

constexpr double kPi = std::numbers::pi;

void judge(double mass, const Eigen::Vector3d& com, const Eigen::Matrix3d& I, TreeLink& link) {
  link.fault = faultOf(mass, I);
  const InertialParameters pi = inertialFromCenterOfMass(mass, com, I);
  if (link.fault == InertialFault::kNone)
    link.inertial = pi;
  else
    link.rejected = pi;
}

/// Volume [m^3] and inertia per mass about the centre [m^2], z along the axis.
struct Solid {
  double volume = 0.0;
  Eigen::Vector3d moments;
};

Solid capsule(double r, double h) {  // h: length of the cylinder
  const double cylinder = kPi * r * r * h, ball = 4.0 / 3.0 * kPi * r * r * r;
  const double volume = cylinder + ball;
  // The transverse moment of each hemisphere is 83/320 m r^2 about its centre of mass, which lies
  // 3/8 r beyond the end of the cylinder.
  const double arm = 0.5 * h + 0.375 * r;
  const double across =
      cylinder * (0.25 * r * r + h * h / 12.0) + ball * (83.0 / 320.0 * r * r + arm * arm);
  const double along = 0.5 * cylinder * r * r + 0.4 * ball * r * r;
  return {volume, Eigen::Vector3d(across, across, along) / volume};
}

std::optional<Solid> solidOf(const std::string& type, const Eigen::Vector3d& s) {
  const Eigen::Vector3d square = s.cwiseAbs2();
  const Eigen::Vector3d others(
      square.y() + square.z(), square.x() + square.z(), square.x() + square.y());
  if (type == "sphere")
    return Solid{4.0 / 3.0 * kPi * s.x() * square.x(), Eigen::Vector3d::Constant(0.4 * square.x())};
  if (type == "capsule") return capsule(s.x(), 2.0 * s.y());
  if (type == "cylinder") {
    const double across = 0.25 * square.x() + square.y() / 3.0;
    return Solid{2.0 * kPi * square.x() * s.y(), {across, across, 0.5 * square.x()}};
  }
  if (type == "box") return Solid{8.0 * s.prod(), others / 3.0};
  if (type == "ellipsoid") return Solid{4.0 / 3.0 * kPi * s.prod(), others / 5.0};
  return std::nullopt;
}

int sizesOf(const std::string& type) {
  if (type == "sphere") return 1;
  if (type == "capsule" || type == "cylinder") return 2;
  return 3;
}

/// Pose and size (radius or half lengths) of a geom; `fromto` defines pose and half length along z.
struct Placed {
  Transform X_BG;
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
};

Placed place(const MjcfElement& geom, const std::string& type, const MjcfCompiler& compiler) {
  Placed placed;
  const std::vector<double> size = geom.numbers("size", 0, 3).value_or(std::vector<double>());
  std::copy(size.begin(), size.end(), placed.size.data());
  auto given = static_cast<int>(size.size());
  const auto ends = type == "sphere" ? std::nullopt : geom.numbers("fromto", 6, 6);
  if (ends) {
    const Eigen::Vector3d from(ends->data()), to(ends->data() + 3);
    const double length = (to - from).norm();
    if (!(length > 0.0)) geom.fail("<geom> fromto: both ends are the same point");
    placed.X_BG = {rotationToZAxis(from - to), 0.5 * (from + to)};
    const bool round = sizesOf(type) == 2;
    if (!round) placed.size.y() = placed.size.x();
    placed.size(round ? 1 : 2) = 0.5 * length;
    given = given > 0 ? sizesOf(type) : 0;
  } else {
    placed.X_BG = readMjcfPose(geom, compiler);
  }
  const int needed = sizesOf(type);
  if (given < needed || !(placed.size.head(needed).minCoeff() > 0.0))
    geom.fail(fmt::format("<geom> of type {} needs {} positive number{} as size",
                          type,
                          needed,
                          needed == 1 ? "" : "s"));
  return placed;
}

}  // namespace

void readMjcfInertial(const MjcfElement& inertial, const MjcfCompiler& compiler, TreeLink& link) {
  inertial.requireKnown({"pos",
                         "quat",
                         "mass",
                         "diaginertia",
                         "axisangle",
                         "xyaxes",
                         "zaxis",
                         "euler",
                         "fullinertia"});
  requireOneOrientation(inertial);
  if (!inertial.has("mass")) inertial.fail("<inertial> has no mass; write mass=\"...\" in kg");
  const double mass = inertial.number("mass", 0.0);
  const Transform X_BI = readMjcfPose(inertial, compiler);
  const auto full = inertial.numbers("fullinertia", 6, 6);
  const auto diagonal = inertial.numbers("diaginertia", 3, 3);
  if (full && diagonal) inertial.fail("<inertial> has diaginertia and fullinertia; keep one");
  Eigen::Matrix3d I = Eigen::Matrix3d::Zero();
  if (full) {
    const std::vector<double>& f = *full;
    if (!X_BI.R.isIdentity(0.0))
      inertial.fail(
          "<inertial> has fullinertia and an orientation; fullinertia is in the body's axes");
    I = Eigen::Matrix3d{{f[0], f[3], f[4]}, {f[3], f[1], f[5]}, {f[4], f[5], f[2]}};
  } else if (diagonal) {
    I = X_BI.R * Eigen::Vector3d(diagonal->data()).asDiagonal() * X_BI.R.transpose();
  }
  if (mass == 0.0 && I.isZero(0.0)) return;
  judge(mass, X_BI.p, I, link);
}

void inertiaFromGeoms(const std::vector<MjcfGeom>& geoms,
                      const MjcfCompiler& compiler,
                      TreeLink& link) {
  constexpr double kWater = 1000.0;  // kg/m^3, MJCF's default
  InertialParameters sum = InertialParameters::Zero();
  for (const auto& [geom, X_BF] : geoms) {
    const double group = geom.number("group", 0.0);
    if (group < compiler.first_group || group > compiler.last_group) continue;
    const std::string type = geom.text("type").value_or("sphere");
    if (type == "plane" || type == "hfield") continue;
    const double density = geom.number("density", kWater);
    double mass = geom.number("mass", -1.0);
    if (mass == 0.0 || (mass < 0.0 && density == 0.0)) continue;
    const bool shell = geom.flag("shellinertia").value_or(false);
    if (shell || geom.has("mesh") || (type != "sphere" && !solidOf(type, {1, 1, 1}))) {
      link.fault = InertialFault::kUnknownGeoms;
      return;
    }
    const Placed placed = place(geom, type, compiler);
    const Solid solid = *solidOf(type, placed.size);
    if (mass < 0.0) mass = density * solid.volume;
    sum += transformed(X_BF * placed.X_BG,
                       inertialFromCenterOfMass(
                           mass, Eigen::Vector3d::Zero(), (mass * solid.moments).asDiagonal()));
  }
  if (sum.isZero(0.0)) return;
  if (!sum.allFinite()) {
    link.fault = InertialFault::kNotFinite;
    return;
  }
  const CenterOfMassInertia body = centerOfMassInertia(sum);
  judge(body.mass, body.com, body.inertia_about_com, link);
}

}  // namespace dynid
