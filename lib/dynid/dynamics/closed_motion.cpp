#include "dynid/dynamics/closed_motion.h"

#include "dynid/core/errors.h"

#include <Eigen/Geometry>

#include <cmath>

namespace dynid {
namespace {

// [rad or m] larger steps between samples are not tracked but solved anew
constexpr double kNear = 0.5;

// Nesting depth of a dual number, the order of the derivatives to be solved for.
template <typename T>
constexpr int kOrder = 0;
template <typename T>
constexpr int kOrder<Dual<T>> = 1 + kOrder<T>;

// One side of a cut joint: pose in the root link's frame, motion in its own axes without gravity
// (which would cancel only up to rounding).
template <typename T>
struct FrameMotion {
  Matrix3<T> R;
  Vector3<T> p, w, v, wd, a;
};

template <typename T>
class CutJoints {
 public:
  CutJoints(const Robot& robot, const std::vector<BodyMotion<T>>& motions)
      : motions_(motions), R_(motions.size()), p_(motions.size()) {
    for (size_t k = 0; k < motions.size(); ++k) {
      const int parent = robot.bodies[k].parent;
      R_[k] = motions[k].R_PB;
      p_[k] = motions[k].p_PB;
      if (parent < 0) continue;
      R_[k] = R_[parent] * motions[k].R_PB;
      p_[k] = p_[parent] + R_[parent] * motions[k].p_PB;
    }
  }

  FrameMotion<T> frame(int body, const Transform& X) const {
    const Matrix3<T> R = X.R.cast<T>(), to_frame = R.transpose();
    const Vector3<T> p = X.p.cast<T>(), zero = Vector3<T>::Zero();
    if (body < 0) return {R, p, zero, zero, zero, zero};
    const BodyMotion<T>& m = motions_[body];
    const Vector3<T> turn = m.w.cross(p);
    return {R_[body] * R,
            p_[body] + R_[body] * p,
            to_frame * m.w,
            to_frame * (m.v + turn),
            to_frame * m.wd,
            to_frame * (m.a + m.wd.cross(p) + m.w.cross(turn))};
  }

