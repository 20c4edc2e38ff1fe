#pragma once

#include "dynid/formulations/formulation_table.h"
#include "dynid/robot/robot.h"

#include <gtest/gtest.h>

namespace dynid {

/// Expects that every formulation of the table gives the efforts `tau` of the closed form for this
/// motion.
/// @param bodies_possible  false for rods without thickness and particles, for which the particles
///     of Gauss' principle do not exist
inline void expectEveryForm(const Robot& robot,
                            const Eigen::VectorXd& pi,
                            const Eigen::VectorXd& q,
                            const Eigen::VectorXd& dq,
                            const Eigen::VectorXd& ddq,
                            const Eigen::VectorXd& tau,
                            bool bodies_possible = true) {
  FormulationState s;
  s.q = q;
  s.dq = dq;
  s.ddq = ddq;
  s.dddq = Eigen::VectorXd::Ones(q.size());
  s.pi = pi;
  s.tau = tau;
  s.A = Eigen::MatrixXd(0, q.size());
  s.b = s.lambda = Eigen::VectorXd(0);
  s.tau_constrained = tau;
  int compared = 0;
  for (const Formulation& form : allFormulations()) {
    if (!form.unsuitable(robot).empty() || form.at_rest) continue;
    if (form.name == "gauss" && !bodies_possible) continue;
    const Eigen::MatrixXd value = form.evaluate(robot, s);
    // The windows extend into motions whose efforts are known from the library only.
    const double tolerance = form.tolerance == 0.0 ? 1e-12 : 10.0 * form.tolerance;
    if (form.computes == Computes::kRegressor) {
      EXPECT_LT((value * pi - tau).norm(), tolerance * (1.0 + tau.norm())) << form.name;
    } else if (form.computes == Computes::kAccelerations) {
      EXPECT_LT((value.col(0) - ddq).norm(), tolerance * (1.0 + ddq.norm())) << form.name;
    } else {
      EXPECT_LT(value.norm(), tolerance) << form.name;
    }
    ++compared;
  }
  EXPECT_GE(compared, 15);
}

}  // namespace dynid
