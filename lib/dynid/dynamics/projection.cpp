#include "dynid/dynamics/projection.h"

#include "dynid/core/errors.h"
#include "dynid/dynamics/batch_plan.h"
#include "dynid/dynamics/closed_batch.h"
#include "dynid/kernels/instruction_set.h"
#include "dynid/kernels/scratch.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <stdexcept>
#include <string>

namespace dynid {
namespace {

// Resizes Y and returns the addresses of its columns: one matrix per joint with ten columns for
// each of its bodies.
ProjectionRegressor::Targets targetsOf(const std::vector<std::vector<int>>& bodies,
                                       Eigen::Index samples,
                                       std::vector<Eigen::MatrixXd>& Y) {
  ProjectionRegressor::Targets targets(bodies.size());
  Y.resize(bodies.size());
  for (size_t j = 0; j < Y.size(); ++j) {
    Y[j].resize(samples, 10 * bodies[j].size());
    for (Eigen::Index c = 0; c < Y[j].cols(); ++c) targets[j].push_back(Y[j].col(c).data());
  }
  return targets;
}

std::shared_ptr<const Robot> given(std::shared_ptr<const Robot> robot) {
  if (!robot) throw std::invalid_argument("no robot was given; expected one that loadRobot made");
  return robot;
}

}  // namespace

struct ProjectionRegressor::Kernel {
  TreePlan tree;
  InstructionSet wide, narrow;
};

ProjectionRegressor::ProjectionRegressor(std::shared_ptr<const Robot> robot)
    : robot_(given(std::move(robot))),
      kernel_(std::make_shared<const Kernel>(
          Kernel{treePlan(*robot_), chosenInstructionSet(), availableInstructionSets().front()})),
      rows_(kernel_, &kernel_->tree),
      bodies_(kernel_->tree.moved) {
  if (robot_->loops.empty()) return;
  bodies_.assign(robot_->joints.size(), {});
  for (int j = 0; j < robot_->numJoints(); ++j) {
    const std::vector<bool> moved = robot_->bodiesMovedBy(j);
    for (int k = 0; k < std::ssize(moved); ++k)
      if (moved[k]) bodies_[j].push_back(k);
  }
}

ProjectionRegressor::ProjectionRegressor(const ProjectionRegressor& other,
                                         const std::vector<bool>& wanted)
    : ProjectionRegressor(other) {
  if (robot_->loops.empty()) rows_ = std::make_shared<const TreePlan>(treePlan(*robot_, wanted));
}

const std::vector<int>& ProjectionRegressor::bodies(int joint) const {
  if (joint < 0 || joint >= std::ssize(bodies_))
    throw std::invalid_argument(
        fmt::format("joint {} was asked for; the robot has {} joints", joint, bodies_.size()));
  return bodies_[joint];
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
  evaluate(q, dq, ddq, targetsOf(bodies_, q.rows(), Y));
}

void ProjectionRegressor::checkShapes(const Eigen::Ref<const Eigen::MatrixXd>& q,
                                      const Eigen::Ref<const Eigen::MatrixXd>& dq,
                                      const Eigen::Ref<const Eigen::MatrixXd>& ddq) const {
  const Eigen::Index n = robot_->numJoints();
  for (const auto* m : {&q, &dq, &ddq}) {
    if (m->cols() != n || m->rows() != q.rows())
      throw std::invalid_argument(fmt::format(
          "the motion has arrays of {} x {}; expected {} x {}", m->rows(), m->cols(), q.rows(), n));
  }
}

void ProjectionRegressor::evaluate(const Eigen::Ref<const Eigen::MatrixXd>& q,
                                   const Eigen::Ref<const Eigen::MatrixXd>& dq,
                                   const Eigen::Ref<const Eigen::MatrixXd>& ddq,
                                   const Targets& targets) const {
  checkShapes(q, dq, ddq);
  bool fits = targets.size() == bodies_.size();
  for (size_t j = 0; fits && j < targets.size(); ++j)
    fits = targets[j].size() == 10 * bodies_[j].size();
  if (!fits)
    throw std::invalid_argument(
        "the addresses of the columns do not fit the robot; expected ten per joint and body that "
        "the joint moves");
  if (q.rows() == 0) return;
  if (robot_->loops.empty())
    evaluateTree(q, dq, ddq, targets);
  else
    evaluateClosed(q, dq, ddq, targets);
}

void ProjectionRegressor::evaluateClosed(const Eigen::MatrixXd& q,
                                         const Eigen::MatrixXd& dq,
                                         const Eigen::MatrixXd& ddq,
                                         const Targets& targets) const {
  const ClosedBatch closed = closeBatch(*robot_, q, dq, ddq);
  const Eigen::Index samples = q.rows();
  const std::vector<std::vector<int>>& tree_bodies = kernel_->tree.moved;
  std::vector<Eigen::MatrixXd> Y_tree;
  evaluateTree(closed.q, closed.dq, closed.ddq, targetsOf(tree_bodies, samples, Y_tree));
  for (int j = 0; j < std::ssize(bodies_); ++j) {
    Eigen::MatrixXd Y =
        Eigen::MatrixXd::Zero(samples, static_cast<Eigen::Index>(10 * bodies_[j].size()));
    const std::vector<bool> follows = robot_->coordinatesMovedBy(j);
    for (Eigen::Index t = 0; t < std::ssize(follows); ++t) {
      if (!follows[t]) continue;
      const auto follow = Eigen::VectorXd::NullaryExpr(samples, [&](Eigen::Index i) {
                            return closed.N[i](t, j);
                          }).eval();
      for (size_t b = 0; b < tree_bodies[t].size(); ++b) {
        const auto place =
            std::lower_bound(bodies_[j].begin(), bodies_[j].end(), tree_bodies[t][b]);
        Y.middleCols(10 * (place - bodies_[j].begin()), 10) +=
            follow.asDiagonal() * Y_tree[t].middleCols(10 * b, 10);
      }
    }
    for (size_t c = 0; c < targets[j].size(); ++c)
      if (targets[j][c] != nullptr) Eigen::Map<Eigen::VectorXd>(targets[j][c], samples) = Y.col(c);
  }
}

void ProjectionRegressor::evaluateTree(const Eigen::Ref<const Eigen::MatrixXd>& q,
                                       const Eigen::Ref<const Eigen::MatrixXd>& dq,
                                       const Eigen::Ref<const Eigen::MatrixXd>& ddq,
                                       const Targets& targets) const {
  const std::vector<std::pair<int, int>>& places = rows_->columns;
  if (places.empty()) return;
  std::vector<double> unwanted(q.rows());
  std::vector<double*> columns(places.size());
  for (size_t i = 0; i < places.size(); ++i) {
    double* to = targets[places[i].first][places[i].second];
    columns[i] = to != nullptr ? to : unwanted.data();
  }
  // All three may be omitted together, see BatchRequest
  for (size_t i = 0; i < columns.size(); i += 10) {
    double *&mass = columns[i], *&mz = columns[i + 3], *&Iyy = columns[i + 7];
    if (mass == unwanted.data() && mz == mass && Iyy == mass) mass = mz = Iyy = nullptr;
  }
  run(*rows_, q, dq, ddq, columns, nullptr);
}

void ProjectionRegressor::run(const TreePlan& tree,
                              const Eigen::Ref<const Eigen::MatrixXd>& q,
                              const Eigen::Ref<const Eigen::MatrixXd>& dq,
                              const Eigen::Ref<const Eigen::MatrixXd>& ddq,
                              const std::vector<double*>& columns,
                              const double* inertial) const {
  for (Eigen::Index j = 0; j < q.cols(); ++j)
    if (!robot_->treeJoint(static_cast<int>(j)).prismatic &&
        (q.col(j).array().abs() > kLargestJointAngle).any())  // maxCoeff hides numbers behind a NaN
      throw InputError(robot_->treeJoint(static_cast<int>(j)).name +
                       ": a position is beyond 1e6 rad; subtract whole turns (2 pi)");
  const InstructionSet& set = q.rows() >= kernel_->wide.lanes ? kernel_->wide : kernel_->narrow;
  const BatchPlan plan = tree.view();
  Scratch scratch;
  set.evaluate(plan,
               {{q.data(), q.outerStride()},
                {dq.data(), dq.outerStride()},
                {ddq.data(), ddq.outerStride()},
                q.rows(),
                columns.data(),
                inertial,
                scratch.atLeast(set.lanes * scratchPerLane(plan))});
}

Eigen::MatrixXd ProjectionRegressor::efforts(const Eigen::VectorXd& inertial,
                                             const Eigen::Ref<const Eigen::MatrixXd>& q,
                                             const Eigen::Ref<const Eigen::MatrixXd>& dq,
                                             const Eigen::Ref<const Eigen::MatrixXd>& ddq) const {
  checkShapes(q, dq, ddq);
  if (inertial.size() != Eigen::Index{10} * robot_->numBodies())
    throw std::invalid_argument(fmt::format(
        "got {} inertial parameters; expected {}", inertial.size(), 10 * robot_->numBodies()));
  Eigen::MatrixXd efforts(q.rows(), q.cols());
  for (Eigen::Index first = 0; first < q.rows(); first += kBatch) {
    const Eigen::Index count = std::min(kBatch, q.rows() - first);
    const auto x = q.middleRows(first, count), dx = dq.middleRows(first, count),
               ddx = ddq.middleRows(first, count);
    if (robot_->loops.empty()) {
      efforts.middleRows(first, count) = treeEfforts(inertial, x, dx, ddx);
      continue;
    }
    const ClosedBatch closed = closeBatch(*robot_, x, dx, ddx);
    const Eigen::MatrixXd tree = treeEfforts(inertial, closed.q, closed.dq, closed.ddq);
    for (Eigen::Index i = 0; i < count; ++i) efforts.row(first + i) = tree.row(i) * closed.N[i];
  }
  return efforts;
}

Eigen::MatrixXd ProjectionRegressor::treeEfforts(
    const Eigen::VectorXd& inertial,
    const Eigen::Ref<const Eigen::MatrixXd>& q,
    const Eigen::Ref<const Eigen::MatrixXd>& dq,
    const Eigen::Ref<const Eigen::MatrixXd>& ddq) const {
  const TreePlan& tree = kernel_->tree;
  std::vector<double> ten_per_body(10 * tree.bodies.size());
  for (size_t k = 0; k < tree.bodies.size(); ++k)
    for (size_t c = 0; c < 10; ++c)
      ten_per_body[10 * k + c] = inertial(
          10 * k +
          tree.columns[static_cast<size_t>(10 * tree.bodies[k].first_pair) + c].second % 10);
  Eigen::MatrixXd efforts(q.rows(), q.cols());
  std::vector<double*> columns;
  for (size_t i = 0; i < tree.columns.size(); i += 10)
    columns.push_back(efforts.col(tree.columns[i].first).data());
  run(tree, q, dq, ddq, columns, ten_per_body.data());
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
    for (Eigen::Index c = 0; c < std::ssize(standard); ++c) dense(j, standard[c]) = Y[j](0, c);
  }
  return dense;
}

}  // namespace dynid