 private:
  const std::vector<BodyMotion<T>>& motions_;
  std::vector<Matrix3<T>> R_;
  std::vector<Vector3<T>> p_;
};

template <typename T>
Vector3<T> vee(const Matrix3<T>& M) {
  return Vector3<T>(M(2, 1) - M(1, 2), M(0, 2) - M(2, 0), M(1, 0) - M(0, 1)) * T(0.5);
}

// The closure equation c of one cut joint, or dc/dt or d2c/dt2 (`order`), with rows as in
// loopEquations.
template <typename T>
void cutRows(const Loop& loop,
             const FrameMotion<T>& A,
             const FrameMotion<T>& B,
             double size,
             int order,
             Eigen::Ref<VectorX<T>> rows) {
  const Matrix3<T> R = A.R.transpose() * B.R, E = loopBasis(loop).cast<T>();
  const Vector3<T> p = A.R.transpose() * Vector3<T>(B.p - A.p);
  const Vector3<T> w = R * B.w - A.w;  // angular velocity of B relative to A, components in A
  const Vector3<T> v = R * B.v - A.v;
  const Matrix3<T> dR = skew<T>(w) * R;
  const Vector3<T> dw = R * B.wd - A.wd - A.w.cross(w);
  const Matrix3<T> ddR = skew<T>(dw) * R + skew<T>(w) * dR;
  const Vector3<T> across = A.w.cross(p);
  const Vector3<T> dp = v - across;
  const Vector3<T> ddp = R * B.a - A.a - A.wd.cross(p) - A.w.cross(v) * T(2.0) + A.w.cross(across);
  const Matrix3<T>& turned = order == 0 ? R : (order == 1 ? dR : ddR);
  const Vector3<T>& moved = order == 0 ? p : (order == 1 ? dp : ddp);
  const Eigen::Index lengths = loop.type == Loop::Type::kPrismatic ? 2 : 3;
  for (Eigen::Index i = 0; i < lengths; ++i) rows(i) = E.col(i).dot(moved) * T(1.0 / size);
  const Eigen::Index angles = rows.size() - lengths;
  const Vector3<T> turn = loop.type == Loop::Type::kRevolute
                              ? Vector3<T>(turned * loop.axis.cast<T>())
                              : vee<T>(turned);
  for (Eigen::Index i = 0; i < angles; ++i) rows(lengths + i) = E.col(i).dot(turn);
}

// The closure equations of all loops, or their first or second time derivative (`order`), stacked.
template <typename T>
VectorX<T> constraintRows(const Robot& robot,
                          const std::vector<BodyMotion<T>>& motions,
                          int order) {
  const CutJoints<T> cuts(robot, motions);
  Eigen::Index size = 0, row = 0;
  for (const Loop& loop : robot.loops) size += rowsOf(loop.type);
  VectorX<T> rows(size);
  for (const Loop& loop : robot.loops) {
    const int num_rows = rowsOf(loop.type);
    cutRows<T>(loop,
               cuts.frame(loop.body_a, loop.X_A),
               cuts.frame(loop.body_b, loop.X_B),
               loopSize(robot),
               order,
               rows.segment(row, num_rows));
    row += num_rows;
  }
  return rows;
}

}  // namespace

ClosedPosition requireClosed(const Robot& robot, const Eigen::VectorXd& q) {
  ClosedPosition position = closedPosition(robot, q);
  if (!position.closed)
    throw InputError(
        "robot \"" + robot.name + "\": " + position.reason +
        "; restrict the limits of the driven joints to positions at which all loops close");
  return position;
}

void trackClosed(const Robot& robot, const Eigen::VectorXd& q, ClosedPosition& last) {
  if (last.closed && last.q.size() == robot.numTreeJoints() &&
      (last.q.head(q.size()) - q).cwiseAbs().maxCoeff() < kNear) {
    last = followLoops(robot, last, q);
    if (last.closed) return;
  }
  last = requireClosed(robot, q);
}

Eigen::VectorXd closablePosition(const Robot& robot, const std::function<Eigen::VectorXd()>& draw) {
  if (robot.loops.empty()) return draw();
  constexpr double kWellInside = 0.2;
  const double usual = std::min(0.5, closeLoopsNear(robot, robot.assembly).pivot_ratio);
  ClosedPosition position;
  Eigen::VectorXd best;
  double best_ratio = 0.0;
  for (int i = 0; i < 1000; ++i) {
    Eigen::VectorXd q = draw();
    position = closedPosition(robot, q);
    if (!position.closed) continue;
    if (position.pivot_ratio > kWellInside * usual) return q;
    if (position.pivot_ratio > best_ratio) {
      best_ratio = position.pivot_ratio;
      best = q;
    }
  }
  if (best.size() > 0) return best;
  throw InputError("robot \"" + robot.name +
                   "\": of 1000 positions within the joint limits none closes the loops; " +
                   position.reason + "; narrow the limits of the driven joints in the description");
}

Eigen::MatrixXd loopProjector(const Robot& robot, const ClosedPosition& position) {
  const Eigen::Index n = robot.numJoints();
  Eigen::MatrixXd N = Eigen::MatrixXd::Zero(position.q.size(), n);
  N.topRows(n).setIdentity();
  if (position.q.size() > n)
    N.bottomRows(position.q.size() - n) = -position.inverse * position.A.leftCols(n);
  return N;
}

template <typename T>
void closedMotion(const Robot& robot,
                  const ClosedPosition& position,
                  VectorX<T>& q,
                  VectorX<T>& dq,
                  VectorX<T>& ddq) {
  const Eigen::Index n = robot.numJoints(), all = robot.numTreeJoints(), passive = all - n;
  const Eigen::MatrixXd& inverse = position.inverse;
  const auto extended = [&](const VectorX<T>& driven) {
    VectorX<T> tree = VectorX<T>::Zero(all);
    tree.head(n) = driven;
    return tree;
  };
  q = extended(q);
  dq = extended(dq);
  ddq = extended(ddq);
  q.tail(passive) = position.q.tail(passive).template cast<T>();
  std::vector<BodyMotion<T>> motions;
  const auto close = [&](int order, int passes, VectorX<T>& unknown) {
    for (int i = 0; i < passes; ++i) {
      treeKinematics<T>(robot, q, dq, ddq, motions, Gravity::kOff);
      const VectorX<T> left = constraintRows<T>(robot, motions, order);
      for (Eigen::Index p = 0; p < passive; ++p)
        for (Eigen::Index r = 0; r < left.size(); ++r) unknown(n + p) -= inverse(p, r) * left(r);
    }
  };
  close(0, kOrder<T>, q);
  close(1, 1 + kOrder<T>, dq);
  close(2, 1 + kOrder<T>, ddq);
}

template <typename T>
Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> loopProjectorAt(const Robot& robot,
                                                                 const VectorX<T>& q) {
  Eigen::VectorXd values(q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) values(i) = plainValue(q(i));
  const ClosedPosition position = requireClosed(robot, values);
  Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> N(robot.numTreeJoints(), q.size());
  for (Eigen::Index j = 0; j < q.size(); ++j) {
    VectorX<T> x = q, rate = VectorX<T>::Zero(q.size()), zero = rate;
    rate(j) = T(1.0);
    closedMotion<T>(robot, position, x, rate, zero);
    N.col(j) = rate;
  }
  return N;
}

template Eigen::MatrixXd loopProjectorAt(const Robot&, const VectorX<double>&);
template Eigen::Matrix<Dual1, Eigen::Dynamic, Eigen::Dynamic> loopProjectorAt(
    const Robot&, const VectorX<Dual1>&);
template Eigen::Matrix<Dual2, Eigen::Dynamic, Eigen::Dynamic> loopProjectorAt(
    const Robot&, const VectorX<Dual2>&);

template void closedMotion(
    const Robot&, const ClosedPosition&, VectorX<double>&, VectorX<double>&, VectorX<double>&);
template void closedMotion(
    const Robot&, const ClosedPosition&, VectorX<Dual1>&, VectorX<Dual1>&, VectorX<Dual1>&);
template void closedMotion(
    const Robot&, const ClosedPosition&, VectorX<Dual2>&, VectorX<Dual2>&, VectorX<Dual2>&);

Eigen::VectorXd loopDrift(const Robot& robot, const Eigen::VectorXd& q, const Eigen::VectorXd& dq) {
  std::vector<BodyMotion<double>> motions;
  treeKinematics<double>(robot, q, dq, Eigen::VectorXd::Zero(q.size()), motions, Gravity::kOff);
  return constraintRows<double>(robot, motions, 2);
}

}  // namespace dynid
