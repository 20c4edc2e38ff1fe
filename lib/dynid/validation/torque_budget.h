#pragma once

#include "dynid/math/eigen_memory.h"

#include <Eigen/Core>

#include <array>
#include <string>
#include <vector>

namespace dynid {

/// Contributions to the effort of a joint.
enum class BudgetEffect {
  kInertia,   ///< M_k ddq of a link
  kCoupling,  ///< centrifugal and Coriolis terms of a link
  kGravity,   ///< of a link
  kFriction,  ///< of drives and joints, including offset and ripple
  kDrive,     ///< drive inertia
  kSpring,    ///< position effects
  kPayload,   ///< the known payload of the log
  /// Effect of filtering and resampling: links are evaluated at the samples of the log, the
  /// prediction at the conditioned samples.
  kConditioning,
};
inline constexpr int kLinkEffects = 3;
inline constexpr int kBudgetEffects = 8;
/// Name as in JSON: "inertia", "coupling", ...
const char* toString(BudgetEffect effect);

/// Size of one contribution, per joint.
struct BudgetPart {
  Eigen::VectorXd rms;  ///< [joints] in the unit of the prediction
  /// [joints] sum part.total / sum total^2; the shares of all parts add up to 1
  Eigen::VectorXd share;
};

/// Contributions of every link and effect to each joint's predicted effort over a log. At every
/// sample, the contributions add up to the prediction up to rounding.
struct TorqueBudget {
  std::vector<std::string> joints, units, links;  ///< names of joints, their units, names of links
  Eigen::VectorXd total;                          ///< [joints] root mean square of the prediction
  std::array<BudgetPart, kBudgetEffects> effect;  ///< all links together
  std::vector<BudgetPart> link;                   ///< all rigid-body effects of a link together
  std::vector<std::array<BudgetPart, kLinkEffects>> link_effect;  ///< per link: its effects
  double samples = 0.0;  ///< number of samples in the budget
};

}  // namespace dynid
