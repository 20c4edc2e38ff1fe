#pragma once

#include "dynid/excitation/distance.h"
#include "dynid/excitation/excitation_options.h"
#include "dynid/robot/robot.h"
#include "dynid/robot/surroundings.h"

#include <Eigen/Core>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dynid {

/// A capsule that moves with a body, in the body's frame.
struct Capsule {
  std::string name;     ///< name of the link
  int body = -1;        ///< -1: the root link, which does not move
  LineSegment axis;     ///< centre line in the body's frame [m]
  double radius = 0.0;  ///< [m]
};

/// Collision constraints of a robot: gaps that have to stay above the clearance. There are gaps
/// between capsules of links that are not neighbours, between capsules and boxes, between both ends
/// of a capsule and the ground, and between a link's origin and the six faces of its workspace.
class Space {
 public:
  /// Pairs of links are left out if they are close in every one of many random postures or touch at
  /// `posture`; gaps to an obstacle are left out if they are below the clearance and no joint
  /// changes them, such as those of a mount in the ground.
  /// @param lower, upper  [joints] position limits [rad or m]
  /// @param posture       start of the motion, or the centre of the ranges
  Space(std::shared_ptr<const Robot> robot,
        const SpaceOptions& options,
        const Eigen::VectorXd& lower,
        const Eigen::VectorXd& upper,
        const Eigen::VectorXd& posture);

  int count() const { return static_cast<int>(gaps_.size()); }
  int numJoints() const { return robot_->numJoints(); }
  double clearance() const { return clearance_; }
  /// Why gaps were left out, and assumptions that were made.
  const std::vector<std::string>& notes() const { return notes_; }
  /// Names of the gaps that were left out.
  const std::vector<std::string>& leftOut() const { return left_out_; }
  /// One sentence for each obstacle, and for the workspace, with gaps that stay below the clearance
  /// in all postures that were searched.
  const std::vector<std::string>& unmet() const { return unmet_; }
  /// Text such as "forearm and box table".
  std::string name(int gap) const;
  /// Whether both sides of this gap are links.
  bool isSelf(int gap) const { return gaps_[gap].kind == Kind::kSelf; }

  /// All gaps at a posture [m], and their derivatives [gaps x joints] if the pointer is not null.
  void evaluate(const Eigen::VectorXd& q, Eigen::VectorXd& values, Eigen::MatrixXd* slopes) const;
  /// The smallest gap [m] and its index.
  std::pair<double, int> smallest(const Eigen::VectorXd& q) const;

  /// [gaps x joints] Bounds of |d gap / d q_j| over all postures within the limits [m/rad or 1].
  const Eigen::MatrixXd& reach() const { return reach_; }

 private:
  enum class Kind { kSelf, kBox, kGround, kWorkspace };
  struct Gap {
    Kind kind = Kind::kSelf;
    int a = 0;  // capsule
    int b = 0;  // other capsule; box; end 0 or 1 of the capsule; face 0 to 5 of the workspace
  };
  void collectCapsules(const SpaceOptions& options);
  void collectGaps();
  bool neighbours(const Capsule& a, const Capsule& b) const;
  bool mayTouch(const std::string& a, const std::string& b) const;
  void leaveOut(const Eigen::VectorXd& lower,
                const Eigen::VectorXd& upper,
                const Eigen::VectorXd& posture);
  bool changes(int gap, const std::vector<Eigen::VectorXd>& postures) const;
  double widestGap(int gap,
                   const Eigen::VectorXd& lower,
                   const Eigen::VectorXd& upper,
                   const std::vector<Eigen::VectorXd>& starts) const;
  void describeUnmet(std::vector<std::pair<double, int>> distances);
  std::string remedy(int gap) const;
  void boundReach(const Eigen::VectorXd& lower, const Eigen::VectorXd& upper);
  void addSlope(int body,
                const Eigen::Vector3d& point,
                const Eigen::Vector3d& direction,
                const std::vector<Transform>& poses,
                Eigen::Ref<Eigen::RowVectorXd> slope) const;

  std::shared_ptr<const Robot> robot_;
  Surroundings surroundings_;
  double clearance_ = 0.0;
  std::vector<Capsule> capsules_;
  int tool_ = -1;  // capsule (a point) that is limited by the workspace
  std::vector<Gap> gaps_;
  Eigen::MatrixXd reach_;
  std::vector<std::string> notes_, left_out_, unmet_;
};

}  // namespace dynid
