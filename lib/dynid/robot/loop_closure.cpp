#include "dynid/robot/loop_closure.h"

#include "dynid/core/text.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

constexpr double kStep = 0.25;  // [rad, or fraction of loopSize] longest step of a driven joint
constexpr double kLongestPath =
    1e4;  // [rad, or fraction of loopSize] largest distance that is followed
constexpr double kSmallest = 1e-4;  // smallest fraction of a step
constexpr int kCorrections = 8;  // most iterations of the corrector, which converges quadratically
constexpr double kSuspicious = 0.05;  // of the largest pivot; joints below it are named in the
                                      // message about a singular position
constexpr double kDone =
    1e-9;  // a Gauss-Newton step below this value has converged to rounding errors

Eigen::MatrixXd passiveColumns(const Robot& robot, const Eigen::MatrixXd& A) {
  return A.rightCols(robot.numTreeJoints() - robot.numJoints());
}

std::string named(const std::vector<std::string>& names) {
  return "\"" + join(names, "\", \"") + "\"";
}

// The loop with the largest gap, for messages.
std::string openLoop(const Robot& robot, const Eigen::VectorXd& c) {
  Eigen::Index row = 0, worst = 0;
  c.cwiseAbs().maxCoeff(&worst);
  const double size = loopSize(robot);
  for (const Loop& loop : robot.loops) {
    const int rows = rowsOf(loop.type);
    if (worst < row + rows) {
      const Eigen::Index lengths = loop.type == Loop::Type::kPrismatic ? 2 : 3;
      const Eigen::VectorXd loop_gap = c.segment(row, rows);
      std::vector<std::string> names;
      for (int j : loop.joints) names.push_back(robot.treeJoint(j).name);
      std::string gap = toText(size * loop_gap.head(lengths).norm(), 3) + " m";
      if (rows > lengths) gap += " and " + toText(loop_gap.tail(rows - lengths).norm(), 3) + " rad";
      return "loop " + loop.name + " stays open by " + gap + " (its joints: " + join(names) + ")";
    }
    row += rows;
  }
  return "a loop stays open";
}

using PassiveFactor = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;

double pivotRatio(const PassiveFactor& factor) {
  if (factor.cols() == 0) return 1.0;
  if (factor.rows() < factor.cols()) return 0.0;
  const Eigen::VectorXd pivots = factor.matrixQR().diagonal().cwiseAbs();
  return pivots.maxCoeff() > 0.0 ? pivots.minCoeff() / pivots.maxCoeff() : 0.0;
}

// The passive joints that the loops do not determine at this position, for messages.
std::string undetermined(const Robot& robot, const Eigen::VectorXd& q) {
  if (robot.passive_joints.empty())
    return "the equations of the loops are not numbers here; check axes and origins of the loops";
  const PassiveFactor factor(passiveColumns(robot, loopEquations(robot, q).A));
  const Eigen::VectorXd pivots = factor.matrixQR().diagonal().cwiseAbs();
  std::vector<std::string> names;
  for (Eigen::Index i = 0; i < factor.cols(); ++i)
    if (i >= pivots.size() || !(pivots(i) > kSuspicious * pivots(0)))
      names.push_back(robot.passive_joints[factor.colsPermutation().indices()(i)].name);
  if (names.empty())
    for (const Joint& joint : robot.passive_joints) names.push_back(joint.name);
  return "the loops do not determine passive joint " + named(names) +
         " from the driven ones here: a singular position";
}

// The first loop that is closed with its frames rotated by half a turn, for messages.
std::string upsideDown(const Robot& robot, const Eigen::VectorXd& q) {
  for (const Loop& loop : robot.loops)
    if (halfATurnApart(robot, loop, q))
      return "loop " + loop.name +
             " closes only if one of its frames is rotated by half a turn; rotate origin_b by its "
             "rpy";
  return "";
}

// The position of the driven joints, for messages.
std::string at(const Robot& robot, const Eigen::VectorXd& q) {
  std::string text = " (at ";
  for (int j = 0; j < robot.numJoints(); ++j)
    text += (j > 0 ? ", " : "") + robot.treeJoint(j).name + " = " + toText(q(j), 4);
  return text + ")";
}

// Gauss-Newton corrections of the passive joints. @param moved  distance moved
bool correct(const Robot& robot, ClosedPosition& position, double& moved) {
  const Eigen::Index passive = position.q.size() - robot.numJoints();
  moved = 0.0;
  for (int i = 0; i < kCorrections; ++i) {
    LoopEquations equations = loopEquations(robot, position.q);
    if (passive ==
        0) {  // without passive joints nothing can be corrected: the loops are closed or not
      position.pivot_ratio = 1.0;
      position.gap = equations.c.size() > 0 ? equations.c.cwiseAbs().maxCoeff() : 0.0;
      position.inverse.resize(0, equations.A.rows());
      position.A = std::move(equations.A);
      return position.gap < kLoopGap;
    }
    const PassiveFactor factor(passiveColumns(robot, equations.A));
    position.pivot_ratio = pivotRatio(factor);
    if (!(position.pivot_ratio > kLoopSingular)) return false;
    const Eigen::VectorXd step = factor.solve(-equations.c);
    if (!step.allFinite()) return false;
    const double length = step.size() > 0 ? step.cwiseAbs().maxCoeff() : 0.0;
    moved += length;
    if (moved > 10.0) return false;
    position.q.tail(passive) += step;
    if (length > 1e-13 && i + 1 < kCorrections) continue;
    position.gap = equations.c.size() > 0 ? equations.c.cwiseAbs().maxCoeff() : 0.0;
    position.inverse =
        factor.solve(Eigen::MatrixXd::Identity(equations.A.rows(), equations.A.rows()));
    position.A = std::move(equations.A);
    return position.gap < kLoopGap;
  }
  return false;
}

