#pragma once

#include "dynid/dynamics/kinematics.h"
#include "dynid/robot/loop_closure.h"

#include <Eigen/Core>

#include <functional>

namespace dynid {

/// The position of all tree coordinates at which the loops close, for positions q of the driven
/// joints.
/// @throws InputError with the reason if there is none (exit status 3): the log, trajectory or
///     limits require a position that the mechanism does not have
ClosedPosition requireClosed(const Robot& robot, const Eigen::VectorXd& q);
/// The same, started from a position nearby; used from sample to sample of a motion.
/// @param last  the closed position of the sample before, or empty; replaced by the result
void trackClosed(const Robot& robot, const Eigen::VectorXd& q, ClosedPosition& last);

/// Draws positions of the driven joints by `draw` until the loops close and the position is not
/// close to a singular one, where the projector grows without bound. For a tree the first draw is
/// returned.
/// @throws InputError if none of 1000 draws is suitable; the joint limits then have to exclude
///     positions that the mechanism cannot reach
Eigen::VectorXd closablePosition(const Robot& robot, const std::function<Eigen::VectorXd()>& draw);

/// Projector N(q) from rates of the driven joints to tree rates, dq_tree = N du; [tree coordinates
/// x joints].
///
///     A N = 0,   N = [1; -A_p^+ A_a]        (a, p: columns of driven and passive joints)
///
/// A is the Jacobian of the loop closure equations. Efforts are projected by its transpose: tau =
/// N^T tau_tree. A mimic joint is the linear special case, a row of N that does not depend on q.
Eigen::MatrixXd loopProjector(const Robot& robot, const ClosedPosition& position);

/// Motion of all tree coordinates for a motion u of the driven joints:
///
///     dq = N du,   ddq = N ddu + gamma,   gamma = [0; -A_p^+ dA/dt dq]
///
/// Derivatives in dual numbers are exact: the closure equations are solved in dual arithmetic,
/// where each Gauss-Newton step with the factor of the real-valued Jacobian gains one order of
/// derivative.
/// @param position  the closed position at the values of u
/// @param q, dq, ddq  in: [joints], out: [tree coordinates]; rad or m, per s, per s^2
template <typename T>
void closedMotion(const Robot& robot,
                  const ClosedPosition& position,
                  VectorX<T>& q,
                  VectorX<T>& dq,
                  VectorX<T>& ddq);

/// N(q) for real or dual numbers, with exact derivatives; [tree coordinates x joints].
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

/// The drift dA/dt dq of the closure equations at tree rates dq: A ddq = -(dA/dt dq). [rows of A]
Eigen::VectorXd loopDrift(const Robot& robot, const Eigen::VectorXd& q, const Eigen::VectorXd& dq);

inline double plainValue(double x) { return x; }
template <typename T>
double plainValue(const Dual<T>& x) {
  return plainValue(x.value);
}

}  // namespace dynid
