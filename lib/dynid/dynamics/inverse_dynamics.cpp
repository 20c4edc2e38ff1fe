#include "dynid/dynamics/inverse_dynamics.h"

#include "dynid/dynamics/newton_euler.h"

namespace dynid {

Eigen::VectorXd inverseDynamics(const Robot& robot,
                                const Eigen::VectorXd& pi,
                                const Eigen::VectorXd& q,
                                const Eigen::VectorXd& dq,
                                const Eigen::VectorXd& ddq) {
  NewtonEulerScratch<double> scratch;
  Eigen::VectorXd tau;
  inverseDynamics<double>(robot, pi, q, dq, ddq, scratch, tau);
  return tau;
}

}  // namespace dynid
