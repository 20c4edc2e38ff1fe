#include "dynid/recordings/base_signals.h"

#include "dynid/signals/differentiate.h"

#include <Eigen/Geometry>

namespace dynid {
namespace {

Eigen::Quaterniond quaternionOf(const Eigen::MatrixXd& pose, Eigen::Index sample) {
  return Eigen::Quaterniond(pose(sample, 6), pose(sample, 3), pose(sample, 4), pose(sample, 5))
      .normalized();
}

// q and -q are the same orientation. Interpolation and filters need a sequence without sign
// changes.
Eigen::MatrixXd withoutJumps(Eigen::MatrixXd pose) {
  Eigen::RowVector4d last = Eigen::RowVector4d::Zero();
  for (Eigen::Index i = 0; i < pose.rows(); ++i) {
    auto quaternion = pose.row(i).tail<4>();
    if (!quaternion.allFinite()) continue;
    if (quaternion.dot(last) < 0.0) quaternion = -quaternion;
    last = quaternion;
  }
  return pose;
}

Eigen::MatrixXd slope(const Eigen::MatrixXd& values,
                      const ConditionedSignals& joint,
                      const SignalPlan& plan) {
  Eigen::MatrixXd result(values.rows(), values.cols());
  for (const Segment& segment : joint.segments)
    result.middleRows(segment.begin, segment.size()) =
        firstDerivative(values.middleRows(segment.begin, segment.size()), plan.dt);
  return result;
}

// (v, w) in body axes from the pose only: w = 2 conj(q) dq/dt.
Eigen::MatrixXd twistOfPose(const Eigen::MatrixXd& pose,
                            const ConditionedSignals& joint,
                            const SignalPlan& plan) {
  Eigen::MatrixXd unit = pose;
  unit.rightCols<4>().rowwise().normalize();
  const Eigen::MatrixXd rate = slope(unit, joint, plan);
  Eigen::MatrixXd twist(pose.rows(), 6);
  for (Eigen::Index i = 0; i < pose.rows(); ++i) {
    const Eigen::Quaterniond q = quaternionOf(pose, i);
    const Eigen::Quaterniond dq(rate(i, 6), rate(i, 3), rate(i, 4), rate(i, 5));
    const Eigen::Vector3d dp = rate.row(i).head<3>();
    twist.row(i).head<3>() = q.conjugate() * dp;
    twist.row(i).tail<3>() = 2.0 * (q.conjugate() * dq).vec();
  }
  return twist;
}

// Converts a recorded twist to body axes and the base's origin.
void toBody(const std::string& frame, const Eigen::MatrixXd& pose, Eigen::MatrixXd& twist) {
  if (frame == "body") return;
  for (Eigen::Index i = 0; i < twist.rows(); ++i) {
    const Transform X_WB = basePose(pose, i);
    Eigen::Vector3d v = twist.row(i).head<3>(), w = twist.row(i).tail<3>();
    if (frame == "space") v += w.cross(X_WB.p);
    twist.row(i).head<3>() = X_WB.R.transpose() * v;
    if (frame == "space") twist.row(i).tail<3>() = X_WB.R.transpose() * w;
  }
}

}  // namespace

Transform basePose(const Eigen::MatrixXd& pose, Eigen::Index sample) {
  Transform X_WB;
  if (pose.rows() == 0) return X_WB;
  X_WB.R = quaternionOf(pose, sample).toRotationMatrix();
  X_WB.p = pose.row(sample).head<3>();
  return X_WB;
}

SensedMotion baseMotion(const Eigen::MatrixXd& motion,
                        Eigen::Index sample,
                        const Eigen::Vector3d& gravity) {
  if (motion.rows() == 0) return {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), -gravity};
  const auto row = motion.row(sample);
  return {row.head<3>(), row.segment<3>(3), row.tail<3>()};
}

BaseSignals baseOnClock(const Robot& robot,
                        const BaseSamples& recorded,
                        const std::string& twist_frame,
                        const RawSignals& raw,
                        const ConditionedSignals& joint,
                        const SignalPlan& plan) {
  BaseSignals base;
  if (recorded.pose.size() == 0) return base;
  constexpr double kStillSpeed = 0.01;  // m/s, and components of the quaternion per second
  base.pose = channelOnGrid(raw, withoutJumps(recorded.pose), joint, plan);
  filterPositions(joint, plan, Eigen::VectorXd::Constant(7, kStillSpeed), base.pose);
  if (!robot.floating_base) return base;
  Eigen::MatrixXd twist;
  if (recorded.twist.size() > 0) {
    twist = channelOnGrid(raw, recorded.twist, joint, plan);
    FilterWorkspace workspace;
    filterSegments(joint, plan.motionLowpass(), twist, workspace);
    toBody(twist_frame, base.pose, twist);
  } else {
    twist = twistOfPose(base.pose, joint, plan);
  }
  const Eigen::MatrixXd rate = slope(twist, joint, plan);
  base.motion.resize(twist.rows(), 9);
  for (Eigen::Index i = 0; i < twist.rows(); ++i) {
    const Eigen::Vector3d v = twist.row(i).head<3>(), w = twist.row(i).tail<3>();
    const Eigen::Vector3d g = basePose(base.pose, i).R.transpose() * robot.gravity;
    base.motion.row(i).head<3>() = w;
    base.motion.row(i).segment<3>(3) = rate.row(i).tail<3>();
    base.motion.row(i).tail<3>() = rate.row(i).head<3>().transpose() + w.cross(v) - g;
  }
  return base;
}

}  // namespace dynid
