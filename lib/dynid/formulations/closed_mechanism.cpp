#include "dynid/formulations/closed_mechanism.h"

#include "dynid/core/text.h"
#include "dynid/dynamics/closed_motion.h"
#include "dynid/dynamics/mass_matrix.h"
#include "dynid/formulations/augmented.h"
#include "dynid/formulations/direct.h"
#include "dynid/formulations/embedded.h"
#include "dynid/formulations/maggi.h"
#include "dynid/formulations/projected.h"
#include "dynid/formulations/udwadia_kalaba.h"
#include "dynid/robot/apply_loops.h"

#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dynid {
namespace {

// The constrained system, from the tree without its loops; the closure rows are combined as
// closedSystem describes.
ConstrainedSystem systemOf(const Robot& robot,
                           const Robot& tree,
                           const Eigen::VectorXd& pi,
                           const Eigen::VectorXd& q,
                           const Eigen::VectorXd& dq,
                           const Eigen::VectorXd& tau) {
  const Eigen::Index passive = robot.numTreeJoints() - robot.numJoints();
  ConstrainedSystem system;
  system.M = massMatrix(tree, pi, q);
  system.bias = biasForces(tree, pi, q, dq);
  system.tau = Eigen::VectorXd::Zero(q.size());
  system.tau.head(robot.numJoints()) = tau;
  const Eigen::MatrixXd A = loopEquations(robot, q).A;
  const Eigen::MatrixXd U =
      Eigen::JacobiSVD<Eigen::MatrixXd>(A, Eigen::ComputeThinU).matrixU().leftCols(passive);
  system.A = U.transpose() * A;
  system.b = -U.transpose() * loopDrift(robot, q, dq);
  return system;
}

struct State {
  Eigen::VectorXd q, dq;
};

double gapOf(const Robot& robot, const Eigen::VectorXd& q) {
  return loopEquations(robot, q).c.cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
}

class Integrator {
 public:
  Integrator(const Robot& robot,
             const Eigen::VectorXd& pi,
             const DriveEffort& effort,
             const ConstrainedSolver& solver,
             MechanismMotion& motion)
      : robot_(robot),
        tree_(cutOpen(robot)),
        pi_(pi),
        effort_(effort),
        solver_(solver),
        motion_(motion) {}

  // One step of the classical fourth-order Runge-Kutta method.
  void step(double t, double h, State& state) {
    const State k1 = rates(t, state), k2 = rates(t + h / 2, moved(state, h / 2, k1));
    const State k3 = rates(t + h / 2, moved(state, h / 2, k2));
    const State k4 = rates(t + h, moved(state, h, k3));
    state.q += h / 6.0 * (k1.q + 2.0 * k2.q + 2.0 * k3.q + k4.q);
    state.dq += h / 6.0 * (k1.dq + 2.0 * k2.dq + 2.0 * k3.dq + k4.dq);
  }

  void project(double t, State& state) {
    const ClosedPosition closed = closeLoopsNear(robot_, state.q);
    if (!closed.closed) {
      stop(t, closed.reason);
      return;
    }
    state.q = closed.q;
    state.dq = loopProjector(robot_, closed) * Eigen::VectorXd(state.dq.head(robot_.numJoints()));
  }

 private:
  State rates(double t, const State& at) {
    const Eigen::Index n = robot_.numJoints();
    const Eigen::VectorXd tau = effort_(t, at.q.head(n), at.dq.head(n));
    const ConstrainedMotion result = solver_.solve(systemOf(robot_, tree_, pi_, at.q, at.dq, tau));
    if (!result.solved) stop(t, solver_.name + ": " + result.reason);
    return {at.dq, result.ddq};
  }
  static State moved(const State& from, double h, const State& along) {
    return {from.q + h * along.q, from.dq + h * along.dq};
  }
  void stop(double t, const std::string& why) {
    if (!motion_.solved) return;
    motion_.solved = false;
    motion_.reason = "at " + toText(t) + " s: " + why;
  }

  const Robot& robot_;
  Robot tree_;
  const Eigen::VectorXd& pi_;
  const DriveEffort& effort_;
  const ConstrainedSolver& solver_;
  MechanismMotion& motion_;
};

}  // namespace

std::vector<ConstrainedSolver> constrainedSolvers() {
  return {{"augmented", augmented},
          {"direct", direct},
          {"projected", projected},
          {"embedded", embedded},
          {"udwadia-kalaba", udwadiaKalaba},
          {"maggi", maggi}};
}

ConstrainedSystem closedSystem(const Robot& robot,
                               const Eigen::VectorXd& pi,
                               const Eigen::VectorXd& q,
                               const Eigen::VectorXd& dq,
                               const Eigen::VectorXd& tau) {
  if (q.size() != robot.numTreeJoints() || dq.size() != q.size() || tau.size() != robot.numJoints())
    throw std::invalid_argument("got " + std::to_string(q.size()) + " positions, " +
                                std::to_string(dq.size()) + " rates and " +
                                std::to_string(tau.size()) + " efforts; expected " +
                                std::to_string(robot.numTreeJoints()) + " (twice) and " +
                                std::to_string(robot.numJoints()));
  return systemOf(robot, cutOpen(robot), pi, q, dq, tau);
}

MechanismMotion simulateMechanism(const Robot& robot,
                                  const Eigen::VectorXd& pi,
                                  const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& dq,
                                  const DriveEffort& effort,
                                  const ConstrainedSolver& solver,
                                  const MechanismSimulationOptions& options) {
  const double h = options.step_s;
  if (!(h > 0.0) || !(options.duration_s >= 0.0) || !std::isfinite(options.duration_s / h))
    throw std::invalid_argument("`step_s` is " + toText(h) + " and `duration_s` " +
                                toText(options.duration_s) +
                                "; expected a positive step and a finite number of them");
  const auto steps = static_cast<Eigen::Index>(std::llround(options.duration_s / h));
  MechanismMotion motion;
  Integrator integrator(robot, pi, effort, solver, motion);
  const ClosedPosition closed = requireClosed(robot, q);
  State state{closed.q, loopProjector(robot, closed) * dq};
  motion.time = h * Eigen::VectorXd::LinSpaced(steps + 1, 0.0, static_cast<double>(steps));
  motion.q.resize(steps + 1, state.q.size());
  motion.dq.resize(steps + 1, state.q.size());
  Eigen::Index samples = 0;
  while (true) {
    motion.q.row(samples) = state.q;
    motion.dq.row(samples) = state.dq;
    motion.largest_gap = std::max(motion.largest_gap, gapOf(robot, state.q));
    if (++samples > steps) break;
    integrator.step(motion.time(samples - 1), h, state);
    if (!motion.solved) break;
    motion.largest_step_gap = std::max(motion.largest_step_gap, gapOf(robot, state.q));
    if (options.project) integrator.project(motion.time(samples), state);
    if (!motion.solved) break;
  }
  motion.time.conservativeResize(samples);
  motion.q.conservativeResize(samples, Eigen::NoChange);
  motion.dq.conservativeResize(samples, Eigen::NoChange);
  return motion;
}

}  // namespace dynid
