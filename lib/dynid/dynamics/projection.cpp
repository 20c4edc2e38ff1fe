#include "dynid/dynamics/projection.h"

#include "dynid/dynamics/batch_body.h"
#include "dynid/dynamics/closed_motion.h"
#include "dynid/kernels/instruction_set.h"
#include "dynid/kernels/scratch.h"

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <string>

namespace dynid {
namespace {

// Beyond this the kernels' sine loses digits.
constexpr double kLargestAngle = 1e6;

// The columns of Y, one matrix a joint with ten columns for each of its bodies.
ProjectionRegressor::Targets targetsOf(const std::vector<std::vector<int>>& bodies,
                                       Eigen::Index samples,
                                       std::vector<Eigen::MatrixXd>& Y) {
  ProjectionRegressor::Targets targets(bodies.size());
  Y.resize(bodies.size());
  for (size_t j = 0; j < Y.size(); ++j) {
    Y[j].resize(samples, static_cast<Eigen::Index>(10 * bodies[j].size()));
    for (Eigen::Index c = 0; c < Y[j].cols(); ++c) targets[j].push_back(Y[j].col(c).data());
  }
  return targets;
}

// Places in the kernel's scratch: few of them stay in the cache.
struct Slots {
  std::vector<int> free;
  int count = 0;

