#include "dynid/excitation/closed_adjoint.h"

#include "dynid/dynamics/closed_batch.h"
#include "dynid/robot/apply_loops.h"

#include <algorithm>

namespace dynid {

struct ClosedAdjoint::Batch : ClosedBatch {
  std::vector<Eigen::MatrixXd> H;  // per sample ds/dN
  std::vector<Eigen::MatrixXd> G;  // per tree coordinate
  Eigen::MatrixXd gq, gdq, gddq;   // of the tree
};

ClosedAdjoint::ClosedAdjoint(const Robot& robot)
    : robot_(robot),
      tree_(std::make_shared<const Robot>(cutOpen(robot))),
      regressor_(tree_),
      adjoint_(tree_) {
  for (int j = 0; j < robot.numJoints(); ++j) {
    const std::vector<bool> moved = robot.bodiesMovedBy(j);
    bodies_.emplace_back();
    for (int k = 0; k < std::ssize(moved); ++k)
      if (moved[k]) bodies_.back().push_back(k);
  }
}

// Weights of the tree's rows, G_t = sum_j N_tj G_j, and H_tj = <G_j, Y_t>.
void ClosedAdjoint::mapToTree(const std::vector<Eigen::MatrixXd>& G, Batch& batch) const {
  const Eigen::Index samples = batch.q.rows(), all = batch.q.cols(), n = robot_.numJoints();
  std::vector<Eigen::MatrixXd> Y;
  regressor_.evaluate(batch.q, batch.dq, batch.ddq, Y);
  batch.H.assign(samples, Eigen::MatrixXd::Zero(all, n));
  for (Eigen::Index t = 0; t < all; ++t) {
    const Eigen::MatrixXd& Y_t = Y[t];
    Eigen::MatrixXd G_t = Eigen::MatrixXd::Zero(samples, Y_t.cols());
    const std::vector<int> columns = regressor_.columns(static_cast<int>(t));
    for (Eigen::Index j = 0; j < n; ++j) {
      const std::vector<int>& moved = bodies_[j];
      for (Eigen::Index b = 0; b < Y_t.cols(); b += 10) {
        const auto place = std::lower_bound(moved.begin(), moved.end(), columns[b] / 10);
        if (place == moved.end() || *place != columns[b] / 10) continue;
        const auto G_j = G[j].middleCols(10 * (place - moved.begin()), 10);
        for (Eigen::Index i = 0; i < samples; ++i) {
          G_t.row(i).segment<10>(b) += batch.N[i](t, j) * G_j.row(i);
          batch.H[i](t, j) += G_j.row(i).dot(Y_t.row(i).segment<10>(b));
        }
      }
    }
    batch.G.push_back(std::move(G_t));
  }
}

void ClosedAdjoint::evaluate(const Eigen::MatrixXd& q,
                             const Eigen::MatrixXd& dq,
                             const Eigen::MatrixXd& ddq,
                             const std::vector<Eigen::MatrixXd>& G,
                             Eigen::MatrixXd& gq,
                             Eigen::MatrixXd& gdq,
                             Eigen::MatrixXd& gddq) {
  Batch batch;
  static_cast<ClosedBatch&>(batch) = closeBatch(robot_, q, dq, ddq);
  mapToTree(G, batch);
  adjoint_.evaluate(batch.q, batch.dq, batch.ddq, batch.G, batch.gq, batch.gdq, batch.gddq);
  const Eigen::Index n = robot_.numJoints(), passive = robot_.numTreeJoints() - n;
  for (auto* g : {&gq, &gdq, &gddq}) g->setZero(q.rows(), n);
  for (Eigen::Index i = 0; i < q.rows(); ++i) {
    const Eigen::MatrixXd& N = batch.N[i];
    const Eigen::VectorXd here = batch.q.row(i), rate = batch.dq.row(i);
    const Eigen::VectorXd g = batch.gq.row(i), dg = batch.gdq.row(i), ddg = batch.gddq.row(i);
    // -A_p^+ c''(x, y)
    const auto curvature = [&](const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
      return Eigen::VectorXd(-0.25 * batch.closed[i].inverse *
                             (loopDrift(robot_, here, x + y) - loopDrift(robot_, here, x - y)));
    };
    for (Eigen::Index k = 0; k < n; ++k) {
      const Eigen::VectorXd bent = curvature(N.col(k), rate);  // passive rows of dN/du_k du
      VectorX<Dual1> x = q.row(i).transpose().cast<Dual1>(),
                     dx = dq.row(i).transpose().cast<Dual1>(),
                     ddx = ddq.row(i).transpose().cast<Dual1>();
      x(k).slope = 1.0;
      closedMotion<Dual1>(robot_, batch.closed[i], x, dx, ddx);
      double slope = g.dot(N.col(k)) + dg.tail(passive).dot(bent);
      for (Eigen::Index t = n; t < ddx.size(); ++t) slope += ddg(t) * ddx(t).slope;
      for (Eigen::Index j = 0; j < n; ++j)
        slope += batch.H[i].col(j).tail(passive).dot(curvature(N.col(k), N.col(j)));
      gq(i, k) = slope;
      gdq(i, k) = dg.dot(N.col(k)) + 2.0 * ddg.tail(passive).dot(bent);
      gddq(i, k) = ddg.dot(N.col(k));
    }
  }
}

}  // namespace dynid
