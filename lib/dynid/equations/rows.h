#pragma once

#include "dynid/dynamics/projection.h"
#include "dynid/equations/row_block.h"
#include "dynid/kernels/requests.h"
#include "dynid/recordings/actuator_signals.h"
#include "dynid/robot/parameter_layout.h"

#include <Eigen/Core>

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace dynid {

/// The load of one log as a body fixed to a link of the robot.
struct PayloadPlacement {
  int body = -1;          ///< that carries it
  Transform X_BL;         ///< payload link in that body's frame
  int first_column = -1;  ///< of its ten columns in the layout
};

/// Dahl's presliding states at the samples of a window. Each window starts from the states at the
/// end of the one before it.
struct PreslidingStates {
  std::int64_t first_grid_index = 0;
  std::map<std::pair<int, double>, Eigen::VectorXd>
      states;  ///< (actuator or -1 - joint, distance) -> z from first_grid_index on
};

/// The states at some samples only.
PreslidingStates atSamples(const PreslidingStates& presliding,
                           const std::vector<Eigen::Index>& samples);

/// Calls `work(batch)` for consecutive batches of the samples whose rows stay in the cache.
void inBatches(const std::vector<Eigen::Index>& samples,
               const std::function<void(const std::vector<Eigen::Index>&)>& work);
void inBatches(Segment samples, const std::function<void(Segment)>& work);

/// Produces the regressor rows [Y_a] of every actuator a from conditioned signals, unfiltered, only
/// the chosen columns.
///
///     tau_actuator = T^T tau_joint + friction and drive inertia in the actuator's coordinate
class RowBuilder {
 public:
  /// @param columns      of the layout, ascending; others are left out
  /// @param ramp_speed  [actuators] below it the sign of the velocity is a ramp [rad/s or m/s]; 0:
  /// it jumps
  RowBuilder(std::shared_ptr<const Robot> robot,
             ParameterLayout layout,
             const std::vector<int>& columns,
             Eigen::VectorXd ramp_speed);

  const ParameterLayout& layout() const { return layout_; }
  int numActuators() const { return static_cast<int>(columns_.size()); }
  /// Columns of actuator a's rows, ascending.
  const std::vector<int>& columns(int actuator) const { return columns_[actuator]; }
  /// [layout] The model of the transmitted torque behind friction in proportion to it: inertial and
  /// payload parameters.
  void setLoadParameters(const Eigen::VectorXd& parameters) { load_parameters_ = parameters; }

  /// Some column has a presliding state: `advance` has something to do.
  bool hasPresliding() const;
  /// The presliding states of a window, from those of the window before it (or of none).
  PreslidingStates advance(const ActuatorSignals& signals, const PreslidingStates& before) const;

  /// @param payload     nullptr: none
  /// @param presliding  states at the samples of `signals`
  /// @param rows        result, one [samples x columns(a)] per actuator; efforts are left open
  void build(const ActuatorSignals& signals,
             const PayloadPlacement* payload,
             const PreslidingStates& presliding,
             RowBlock& rows);
  /// The same of some neighbouring samples.
  void build(const ActuatorSignals& signals,
             Segment samples,
             const PayloadPlacement* payload,
             const PreslidingStates& presliding,
             RowBlock& rows);

  /// The same at every `stride`-th sample of `signals`: what is smooth evaluated there; effort and
  /// friction that jumps at all samples, through the anti-alias filter.
  /// @param samples  their indices in `signals`
  /// @param sampled  signals at these samples; its efforts are replaced by filtered ones
  void buildSampled(const ActuatorSignals& signals,
                    const std::vector<Eigen::Index>& samples,
                    const Lowpass& anti_alias,
                    const PayloadPlacement* payload,
                    const PreslidingStates& presliding,
                    ActuatorSignals& sampled,
                    RowBlock& rows);

  /// Another builder of the same rows, for another thread.
  RowBuilder clone() const;

 private:
  /// A log's load and what takes its parameters to the body that carries it.
  struct Load {
    const PayloadPlacement* placement = nullptr;
    Eigen::Matrix<double, 10, 10> to_body;
  };
  /// A column of a joint's regressor that some row needs.
  struct Wanted {
    size_t column = 0;
    int place = 0;  ///< in the rows of the one actuator, if it is one
  };
  /// Fills wanted_, direct_ and targets_.
  void placeColumns();
  /// Where the regressor of `count` samples goes: into Y_, or into `rows` where it can.
  void aim(Eigen::Index count, RowBlock* rows);
  /// From Y_.
  void inertialColumns(const Load& load, int actuator, Eigen::Ref<Eigen::MatrixXd> rows) const;
  /// |torque of the rigid body| at an actuator, of the samples in Y_.
  Eigen::VectorXd transmittedLoad(const Load& load, int actuator) const;
  bool hasLoadFriction(int actuator) const;
  bool hasRigidColumns() const;  ///< or columns that stand on the rigid body's torque
  /// Replaces the scratch rows, of a resting base, by those of the base's motion.
  void onMovingBase(const ActuatorSignals& signals, Eigen::Index first, Eigen::Index count);
  /// Everything but friction; of friction only the load behind it.
  void buildSmooth(const ActuatorSignals& signals,
                   Segment samples,
                   const PayloadPlacement* payload,
                   RowBlock& rows);
  /// A column of friction in an actuator's rows.
  struct FrictionPlace {
    int actuator = 0;
    Eigen::Index place = 0;  ///< in its rows
    int column = 0;          ///< of the layout
  };
  /// Its values; load-dependent friction without the load.
  void frictionColumn(const FrictionPlace& friction,
                      const ActuatorSignals& signals,
                      Segment samples,
                      const PreslidingStates& presliding,
                      Eigen::Ref<Eigen::VectorXd> values) const;
  /// The load behind load-dependent friction, once its column is in `rows`.
  void multiplyByLoad(const FrictionPlace& friction, const RowBlock& rows) const;
  /// Of effects that take more than a copy.
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
  std::vector<int> asked_columns_;         // of all actuators
  std::vector<std::vector<int>> columns_;  // per actuator
  std::vector<FrictionPlace> friction_;    // of all actuators
  Eigen::VectorXd ramp_speed_;
  Eigen::VectorXd load_parameters_;
  ProjectionRegressor regressor_;
  TanhKernel tanh_;
  std::vector<std::vector<Wanted>> wanted_;  // per joint
  std::vector<bool> direct_;  // per joint: one actuator alone drives it, one to one, so its columns
                              // need not go through Y_
  ProjectionRegressor::Targets targets_;
  RowBlock Y_;                   // scratch: joint side, the wanted columns of some samples
  Eigen::MatrixXd transmitted_;  // [samples x actuators] where load-dependent friction needs it
  Eigen::MatrixXd jumping_;      // [all samples x kFilterLanes] on their way through a filter
  FilterWorkspace workspace_;
};

/// pi_B = matrix * pi_L for a body fixed at X_BL.
Eigen::Matrix<double, 10, 10> inertialTransform(const Transform& X_BL);

}  // namespace dynid
