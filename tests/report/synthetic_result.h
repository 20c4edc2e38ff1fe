#pragma once

#include "dynid/dynamics/projection.h"
#include "dynid/signals/finding.h"
#include "dynid/validation/validation_pass.h"
#include "dynid/validation/verdict.h"

#include "model/synthetic_model.h"
#include <cmath>
#include <random>

namespace dynid::testing {

/// A validation of the synthetic model on synthetic efforts with noise, a bias on the elbow and a
/// gap.
inline ValidationResult syntheticResult(const Model& model, Eigen::Index rows = 4000) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  PredictionBlock block;
  block.time = Eigen::VectorXd::LinSpaced(rows, 0.0, static_cast<double>(rows - 1) * 0.01);
  block.time.tail(rows / 4).array() += 3.0;
  block.q.resize(rows, 3);
  block.dq.resize(rows, 3);
  block.ddq.resize(rows, 3);
  block.predicted.resize(rows, 3);
  block.measured.resize(rows, 3);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j < 3; ++j) {
      const double w = 0.8 + 0.4 * static_cast<double>(j), t = block.time(i);
      block.q(i, j) = std::sin(w * t);
      block.dq(i, j) = w * std::cos(w * t);
      block.ddq(i, j) = -w * w * std::sin(w * t);
      block.predicted(i, j) = (30.0 - 9.0 * static_cast<double>(j)) * std::sin(w * t + 1.0) +
                              4.0 * (block.dq(i, j) > 0.0 ? 1.0 : -1.0);
      block.measured(i, j) = block.predicted(i, j) +
                             (1.0 + static_cast<double>(j)) * normal(random) + (j == 1 ? 1.5 : 0.0);
    }
  block.rigid =
      ProjectionRegressor(model.robot)
          .efforts(
              model.parameters.head(10 * model.robot->numBodies()), block.q, block.dq, block.ddq);
  block.moving = block.dq.array().abs() > 0.02;
  ValidationPass pass(model);
  pass.add(block);
  ValidationResult result;
  result.log = "heldout <7> & co.h5";
  result.checks = {
      {"physically_consistent",
       Check::Outcome::kPassed,
       0.01,
       0.0,
       "every link is a possible body"},
      {"certificate", Check::Outcome::kNotVerifiable, std::nan(""), 1e-6, "there is \"none\""}};
  pass.finish({}, result);
  Comparison comparison;
  comparison.other = "old & <bold>.json";
  comparison.relative_error = 0.3;
  comparison.per_joint = result.per_joint;
  comparison.p_value = 0.002;
  comparison.significant = true;
  comparison.message = "this model is better than old & <bold>.json";
  result.against = {comparison};
  judge(model, {}, result);
  return result;
}

inline std::vector<Finding> someFindings() {
  return {{Finding::Severity::kWarning,
           "velocity-lag",
           0,
           "elbow: logged velocity lags by 5 ms",
           0.005,
           "nothing, it is not used"},
          {Finding::Severity::kNote, "gap", -1, "a <gap> of 3 s", 3.0, ""}};
}

}  // namespace dynid::testing
