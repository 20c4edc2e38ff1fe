#include "dynid/robot/mjcf_pose.h"

#include "dynid/spatial/vectors.h"

#include <Eigen/Geometry>

#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace dynid {
namespace {

/// Rounds entries close to 0, 1 or -1, so that right angles are exact.
Eigen::Matrix3d cleaned(Eigen::Matrix3d R) {
  constexpr double kRounding = 1e-15;
  for (double& entry : R.reshaped())
    if (std::abs(entry - std::round(entry)) < kRounding) entry = std::round(entry);
  return R;
}

Eigen::Vector3d direction(const MjcfElement& element,
                          const char* attribute,
                          const Eigen::Vector3d& v) {
  const double length = v.stableNorm();
  if (!(length > 0.0) || !std::isfinite(length))
    element.fail(
        fmt::format("<{}> {}: a vector of zero length has no direction", element.name, attribute));
  return (v / length).normalized();
}

Eigen::Matrix3d fromEuler(const MjcfElement& element,
                          const MjcfCompiler& compiler,
                          const std::vector<double>& angles) {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  for (size_t i = 0; i < 3; ++i) {
    const char letter = compiler.eulerseq[i];
    const bool fixed_axis = letter >= 'X' && letter <= 'Z';
    const int axis = letter - (fixed_axis ? 'X' : 'x');
    Eigen::Vector3d rpy = Eigen::Vector3d::Zero();
    rpy(axis) = compiler.angle(angles[i]);
    if (!std::isfinite(rpy(axis))) element.fail("<" + element.name + "> euler is not finite");
    const Eigen::Matrix3d turn = rotationFromRpy(rpy);
    R = fixed_axis ? turn * R : R * turn;
  }
  return R;
}

Eigen::Matrix3d fromXyAxes(const MjcfElement& element, const std::vector<double>& axes) {
  const Eigen::Vector3d x = direction(element, "xyaxes", Eigen::Vector3d(axes.data()));
  const Eigen::Vector3d given(axes.data() + 3);
  const Eigen::Vector3d y = direction(element, "xyaxes", given - x.dot(given) * x);
  Eigen::Matrix3d R;
  R << x, y, x.cross(y);
  return R;
}

}  // namespace

double MjcfCompiler::angle(double value) const {
  return degrees ? value * std::numbers::pi / 180.0 : value;
}

Eigen::Matrix3d rotationFromWxyz(const Eigen::Vector4d& quaternion) {
  const Eigen::Vector4d q = quaternion / quaternion.stableNorm();
  return cleaned(Eigen::Quaterniond(q(0), q(1), q(2), q(3)).normalized().toRotationMatrix());
}

Eigen::Matrix3d rotationToZAxis(const Eigen::Vector3d& direction) {
  const Eigen::Vector3d z = direction.normalized();
  Eigen::Vector3d axis(-z.y(), z.x(), 0.0);  // e_z x z
  const double sine = axis.norm();
  axis = sine > 1e-12 ? Eigen::Vector3d(axis / sine) : Eigen::Vector3d::UnitX();
  return cleaned(rotationAbout(axis, std::atan2(sine, z.z())));
}

MjcfCompiler readMjcfCompiler(const MjcfElement& root) {
  MjcfCompiler compiler;
  for (const MjcfElement& e : root.children) {
    if (e.name != "compiler") continue;
    if (const auto angle = e.text("angle")) {
      if (*angle != "degree" && *angle != "radian")
        e.fail("<compiler> angle=\"" + *angle + "\": degree or radian is expected");
      compiler.degrees = *angle == "degree";
      compiler.angle_given = true;
    }
    if (const auto seq = e.text("eulerseq")) {
      compiler.eulerseq = *seq;
      if (seq->size() != 3 || seq->find_first_not_of("xyzXYZ") != std::string::npos)
        e.fail("<compiler> eulerseq=\"" + *seq + "\": three letters of x y z X Y Z are expected");
    }
    compiler.autolimits = e.flag("autolimits").value_or(compiler.autolimits);
    if (e.has("inertiafromgeom")) {
      using Kind = MjcfCompiler::InertiaFromGeom;
      const std::optional<bool> always = e.flag("inertiafromgeom");
      compiler.inertia_from_geom = !always ? Kind::kAuto : *always ? Kind::kAlways : Kind::kNever;
    }
    if (const auto range = e.numbers("inertiagrouprange", 2, 2)) {
      if (std::abs((*range)[0]) > 1e6 || std::abs((*range)[1]) > 1e6)
        e.fail("<compiler> inertiagrouprange: two small whole numbers are expected");
      compiler.first_group = static_cast<int>((*range)[0]);
      compiler.last_group = static_cast<int>((*range)[1]);
    }
    compiler.total_mass = e.number("settotalmass", compiler.total_mass);
    if (e.text("coordinate").value_or("local") != "local")
      e.fail(
          "<compiler> coordinate=\"global\" is not supported; let MuJoCo write the model in local "
          "coordinates first");
  }
  return compiler;
}

void requireOneOrientation(const MjcfElement& element) {
  int given = 0;
  for (const char* name : {"quat", "axisangle", "euler", "xyaxes", "zaxis"})
    given += element.has(name) ? 1 : 0;
  if (given > 1)
    element.fail("<" + element.name +
                 "> has more than one of quat, axisangle, euler, xyaxes and zaxis; keep one");
}

Eigen::Matrix3d readMjcfOrientation(const MjcfElement& element, const MjcfCompiler& compiler) {
  if (const auto e = element.numbers("euler", 3, 3)) return fromEuler(element, compiler, *e);
  if (const auto z = element.numbers("zaxis", 3, 3))
    return rotationToZAxis(direction(element, "zaxis", Eigen::Vector3d(z->data())));
  if (const auto axes = element.numbers("xyaxes", 6, 6)) return fromXyAxes(element, *axes);
  if (const auto a = element.numbers("axisangle", 4, 4))
    return cleaned(rotationAbout(direction(element, "axisangle", Eigen::Vector3d(a->data())),
                                 compiler.angle((*a)[3])));
  if (const auto q = element.numbers("quat", 4, 4)) {
    const Eigen::Vector4d quaternion(q->data());
    if (!(quaternion.stableNorm() > 0.0) || !std::isfinite(quaternion.stableNorm()))
      element.fail("<" + element.name + "> quat is zero; \"1 0 0 0\" is no rotation");
    return rotationFromWxyz(quaternion);
  }
  return Eigen::Matrix3d::Identity();
}

Transform readMjcfPose(const MjcfElement& element, const MjcfCompiler& compiler) {
  return {readMjcfOrientation(element, compiler), element.vector("pos", Eigen::Vector3d::Zero())};
}

}  // namespace dynid
