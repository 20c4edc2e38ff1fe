#include "dynid/statistics/base_wrench.h"

#include "dynid/core/errors.h"
#include "dynid/equations/rigid_columns.h"
#include "dynid/formulations/floating_base.h"
#include "dynid/logs/base_channels.h"
#include "dynid/logs/forked_worker.h"
#include "dynid/recordings/base_signals.h"
#include "dynid/recordings/sensor_audit.h"
#include "dynid/statistics/sensor_channels.h"

namespace dynid {
namespace {

BaseFrame frameOf(const std::string& name) {
  for (BaseFrame frame : {BaseFrame::kBody, BaseFrame::kSpace})
    if (name == toString(frame)) return frame;
  return BaseFrame::kHybrid;
}

// The six rows of every sample, with the measured values in the last column.
std::vector<Eigen::MatrixXd> rowsOf(const Robot& robot,
                                    const LogRows& log,
                                    const ActuatorSignals& signals,
                                    const Eigen::MatrixXd& recorded_wrench,
                                    const ParameterLayout& layout,
                                    const std::vector<int>& columns) {
  const auto p = static_cast<Eigen::Index>(columns.size());
  const BaseFrame frame = frameOf(log.source->base()->wrenchFrame());
  const Eigen::MatrixXd wrench =
      channelOnGrid(signals.raw, recorded_wrench, signals.joint, log.source->plan());
  const RigidColumns places(layout, columns, log.payload ? &*log.payload : nullptr);
  std::vector<Eigen::MatrixXd> rows(6, Eigen::MatrixXd(wrench.rows(), p + 1));
  for (Eigen::Index i = 0; i < wrench.rows(); ++i) {
    const Eigen::MatrixXd six =
        wrenchTransform(basePose(signals.base.pose, i), frame) *
        places.placed(carriedWrenchRows(robot,
                                        -1,
                                        baseMotion(signals.base.motion, i, robot.gravity),
                                        signals.joint.q.row(i),
                                        signals.joint.dq.row(i),
                                        signals.joint.ddq.row(i)));
    for (Eigen::Index k = 0; k < 6; ++k) {
      rows[k].row(i).head(p) = six.row(k);
      rows[k](i, p) = wrench(i, k);
    }
  }
  return rows;
}

}  // namespace

bool hasBaseWrench(const std::filesystem::path& log) {
  try {
    checkInForkedWorker(log, [&] { BaseReader(log, 0); });
    return BaseReader(log, 0).hasWrench();
  } catch (const InputError&) {
    return false;
  }
}

std::vector<int> baseColumns(const ParameterLayout& layout, const std::vector<int>& columns) {
  std::vector<int> of_component;
  for (int c : columns)
    if (layout[c].ofRigidBody()) of_component.push_back(c);
  return of_component;
}

void addBaseChannels(const Robot& robot,
                     const std::vector<LogRows>& logs,
                     const ParameterLayout& layout,
                     const std::vector<int>& columns,
                     const WindowPass& pass,
                     Statistics& statistics,
                     std::vector<LogUse>& use) {
  SensorRows sensor;
  sensor.name = "base/wrench";
  sensor.columns = baseColumns(layout, columns);
  for (const LogRows& log : logs)
    sensor.has_log.push_back(log.source->base() != nullptr && log.source->base()->hasWrench());
  sensor.read = [](const LogRows& log, const RawWindow& window) {
    return sensorChannels(*log.source->base(), window.base);
  };
  sensor.make =
      [&](const LogRows& log, const ActuatorSignals& window, const Eigen::MatrixXd& channels) {
        return rowsOf(robot, log, window, channels.leftCols(6), layout, sensor.columns);
      };
  addSensorChannels(logs, sensor, pass, statistics, use);
}

}  // namespace dynid
