/// Pinocchio's half of peers.sh: computeJointTorqueRegressor on the robot of regressor_rate.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <pinocchio/algorithm/regressor.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>
#include <random>
#include <vector>

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
namespace pin = pinocchio;

constexpr Eigen::Index kSamples = 264;

VectorXd read(std::istream& in, Eigen::Index size) {
  VectorXd values(size);
  for (double& value : values) in >> value;
  return values;
}

/// The joint as Pinocchio's reader of URDF chooses it: along a coordinate axis where it is.
pin::JointModel jointAlong(const Eigen::Vector3d& axis, bool sliding) {
  if (axis == Eigen::Vector3d::UnitX())
    return sliding ? pin::JointModel(pin::JointModelPX()) : pin::JointModel(pin::JointModelRX());
  if (axis == Eigen::Vector3d::UnitY())
    return sliding ? pin::JointModel(pin::JointModelPY()) : pin::JointModel(pin::JointModelRY());
  if (axis == Eigen::Vector3d::UnitZ())
    return sliding ? pin::JointModel(pin::JointModelPZ()) : pin::JointModel(pin::JointModelRZ());
  return sliding ? pin::JointModel(pin::JointModelPrismaticUnaligned(axis))
                 : pin::JointModel(pin::JointModelRevoluteUnaligned(axis));
}

}  // namespace

int main(int argc, char** argv) {
  std::ifstream in(argc > 1 ? argv[1] : "");
  int joints = 0;
  if (!(in >> joints)) {
    std::fprintf(stderr, "usage: pinocchio_rate tree.txt\n");
    return 2;
  }
  pin::Model model;
  model.gravity.linear() = read(in, 3);
  MatrixXd parameters(10, joints);
  for (int b = 0; b < joints; ++b) {
    int parent = 0, sliding = 0;
    in >> parent >> sliding;
    const Eigen::Vector3d axis = read(in, 3);
    const Eigen::Matrix3d R = read(in, 9).reshaped<Eigen::RowMajor>(3, 3);
    const Eigen::Vector3d p = read(in, 3);
    // Here Ixx, Ixy, Ixz, Iyy, Iyz, Izz; Pinocchio has Ixx, Ixy, Iyy, Ixz, Iyz, Izz.
    const VectorXd pi = read(in, 10);
    parameters.col(b) << pi.head<6>(), pi(7), pi(6), pi.tail<2>();
    model.addJoint(static_cast<pin::JointIndex>(parent + 1),
                   jointAlong(axis, sliding != 0),
                   pin::SE3(R, p),
                   "joint" + std::to_string(b));
  }
  pin::Data data(model);
  int states = 0;
  in >> states;
  double worst = 0.0;
  for (int s = 0; s < states; ++s) {
    const VectorXd q = read(in, joints), dq = read(in, joints), ddq = read(in, joints),
                   tau = read(in, joints);
    const VectorXd theirs =
        pin::computeJointTorqueRegressor(model, data, q, dq, ddq) * parameters.reshaped();
    worst = std::max(worst, (theirs - tau).norm() / tau.norm());
  }
  if (!(worst < 1e-10)) {
    std::fprintf(stderr, "the torques differ by %.1e\n", worst);
    return 1;
  }
  std::mt19937_64 rng(1);
  std::uniform_real_distribution<double> uniform(-3.0, 3.0);
  const auto draw = [&] {
    return MatrixXd(MatrixXd::NullaryExpr(joints, kSamples, [&] { return uniform(rng); }));
  };
  const MatrixXd q = draw(), dq = draw(), ddq = draw();
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  long samples = 0;
  double sum = 0.0;
  while (Clock::now() - begin < std::chrono::milliseconds(500)) {
    for (Eigen::Index i = 0; i < kSamples; ++i)
      sum += pin::computeJointTorqueRegressor(model, data, q.col(i), dq.col(i), ddq.col(i))(0, 0);
    samples += kSamples;
  }
  const std::chrono::duration<double, std::nano> spent = Clock::now() - begin;
  std::printf("%d %.1f %.1e %s\n",
              joints,
              spent.count() / static_cast<double>(samples),
              worst,
              sum == 1.0 ? "*" : "");
}
