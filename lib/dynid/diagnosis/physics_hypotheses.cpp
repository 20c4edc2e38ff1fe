#include "dynid/diagnosis/consistent_score.h"
#include "dynid/diagnosis/diagnosis.h"
#include "dynid/diagnosis/hypothesis_search.h"
#include "dynid/diagnosis/prior_bodies.h"

#include <algorithm>

namespace dynid {
namespace {

using Kind = Mistake::Kind;

// [nat] A smaller price of physical consistency leaves too little to gain.
constexpr double kPrice = 0.3;
// [nat] What a right hypothesis may lose in the fit without physics, by chance. Capsules are too
// rough to decide alone: there it must gain as much.
constexpr double kMostLost = 0.1;
// Correlation and ratio of a fitted gravity torque and that of the links from which gravity has the
// described direction. The ratio to uniform rods is 0.11 to 4.5 on thirteen real arms.
constexpr double kAlike = 0.7, kLeastOfRods = 0.05, kLeastOfDescribed = 0.2;

}  // namespace

bool HypothesisSearch::gravityIsAsDescribed() const {
  const MotionStatistics& motion = base_.motion;
  const HypothesisScore& fit = results_.as_logged;
  const bool described = motion.prior_gravity.size() > 0;
  const Eigen::MatrixXd& expected = described ? motion.prior_gravity : motion.rod_gravity;
  Index strongest = 0;
  const double power =
      (expected.colwise().squaredNorm().array() * motion.moves.transpose()).maxCoeff(&strongest);
  if (power == 0.0) return true;
  if (described)
    return fit.prior_correlation(strongest) > kAlike &&
           fit.prior_slope(strongest) > kLeastOfDescribed;
  return fit.gravity_correlation(strongest) > kAlike && fit.gravity_slope(strongest) > kLeastOfRods;
}

void HypothesisSearch::tryPhysics() {
  if (scale_ == EffortScale::kUnknown || robot_->gravity.norm() == 0.0) return;
  if (gravityIsAsDescribed()) return;
  for (const TriedHypothesis& tried : results_.tried)
    if (tried.certainty() >= kRefuseCertainty) return;
  const ConsistentScore described = scoreConsistently(
      columns_, base_.motion, base_.effort, asLogged(n_), results_.as_logged.unexplained);
  if (!described.solved || described.objective - described.free_objective < kPrice) return;
  std::vector<std::string> sources;
  priorBodies(*robot_, sources);
  const bool capsules = std::count(sources.begin(), sources.end(), kCapsuleSource) > 0;
  std::vector<TriedHypothesis> found;
  const auto one =
      [&](const Mistake& mistake, const ChannelColumns& columns, const MotionPass& pass) {
        const EffortAssignment assignment = undoneEfforts(mistake, *robot_, gains_);
        TriedHypothesis hypothesis = tried(mistake, pass, columns, assignment);
        if (hypothesis.gain < (capsules ? kMostLost : -kMostLost)) return;
        const ConsistentScore score = scoreConsistently(
            columns, pass.motion, pass.effort, assignment, hypothesis.unexplained);
        if (!score.solved) return;
        hypothesis.physics_gain = described.objective - score.objective;
        hypothesis.consistent_before = described.unexplained;
        hypothesis.consistent_after = score.unexplained;
        if (hypothesis.certainty() >= hypothesis.warnsFrom())
          found.push_back(std::move(hypothesis));
      };
  one({Kind::kEffortSign}, columns_, base_);
  one({Kind::kNoGravity}, weightless_, passOf(weightless_, motion()));
  const double g = robot_->gravity.norm();
  std::vector<Eigen::Vector3d> directions = {-robot_->gravity};
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {1.0, -1.0})
      directions.emplace_back(sign * g * Eigen::Vector3d::Unit(axis));
  for (size_t i = 0; i < directions.size(); ++i) {
    const Eigen::Vector3d& gravity = directions[i];
    if ((gravity - robot_->gravity).norm() < 1e-6 * g) continue;
    if (i > 0 && (gravity - directions.front()).norm() < 1e-6 * g) continue;
    Mistake mistake{Kind::kGravity};
    mistake.direction = gravity;
    const ChannelColumns columns(withGravity(*robot_, gravity), excerpt_.efforts_of_drives);
    one(mistake, columns, passOf(columns, motion()));
  }
  for (TriedHypothesis& hypothesis : found) {
    std::erase_if(results_.tried, [&](const TriedHypothesis& other) {
      return other.mistake.kind == hypothesis.mistake.kind && other.mistake.joints.empty() &&
             other.physics_gain == 0.0 && other.certainty() < hypothesis.certainty();
    });
    results_.tried.push_back(std::move(hypothesis));
  }
  sortTried();
}

}  // namespace dynid
