#include "dynid/equations/equation_rows.h"

#include "dynid/equations/rigid_columns.h"
#include "dynid/equations/sliding_window.h"
#include "dynid/formulations/hamilton.h"
#include "dynid/formulations/hamilton_principle.h"
#include "dynid/formulations/huygens.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace dynid {
namespace {

SlidingWindow windowsOf(const ActuatorSignals& signals, double step, double window) {
  // Limited before the conversion: a window longer than the log may be beyond an integer.
  const auto rows = static_cast<double>(signals.joint.time.size());
  const auto half = static_cast<Eigen::Index>(std::lround(std::min(0.5 * window / step, rows)));
  return {signals.joint.segments, std::max<Eigen::Index>(1, half), step};
}

// The first and last sample of a segment have a neighbour on one side only. They get a copy of the
// neighbouring row with its effort, for which the equation holds.
void repeatInside(const std::vector<Segment>& segments, Eigen::Ref<Eigen::MatrixXd> columns) {
  for (const Segment& segment : segments) {
    if (segment.size() < 3) {
      columns.middleRows(segment.begin, segment.size()).setZero();
      continue;
    }
    columns.row(segment.begin) = columns.row(segment.begin + 1);
    columns.row(segment.end - 1) = columns.row(segment.end - 2);
  }
}

Eigen::MatrixXd centralDifference(const std::vector<Segment>& segments,
                                  const Eigen::MatrixXd& q,
                                  double step) {
  Eigen::MatrixXd dq = Eigen::MatrixXd::Zero(q.rows(), q.cols());
  for (const Segment& segment : segments)
    for (Eigen::Index i = segment.begin + 1; i + 1 < segment.end; ++i)
      dq.row(i) = (q.row(i + 1) - q.row(i - 1)) / (2.0 * step);
  repeatInside(segments, dq);
  return dq;
}

}  // namespace

ActuatorSignals fromPositions(const ActuatorSignals& signals, double step) {
  ActuatorSignals motion = signals;
  motion.joint.dq = centralDifference(signals.joint.segments, signals.joint.q, step);
  if (motion.actuator)
    motion.actuator->dq = centralDifference(signals.joint.segments, signals.q(), step);
  return motion;
}

EquationRows::EquationRows(std::shared_ptr<const Robot> robot, RowBuilder rows, Equations equations)
    : robot_(std::move(robot)), rows_(std::move(rows)), equations_(std::move(equations)) {
  for (int a = 0; a < rows_.numActuators(); ++a) columns_.push_back(rows_.columns(a));
  if (!equations_.oneChannel()) return;
  std::vector<int> all;
  for (const std::vector<int>& columns : columns_) {
    std::vector<int> united;
    std::set_union(
        all.begin(), all.end(), columns.begin(), columns.end(), std::back_inserter(united));
    all = std::move(united);
  }
  columns_ = {std::move(all)};
}

bool EquationRows::moves(const ActuatorSignals& signals, Eigen::Index sample, int channel) const {
  if (!equations_.oneChannel()) return signals.moves(sample, channel);
  for (Eigen::Index a = 0; a < signals.still_speed.size(); ++a)
    if (signals.moves(sample, a)) return true;
  return false;
}

std::vector<std::pair<Eigen::Index, int>> EquationRows::driveInertias(int channel) const {
  std::vector<std::pair<Eigen::Index, int>> found;
  const std::vector<int>& in_channel = columns(channel);
  for (Eigen::Index c = 0; c < std::ssize(in_channel); ++c)
    if (const Column& column = layout()[in_channel[c]]; column.kind == ColumnKind::kDriveInertia)
      found.emplace_back(c, column.owner);
  return found;
}

// dq^T Y is the rate of the total energy; powerRow computes the same from the energies.
void EquationRows::toPower(const Task& task,
                           std::vector<Eigen::MatrixXd>& rows,
                           Eigen::MatrixXd& efforts) const {
  const std::vector<int>& all = columns(0);
  Eigen::MatrixXd power = Eigen::MatrixXd::Zero(task.signals.q().rows(), std::ssize(all));
  for (int a = 0; a < std::ssize(rows); ++a) {
    const std::vector<int>& in_channel = rows_.columns(a);
    const auto dq = task.signals.dq().col(a).array();
    for (size_t c = 0; c < in_channel.size(); ++c) {
      const auto to = std::lower_bound(all.begin(), all.end(), in_channel[c]) - all.begin();
      power.col(to).array() += dq * rows[a].col(c).array();
    }
  }
  rows.clear();
  rows.push_back(std::move(power));
  efforts = task.signals.dq().cwiseProduct(efforts).rowwise().sum().eval();
}