  int take() {
    if (free.empty()) return count++;
    const int slot = free.back();
    free.pop_back();
    return slot;
  }
};

}  // namespace

struct ProjectionRegressor::Kernel {
  std::vector<BatchBody> bodies;
  std::vector<BatchPair> pairs;
  std::vector<std::pair<int, int>> column;  // ten a pair: joint, column of Y[joint]
  BatchPlan plan{};
  InstructionSet wide, narrow;
};

ProjectionRegressor::ProjectionRegressor(std::shared_ptr<const Robot> robot)
    : robot_(std::move(robot)) {
  const auto n = static_cast<size_t>(robot_->numTreeJoints());
  tree_bodies_.resize(n);
  auto kernel = std::make_shared<Kernel>();
  std::vector<std::vector<int>> joints(robot_->bodies.size());  // of every body, as its pairs
  std::vector<BatchFrame> frames;
  std::vector<int> last_child(robot_->bodies.size(), -1);
  for (size_t k = 0; k < robot_->bodies.size(); ++k)
    if (robot_->bodies[k].parent >= 0)
      last_child[static_cast<size_t>(robot_->bodies[k].parent)] = static_cast<int>(k);
  Slots motions, slots;
  const int root = motions.take();
  for (size_t k = 0; k < robot_->bodies.size(); ++k) {
    const Body& body = robot_->bodies[k];
    // The last child takes its parent's places.
    const BatchBody* above =
        body.parent < 0 ? nullptr : &kernel->bodies[static_cast<size_t>(body.parent)];
    const bool last =
        above != nullptr && last_child[static_cast<size_t>(body.parent)] == static_cast<int>(k);
    frames.push_back(batchFrame(body));
    const std::array<int, 10> components = frames.back().components();
    BatchBody batch =
        batchBody(body,
                  frames.back(),
                  body.parent < 0 ? BatchFrame{} : frames[static_cast<size_t>(body.parent)]);
    batch.parent_motion = above != nullptr ? above->motion : root;
    batch.motion = last ? above->motion : motions.take();
    batch.first_pair = static_cast<int>(kernel->pairs.size());
    for (size_t j = 0; j < n; ++j) {
      const bool own = body.joint == static_cast<int>(j);
      int parent_slot = -1;
      if (above != nullptr) {
        const std::vector<int>& its = joints[static_cast<size_t>(body.parent)];
        const auto at = std::find(its.begin(), its.end(), static_cast<int>(j));
        if (at != its.end())
          parent_slot =
              kernel->pairs[static_cast<size_t>(above->first_pair + (at - its.begin()))].slot;
      }
      if (!own && parent_slot < 0) continue;
      joints[k].push_back(static_cast<int>(j));
      const int slot = last && parent_slot >= 0 ? parent_slot : slots.take();
      kernel->pairs.push_back({parent_slot, slot, own ? 1 : 0});
      for (int component : components)
        kernel->column.emplace_back(static_cast<int>(j),
                                    static_cast<int>(10 * tree_bodies_[j].size()) + component);
      tree_bodies_[j].push_back(static_cast<int>(k));
    }
    batch.num_pairs = static_cast<int>(joints[k].size());
    kernel->bodies.push_back(batch);
    if (last_child[k] >= 0) continue;
    motions.free.push_back(batch.motion);
    for (int i = 0; i < batch.num_pairs; ++i)
      slots.free.push_back(kernel->pairs[static_cast<size_t>(batch.first_pair + i)].slot);
  }
  kernel->plan = {kernel->bodies.data(),
                  kernel->pairs.data(),
                  robot_->numBodies(),
                  motions.count,
                  slots.count,
                  {}};
  Eigen::Map<Eigen::Vector3d>(kernel->plan.base_acceleration) = -robot_->gravity;
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
  evaluate(q, dq, ddq, targetsOf(bodies_, q.rows(), Y));
}

void ProjectionRegressor::evaluate(const Eigen::Ref<const Eigen::MatrixXd>& q,
                                   const Eigen::Ref<const Eigen::MatrixXd>& dq,
                                   const Eigen::Ref<const Eigen::MatrixXd>& ddq,
                                   const Targets& targets) const {
  const Eigen::Index n = robot_->numJoints();
  for (const auto* m : {&q, &dq, &ddq}) {
    if (m->cols() != n || m->rows() != q.rows())
      throw std::invalid_argument("ProjectionRegressor::evaluate: got " +
                                  std::to_string(m->rows()) + " x " + std::to_string(m->cols()) +
                                  "; expected " + std::to_string(q.rows()) + " x " +
                                  std::to_string(n));
  }
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
  evaluateTree(tree_q, tree_dq, tree_ddq, targetsOf(tree_bodies_, samples, tree_Y));
  for (size_t j = 0; j < bodies_.size(); ++j) {
    Eigen::MatrixXd Y =
        Eigen::MatrixXd::Zero(samples, static_cast<Eigen::Index>(10 * bodies_[j].size()));
    const std::vector<bool> follows = robot_->coordinatesMovedBy(static_cast<int>(j));
    for (size_t t = 0; t < follows.size(); ++t) {
      if (!follows[t]) continue;
      for (size_t b = 0; b < tree_bodies_[t].size(); ++b) {
        const auto place =
            std::lower_bound(bodies_[j].begin(), bodies_[j].end(), tree_bodies_[t][b]);
        Y.middleCols(10 * (place - bodies_[j].begin()), 10) +=
            N[j].col(static_cast<Eigen::Index>(t)).asDiagonal() *
            tree_Y[t].middleCols(static_cast<Eigen::Index>(10 * b), 10);
      }
    }
    for (size_t c = 0; c < targets[j].size(); ++c)
      if (targets[j][c] != nullptr)
        Eigen::Map<Eigen::VectorXd>(targets[j][c], samples) = Y.col(static_cast<Eigen::Index>(c));
  }
}

void ProjectionRegressor::evaluateTree(const Eigen::Ref<const Eigen::MatrixXd>& q,
                                       const Eigen::Ref<const Eigen::MatrixXd>& dq,
                                       const Eigen::Ref<const Eigen::MatrixXd>& ddq,
                                       const Targets& targets) const {
  for (Eigen::Index j = 0; j < q.cols(); ++j)
    if (!robot_->treeJoint(static_cast<int>(j)).prismatic &&
        q.col(j).cwiseAbs().maxCoeff() > kLargestAngle)
      throw std::invalid_argument("ProjectionRegressor::evaluate: joint " + std::to_string(j) +
                                  " is beyond 1e6 rad; take whole turns off first");
  const InstructionSet& set = q.rows() >= kernel_->wide.lanes ? kernel_->wide : kernel_->narrow;
  const auto state = static_cast<size_t>(set.lanes * scratchALane(kernel_->plan));
  Scratch scratch;
  double* aligned = scratch.atLeast(state + static_cast<size_t>(q.rows()));
  double* unwanted = aligned + state;
  std::vector<double*> columns;
  columns.reserve(kernel_->column.size());
  for (const auto& [joint, column] : kernel_->column) {
    double* to = targets[static_cast<size_t>(joint)][static_cast<size_t>(column)];
    columns.push_back(to != nullptr ? to : unwanted);
  }
  set.evaluate(kernel_->plan,
               {{q.data(), q.outerStride()},
                {dq.data(), dq.outerStride()},
                {ddq.data(), ddq.outerStride()},
                q.rows(),
                columns.data(),
                aligned});
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
