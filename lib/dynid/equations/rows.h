#pragma once

#include "dynid/dynamics/projection.h"
#include "dynid/equations/row_block.h"
#include "dynid/kernels/requests.h"
#include "dynid/recordings/actuator_signals.h"
#include "dynid/robot/parameter_layout.h"

#include <Eigen/Core>

#include <map>
#include <memory>
#include <vector>

namespace dynid {

/// The payload of one log: a body fixed to a link of the robot.
struct PayloadPlacement {
  int body = -1;          ///< body that carries it
  Transform X_BL;         ///< pose of the payload's link in that body's frame
  int first_column = -1;  ///< index of its ten columns in the layout
};

/// Presliding states (Dahl) at the samples of a window. Each window starts from the states at the
/// end of the window before.
struct PreslidingStates {
  std::int64_t first_grid_index = 0;  ///< index on the uniform clock of the first sample
  /// (actuator or -1 - joint, presliding distance) -> z at every sample from first_grid_index on.
  std::map<std::pair<int, double>, Eigen::VectorXd> states;
};

/// The states at some of the samples.
PreslidingStates atSamples(const PreslidingStates& presliding,
                           const std::vector<Eigen::Index>& samples);

/// Computes the regressor rows of every actuator from conditioned signals, without filtering, for
/// the chosen columns only:
///
///     tau_actuator = T^T tau_joint + friction and drive inertia in actuator coordinates
class RowBuilder {
 public:
  /// @param columns     of the layout, ascending; other columns are left out
  /// @param ramp_speed  [actuators] below this speed the sign of the velocity is a linear ramp
  ///     [rad/s or m/s]; 0: a step
  RowBuilder(std::shared_ptr<const Robot> robot,
             ParameterLayout layout,
             const std::vector<int>& columns,
             Eigen::VectorXd ramp_speed);

  const ParameterLayout& layout() const { return layout_; }
  int numActuators() const { return static_cast<int>(columns_.size()); }
  /// The actuators whose rows are computed; the rows of others have no columns.
  Segment actuators() const { return actuators_; }
  /// Columns of the rows of this actuator, ascending.
  const std::vector<int>& columns(int actuator) const { return columns_[actuator]; }
  /// Sets the inertial and payload parameters [layout] of the torque model that load-dependent
  /// friction is proportional to.
  void setTorqueModel(const Eigen::VectorXd& parameters) { load_parameters_ = parameters; }

  /// Whether some column has a presliding state, so that `advance` is needed.
  bool hasPresliding() const;
  /// The presliding states of a window, from those of the window before (empty for the first).
  PreslidingStates advance(const ActuatorSignals& signals, const PreslidingStates& before) const;

  /// Computes the rows at all samples of `signals`.
  /// @param payload     nullptr: none
  /// @param presliding  states at the samples of `signals`
  /// @param rows        result, one [samples x columns(a)] per actuator; the effort columns are not
  ///     set
  void build(const ActuatorSignals& signals,
             const PayloadPlacement* payload,
             const PreslidingStates& presliding,
             RowBlock& rows);
  /// The same for consecutive samples only.
  void build(const ActuatorSignals& signals,
             Segment samples,
             const PayloadPlacement* payload,
             const PreslidingStates& presliding,
             RowBlock& rows);

  /// The same at every `stride`-th sample of `signals`. Smooth columns are evaluated at these
  /// samples; effort and discontinuous friction are evaluated at all samples and passed through the
  /// anti-alias filter.
  /// @param samples  indices in `signals`
  /// @param sampled  signals at these samples; the efforts of actuators() are replaced by the
  ///     filtered ones
  void buildSampled(const ActuatorSignals& signals,
                    const std::vector<Eigen::Index>& samples,
                    const Lowpass& anti_alias,
                    const PayloadPlacement* payload,
                    const PreslidingStates& presliding,
                    ActuatorSignals& sampled,
                    RowBlock& rows);

  /// An independent builder of the same rows for another thread.
  RowBuilder clone() const;
  /// Independent builders of the rows of consecutive actuators with `least_columns` columns or
  /// more, which together compute the same rows. Rows of many samples take less memory if they are
  /// built and used for one part of the actuators after the other. The default leaves arms in one
  /// part: the motion of the bodies is computed once per part.
  std::vector<RowBuilder> divided(std::size_t least_columns = 256) const;