void EquationRows::toEnergy(const Task& task,
                            std::vector<Eigen::MatrixXd>& rows,
                            Eigen::MatrixXd& efforts) const {
  toPower(task, rows, efforts);
  const RigidColumns rigid(layout(), columns(0), task.payload);
  Eigen::MatrixXd& flow = rows.front();
  Eigen::MatrixXd energy = Eigen::MatrixXd::Zero(flow.rows(), flow.cols());
  const Eigen::RowVectorXd nothing = Eigen::RowVectorXd::Zero(10 * robot_->numBodies());
  for (Eigen::Index i = 0; i < flow.rows(); ++i) {
    rigid.place(energyRow(*robot_, task.signals.joint.q.row(i), task.signals.joint.dq.row(i)),
                energy.row(i));
    rigid.place(nothing, flow.row(i));
  }
  for (const auto& [c, owner] : driveInertias(0)) {
    energy.col(c) = 0.5 * task.signals.dq().col(owner).cwiseAbs2();
    flow.col(c).setZero();
  }
  const SlidingWindow windows = windowsOf(task.signals, task.step, task.window);
  flow = (windows.mean(flow) + windows.slope(energy)).eval();
  efforts = windows.mean(efforts);
}

void EquationRows::toMomentum(const Task& task,
                              std::vector<Eigen::MatrixXd>& rows,
                              Eigen::MatrixXd& efforts) const {
  std::vector<int> chosen;
  std::vector<RigidColumns> rigid;
  std::vector<Eigen::MatrixXd> momenta;
  for (int a = 0; a < numChannels(); ++a) {
    if (!equations_.momentum[a]) continue;
    chosen.push_back(a);
    rigid.emplace_back(layout(), columns(a), task.payload);
    const Eigen::MatrixXd& of_channel = rows[a];
    momenta.push_back(Eigen::MatrixXd::Zero(of_channel.rows(), of_channel.cols()));
  }
  for (Eigen::Index i = 0; i < task.signals.joint.q.rows(); ++i) {
    const Eigen::VectorXd q = task.signals.joint.q.row(i), dq = task.signals.joint.dq.row(i);
    const Eigen::MatrixXd p = robot_->T.transpose() * momentumRows(*robot_, q, dq);
    const Eigen::MatrixXd force = -(robot_->T.transpose() * lagrangianGradientRows(*robot_, q, dq));
    for (size_t k = 0; k < chosen.size(); ++k) {
      rigid[k].place(p.row(chosen[k]), momenta[k].row(i));
      rigid[k].place(force.row(chosen[k]), rows[chosen[k]].row(i));
    }
  }
  const SlidingWindow windows = windowsOf(task.signals, task.step, task.window);
  for (size_t k = 0; k < chosen.size(); ++k) {
    Eigen::MatrixXd& of_channel = rows[chosen[k]];
    for (const auto& [c, owner] : driveInertias(chosen[k])) {
      momenta[k].col(c) = task.signals.dq().col(owner);
      of_channel.col(c).setZero();
    }
    of_channel = (windows.mean(of_channel) + windows.slope(momenta[k])).eval();
    efforts.col(chosen[k]) = windows.mean(efforts.col(chosen[k])).eval();
  }
}

void EquationRows::toVariational(const Task& task,
                                 std::vector<Eigen::MatrixXd>& rows,
                                 Eigen::MatrixXd& efforts) const {
  std::vector<RigidColumns> rigid;
  for (int a = 0; a < numChannels(); ++a) rigid.emplace_back(layout(), columns(a), task.payload);
  const Eigen::MatrixXd &q = task.signals.joint.q, &q_actuator = task.signals.q();
  for (const Segment& segment : task.signals.joint.segments)
    for (Eigen::Index i = segment.begin + 1; i + 1 < segment.end; ++i) {
      const Eigen::MatrixXd Y =
          robot_->T.transpose() *
          discreteEulerLagrangeRows(*robot_, q.row(i - 1), q.row(i), q.row(i + 1), task.step);
      for (int a = 0; a < numChannels(); ++a) {
        const auto channel = static_cast<size_t>(a);
        rigid[channel].place(Y.row(a), rows[channel].row(i));
        for (const auto& [c, owner] : driveInertias(a))
          rows[channel](i, c) =
              (q_actuator(i + 1, owner) - 2.0 * q_actuator(i, owner) + q_actuator(i - 1, owner)) /
              (task.step * task.step);
      }
    }
  for (Eigen::MatrixXd& of_channel : rows) repeatInside(task.signals.joint.segments, of_channel);
  repeatInside(task.signals.joint.segments, efforts);
}

void EquationRows::transform(const ActuatorSignals& signals,
                             const PayloadPlacement* payload,
                             double step,
                             double window,
                             std::vector<Eigen::MatrixXd>& rows,
                             Eigen::MatrixXd& efforts) const {
  const Task task{signals, payload, step, window};
  switch (equations_.kind) {
    case EquationKind::kInverseDynamics:
      return;
    case EquationKind::kPower:
      return toPower(task, rows, efforts);
    case EquationKind::kEnergy:
      return toEnergy(task, rows, efforts);
    case EquationKind::kMomentum:
      return toMomentum(task, rows, efforts);
    case EquationKind::kVariational:
      return toVariational(task, rows, efforts);
  }
}

}  // namespace dynid
