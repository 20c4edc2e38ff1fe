#pragma once

#include "dynid/dynamics/kinematics.h"
#include "dynid/robot/loop_closure.h"

#include <Eigen/Core>

#include <functional>

namespace dynid {

/// The closed position at q, or an InputError that says why there is none (exit status 3: the log,
/// trajectory or limits ask for a position that the mechanism does not have).
ClosedPosition requireClosed(const Robot& robot, const Eigen::VectorXd& q);
/// The same, followed from a position nearby where there is one: from sample to sample of a motion.
/// @param last  empty, or the position of the sample before; replaced
void trackClosed(const Robot& robot, const Eigen::VectorXd& q, ClosedPosition& last);

/// The first of the positions that `draw` gives in which the loops close, and not next to a
/// singular position, where the projector grows without bound (any position, of a tree).
/// @throws InputError where none of 1000 does: the joint limits have to say where the mechanism
/// works
Eigen::VectorXd closablePosition(const Robot& robot, const std::function<Eigen::VectorXd()>& draw);

/// N(q): tree rates from rates of the driven joints, dq_tree = N du; [tree coordinates x joints].
///
///     A N = 0,   N = [1; -A_p^+ A_a]        (a, p: columns of driven and passive joints)
///
/// Efforts go the other way: tau = N^T tau_tree. A mimic joint is the linear special case, a row of
/// N that does not depend on q.
Eigen::MatrixXd loopProjector(const Robot& robot, const ClosedPosition& position);

/// What the driven joints' motion makes all tree coordinates do:
///
///     dq = N du,   ddq = N ddu + gamma,   gamma = [0; -A_p^+ dA/dt dq]
///
/// Derivatives in dual numbers are exact: the constraint is solved in them (each Gauss-Newton step
/// with the factor of the values gains one order).
/// @param position  the closed position at the values of u
/// @param q, dq, ddq  [joints] in; [tree coordinates] out
template <typename T>
void closedMotion(const Robot& robot,
                  const ClosedPosition& position,
                  VectorX<T>& q,
                  VectorX<T>& dq,
                  VectorX<T>& ddq);

/// N(q) in numbers of any kind, exact in their derivatives. [tree coordinates x joints]
/// @param q  [joints]
template <typename T>
Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> loopProjectorAt(const Robot& robot,
                                                                 const VectorX<T>& q);

extern template Eigen::MatrixXd loopProjectorAt(const Robot&, const VectorX<double>&);
extern template Eigen::Matrix<Dual1, Eigen::Dynamic, Eigen::Dynamic> loopProjectorAt(
    const Robot&, const VectorX<Dual1>&);
extern template Eigen::Matrix<Dual2, Eigen::Dynamic, Eigen::Dynamic> loopProjectorAt(
    const Robot&, const VectorX<Dual2>&);

extern template void closedMotion(
    const Robot&, const ClosedPosition&, VectorX<double>&, VectorX<double>&, VectorX<double>&);
extern template void closedMotion(
    const Robot&, const ClosedPosition&, VectorX<Dual1>&, VectorX<Dual1>&, VectorX<Dual1>&);
extern template void closedMotion(
    const Robot&, const ClosedPosition&, VectorX<Dual2>&, VectorX<Dual2>&, VectorX<Dual2>&);

/// dA/dt dq at tree rates dq: what the loops' closing accelerates by itself, A ddq = -(dA/dt dq).
/// [rows]
Eigen::VectorXd loopDrift(const Robot& robot, const Eigen::VectorXd& q, const Eigen::VectorXd& dq);

inline double plainValue(double x) { return x; }
template <typename T>
double plainValue(const Dual<T>& x) {
  return plainValue(x.value);
}

}  // namespace dynid
