#include "dynid/validation/torque_budget_pass.h"

#include "dynid/formulations/newton_euler_lagrange.h"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace dynid {

const char* toString(BudgetEffect effect) {
  switch (effect) {
    case BudgetEffect::kInertia:
      return "inertia";
    case BudgetEffect::kCoupling:
      return "coupling";
    case BudgetEffect::kGravity:
      return "gravity";
    case BudgetEffect::kFriction:
      return "friction";
    case BudgetEffect::kDrive:
      return "drive";
    case BudgetEffect::kSpring:
      return "spring";
    case BudgetEffect::kPayload:
      return "payload";
    case BudgetEffect::kConditioning:
      return "conditioning";
  }
  return "unknown";
}

Eigen::MatrixXd linkEfforts(const Robot& robot,
                            const Eigen::VectorXd& pi,
                            const Eigen::VectorXd& q,
                            const Eigen::VectorXd& dq,
                            const Eigen::VectorXd& ddq) {
  const LinkEffects effects = linkEffects(robot, q, dq, ddq);
  Eigen::MatrixXd efforts(robot.numJoints(), Eigen::Index{kLinkEffects} * robot.numBodies());
  for (Eigen::Index k = 0; k < robot.numBodies(); ++k) {
    const InertialParameters body = pi.segment<10>(10 * k);
    efforts.col(kLinkEffects * k) = effects.inertia.middleCols<10>(10 * k) * body;
    efforts.col(kLinkEffects * k + 1) = effects.coupling.middleCols<10>(10 * k) * body;
    efforts.col(kLinkEffects * k + 2) = effects.gravity.middleCols<10>(10 * k) * body;
  }
  return efforts;
}

TorqueBudgetPass::TorqueBudgetPass(const Model& model)
    : model_(model),
      pi_(model.parameters.head(Eigen::Index{10} * model.robot->numBodies())),
      total_(Eigen::ArrayXd::Zero(model.robot->numJoints())) {
  const auto links = static_cast<size_t>(model.robot->numBodies());
  const Sums none{total_, total_};
  effect_.assign(kBudgetEffects, none);
  link_.assign(links, none);
  link_effect_.assign(kLinkEffects * links, none);
}

void TorqueBudgetPass::add(const PredictionBlock& block) {
  if (block.time.size() > 0 && !block.parts)
    throw std::invalid_argument(
        "the prediction holds no parts of the efforts; a torque budget needs a prediction with its "
        "parts");
  for (Eigen::Index row = 0; row < block.time.size(); ++row) addSample(block, row);
}

void TorqueBudgetPass::addSample(const PredictionBlock& block, Eigen::Index row) {
  const Eigen::ArrayXd total = block.predicted.row(row).transpose().array();
  if (!total.allFinite()) return;
  const EffectParts& parts = *block.parts;
  const Eigen::MatrixXd links =
      parts.effort_scale.asDiagonal() * linkEfforts(*model_.robot,
                                                    pi_,
                                                    block.q.row(row).transpose(),
                                                    block.dq.row(row).transpose(),
                                                    block.ddq.row(row).transpose());
  samples_ += 1.0;
  total_ += total.square();
  Eigen::ArrayXXd effects = Eigen::ArrayXXd::Zero(total.size(), kBudgetEffects);
  for (size_t i = 0; i < link_effect_.size(); ++i) {
    const Eigen::ArrayXd of_link = links.col(i).array();
    note(link_effect_[i], of_link, total);
    effects.col(i % kLinkEffects) += of_link;
  }
  for (size_t k = 0; k < link_.size(); ++k)
    note(link_[k], links.middleCols<kLinkEffects>(kLinkEffects * k).rowwise().sum().array(), total);
  effects.col(static_cast<int>(BudgetEffect::kFriction)) = parts.friction.row(row).transpose();
  effects.col(static_cast<int>(BudgetEffect::kDrive)) = parts.drive.row(row).transpose();
  effects.col(static_cast<int>(BudgetEffect::kSpring)) = parts.spring.row(row).transpose();
  effects.col(static_cast<int>(BudgetEffect::kPayload)) = parts.payload.row(row).transpose();
  effects.col(static_cast<int>(BudgetEffect::kConditioning)) = total - effects.rowwise().sum();
  for (size_t e = 0; e < effect_.size(); ++e) note(effect_[e], effects.col(e), total);
}

void TorqueBudgetPass::note(Sums& sums,
                            const Eigen::ArrayXd& part,
                            const Eigen::ArrayXd& total) const {
  sums.squares += part.square();
  sums.products += part * total;
}

BudgetPart TorqueBudgetPass::part(const Sums& sums) const {
  return {(sums.squares / samples_).sqrt(), sums.products / total_};
}

TorqueBudget TorqueBudgetPass::finish() const {
  const Robot& robot = *model_.robot;
  TorqueBudget budget;
  budget.joints = robot.jointNames();
  for (const Joint& joint : robot.joints)
    budget.units.push_back(model_.effort_unit == "N m" && joint.prismatic ? "N"
                                                                          : model_.effort_unit);
  for (const Body& body : robot.bodies) budget.links.push_back(body.name);
  budget.samples = samples_;
  budget.total = (total_ / samples_).sqrt();
  for (size_t e = 0; e < effect_.size(); ++e) budget.effect[e] = part(effect_[e]);
  for (size_t k = 0; k < link_.size(); ++k) {
    budget.link.push_back(part(link_[k]));
    std::array<BudgetPart, kLinkEffects>& parts = budget.link_effect.emplace_back();
    for (size_t e = 0; e < kLinkEffects; ++e) parts[e] = part(link_effect_[kLinkEffects * k + e]);
  }
  return budget;
}

}  // namespace dynid
