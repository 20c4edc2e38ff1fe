#include "dynid/simulation/integrated_motion.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/dynamics/inverse_dynamics.h"
#include "dynid/formulations/closed_mechanism.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

namespace dynid {
namespace {

constexpr double kLongestStep = 2e-3;  // [s]
constexpr double kServo = 20.0;        // [rad/s]

struct Samples {
  Eigen::MatrixXd q, dq, ddq;  // [samples x joints]
};

ConstrainedSolver solverOf(const std::string& name) {
  for (ConstrainedSolver& solver : constrainedSolvers())
    if (solver.name == name) return solver;
  throw std::invalid_argument("the integrator is \"" + name + "\"; expected one of " +
                              join(constrainedSolverNames()));
}

}  // namespace

std::vector<std::string> constrainedSolverNames() {
  std::vector<std::string> names;
  for (const ConstrainedSolver& solver : constrainedSolvers()) names.push_back(solver.name);
  return names;
}

IntegratedMotion integrateMotion(const Robot& robot,
                                 const Eigen::VectorXd& pi,
                                 const SimulatedMotion& reference,
                                 double rate_hz,
                                 const std::string& solver_name) {
  const ConstrainedSolver solver = solverOf(solver_name);
  const DriveEffort effort = [&](double t, const Eigen::VectorXd& q, const Eigen::VectorXd& dq) {
    const JointMotion r = reference.at(t);
    const Eigen::VectorXd ddq = r.ddq + 2.0 * kServo * (r.dq - dq) + kServo * kServo * (r.q - q);
    return inverseDynamics(robot, pi, q, dq, ddq);
  };
  const auto substeps = static_cast<Eigen::Index>(std::ceil(1.0 / (rate_hz * kLongestStep)));
  const auto rows =
      static_cast<Eigen::Index>(std::floor(reference.duration_s * rate_hz + 1e-9)) + 1;
  MechanismSimulationOptions options;
  options.step_s = 1.0 / (rate_hz * static_cast<double>(substeps));
  options.duration_s = static_cast<double>((rows - 1) * substeps) * options.step_s;
  const JointMotion start = reference.at(0.0);
  const MechanismMotion done =
      simulateMechanism(robot, pi, start.q, start.dq, effort, solver, options);
  if (!done.solved)
    throw InputError("robot \"" + robot.name +
                     "\": the motion cannot be integrated: " + done.reason);

  IntegratedMotion result;
  result.largest_gap = done.largest_gap;
  result.opened_gap = done.largest_step_gap;
  const Eigen::Index n = robot.numJoints();
  const auto samples = std::make_shared<Samples>();
  for (auto* m : {&samples->q, &samples->dq, &samples->ddq}) m->resize(rows, n);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const double t = static_cast<double>(i) / rate_hz;
    const Eigen::VectorXd q = done.q.row(i * substeps), dq = done.dq.row(i * substeps);
    const Eigen::VectorXd tau = effort(t, q.head(n), dq.head(n));
    const ConstrainedMotion solved = solver.solve(closedSystem(robot, pi, q, dq, tau));
    if (!solved.solved)
      throw InputError("robot \"" + robot.name + "\": at " + toText(t, 4) + " s: " + solved.reason);
    samples->q.row(i) = q.head(n);
    samples->dq.row(i) = dq.head(n);
    samples->ddq.row(i) = solved.ddq.head(n);
    result.off_course =
        std::max(result.off_course, (q.head(n) - reference.at(t).q).cwiseAbs().maxCoeff());
  }
  result.motion.duration_s = reference.duration_s;
  result.motion.at = [samples, rate_hz, rows](double t) {
    const Eigen::Index i =
        std::clamp<Eigen::Index>(static_cast<Eigen::Index>(std::llround(t * rate_hz)), 0, rows - 1);
    return JointMotion{samples->q.row(i), samples->dq.row(i), samples->ddq.row(i)};
  };
  return result;
}

}  // namespace dynid
