#include "dynid/dynamics/projection.h"

#include "dynid/dynamics/closed_motion.h"
#include "dynid/kernels/instruction_set.h"
#include "dynid/kernels/scratch.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

namespace dynid {
namespace {

// Beyond this the kernels' sine loses digits.
constexpr double kLargestAngle = 1e6;

void copy(const Eigen::Vector3d& from, double* to) { std::copy(from.data(), from.data() + 3, to); }

BatchBody batchBody(const Body& body) {
  BatchBody batch{};
  batch.parent = body.parent;
  batch.joint = body.joint;
  batch.prismatic = body.prismatic ? 1 : 0;
  batch.multiplier = body.multiplier;
  batch.offset = body.offset;
  copy(body.axis, batch.axis);
  copy(body.X_PJ.p, batch.translation);
  copy(body.X_PJ.R * body.axis, batch.slide);
  const Eigen::Matrix3d along = body.axis * body.axis.transpose();
  Eigen::Matrix3d skew;
  skew << 0.0, -body.axis.z(), body.axis.y(), body.axis.z(), 0.0, -body.axis.x(), -body.axis.y(),
      body.axis.x(), 0.0;
  // Rodrigues: R(q) = u u^T + cos q (1 - u u^T) + sin q [u]x
  const Eigen::Matrix3d parts[3] = {
      body.prismatic ? body.X_PJ.R : Eigen::Matrix3d(body.X_PJ.R * along),
      body.X_PJ.R * (Eigen::Matrix3d::Identity() - along),
      body.X_PJ.R * skew};
  for (int i = 0; i < 3; ++i)
    Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(batch.rotation[i]) = parts[i];
  return batch;
}

}  // namespace

struct ProjectionRegressor::Kernel {
  std::vector<BatchBody> bodies;
  std::vector<BatchPair> pairs;
  std::vector<std::pair<int, int>> first_column;  // per pair: joint, column of Y[joint]
  BatchPlan plan{};
  InstructionSet wide, narrow;
};

ProjectionRegressor::ProjectionRegressor(std::shared_ptr<const Robot> robot)
    : robot_(std::move(robot)) {
  const auto n = static_cast<size_t>(robot_->numTreeJoints());
  tree_bodies_.resize(n);
  auto kernel = std::make_shared<Kernel>();
  std::vector<std::vector<int>> joints(robot_->bodies.size());  // of every body, as its pairs
  for (size_t k = 0; k < robot_->bodies.size(); ++k) {
    const Body& body = robot_->bodies[k];
    BatchBody batch = batchBody(body);
    batch.first_pair = static_cast<int>(kernel->pairs.size());
    for (size_t j = 0; j < n; ++j) {
      const bool own = body.joint == static_cast<int>(j);
      int parent_pair = -1;
      if (body.parent >= 0) {
        const std::vector<int>& above = joints[static_cast<size_t>(body.parent)];
        const auto at = std::find(above.begin(), above.end(), static_cast<int>(j));
        if (at != above.end())
          parent_pair = kernel->bodies[static_cast<size_t>(body.parent)].first_pair +
                        static_cast<int>(at - above.begin());
      }
      if (!own && parent_pair < 0) continue;
      joints[k].push_back(static_cast<int>(j));
      kernel->pairs.push_back({parent_pair, own ? 1 : 0});
      kernel->first_column.emplace_back(static_cast<int>(j),
                                        static_cast<int>(10 * tree_bodies_[j].size()));
      tree_bodies_[j].push_back(static_cast<int>(k));
    }
    batch.num_pairs = static_cast<int>(joints[k].size());
    kernel->bodies.push_back(batch);
  }
  kernel->plan = {kernel->bodies.data(), kernel->pairs.data(), robot_->numBodies(), {}};
  copy(-robot_->gravity, kernel->plan.base_acceleration);
  kernel->wide = chosenInstructionSet();
  kernel->narrow = availableInstructionSets().front();
  kernel_ = std::move(kernel);
  bodies_ = tree_bodies_;
  if (robot_->loops.empty()) return;
  bodies_.assign(robot_->joints.size(), {});
  for (int j = 0; j < robot_->numJoints(); ++j) {
    const std::vector<bool> moved = robot_->bodiesMovedBy(j);
    for (size_t k = 0; k < moved.size(); ++k)
      if (moved[k]) bodies_[static_cast<size_t>(j)].push_back(static_cast<int>(k));
  }
}

std::vector<int> ProjectionRegressor::columns(int joint) const {
  std::vector<int> columns;
  for (int body : bodies(joint))
    for (int c = 0; c < 10; ++c) columns.push_back(10 * body + c);
  return columns;
}

void ProjectionRegressor::evaluate(const Eigen::Ref<const Eigen::MatrixXd>& q,
                                   const Eigen::Ref<const Eigen::MatrixXd>& dq,
                                   const Eigen::Ref<const Eigen::MatrixXd>& ddq,
                                   std::vector<Eigen::MatrixXd>& Y) const {
  const Eigen::Index n = robot_->numJoints();
  for (const auto* m : {&q, &dq, &ddq}) {
    if (m->cols() != n || m->rows() != q.rows())
      throw std::invalid_argument("ProjectionRegressor::evaluate: got " +
                                  std::to_string(m->rows()) + " x " + std::to_string(m->cols()) +
                                  "; expected " + std::to_string(q.rows()) + " x " +
                                  std::to_string(n));
  }
  if (robot_->loops.empty())
    evaluateTree(q, dq, ddq, Y);
  else
    evaluateClosed(q, dq, ddq, Y);
}

void ProjectionRegressor::evaluateClosed(const Eigen::MatrixXd& q,
                                         const Eigen::MatrixXd& dq,
                                         const Eigen::MatrixXd& ddq,
                                         std::vector<Eigen::MatrixXd>& Y) const {
  const Eigen::Index samples = q.rows(), n = q.cols(), all = robot_->numTreeJoints();
  Eigen::MatrixXd tree_q(samples, all), tree_dq(samples, all), tree_ddq(samples, all);
  std::vector<Eigen::MatrixXd> N(static_cast<size_t>(n), Eigen::MatrixXd(samples, all));
  ClosedPosition closed;
  for (Eigen::Index i = 0; i < samples; ++i) {
    Eigen::VectorXd x = q.row(i), dx = dq.row(i), ddx = ddq.row(i);
    trackClosed(*robot_, x, closed);
    closedMotion<double>(*robot_, closed, x, dx, ddx);
    tree_q.row(i) = x;
    tree_dq.row(i) = dx;
    tree_ddq.row(i) = ddx;
    const Eigen::MatrixXd projector = loopProjector(*robot_, closed);
    for (Eigen::Index j = 0; j < n; ++j)
      N[static_cast<size_t>(j)].row(i) = projector.col(j).transpose();
  }
  std::vector<Eigen::MatrixXd> tree_Y;
  evaluateTree(tree_q, tree_dq, tree_ddq, tree_Y);
  Y.resize(static_cast<size_t>(n));
  for (size_t j = 0; j < Y.size(); ++j) {
    Y[j].setZero(samples, static_cast<Eigen::Index>(10 * bodies_[j].size()));
    const std::vector<bool> follows = robot_->coordinatesMovedBy(static_cast<int>(j));
    for (size_t t = 0; t < follows.size(); ++t) {
      if (!follows[t]) continue;
      for (size_t b = 0; b < tree_bodies_[t].size(); ++b) {
        const auto place =
            std::lower_bound(bodies_[j].begin(), bodies_[j].end(), tree_bodies_[t][b]);
        Y[j].middleCols(10 * (place - bodies_[j].begin()), 10) +=
            N[j].col(static_cast<Eigen::Index>(t)).asDiagonal() *
            tree_Y[t].middleCols(static_cast<Eigen::Index>(10 * b), 10);
      }
    }
  }
}

void ProjectionRegressor::evaluateTree(const Eigen::MatrixXd& q,
                                       const Eigen::MatrixXd& dq,
                                       const Eigen::MatrixXd& ddq,
                                       std::vector<Eigen::MatrixXd>& Y) const {
  const Eigen::Index n = q.cols();
  Y.resize(static_cast<size_t>(n));
  for (size_t j = 0; j < Y.size(); ++j)
    Y[j].resize(q.rows(), static_cast<Eigen::Index>(10 * tree_bodies_[j].size()));
  if (q.rows() == 0) return;
  std::vector<double*> columns;
  for (const auto& [joint, column] : kernel_->first_column)
    columns.push_back(Y[static_cast<size_t>(joint)].col(column).data());
  for (Eigen::Index j = 0; j < n; ++j)
    if (!robot_->treeJoint(static_cast<int>(j)).prismatic &&
        q.col(j).cwiseAbs().maxCoeff() > kLargestAngle)
      throw std::invalid_argument("ProjectionRegressor::evaluate: joint " + std::to_string(j) +
                                  " is beyond 1e6 rad; take whole turns off first");
  const InstructionSet& set = q.rows() >= kernel_->wide.lanes ? kernel_->wide : kernel_->narrow;
  Scratch scratch;
  double* aligned =
      scratch.atLeast(static_cast<size_t>(set.lanes) * (kScratchPerBody * kernel_->bodies.size() +
                                                        kScratchPerPair * kernel_->pairs.size()));
  const BatchRequest request{q.data(),  // columns without gaps
                             dq.data(),
                             ddq.data(),
                             q.rows(),
                             q.rows(),
                             columns.data(),
                             q.rows(),
                             aligned};
  set.evaluate(kernel_->plan, request);
}

Eigen::MatrixXd ProjectionRegressor::efforts(const Eigen::VectorXd& inertial,
                                             const Eigen::Ref<const Eigen::MatrixXd>& q,
                                             const Eigen::Ref<const Eigen::MatrixXd>& dq,
                                             const Eigen::Ref<const Eigen::MatrixXd>& ddq) const {
  std::vector<Eigen::VectorXd> own;
  for (int j = 0; j < robot_->numJoints(); ++j) own.emplace_back(inertial(columns(j)));
  Eigen::MatrixXd efforts(q.rows(), robot_->numJoints());
  std::vector<Eigen::MatrixXd> Y;
  for (Eigen::Index first = 0; first < q.rows(); first += kBatch) {
    const Eigen::Index count = std::min(kBatch, q.rows() - first);
    evaluate(
        q.middleRows(first, count), dq.middleRows(first, count), ddq.middleRows(first, count), Y);
    for (Eigen::Index j = 0; j < efforts.cols(); ++j)
      efforts.col(j).segment(first, count).noalias() =
          Y[static_cast<size_t>(j)] * own[static_cast<size_t>(j)];
  }
  return efforts;
}

Eigen::MatrixXd ProjectionRegressor::dense(const Eigen::VectorXd& q,
                                           const Eigen::VectorXd& dq,
                                           const Eigen::VectorXd& ddq) const {
  std::vector<Eigen::MatrixXd> Y;
  evaluate(q.transpose(), dq.transpose(), ddq.transpose(), Y);
  Eigen::MatrixXd dense =
      Eigen::MatrixXd::Zero(robot_->numJoints(), Eigen::Index{10} * robot_->numBodies());
  for (int j = 0; j < robot_->numJoints(); ++j) {
    const std::vector<int> standard = columns(j);
    for (size_t c = 0; c < standard.size(); ++c)
      dense(j, standard[c]) = Y[static_cast<size_t>(j)](0, static_cast<Eigen::Index>(c));
  }
  return dense;
}

}  // namespace dynid
