#pragma once

#include "dynid/equations/structure.h"
#include "dynid/identification/identify.h"
#include "dynid/simulation/simulate.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>

namespace dynid {

/// Errors of an identification relative to the true parameters of its simulated log.
struct Recovery {
  double norm_error = 0.0;   ///< ||beta - truth|| / ||truth|| over base parameters
  double worst_error = 0.0;  ///< |beta - truth| / |truth| of the worst parameter
  /// name of that parameter; values below a millionth of the largest count as that
  std::string worst;
  double consistent_error = 0.0;  ///< norm error of the physically consistent parameters
  double fit_error = 0.0;         ///< relative residual of the fit
  bool usable = false;
  /// columns of the model that the truth does not have: friction terms selected wrongly
  int unknown = 0;
  std::string reason;
};

/// True values of a model's base parameters; columns that the truth does not have are zero.
inline Eigen::VectorXd truthInModel(const Model& model,
                                    const SimulationTruth& truth,
                                    int& unknown) {
  Eigen::VectorXd parameters = Eigen::VectorXd::Zero(model.layout.size());
  unknown = 0;
  for (int c = 0; c < model.layout.size(); ++c) {
    const int from = truth.layout.find(model.layout[c].name);
    if (from >= 0) parameters(c) = truth.parameters(from);
    unknown += from < 0 ? 1 : 0;
  }
  return parameters;
}

/// Simulates a log into `file` and identifies from it.
inline Recovery recover(const std::shared_ptr<const Robot>& robot,
                        const SimulationTruth& truth,
                        const SimulationOptions& simulation,
                        const std::filesystem::path& file,
                        const IdentificationSettings& settings = {}) {
  simulate(*robot, truth, simulation, file);
  const Model model = identify(robot, {{file, ""}}, settings).model;
  Recovery recovery;
  const Eigen::VectorXd parameters = truthInModel(model, truth, recovery.unknown);
  const BaseParameters base = structuralBase(robot, model.layout, {std::nullopt});
  const Eigen::MatrixXd E = base.combination();
  const Eigen::VectorXd expected = E * parameters;
  Eigen::VectorXd beta(expected.size());
  for (Eigen::Index k = 0; k < beta.size(); ++k) beta(k) = model.base_parameters[k].least_squares;
  const double floor = 1e-6 * expected.cwiseAbs().maxCoeff();
  const Eigen::ArrayXd errors = (beta - expected).array().abs() / expected.array().abs().max(floor);
  Eigen::Index worst = 0;
  recovery.worst_error = errors.maxCoeff(&worst);
  recovery.worst = model.base_parameters[worst].name;
  recovery.norm_error = (beta - expected).norm() / expected.norm();
  recovery.consistent_error = (E * model.parameters - expected).norm() / expected.norm();
  recovery.fit_error = model.fit.relative_error;
  recovery.usable = model.status.usable;
  recovery.reason = model.status.reason;
  return recovery;
}

}  // namespace dynid
