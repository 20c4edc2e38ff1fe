#pragma once

#include "dynid/model/model.h"
#include "dynid/prediction/predict.h"
#include "dynid/validation/torque_budget.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Computes a torque budget from the prediction of a log (with parts), in constant memory. The
/// rigid-body part is divided by the modified Newton-Euler-Lagrange method (linkEffects).
class TorqueBudgetPass {
 public:
  explicit TorqueBudgetPass(const Model& model);

  /// @throws std::invalid_argument if the block contains no parts (PredictionExtras)
  void add(const PredictionBlock& block);
  /// The budget of the blocks added so far.
  TorqueBudget finish() const;

 private:
  struct Sums {
    Eigen::ArrayXd squares, products;  // [joints] sum part^2, sum part total
  };
  void addSample(const PredictionBlock& block, Eigen::Index row);
  void note(Sums& sums, const Eigen::ArrayXd& part, const Eigen::ArrayXd& total) const;
  BudgetPart part(const Sums& sums) const;

  const Model& model_;
  Eigen::VectorXd pi_;
  double samples_ = 0.0;
  Eigen::ArrayXd total_;  // [joints] sum total^2
  std::vector<Sums> effect_, link_, link_effect_;
};

/// Contributions of each link's effects to the joints' efforts at one instant, [joints x 3 links]
/// (inertia, coupling, gravity of link 0, then of link 1, ...), joint side, in the unit of the
/// parameters.
Eigen::MatrixXd linkEfforts(const Robot& robot,
                            const Eigen::VectorXd& pi,
                            const Eigen::VectorXd& q,
                            const Eigen::VectorXd& dq,
                            const Eigen::VectorXd& ddq);

}  // namespace dynid
