#include "dynid/formulations/newton_euler_lagrange.h"

#include "dynid/dynamics/closed_motion.h"
#include "dynid/formulations/body_momentum.h"
#include "dynid/formulations/energies.h"
#include "dynid/formulations/suitability.h"

#include <Eigen/Geometry>

namespace dynid {
namespace {

using Motions = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// Twist of a link (v, w in its own axes) and its derivatives; one column per joint.
struct LinkMotion {
  Vector6<double> V;
  Motions J;   // dV/d dq
  Motions dJ;  // its time derivative
  Motions dV;  // dV/dq
};

// The parent's twist (v, w) at the child's origin and in the child's axes: (R^T (v + w x p), R^T
// w).
Motions carried(const BodyMotion<double>& m, const Motions& parent) {
  Motions child(6, parent.cols());
  for (Eigen::Index j = 0; j < parent.cols(); ++j) {
    const Eigen::Vector3d v = parent.col(j).head<3>(), w = parent.col(j).tail<3>();
    child.col(j) << m.R_PB.transpose() * (v + w.cross(m.p_PB)), m.R_PB.transpose() * w;
  }
  return child;
}

// Derivative of a propagated twist by the coordinate of the joint: d/dq (X V) = (X V) x S.
Vector6<double> bracket(const Vector6<double>& V, const Vector6<double>& S) {
  const Eigen::Vector3d v = V.head<3>(), w = V.tail<3>(), s = S.head<3>(), r = S.tail<3>();
  Vector6<double> result;
  result << w.cross(s) + v.cross(r), w.cross(r);
  return result;
}

// One step of the outward recursion: V = X V_parent + S dq_j and the derivatives of V, where X
// transforms twists from the parent and S is the joint axis.
LinkMotion linkMotion(const Body& body,
                      const BodyMotion<double>& m,
                      const LinkMotion* parent,
                      const Eigen::VectorXd& dq) {
  const Eigen::Index n = dq.size();
  Vector6<double> S = Vector6<double>::Zero();
  S.segment<3>(body.prismatic ? 0 : 3) = body.multiplier * body.axis;
  LinkMotion link{
      Vector6<double>::Zero(), Motions::Zero(6, n), Motions::Zero(6, n), Motions::Zero(6, n)};
  if (parent != nullptr) {
    link.V = carried(m, parent->V);
    link.J = carried(m, parent->J);
    link.dJ = carried(m, parent->dJ);
    link.dV = carried(m, parent->dV);
    for (Eigen::Index j = 0; j < n; ++j)
      link.dJ.col(j) += bracket(link.J.col(j), S) * dq(body.joint);
    link.dV.col(body.joint) += bracket(link.V, S);
  }
  link.V += S * dq(body.joint);
  link.J.col(body.joint) += S;
  return link;
}

// Derivatives dV_k/dq_j of the potential energy V_k = -g.(m p + R h), g in the link's axes.
Eigen::Matrix<double, Eigen::Dynamic, 10> gravityRows(const Motions& J, const Eigen::Vector3d& g) {
  Eigen::Matrix<double, Eigen::Dynamic, 10> rows =
      Eigen::Matrix<double, Eigen::Dynamic, 10>::Zero(J.cols(), 10);
  for (Eigen::Index j = 0; j < J.cols(); ++j) {
    const Eigen::Vector3d v = J.col(j).head<3>(), w = J.col(j).tail<3>();
    rows(j, 0) = -g.dot(v);
    rows.row(j).segment<3>(1) = -g.cross(w).transpose();
  }
  return rows;
}

}  // namespace

namespace {

// The three effects of every link of a tree.
LinkEffects treeLinkEffects(const Robot& robot,
                            const Eigen::VectorXd& q,
                            const Eigen::VectorXd& dq,
                            const Eigen::VectorXd& ddq) {
  const Eigen::Index n = q.size(), columns = Eigen::Index{10} * robot.numBodies();
  std::vector<BodyMotion<double>> motions;
  treeKinematics<double>(robot, q, dq, ddq, motions);
  const std::vector<BodyPose<double>> poses = worldPoses(robot, motions);
  std::vector<LinkMotion> links;
  LinkEffects effects{
      Eigen::MatrixXd(n, columns), Eigen::MatrixXd(n, columns), Eigen::MatrixXd(n, columns)};
  for (size_t k = 0; k < motions.size(); ++k) {
    const Body& body = robot.bodies[k];
    links.push_back(
        linkMotion(body, motions[k], body.parent < 0 ? nullptr : &links[body.parent], dq));
    const LinkMotion& link = links.back();
    const Eigen::Index at = 10 * k;
    effects.inertia.middleCols<10>(at) =
        link.J.transpose() * bodyMomentum<double>(Vector6<double>(link.J * ddq));
    effects.coupling.middleCols<10>(at) =
        (link.dJ - link.dV).transpose() * bodyMomentum<double>(link.V) +
        link.J.transpose() * bodyMomentum<double>(Vector6<double>(link.dJ * dq));
    effects.gravity.middleCols<10>(at) =
        gravityRows(link.J, poses[k].R.transpose() * robot.gravity);
  }
  return effects;
}

}  // namespace

LinkEffects linkEffects(const Robot& robot,
                        const Eigen::VectorXd& q,
                        const Eigen::VectorXd& dq,
                        const Eigen::VectorXd& ddq) {
  if (robot.loops.empty()) return treeLinkEffects(robot, q, dq, ddq);
  const ClosedPosition closed = requireClosed(robot, q);
  const Eigen::MatrixXd N = loopProjector(robot, closed);
  Eigen::VectorXd tree_q = q, tree_dq = dq, tree_ddq = ddq;
  closedMotion<double>(robot, closed, tree_q, tree_dq, tree_ddq);
  // gamma, the accelerations due to velocities
  const Eigen::VectorXd asked = N * ddq, drift = tree_ddq - asked;
  const LinkEffects tree = treeLinkEffects(robot, tree_q, tree_dq, asked);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(tree_q.size());
  const LinkEffects drifting = treeLinkEffects(robot, tree_q, zero, drift);
  return {N.transpose() * tree.inertia,
          N.transpose() * (tree.coupling + drifting.inertia),
          N.transpose() * tree.gravity};
}

Formulation newtonEulerLagrangeFormulation() {
  return {"newton-euler-lagrange",
          Computes::kRegressor,
          "modified: velocities by recursion, Lagrange on the energies of each link apart",
          kRoundingTolerance,
          kRoundingReason,
          false,
          suitsEveryRobot,
          [](const Robot& robot, const FormulationState& s) -> Eigen::MatrixXd {
            const LinkEffects effects = linkEffects(robot, s.q, s.dq, s.ddq);
            return effects.inertia + effects.coupling + effects.gravity;
          }};
}

}  // namespace dynid
