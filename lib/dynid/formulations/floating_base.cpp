#include "dynid/formulations/floating_base.h"

#include "dynid/dynamics/kinematics.h"
#include "dynid/dynamics/mass_matrix.h"
#include "dynid/formulations/base_joints.h"
#include "dynid/formulations/body_momentum.h"
#include "dynid/formulations/energies.h"
#include "dynid/formulations/suitability.h"

#include <Eigen/Geometry>

namespace dynid {
namespace {

using Rows = Eigen::Matrix<Dual1, 6, Eigen::Dynamic>;

Vector3<Dual1> along(const Eigen::Vector3d& value, const Eigen::Vector3d& rate) {
  return alongTime(value, rate);
}

/// Momentum, mass and first moment of the whole robot about the base's origin, in body axes.
struct BodyMomenta {
  Rows momentum;                                    // (Q, G)
  Eigen::Matrix<double, 4, Eigen::Dynamic> moment;  // rows: mass; mass times position
};

BodyMomenta bodyMomenta(const Robot& robot,
                        const Vector3<Dual1>& v,
                        const Vector3<Dual1>& w,
                        const VectorX<Dual1>& q,
                        const VectorX<Dual1>& dq) {
  const Eigen::Index columns = Eigen::Index{10} * (1 + robot.numBodies());
  BodyMomenta result{Rows(6, columns), Eigen::MatrixXd::Zero(4, columns)};
  Vector6<Dual1> V;
  V << v, w;
  result.momentum.leftCols<10>() = bodyMomentum(V);
  result.moment.leftCols<4>().setIdentity();
  std::vector<BodyMotion<Dual1>> motions;
  forwardKinematics<Dual1>(robot, q, dq, VectorX<Dual1>::Zero(q.size()), motions);
  const std::vector<BodyPose<Dual1>> poses = worldPoses(robot, motions);  // in the base's frame
  for (size_t k = 0; k < motions.size(); ++k) {
    const Matrix3<Dual1> R = poses[k].R, R_t = R.transpose();
    const Vector3<Dual1> p = poses[k].p;
    V << motions[k].v + R_t * (v + w.cross(p)), motions[k].w + R_t * w;
    const Eigen::Matrix<Dual1, 6, 10> P = bodyMomentum(V);
    const Eigen::Index at = 10 * (k + 1);
    result.momentum.block<3, 10>(0, at) = R * P.topRows<3>();
    result.momentum.block<3, 10>(3, at) =
        R * P.bottomRows<3>() + skew(p) * result.momentum.block<3, 10>(0, at);
    result.moment(0, at) = 1.0;
    for (Eigen::Index i = 0; i < 3; ++i) {
      result.moment(1 + i, at) = p(i).value;
      for (Eigen::Index j = 0; j < 3; ++j) result.moment(1 + i, at + 1 + j) = R(i, j).value;
    }
  }
  return result;
}

Eigen::MatrixXd slopes(const Rows& rows) {
  return rows.unaryExpr([](const Dual1& x) { return x.slope; });
}
Eigen::MatrixXd values(const Rows& rows) {
  return rows.unaryExpr([](const Dual1& x) { return x.value; });
}

// Wrench of gravity g about the reference point of `moment`.
Eigen::MatrixXd weight(const Eigen::Matrix<double, 4, Eigen::Dynamic>& moment,
                       const Eigen::Vector3d& g) {
  Eigen::MatrixXd rows(6, moment.cols());
  rows.topRows<3>() = g * moment.row(0);
  rows.bottomRows<3>() = -skew<double>(g) * moment.bottomRows<3>();  // h x g
  return rows;
}

Eigen::MatrixXd bodyRows(const BodyMomenta& m, const BaseMotion& base, const Eigen::Vector3d& g) {
  const Eigen::MatrixXd P = values(m.momentum);
  Eigen::MatrixXd rows = slopes(m.momentum) - weight(m.moment, base.X_WB.R.transpose() * g);
  rows.topRows<3>() += skew(base.w) * P.topRows<3>();
  rows.bottomRows<3>() += skew(base.w) * P.bottomRows<3>() + skew(base.v) * P.topRows<3>();
  return rows;
}

Eigen::MatrixXd spaceRows(const BodyMomenta& m, const BaseMotion& base, const Eigen::Vector3d& g) {
  const Eigen::Matrix3d dR = base.X_WB.R * skew(base.w);
  const Eigen::Vector3d dp = base.X_WB.R * base.v;
  Matrix3<Dual1> R;
  for (Eigen::Index i = 0; i < 9; ++i) R.data()[i] = Dual1(base.X_WB.R.data()[i], dR.data()[i]);
  const Vector3<Dual1> p = along(base.X_WB.p, dp);
  Rows momentum(6, m.momentum.cols());
  momentum.topRows<3>() = R * m.momentum.topRows<3>();
  momentum.bottomRows<3>() = R * m.momentum.bottomRows<3>() + skew(p) * momentum.topRows<3>();
  Eigen::Matrix<double, 4, Eigen::Dynamic> moment = m.moment;
  moment.bottomRows<3>() = base.X_WB.R * m.moment.bottomRows<3>() + base.X_WB.p * m.moment.row(0);
  return slopes(momentum) - weight(moment, g);
}

Eigen::MatrixXd hybridRows(const BodyMomenta& m, const BaseMotion& base, const Eigen::Vector3d& g) {
  Eigen::MatrixXd rows =
      // The moment equation is that of `body`, the force equation that of `space`
      bodyRows(m, base, g);
  rows.topRows<3>() = spaceRows(m, base, g).topRows<3>();
  return rows;
}

}  // namespace

const char* toString(BaseFrame frame) {
  switch (frame) {
    case BaseFrame::kBody:
      return "body";
    case BaseFrame::kSpace:
      return "space";
    case BaseFrame::kHybrid:
      return "hybrid";
  }
  return "unknown";
}

Eigen::MatrixXd baseWrenchRows(const Robot& robot,
                               const BaseMotion& base,
                               const Eigen::VectorXd& q,
                               const Eigen::VectorXd& dq,
                               const Eigen::VectorXd& ddq,
                               BaseFrame frame) {
  const BodyMomenta momenta = bodyMomenta(
      robot, along(base.v, base.dv), along(base.w, base.dw), alongTime(q, dq), alongTime(dq, ddq));
  switch (frame) {
    case BaseFrame::kBody:
      return bodyRows(momenta, base, robot.gravity);
    case BaseFrame::kSpace:
      return spaceRows(momenta, base, robot.gravity);
    case BaseFrame::kHybrid:
      break;
  }
  return hybridRows(momenta, base, robot.gravity);
}

Eigen::Matrix<double, 6, 6> wrenchTransform(const Transform& X_WB, BaseFrame frame) {
  Eigen::Matrix<double, 6, 6> T = Eigen::Matrix<double, 6, 6>::Identity();
  if (frame == BaseFrame::kBody) return T;
  T.topLeftCorner<3, 3>() = X_WB.R;
  if (frame == BaseFrame::kHybrid) return T;
  T.bottomRightCorner<3, 3>() = X_WB.R;
  T.bottomLeftCorner<3, 3>() = skew(X_WB.p) * X_WB.R;
  return T;
}

namespace {

// The six rows in the coordinates of withBaseJoints: (dz/d dq)^T wrench, where z are the
// quasi-velocities of the frame.
Eigen::MatrixXd rowsInBaseCoordinates(const Robot& robot,
                                      const FormulationState& s,
                                      BaseFrame frame) {
  constexpr Eigen::Index kRoot = kBaseJoints - 1;
  std::vector<BodyMotion<double>> motions;
  forwardKinematics<double>(robot, s.q, s.dq, s.ddq, motions);
  const BodyMotion<double>& root = motions[kRoot];
  BaseMotion base;
  base.X_WB = bodyPoses(robot, s.q)[kRoot];
  base.v = root.v;
  base.w = root.w;
  base.dw = root.wd;
  base.dv = root.a + base.X_WB.R.transpose() * robot.gravity - root.w.cross(root.v);
  const Eigen::Index n = robot.numJoints() - kBaseJoints;
  const Eigen::MatrixXd rows = baseWrenchRows(
      withoutBaseJoints(robot), base, s.q.tail(n), s.dq.tail(n), s.ddq.tail(n), frame);
  const Eigen::MatrixXd J = bodyJacobians(robot, s.q)[kRoot].leftCols<kBaseJoints>();
  // Equal power: wrench.z = wrench_B.(J dq), hence dz/d dq = T^-T J.
  const Eigen::MatrixXd T_transpose = wrenchTransform(base.X_WB, frame).transpose();
  const Eigen::MatrixXd G = T_transpose.inverse() * J;
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(kBaseJoints, Eigen::Index{10} * robot.numBodies());
  result.rightCols(rows.cols()) = G.transpose() * rows;
  return result;
}

std::string needsFloatingBase(const Robot& robot) {
  return hasBaseJoints(robot) ? "" : "the base is fixed";
}

Formulation floatingBaseFormulation(const std::string& name,
                                    const std::string& what,
                                    Eigen::MatrixXd (*evaluate)(const Robot&,
                                                                const FormulationState&)) {
  return {name,
          Computes::kRegressor,
          what,
          kRoundingTolerance,
          kRoundingReason,
          false,
          needsFloatingBase,
          evaluate};
}

}  // namespace

Formulation kirchhoffFormulation() {
  return floatingBaseFormulation("kirchhoff, body frame",
                                 "base rows, left-invariant quasi-velocities",
                                 [](const Robot& robot, const FormulationState& s) {
                                   return rowsInBaseCoordinates(robot, s, BaseFrame::kBody);
                                 });
}

Formulation spaceFrameFormulation() {
  return floatingBaseFormulation("newton-euler, space frame",
                                 "base rows, right-invariant quasi-velocities",
                                 [](const Robot& robot, const FormulationState& s) {
                                   return rowsInBaseCoordinates(robot, s, BaseFrame::kSpace);
                                 });
}

Formulation hybridFormulation() {
  return floatingBaseFormulation("hybrid frame",
                                 "base rows, origin's velocity in space, angular one in the body",
                                 [](const Robot& robot, const FormulationState& s) {
                                   return rowsInBaseCoordinates(robot, s, BaseFrame::kHybrid);
                                 });
}

}  // namespace dynid
