#pragma once

#include <Eigen/Core>

#include <array>
#include <string>
#include <vector>

namespace dynid {

/// What a joint's effort is made of.
enum class BudgetEffect {
  kInertia,       ///< M_k ddq of a link
  kCoupling,      ///< centrifugal and Coriolis terms of a link
  kGravity,       ///< of a link
  kFriction,      ///< of drives and joints; offset and ripple too
  kDrive,         ///< drive inertia
  kSpring,        ///< position effects
  kPayload,       ///< the log's known load
  kConditioning,  ///< what filtering and resampling move: links are evaluated at the log's samples,
                  ///< the prediction where it was conditioned
};
inline constexpr int kLinkEffects = 3;
inline constexpr int kBudgetEffects = 8;
/// As in JSON: "inertia", "coupling", ...
const char* toString(BudgetEffect effect);

/// Sizes of one part, joint by joint.
struct BudgetPart {
  Eigen::VectorXd rms;    ///< [joints] in the unit of the prediction
  Eigen::VectorXd share;  ///< [joints] sum part.total / sum total^2; shares of all parts add to 1
};

/// Which link and which effect makes how much of each joint's predicted effort over a log. The
/// parts of every sample add up to the prediction to rounding.
struct TorqueBudget {
  std::vector<std::string> joints, units, links;
  Eigen::VectorXd total;                          ///< [joints] RMS of the prediction
  std::array<BudgetPart, kBudgetEffects> effect;  ///< all links together
  std::vector<BudgetPart> link;                   ///< all rigid-body effects of a link together
  std::vector<std::array<BudgetPart, kLinkEffects>> link_effect;
  double samples = 0.0;
};

}  // namespace dynid