 private:
  RowBuilder(const RowBuilder& other, Segment actuators);
  /// A log's payload and the matrix from its parameters to those of the body that carries it.
  struct Load {
    const PayloadPlacement* placement = nullptr;
    Eigen::Matrix<double, 10, 10> to_body;
  };
  /// A column of a joint's regressor that some row needs.
  struct Wanted {
    size_t column = 0;
    int place = 0;  ///< position in the actuator's rows, if only one actuator uses it
  };
  /// Sets wanted_, direct_ and targets_.
  void placeColumns();
  /// Sets the destination of the regressor columns of some samples: directly in `rows` where
  /// possible, otherwise in Y_.
  /// @param rows  nullptr: not possible
  void aim(Segment samples, RowBlock* rows);
  /// Computes the inertial columns of an actuator from Y_.
  void inertialColumns(const Load& load, int actuator, Eigen::Ref<Eigen::MatrixXd> rows) const;
  /// Absolute rigid-body torque at an actuator, at the samples in Y_.
  Eigen::VectorXd transmittedTorque(const Load& load, int actuator) const;
  bool hasLoadFriction(int actuator) const;
  bool hasRigidColumns() const;  ///< or columns that depend on the rigid-body torque
  /// Replaces the rows in Y_, computed for a base at rest, by those for the measured motion of the
  /// base.
  void onMovingBase(const ActuatorSignals& signals, Eigen::Index first, Eigen::Index count);
  /// Computes all columns except friction. For load-dependent friction it computes the transmitted
  /// torque.
  void buildSmooth(const ActuatorSignals& signals,
                   Segment samples,
                   const PayloadPlacement* payload,
                   RowBlock& rows);
  /// A friction column in the rows of an actuator.
  struct FrictionPlace {
    int actuator = 0;
    Eigen::Index place = 0;  ///< position in the actuator's rows
    int column = 0;          ///< column of the layout
  };
  /// Values of a friction column; for load-dependent friction without the transmitted torque.
  void frictionColumn(const FrictionPlace& friction,
                      const ActuatorSignals& signals,
                      Segment samples,
                      const PreslidingStates& presliding,
                      Eigen::Ref<Eigen::VectorXd> values) const;
  /// Multiplies a load-dependent friction column in `rows` by the transmitted torque.
  void multiplyByLoad(const FrictionPlace& friction, const RowBlock& rows) const;
  /// Values of friction effects that need more than a copy of a signal.
  Eigen::VectorXd effectColumn(const Column& column,
                               const ActuatorSignals& signals,
                               Segment samples,
                               const PreslidingStates& presliding) const;
  Eigen::VectorXd signOfVelocity(const Column& column,
                                 const ActuatorSignals& signals,
                                 Segment samples,
                                 const PreslidingStates& presliding) const;

  std::shared_ptr<const Robot> robot_;
  ParameterLayout layout_;
  Segment actuators_;
  std::vector<std::vector<int>> columns_;  // per actuator
  std::vector<FrictionPlace> friction_;    // of all actuators
  Eigen::VectorXd ramp_speed_;
  Eigen::VectorXd load_parameters_;
  ProjectionRegressor regressor_;
  FunctionKernel tanh_, exponential_;
  std::vector<std::vector<Wanted>> wanted_;  // per joint
  // Per joint: a single actuator drives it with ratio one, so its columns can be written without
  // going through Y_.
  std::vector<bool> direct_;
  ProjectionRegressor::Targets targets_;
  RowBlock Y_;                   // working memory: wanted columns on the joint side at some samples
  Eigen::MatrixXd transmitted_;  // [samples x actuators], for load-dependent friction
  Eigen::MatrixXd jumping_;  // [all samples x kFilterLanes] discontinuous columns during filtering
  FilterWorkspace workspace_;
};

/// The matrix of pi_B = matrix * pi_L for a body fixed at X_BL.
Eigen::Matrix<double, 10, 10> inertialTransform(const Transform& X_BL);

}  // namespace dynid
