#include "dynid/simulation/simulated_base.h"

#include "dynid/dynamics/body_regressor.h"
#include "dynid/dynamics/kinematics.h"
#include "dynid/formulations/base_joints.h"

#include <Eigen/Geometry>
#include <Eigen/LU>

namespace dynid {
namespace {

// The ground's wrench in world axes about the world's origin.
Vector6<double> spaceWrench(const std::vector<BodyMotion<double>>& motions,
                            const std::vector<Transform>& poses,
                            const Eigen::VectorXd& pi) {
  Vector6<double> total = Vector6<double>::Zero();
  for (size_t k = 0; k < motions.size(); ++k) {
    const BodyMotion<double>& m = motions[k];
    const Vector6<double> wrench = bodyRegressor<double>(m.w, m.wd, m.a) * pi.segment<10>(10 * k);
    const Eigen::Vector3d force = poses[k].R * wrench.head<3>();
    total.head<3>() += force;
    total.tail<3>() += poses[k].R * wrench.tail<3>() + poses[k].p.cross(force);
  }
  return total;
}

// (v, w) of the base in the axes and for the reference point of the frame.
Vector6<double> twistIn(const Transform& X_WB, const BodyMotion<double>& root, BaseFrame frame) {
  Vector6<double> twist;
  twist << root.v, root.w;
  if (frame == BaseFrame::kBody) return twist;
  twist.head<3>() = X_WB.R * root.v;
  if (frame == BaseFrame::kHybrid) return twist;
  twist.tail<3>() = X_WB.R * root.w;
  twist.head<3>() += X_WB.p.cross(twist.tail<3>());
  return twist;
}

BaseFrame frameOf(const std::string& name) {
  for (BaseFrame frame : {BaseFrame::kBody, BaseFrame::kSpace})
    if (name == toString(frame)) return frame;
  return BaseFrame::kHybrid;
}

}  // namespace

BaseSensor::BaseSensor(const Robot& robot,
                       const SimulationTruth& truth,
                       const SimulationOptions& options,
                       const SimulatedBlock& spread)
    : robot_(robot),
      options_(options),
      pi_(truth.parameters.head(Eigen::Index{10} * robot.numBodies())) {
  for (std::uint64_t i = 0; i < 6; ++i) noise_.emplace_back(options.seed, 4000 + i);
  const Eigen::MatrixXd wrench = exact(spread).wrench;
  const auto samples = static_cast<double>(wrench.rows());
  sigma_ = options.effort_noise_relative *
           (wrench.colwise().squaredNorm().transpose() / samples).cwiseSqrt();
}

BaseSamples BaseSensor::exact(const SimulatedBlock& block) const {
  return sensedAtBase(robot_, pi_, options_.payload, block, frameOf(options_.base_frame));
}

BaseSamples BaseSensor::measure(const SimulatedBlock& block) {
  BaseSamples samples = exact(block);
  for (Eigen::Index i = 0; i < samples.wrench.rows(); ++i)
    for (Eigen::Index c = 0; c < 6; ++c)
      if (sigma_(c) > 0.0) samples.wrench(i, c) += sigma_(c) * noise_[c].normal();
  return samples;
}

BaseSamples sensedAtBase(const Robot& robot,
                         const Eigen::VectorXd& pi,
                         const std::optional<PayloadNote>& payload,
                         const SimulatedBlock& block,
                         BaseFrame frame) {
  const bool moves = block.base_q.rows() > 0;
  const Robot tree = moves ? withBaseJoints(robot) : robot;
  Eigen::VectorXd all = Eigen::VectorXd::Zero(Eigen::Index{10} * tree.numBodies());
  all.tail(pi.size()) = pi;
  if (payload) {
    const auto [body, X_BL] =
        tree.findLink(payload->link.empty() ? robot.payload_link.value_or("") : payload->link);
    all.segment<10>(Eigen::Index{10} * body) += transformed(X_BL, payloadBody(*payload));
  }
  const Eigen::Index rows = block.q.rows();
  BaseSamples samples;
  samples.wrench.resize(rows, 6);
  if (moves) {
    samples.pose.resize(rows, 7);
    samples.twist.resize(rows, 6);
  }
  std::vector<BodyMotion<double>> motions;
  for (Eigen::Index i = 0; i < rows; ++i) {
    const auto joined = [&](const Eigen::MatrixXd& base, const Eigen::MatrixXd& joints) {
      Eigen::VectorXd q(base.cols() + joints.cols());
      if (moves) q.head(base.cols()) = base.row(i);
      q.tail(joints.cols()) = joints.row(i);
      return q;
    };
    const Eigen::VectorXd q = joined(block.base_q, block.q);
    forwardKinematics<double>(
        tree, q, joined(block.base_dq, block.dq), joined(block.base_ddq, block.ddq), motions);
    const std::vector<Transform> poses = bodyPoses(tree, q);
    const Transform X_WB = moves ? poses[kBaseJoints - 1] : Transform();
    const Eigen::MatrixXd to_space = wrenchTransform(X_WB, BaseFrame::kSpace);
    samples.wrench.row(i) =
        wrenchTransform(X_WB, frame) * to_space.lu().solve(spaceWrench(motions, poses, all));
    if (!moves) continue;
    const Eigen::Quaterniond attitude(X_WB.R);
    samples.pose.row(i) << X_WB.p.transpose(), attitude.x(), attitude.y(), attitude.z(),
        attitude.w();
    samples.twist.row(i) = twistIn(X_WB, motions[kBaseJoints - 1], frame);
  }
  return samples;
}

}  // namespace dynid
