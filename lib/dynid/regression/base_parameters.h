#pragma once

#include "dynid/robot/parameter_layout.h"

#include <Eigen/Core>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dynid {

/// The combinations of standard parameters that effort can see at all: a property of the robot's
/// structure, not of a log.
///
/// With the columns of W = [W_i W_d 0] sorted into independent, dependent and vanishing ones and
/// W_d = W_i K,
///
///     W pi = W_i beta,   beta = pi_i + K pi_d = E pi
///
/// Columns are taken in their order, from the root outward, so that the parameters of outer links
/// are grouped into those of inner ones and the result is the same on every machine and run.
/// (Gautier, "Numerical calculation of the base inertial parameters of robots", 1991; here with the
/// order of the columns in place of pivoting.)
struct BaseParameters {
  std::vector<int> independent;     ///< columns, ascending; beta has one entry for each
  std::vector<int> dependent;       ///< columns, ascending
  std::vector<int> unidentifiable;  ///< columns that vanish in every state, ascending
  Eigen::MatrixXd K;                ///< [independent x dependent]
  int columns = 0;                  ///< of the layout
  int rank = 0;
  double smallest_kept =
      0.0;  ///< part of a kept column outside the span of those before it, relative to its norm
  double largest_rejected = 0.0;  ///< the same of the rejected columns (rounding: about 1e-15)
  double gap = 0.0;  ///< smallest kept / largest rejected; infinite where nothing was rejected

  /// E [rank x columns], so that beta = E pi.
  Eigen::MatrixXd combination() const;
  /// Base parameter i in words: "link2.Izz + link1.Iyy - 0.0625 link3.m". Coefficients have six
  /// digits.
  std::string expression(int i, const ParameterLayout& layout) const;
};

/// Part of a column outside the span of the columns before it, relative to its norm, below which it
/// counts as dependent. Rounding leaves 1e-15 for an arm and 1e-11 for thirty joints in a row; real
/// structure 1e-2 and more, 1e-6 at the far end of thirty joints.
inline constexpr double kStructuralTolerance = 1e-8;

/// Base parameters from rows of the regressor at random states.
///
/// @param rows       [rows x columns], at least as many rows as columns and well scaled (see
/// randomStateRows); a triangular
///                   factor of such rows serves as well
/// @param tolerance  on the relative distance of a column from the span of those before it
/// @throws std::invalid_argument for fewer rows than columns or entries that are not finite.
BaseParameters baseParameters(const Eigen::Ref<const Eigen::MatrixXd>& rows,
                              double tolerance = kStructuralTolerance);

/// How random states are drawn (uniform; fixed seed: the same states on every run).
struct RandomStates {
  int samples = 0;  ///< 0: enough for the layout (50 + 4 columns / actuators)
  std::uint64_t seed = 1;
  bool still = false;          ///< velocity and acceleration zero: what poses alone can tell
  double velocity = 3.0;       ///< [rad/s or m/s] bound of the draw
  double acceleration = 10.0;  ///< [rad/s^2 or m/s^2] bound; comparable with gravity (scaling)
  /// [rad] Frames and axes this close to right angles are taken as such: "1.5708" is meant as pi/2,
  /// and its rounding would look like a parameter that no log could excite. 0: all as given.
  double right_angle = 5e-5;

  /// @throws std::invalid_argument naming the bad field.
  void check() const;
};

/// One state, on both sides of the transmission.
struct RandomState {
  Eigen::VectorXd q, dq, ddq;  ///< joints
  Eigen::VectorXd q_actuator, dq_actuator, ddq_actuator;
};

/// Fills the columns that randomStateRows does not know (friction, position effects, payloads):
/// gets the state and the rows [actuators x columns] of the layout with inertial and drive-inertia
/// columns already there. Payload columns are to be made from the inertial ones of their body.
using StateColumns = std::function<void(const RandomState&, Eigen::Ref<Eigen::MatrixXd>)>;

/// Rows of the regressor at random states, actuator side, channel by channel within a state:
/// inertial columns T^T Y(q, dq, ddq), drive inertia ddq of the actuator, others by `other`.
///
/// Positions are drawn within the joint limits, without limits from +-pi (prismatic +-1 m); a range
/// below +-0.5 is widened to that, since the entries are analytic in q and their dependence is the
/// same on every open set.
///
/// @param layout  inertial columns owned by the bodies of the robot, any subset, any order
/// @returns [samples actuators x layout.size()]
/// @throws std::invalid_argument if the layout has other columns and `other` is empty.
Eigen::MatrixXd randomStateRows(const Robot& robot,
                                const ParameterLayout& layout,
                                const RandomStates& states = {},
                                const StateColumns& other = {});

}  // namespace dynid
