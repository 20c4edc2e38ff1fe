#include "dynid/identification/base_wrench.h"

#include "dynid/formulations/floating_base.h"
#include "dynid/identification/base_signals.h"
#include "dynid/identification/rigid_columns.h"
#include "dynid/identification/sensor_channels.h"
#include "dynid/logs/base_channels.h"

namespace dynid {
namespace {

BaseFrame frameOf(const std::string& name) {
  for (BaseFrame frame : {BaseFrame::kBody, BaseFrame::kSpace})
    if (name == toString(frame)) return frame;
  return BaseFrame::kHybrid;
}

// The six rows of every sample, what was measured last.
std::vector<Eigen::MatrixXd> rowsOf(const Run& run,
                                    const LogRun& log,
                                    const ActuatorSignals& signals,
                                    const ParameterLayout& layout,
                                    const std::vector<int>& columns) {
  const auto p = static_cast<Eigen::Index>(columns.size());
  const Robot& robot = *run.robot;
  const BaseFrame frame = frameOf(log.source->base()->wrenchFrame());
  const Eigen::MatrixXd wrench =
      channelOnGrid(signals.raw, signals.raw_base.wrench, signals.joint, log.source->plan());
  std::vector<Eigen::MatrixXd> rows(6, Eigen::MatrixXd(wrench.rows(), p + 1));
  for (Eigen::Index i = 0; i < wrench.rows(); ++i) {
    const Eigen::MatrixXd six = wrenchTransform(basePose(signals.base.pose, i), frame) *
                                baseWrenchRows(robot,
                                               baseMotion(signals.base.motion, i, robot.gravity),
                                               signals.joint.q.row(i),
                                               signals.joint.dq.row(i),
                                               signals.joint.ddq.row(i),
                                               log.payload ? &*log.payload : nullptr,
                                               layout,
                                               columns);
    for (Eigen::Index k = 0; k < 6; ++k) {
      rows[static_cast<size_t>(k)].row(i).head(p) = six.row(k);
      rows[static_cast<size_t>(k)](i, p) = wrench(i, k);
    }
  }
  return rows;
}

}  // namespace

bool hasBaseWrench(const std::filesystem::path& log) { return BaseReader(log, 0).hasWrench(); }

std::vector<int> baseColumns(const ParameterLayout& layout, const std::vector<int>& columns) {
  std::vector<int> own;
  for (int c : columns)
    if (layout[c].kind == ColumnKind::kInertial || layout[c].kind == ColumnKind::kPayload)
      own.push_back(c);
  return own;
}

Eigen::MatrixXd baseWrenchRows(const Robot& robot,
                               const SensedMotion& base,
                               const Eigen::VectorXd& q,
                               const Eigen::VectorXd& dq,
                               const Eigen::VectorXd& ddq,
                               const PayloadPlacement* payload,
                               const ParameterLayout& layout,
                               const std::vector<int>& columns) {
  const Eigen::MatrixXd bodies = carriedWrenchRows(robot, -1, base, q, dq, ddq);
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(6, static_cast<Eigen::Index>(columns.size()));
  const RigidColumns places(layout, columns, payload);
  for (Eigen::Index i = 0; i < 6; ++i) places.place(bodies.row(i), rows.row(i));
  return rows;
}

void addBaseChannels(Run& run,
                     const ParameterLayout& layout,
                     const std::vector<int>& columns,
                     const WindowPass& pass,
                     Statistics& statistics) {
  WindowPass everything = pass;
  everything.team = nullptr;  // every process does all: the rows are few and cheap
  const std::vector<int> own = baseColumns(layout, columns);
  const size_t first_channel = statistics.channels.size();
  appendSensorChannels(own, statistics);
  for (const WindowTask& task : windowTasks(sourcesOf(run.logs), everything)) {
    const LogRun& log = run.logs[static_cast<size_t>(task.log)];
    if (log.source->base() == nullptr || !log.source->base()->hasWrench()) continue;
    const ActuatorSignals signals =
        log.source->conditionWindow(log.source->readWindow(task.first, task.end, task.margin_s));
    std::vector<Eigen::MatrixXd> rows = rowsOf(run, log, signals, layout, own);
    addSensorWindow(log, signals, rows, first_channel, statistics);
  }
}

}  // namespace dynid
