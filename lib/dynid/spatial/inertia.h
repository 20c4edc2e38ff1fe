#pragma once

#include "dynid/spatial/transform.h"
#include "dynid/spatial/vectors.h"

#include <array>
#include <string_view>

namespace dynid {

/// The ten inertial parameters of a rigid body about the origin Bo of its frame B, in the axes of
/// B: pi = (m, m cx, m cy, m cz, Ixx, Ixy, Ixz, Iyy, Iyz, Izz) [kg, kg m, kg m^2]. Ixy, Ixz and Iyz
/// are entries of the inertia tensor (products of inertia with their negative sign).
using InertialParameters = Vector10<double>;

/// Suffixes of the ten parameters in column names ("forearm_link.Ixx").
inline constexpr std::array<std::string_view, 10> kInertialNames = {
    "m", "mx", "my", "mz", "Ixx", "Ixy", "Ixz", "Iyy", "Iyz", "Izz"};
inline constexpr std::array<std::string_view, 10> kInertialUnits = {
    "kg", "kg m", "kg m", "kg m", "kg m^2", "kg m^2", "kg m^2", "kg m^2", "kg m^2", "kg m^2"};

/// The inertia tensor from entries 4..9.
Eigen::Matrix3d inertiaTensor(const InertialParameters& pi);

/// The ten parameters from mass [kg], centre of mass p_BoBcm_B [m] and inertia about the centre of
/// mass I_BBcm_B [kg m^2]: h = m c, I_o = I_c + m (|c|^2 1 - c c^T).
InertialParameters inertialFromCenterOfMass(double mass,
                                            const Eigen::Vector3d& com,
                                            const Eigen::Matrix3d& inertia_about_com);

/// Inertial parameters of a body in the form of URDF: mass, centre of mass, central inertia.
struct CenterOfMassInertia {
  double mass = 0.0;                              ///< [kg]
  Eigen::Vector3d com = Eigen::Vector3d::Zero();  ///< p_BoBcm_B [m]; zero where the mass is zero
  Eigen::Matrix3d inertia_about_com = Eigen::Matrix3d::Zero();  ///< I_BBcm_B [kg m^2]
};
/// The inverse of inertialFromCenterOfMass, by the parallel axis theorem.
CenterOfMassInertia centerOfMassInertia(const InertialParameters& pi);

/// The parameters pi_A of the same body in frame A, given X_AB and pi_B. Linear in pi_B.
InertialParameters transformed(const Transform& X_AB, const InertialParameters& pi_B);

}  // namespace dynid
