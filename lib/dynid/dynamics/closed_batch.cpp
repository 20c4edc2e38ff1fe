#include "dynid/dynamics/closed_batch.h"

namespace dynid {

ClosedBatch closeBatch(const Robot& robot,
                       const Eigen::Ref<const Eigen::MatrixXd>& q,
                       const Eigen::Ref<const Eigen::MatrixXd>& dq,
                       const Eigen::Ref<const Eigen::MatrixXd>& ddq) {
  ClosedBatch tree;
  for (auto* m : {&tree.q, &tree.dq, &tree.ddq}) m->resize(q.rows(), robot.numTreeJoints());
  ClosedPosition closed;
  for (Eigen::Index i = 0; i < q.rows(); ++i) {
    Eigen::VectorXd x = q.row(i), dx = dq.row(i), ddx = ddq.row(i);
    trackClosed(robot, x, closed);
    closedMotion<double>(robot, closed, x, dx, ddx);
    tree.q.row(i) = x;
    tree.dq.row(i) = dx;
    tree.ddq.row(i) = ddx;
    tree.N.push_back(loopProjector(robot, closed));
    tree.closed.push_back(closed);
  }
  return tree;
}

}  // namespace dynid
