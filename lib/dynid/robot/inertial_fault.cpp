#include "dynid/robot/inertial_fault.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

/// Rounding of printed inertias may make a principal moment of zero negative, by up to this
/// fraction of the largest one.
constexpr double kMomentRounding = 1e-5;

}  // namespace

InertialFault faultOf(double mass, const Eigen::Matrix3d& inertia_about_com) {
  if (!std::isfinite(mass) || !inertia_about_com.allFinite()) return InertialFault::kNotFinite;
  if (mass == 0.0 && inertia_about_com.isZero(0.0)) return InertialFault::kNone;
  if (mass < 0.0) return InertialFault::kNegativeMass;
  if (mass == 0.0) return InertialFault::kZeroMass;
  const Eigen::Vector3d moments =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia_about_com, Eigen::EigenvaluesOnly)
          .eigenvalues();
  const double rounding =
      std::max(kMomentRounding * moments.cwiseAbs().maxCoeff(), mass * kPointRadius * kPointRadius);
  const bool negative = !(moments(0) >= -rounding);
  return negative ? InertialFault::kNegativeMoment : InertialFault::kNone;
}

bool hidesMass(InertialFault fault) {
  return fault != InertialFault::kNone && fault != InertialFault::kZeroMass;
}

const char* remarkOf(InertialFault fault) {
  switch (fault) {
    case InertialFault::kMassMissing:
      return "an inertia without a mass is not used: links";
    case InertialFault::kNotFinite:
      return "an inertia with a number that is not finite is not used: links";
    case InertialFault::kZeroMass:
      return "a mass of zero with moments of inertia is not used: links";
    case InertialFault::kNegativeMass:
      return "a negative mass is not used: links";
    case InertialFault::kNegativeMoment:
      return "an inertia with a negative principal moment is not used: links";
    case InertialFault::kUnknownGeoms:
      return "the inertia is to be computed from meshes, which are not read; it is unknown: links";
    case InertialFault::kNone:
      break;
  }
  return "";
}

}  // namespace dynid
