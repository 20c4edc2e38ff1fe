#pragma once

#include "dynid/dynamics/projection.h"
#include "dynid/identification/log_source.h"
#include "dynid/identification/row_block.h"
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

/// Dahl's presliding states of a window, per kind of column and sample; they go on from window to
/// window.
struct PreslidingCarry {
  std::int64_t first_grid_index = 0;
  std::map<std::pair<int, double>, Eigen::VectorXd>
      states;  ///< (actuator or -1 - joint, distance) -> z from first_grid_index on
};

/// The signals at some samples only (`raw` is left out).
ActuatorSignals atSamples(const ActuatorSignals& signals, const std::vector<Eigen::Index>& samples);
/// Only what the presliding states follow from.
ActuatorSignals positionsOf(ActuatorSignals signals);
PreslidingCarry atSamples(const PreslidingCarry& presliding,
                          const std::vector<Eigen::Index>& samples);

/// Calls `work(batch)` for consecutive batches of the samples whose rows stay in the cache.
void inBatches(const std::vector<Eigen::Index>& samples,
               const std::function<void(const std::vector<Eigen::Index>&)>& work);

/// Calls `work(first, chunk)` for consecutive chunks of the samples, few enough that their rows
/// take some tens of MB whatever the window's length.
void inChunks(const std::vector<Eigen::Index>& samples,
              const std::function<void(Eigen::Index, const std::vector<Eigen::Index>&)>& work);

/// Produces the regressor rows [Y_a] of every actuator a from conditioned signals, unfiltered, only
/// the chosen columns.
///
///     tau_actuator = T^T tau_joint + friction and drive inertia in the actuator's coordinate
class RowBuilder {
 public:
  /// @param columns      of the layout, ascending; others are left out
  /// @param still_speed  [actuators] below it the direction of motion is not defined [rad/s or m/s]
  RowBuilder(std::shared_ptr<const Robot> robot,
             ParameterLayout layout,
             const std::vector<int>& columns,
             Eigen::VectorXd still_speed);

  const ParameterLayout& layout() const { return layout_; }
  int numActuators() const { return static_cast<int>(columns_.size()); }
  /// Columns of actuator a's rows, ascending.
  const std::vector<int>& columns(int actuator) const {
    return columns_[static_cast<size_t>(actuator)];
  }
  /// Layout-wide parameters whose inertial and payload part makes the transmitted load of
  /// load-dependent friction.
  void setLoadParameters(const Eigen::VectorXd& parameters) { load_parameters_ = parameters; }

  /// Some column has a presliding state: `advance` has something to do.
  bool hasPresliding() const;
  /// The presliding states of a window, from those of the window before it (or of none).
  PreslidingCarry advance(const ActuatorSignals& signals, const PreslidingCarry& before) const;

  /// @param payload     nullptr: none
  /// @param presliding  states at these samples
  /// @param rows        result, one [samples x columns(a)] an actuator; efforts are left open
  void build(const ActuatorSignals& signals,
             const PayloadPlacement* payload,
             const PreslidingCarry& presliding,
             RowBlock& rows);

  /// The same at every `stride`-th sample of `signals`: the rigid body's columns evaluated there,
  /// friction's at all samples, through the anti-alias filter.
  /// @param sampled  signals at these samples
  /// @param samples  their indices in `signals`
  void buildSampled(const ActuatorSignals& signals,
                    const ActuatorSignals& sampled,
                    const std::vector<Eigen::Index>& samples,
                    const Lowpass& anti_alias,
                    const PayloadPlacement* payload,
                    const PreslidingCarry& presliding,
                    RowBlock& rows);

  /// Another builder of the same rows, for another thread.
  RowBuilder clone() const;

 private:
  /// A log's load and what takes its parameters to the body that carries it.
  struct Load {
    const PayloadPlacement* placement = nullptr;
    Eigen::Matrix<double, 10, 10> to_body;
  };
  /// Fills wanted_ and direct_.
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
  void buildSmooth(const ActuatorSignals& signals, const PayloadPlacement* payload, RowBlock& rows);
  /// Friction of one actuator, [samples x its friction columns]; load-dependent friction without
  /// the load.
  Eigen::MatrixXd frictionOf(int actuator,
                             const ActuatorSignals& signals,
                             const PreslidingCarry& presliding) const;
  /// Puts friction where it belongs, load-dependent friction times the load.
  void placeFriction(int actuator, const Eigen::MatrixXd& friction, RowBlock::View rows) const;
  Eigen::VectorXd effectColumn(const Column& column,
                               const ActuatorSignals& signals,
                               const PreslidingCarry& presliding) const;
  Eigen::VectorXd direction(const Column& column,
                            const ActuatorSignals& signals,
                            const PreslidingCarry& presliding) const;

  std::shared_ptr<const Robot> robot_;
  ParameterLayout layout_;
  std::vector<std::vector<int>> columns_;
  Eigen::VectorXd still_speed_;
  Eigen::VectorXd load_parameters_;
  ProjectionRegressor regressor_;
  std::vector<std::vector<bool>> wanted_;  // per joint: the columns of Y that some row stands on
  /// Per joint that one actuator alone drives, one to one: the places of those columns in its rows
  /// (-1: not there). Empty: its columns must go through Y_.
  std::vector<std::vector<int>> direct_;
  ProjectionRegressor::Targets targets_;
  RowBlock Y_;                   // scratch: joint side, the wanted columns of some samples
  Eigen::MatrixXd transmitted_;  // [samples x actuators] where load-dependent friction needs it
  FilterWorkspace workspace_;
};

/// pi_B = matrix * pi_L for a body fixed at X_BL.
Eigen::Matrix<double, 10, 10> inertialTransform(const Transform& X_BL);

}  // namespace dynid
