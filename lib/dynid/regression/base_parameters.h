#pragma once

#include "dynid/robot/parameter_layout.h"

#include <Eigen/Core>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dynid {

/// The combinations of standard parameters that the efforts can determine. They are a property of
/// the robot's structure, not of a log.
///
/// The columns of the regressor W are sorted into independent, dependent and vanishing ones, W =
/// [W_i W_d 0], with W_d = W_i K. Then
///
///     W pi = W_i beta,   beta = pi_i + K pi_d = E pi
///
/// Columns are tested in their given order, from the root outward. Parameters of outer links are
/// thus grouped into those of inner links, and the result is the same on every machine and in every
/// run. Source: Gautier, "Numerical calculation of the base inertial parameters of robots", 1991;
/// the columns keep a fixed order here instead of being pivoted.
struct BaseParameters {
  std::vector<int> independent;     ///< column indices, ascending; beta has one entry for each
  std::vector<int> dependent;       ///< column indices, ascending
  std::vector<int> unidentifiable;  ///< columns that are zero in every state, ascending
  Eigen::MatrixXd K;                ///< [independent x dependent] coefficients in W_d = W_i K
  int columns = 0;                  ///< number of columns of the layout
  int rank = 0;                     ///< number of base parameters
  /// Smallest distance of a kept column from the span of the columns before it, relative to its
  /// norm.
  double smallest_kept = 0.0;
  /// The largest such distance of the rejected columns (rounding: about 1e-15)
  double largest_rejected = 0.0;
  double gap = 0.0;  ///< smallest_kept / largest_rejected; infinite if no column was rejected

  /// E [rank x columns] with beta = E pi.
  Eigen::MatrixXd combination() const;
  /// Base parameter i as text, for example "link2.Izz + link1.Iyy - 0.0625 link3.m". Coefficients
  /// are printed with six digits.
  std::string expression(int i, const ParameterLayout& layout) const;
};

/// A column is dependent if its distance from the span of the columns before it, relative to its
/// norm, is below this value. Rounding errors reach 1e-15 for an arm and 1e-11 for thirty joints in
/// series. Structural independence gives 1e-2 and more, 1e-6 at the far end of thirty joints.
inline constexpr double kStructuralTolerance = 1e-8;

/// Base parameters from rows of the regressor at random states.
///
/// @param rows       [rows x columns], at least as many rows as columns, with well-scaled columns
///     (see randomStateRows). A triangular factor of such rows gives the same result.
/// @param tolerance  bound on the relative distance of a column from the span of those before it
/// @param threads    the result does not depend on it
/// @param first      columns that are tested before all others: of a root that moves, whose body is
///     the last one of the robot
/// @throws std::invalid_argument if there are fewer rows than columns or entries that are not
///     finite
BaseParameters baseParameters(const Eigen::Ref<const Eigen::MatrixXd>& rows,
                              double tolerance = kStructuralTolerance,
                              int threads = 1,
                              const std::vector<int>& first = {});

/// How random states are drawn. The distribution is uniform; a fixed seed gives the same states in
/// every run.
struct RandomStates {
  /// Number of states; 0: 50, and 3/2 of the mean number of columns per actuator or of those of the
  /// joint that has most, whichever is larger
  int samples = 0;
  std::uint64_t seed = 1;  ///< of the random numbers
  bool at_rest = false;    ///< velocity and acceleration zero: what static poses can determine
  double velocity = 3.0;   ///< [rad/s or m/s] bound of the velocities
  /// [rad/s^2 or m/s^2] bound; comparable with gravity for good column scaling
  double acceleration = 10.0;
  /// [rad] Frames and axes within this angle of a right angle are rounded to it, as are right
  /// angles with two or three decimals: "1.57" or "1.5708" in a robot description means pi/2, and
  /// its rounding error would look like a parameter that no log can excite. 0: no rounding.
  double right_angle = 5e-5;
  int threads = 1;  ///< the rows do not depend on it

  /// @throws std::invalid_argument with the name of the invalid field
  void check() const;
};

/// One state of the robot, at the joints and at the actuators (before the transmission).
struct RandomState {
  Eigen::VectorXd q, dq, ddq;  ///< of the joints
  Eigen::VectorXd q_actuator, dq_actuator, ddq_actuator;
};

/// Fills the columns that randomStateRows cannot compute (friction, position effects, payloads). It
/// receives the state and the rows [actuators x columns] of the layout, in which the inertial and
/// drive-inertia columns are already set. Payload columns are computed from the inertial columns of
/// the body that carries them. Several threads may call it.
using StateColumns = std::function<void(const RandomState&, Eigen::Ref<Eigen::MatrixXd>)>;

/// Rows of the regressor at random states on the actuator side, ordered by state and within a state
/// by actuator. Inertial columns are T^T Y(q, dq, ddq) with the transmission T, drive-inertia
/// columns the acceleration of the actuator; all others are filled by `other`.
///
/// Positions are drawn within the joint limits; without limits within +-pi (prismatic joints +-1
/// m). A range smaller than +-0.5 is widened to +-0.5: the entries are analytic in q, so their
/// linear dependence is the same on every open set.
///
/// @param layout  its inertial columns belong to bodies of the robot, any subset in any order
/// @returns [samples actuators x layout.size()]
/// @throws std::invalid_argument if the layout has columns of another kind and `other` is empty
Eigen::MatrixXd randomStateRows(const Robot& robot,
                                const ParameterLayout& layout,
                                const RandomStates& states = {},
                                const StateColumns& other = {});

}  // namespace dynid