// Damped Gauss-Newton steps of the last `moving` coordinates, until the residual does not fall any
// more. @returns the constraints at the final q
LoopEquations descend(const Robot& robot, Eigen::Index moving, Eigen::VectorXd& q) {
  double damping = 1e-3;
  LoopEquations here = loopEquations(robot, q);
  for (int i = 0; i < 200 && moving > 0; ++i) {
    const Eigen::MatrixXd A = here.A.rightCols(moving);
    Eigen::MatrixXd normal = A.transpose() * A;
    normal.diagonal().array() += damping * normal.diagonal().maxCoeff();
    Eigen::VectorXd step = -normal.ldlt().solve(A.transpose() * here.c);
    if (!step.allFinite()) break;
    step *= std::min(1.0, 0.5 / std::max(1e-300, step.cwiseAbs().maxCoeff()));
    Eigen::VectorXd next = q;
    next.tail(moving) += step;
    LoopEquations there = loopEquations(robot, next);
    if (there.c.squaredNorm() < here.c.squaredNorm()) {
      q = next;
      here = std::move(there);
      damping = std::max(1e-12, 0.2 * damping);
    } else {
      damping *= 5.0;
      if (damping > 1e6) break;
    }
    if (step.cwiseAbs().maxCoeff() < kDone) break;
  }
  return here;
}

}  // namespace

Eigen::VectorXd closeAllJoints(const Robot& robot, const Eigen::VectorXd& start) {
  Eigen::VectorXd q = start;
  descend(robot, q.size(), q);
  return q;
}

ClosedPosition closeLoopsNear(const Robot& robot, const Eigen::VectorXd& start) {
  ClosedPosition position;
  position.q = start;
  const LoopEquations here = descend(robot, start.size() - robot.numJoints(), position.q);
  double moved = 0.0;
  position.closed = correct(robot, position, moved) && moved < kStep;
  if (position.closed) {
    position.reason = upsideDown(robot, position.q);
    position.closed = position.reason.empty();
    return position;
  }
  position.reason = (here.c.cwiseAbs().maxCoeff() > kLoopGap ? openLoop(robot, here.c)
                                                             : undetermined(robot, position.q)) +
                    at(robot, position.q);
  return position;
}

ClosedPosition followLoops(const Robot& robot,
                           const ClosedPosition& from,
                           const Eigen::VectorXd& q) {
  const Eigen::Index n = robot.numJoints(), passive = from.q.size() - n;
  ClosedPosition here = from;
  const double size = loopSize(robot);
  double share = 1.0;
  for (bool first = true; first || (here.q.head(n) - q).cwiseAbs().maxCoeff() > 0.0;
       first = false) {
    const Eigen::VectorXd left = q - here.q.head(n);
    if (!left.allFinite()) {
      here.closed = false;
      here.reason = "a driven joint's position is not a number";
      return here;
    }
    double longest = 0.0;
    for (int j = 0; j < n; ++j)
      longest = std::max(longest, std::abs(left(j)) / (robot.treeJoint(j).prismatic ? size : 1.0));
    if (longest > kLongestPath) {
      here.closed = false;
      here.reason = "a driven joint is more than " + toText(kLongestPath) +
                    " rad away from where the mechanism is known" + at(robot, q) +
                    ": check its unit, or subtract whole turns";
      return here;
    }
    const double whole = longest > kStep ? kStep / longest : 1.0;
    const double part = std::min(1.0, whole * share);
    ClosedPosition next = here;
    next.q.head(n) = part < 1.0 ? Eigen::VectorXd(here.q.head(n) + part * left) : q;
    const Eigen::VectorXd tangent =
        here.inverse * (here.A.leftCols(n) * (here.q.head(n) - next.q.head(n)));
    next.q.tail(passive) += tangent;
    double moved = 0.0;
    const double allowed = 1e-6 + 0.3 * (tangent.size() > 0 ? tangent.cwiseAbs().maxCoeff() : 0.0) +
                           0.1 * kStep * share;
    if (tangent.allFinite() && tangent.cwiseAbs().maxCoeff() < 4.0 * kStep &&
        correct(robot, next, moved) && moved < allowed) {
      here = std::move(next);
      share = std::min(1.0, 2.0 * share);
      continue;
    }
    share *= 0.5;
    if (share >= kSmallest) continue;
    const LoopEquations open = loopEquations(robot, next.q);
    here.reason = (open.c.cwiseAbs().maxCoeff() > kLoopGap ? openLoop(robot, open.c)
                                                           : undetermined(robot, next.q)) +
                  at(robot, q) + "; the mechanism can be followed up to" +
                  at(robot, here.q).substr(4);
    here.reason.pop_back();
    here.closed = false;
    return here;
  }
  here.closed = true;
  here.reason.clear();
  return here;
}

ClosedPosition closedPosition(const Robot& robot, const Eigen::VectorXd& q) {
  const ClosedPosition start = closeLoopsNear(robot, robot.assembly);
  return start.closed ? followLoops(robot, start, q) : start;
}

}  // namespace dynid
