#include "dynid/simulation/passive_columns.h"

#include "dynid/dynamics/closed_motion.h"

namespace dynid {

void appendPassiveColumns(const Robot& robot, const SimulatedBlock& exact, RawBlock& raw) {
  const Eigen::Index rows = exact.q.rows(), n = robot.numJoints(), all = robot.numTreeJoints();
  for (auto* channel : {&raw.position, &raw.velocity, &raw.acceleration, &raw.effort}) {
    if (channel->size() == 0) continue;
    channel->conservativeResize(Eigen::NoChange, all);
    channel->rightCols(all - n).setZero();
  }
  ClosedPosition closed;
  for (Eigen::Index i = 0; i < rows; ++i) {
    Eigen::VectorXd q = exact.q.row(i), dq = exact.dq.row(i), ddq = exact.ddq.row(i);
    trackClosed(robot, q, closed);
    closedMotion<double>(robot, closed, q, dq, ddq);
    raw.position.row(i).tail(all - n) = q.tail(all - n);
    if (raw.velocity.size() > 0) raw.velocity.row(i).tail(all - n) = dq.tail(all - n);
    if (raw.acceleration.size() > 0) raw.acceleration.row(i).tail(all - n) = ddq.tail(all - n);
  }
}

}  // namespace dynid
