#include "dynid/validation/energy_balance.h"

#include "dynid/core/text.h"
#include "dynid/dynamics/mass_matrix.h"
#include "dynid/model/model_efforts.h"
#include "dynid/validation/scores.h"

#include <Eigen/LU>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace dynid {

EnergyBalance::EnergyBalance(const Model& model)
    : robot_(model.robot),
      inertial_(model.parameters.head(10 * model.robot->numBodies())),
      drive_inertia_(driveInertias(model)),
      step_(std::numeric_limits<double>::quiet_NaN()) {
  reflected_ = jointDriveInertia(model);
}

void EnergyBalance::add(const PredictionBlock& block) {
  if (std::isnan(step_)) step_ = usualStep(block.time);
  if (block.time.size() == 0) return;
  if (block.rigid.rows() != block.time.size())
    throw std::invalid_argument(
        "the block does not hold the efforts of its links; expected a "
        "prediction with them");
  const Eigen::MatrixXd conservative = block.ddq * reflected_.transpose() + block.rigid;
  const Eigen::VectorXd power =
      (block.measured - block.predicted + conservative).cwiseProduct(block.dq).rowwise().sum();
  const Eigen::VectorXd flow = block.measured.cwiseProduct(block.dq).cwiseAbs().rowwise().sum();
  const auto remember = [&](Eigen::Index row) {
    last_q_ = block.q.row(row);
    last_dq_ = block.dq.row(row);
  };
  for (Eigen::Index i = 0; i < block.time.size(); ++i) {
    const double time = block.time(i);
    const bool usable = std::isfinite(power(i)) && std::isfinite(time);
    if (open_ && (!usable || isGap(time - last_time_, step_))) {
      if (i > 0) remember(i - 1);
      closeStretch();
    }
    if (!usable) continue;
    if (open_) {
      const double step = time - last_time_;
      unexplained_ += 0.5 * step * (power(i) + last_power_);
      flow_ += 0.5 * step * (flow(i) + last_flow_);
    } else {
      open_ = true;
      first_q_ = block.q.row(i);
      first_dq_ = block.dq.row(i);
    }
    last_time_ = time;
    last_power_ = power(i);
    last_flow_ = flow(i);
  }
  if (open_) remember(block.time.size() - 1);
}

void EnergyBalance::closeStretch() {
  if (!open_) return;
  open_ = false;
  gained_ += energy(*robot_, inertial_, drive_inertia_, last_q_, last_dq_).total() -
             energy(*robot_, inertial_, drive_inertia_, first_q_, first_dq_).total();
}

Check EnergyBalance::check(double max_energy_error) {
  closeStretch();
  Check check;
  check.name = "energy_balance";
  check.threshold = max_energy_error;
  if (!(flow_ > 0.0)) {
    check.value = std::numeric_limits<double>::quiet_NaN();
    check.message = "no joint moved against an effort that was measured";
    return check;
  }
  const double imbalance = unexplained_ - gained_;
  check.value = std::abs(imbalance) / flow_;
  check.outcome =
      check.value <= max_energy_error ? Check::Outcome::kPassed : Check::Outcome::kFailed;
  check.message = toText(100.0 * check.value, 3) + " % of the energy that flowed (" +
                  toText(flow_, 4) + " J) is not accounted for (at most " +
                  toText(100.0 * max_energy_error, 3) + " %)";
  return check;
}

}  // namespace dynid
