#include "dynid/formulations/constrained_comparison.h"

#include "dynid/dynamics/closed_motion.h"
#include "dynid/dynamics/mass_matrix.h"
#include "dynid/formulations/closed_mechanism.h"
#include "dynid/formulations/suitability.h"

namespace dynid {
namespace {

// For a mechanism with loops the constraints are those of its loops, in the cut-open tree.
Eigen::MatrixXd onLoopsOfRobot(const Robot& robot,
                               const FormulationState& s,
                               ConstrainedMotion (*solve)(const ConstrainedSystem&)) {
  const ClosedPosition closed = requireClosed(robot, s.q);
  const Eigen::VectorXd rates = loopProjector(robot, closed) * s.dq;
  return solve(closedSystem(robot, s.pi, closed.q, rates, s.tau)).ddq.head(s.q.size());
}

std::string needsLoopsOrTwoJoints(const Robot& robot) {
  return robot.loops.empty() ? needsTwoJoints(robot) : "";
}

}  // namespace

Eigen::MatrixXd compareConstrained(const Robot& robot,
                                   const FormulationState& s,
                                   ConstrainedMotion (*solve)(const ConstrainedSystem&)) {
  if (!robot.loops.empty()) return onLoopsOfRobot(robot, s, solve);
  const Eigen::Index m = s.A.rows();
  ConstrainedSystem system{massMatrix(robot, s.pi, s.q),
                           biasForces(robot, s.pi, s.q, s.dq),
                           s.tau_constrained,
                           Eigen::MatrixXd(m + 1, s.A.cols()),
                           Eigen::VectorXd(m + 1)};
  system.A << s.A, s.A.colwise().sum();
  system.b << s.b, s.b.sum();
  const ConstrainedMotion motion = solve(system);
  Eigen::MatrixXd result(s.q.size(), 2);
  result << motion.ddq, system.A.transpose() * motion.lambda;
  return result;
}

Formulation constrainedFormulation(const std::string& name,
                                   const std::string& what,
                                   Eigen::MatrixXd (*evaluate)(const Robot&,
                                                               const FormulationState&)) {
  return {name,
          Computes::kAccelerations,
          what,
          kRoundingTolerance,
          "exact form: rounding, measured as forces",
          false,
          needsLoopsOrTwoJoints,
          evaluate};
}

}  // namespace dynid
