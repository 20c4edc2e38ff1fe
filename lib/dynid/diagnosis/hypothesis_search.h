#pragma once

#include "dynid/diagnosis/described_score.h"
#include "dynid/diagnosis/hypotheses.h"
#include "dynid/diagnosis/log_gaps.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace dynid {

inline constexpr double kWorthRefining = 0.3;   ///< [nat] smaller gains are not refined
inline constexpr double kLeastOfDelays = 1e-4;  ///< of the variance: below, delays are equally good

/// A motion hypothesis after its pass.
struct MotionPass {
  MotionStatistics motion;
  EffortStatistics effort;
};

std::shared_ptr<const Robot> withGravity(const Robot& robot, const Eigen::Vector3d& gravity);

/// Fits one excerpt under every hypothesis. The hypotheses about efforts (effort_hypotheses.cpp)
/// need no pass over the rows, those about the motion (motion_hypotheses.cpp) and about the robot
/// description (description_hypotheses.cpp) one each.
class HypothesisSearch {
 public:
  HypothesisSearch(std::shared_ptr<const Robot> robot,
                   const LogExcerpt& excerpt,
                   const Eigen::VectorXd& gains,
                   int threads);

  HypothesisResults run();

 private:
  using Index = Eigen::Index;
  /// Computes some hypotheses; several threads may do so at a time.
  using Task = std::function<std::vector<TriedHypothesis>()>;

  HypothesisResults finished();
  void runAll(const std::vector<Task>& tasks);
  void sortTried();
  /// A motion hypothesis, and the delays of the logged efforts that are found with it.
  struct DelayedPass {
    MotionPass pass;        ///< with the delays undone
    Eigen::VectorXd delay;  ///< [channels] s
  };
  /// @throws InputError where the loops of the robot do not close in the motion
  DelayedPass passWithOwnDelays(const ColumnMotion& motion,
                                const EffortAssignment& assignment,
                                int threads);
  /// The corrected delays were estimated from the log as it is, and a mistake changes these
  /// estimates. The best hypotheses are therefore fitted again with delays that are estimated with
  /// their mistake undone.
  void retryBest();
  /// Refines the named zero position to half a degree, because findAssumptions may correct the log
  /// by it.
  void refineZero();

  ColumnMotion motion() const;
  HypothesisScore score(const MotionPass& pass,
                        const ChannelColumns& columns,
                        const EffortAssignment& assignment,
                        bool constrained,
                        int gain_rounds) const;
  MotionPass passOf(const ChannelColumns& columns, const ColumnMotion& motion);
  MotionPass passOf(const ChannelColumns& columns,
                    const ChannelColumns& weightless,
                    const ColumnMotion& motion);
  /// Scores a hypothesis. The inequalities are imposed, and unknown gains estimated to the end,
  /// only if the fit without that gains, because it hardly changes the residual and costs most of
  /// the time.
  TriedHypothesis tried(const Mistake& mistake,
                        const MotionPass& pass,
                        const ChannelColumns& columns,
                        const EffortAssignment& assignment) const;
  /// Whether the log leaves enough unexplained for a warning.
  bool worthAWarning() const;
  /// Whether the inertials of the description explain many joints, but not all of them.
  bool descriptionContradicts() const;
  bool worthAPair(Index i, Index j) const;
  ColumnMotion undone(const Mistake& mistake) const;
  TriedHypothesis triedEffort(const Mistake& mistake) const;
  std::optional<TriedHypothesis> triedMotion(const Mistake& mistake);

  std::vector<Task> effortTasks() const;
  /// Factors of one effort: decades, thirds of decades, and steps of 1.4 near 1; then finer steps
  /// around the best. The small steps are needed because a factor of 2 improves the fit only if a
  /// trial is within a factor of about 1.5 of it. Empty if the best gains hardly more than the
  /// effort explained by itself.
  std::vector<TriedHypothesis> triedScales(int j) const;
  /// The factor between the effort and the torque of the described links.
  std::vector<TriedHypothesis> triedDescribedScale(int j) const;
  /// Efforts in percent of the limits of the description. Empty if the limits do not differ, or if
  /// this gains hardly more than one effort explained by itself.
  std::vector<TriedHypothesis> triedShares() const;
  /// Gain if friction and drive inertia alone explain the effort of joint j.
  double gainOfItsOwn(int j) const;
  /// Delays of all efforts, or of one, that are longer than those that findEffortDelay corrects
  /// (160 ms). Without this hypothesis, such efforts would be explained best by positions in
  /// degrees.
  /// @param channel  -1: all
  std::vector<TriedHypothesis> tryLongDelays(int channel) const;
  TriedHypothesis triedDelay(const Mistake& mistake, const Eigen::VectorXd& delay) const;

  std::vector<Task> motionTasks();
  std::vector<TriedHypothesis> trySigns(Index j);
  std::vector<TriedHypothesis> tryZeros(Index j);
  /// Positions of a motor, pulley or spindle that are taken for those of the joint: factors of 2
  /// and 1/2 (4/3 and 3/4 where a warning is possible), then finer around the best one.
  std::vector<TriedHypothesis> tryFactors(Index j);
  void addLatePositions(std::vector<Task>& tasks);
  /// What the model leaves of the efforts, with a smaller limit than HypothesisScore::objective
  /// [nat].
  double leftOf(const Eigen::MatrixXd& effort, const ColumnMotion& changed);
  ColumnMotion withLaterPosition(Index j, double seconds) const;
  /// A position that is recorded later or earlier than all others: 30 ms, then further while that
  /// gains, then finer. A late position makes its own effort early, and hides the delays of the
  /// others. Efforts that all have the same delay are therefore compared first, and then those with
  /// the delays that are found with the best position.
  /// @param effort     with the same delay
  /// @param as_logged  leftOf them and the motion as logged
  std::vector<TriedHypothesis> tryLatePosition(Index j, Eigen::MatrixXd effort, double as_logged);
  void addSteps(std::vector<Task>& tasks);
  /// A zero that changes in a gap of the log: one step to both sides, then further in the direction
  /// that gains, then finer.
  std::vector<TriedHypothesis> tryStep(Index j, const LogGap& gap);
  void addOrders(std::vector<Task>& tasks);
  /// Columns of the log assigned to the joints in another order.
  std::vector<TriedHypothesis> tryOrder(const std::vector<int>& order, bool swap);
  void addUnits(std::vector<Task>& tasks);
  /// Factors of 2 and 1/2 of the clock, then finer around the best one; with the inertials of a
  /// description other factors, too, because only these tell gravity from inertia.
  std::vector<TriedHypothesis> tryClocks();
  /// Whether the hypothesis changes a clock that the logged velocities confirm, without explaining
  /// the efforts of all joints.
  bool contradictsVelocities(const TriedHypothesis& hypothesis) const;

  std::vector<Task> descriptionTasks();
  /// The log as it is with another robot; nothing where its loops do not close.
  std::optional<TriedHypothesis> triedRobot(const Mistake& mistake,
                                            const std::shared_ptr<const Robot>& robot,
                                            bool efforts_of_drives);
  bool worthAnAxis(Index j) const;
  /// The axis of a joint along the other axes of its frame, to both sides.
  std::vector<TriedHypothesis> tryAxes(Index j);
  /// Columns of coupled drives that are recorded on the other side of the transmission than the
  /// description says, or positions and efforts on different sides.
  std::vector<Task> sideTasks();
  std::vector<TriedHypothesis> trySide(Mistake::Kind kind);
  /// Gravity along the six axes of the root link, then along tilts of the best of them in
  /// decreasing steps. If the description has no gravity, its magnitude is that of the Earth.
  std::vector<TriedHypothesis> tryGravity();
  TriedHypothesis towards(const Eigen::Vector3d& gravity);
  /// Whether the fitted gravity torque of the joint that carries most resembles that of the
  /// description's links (of uniform rods, where it has no inertials), or no joint that moves
  /// carries the weight of links.
  bool gravityIsAsDescribed() const;
  /// If gravity is not as described, no hypothesis refuses the log, and bodies that resemble the
  /// links explain the efforts clearly worse than the plain model (scoreConsistently): gravity
  /// along the six axes of the root link, no gravity and the sign of all efforts, judged by the fit
  /// of such bodies (TriedHypothesis::physics_gain). Without physics, gravity in the opposite
  /// direction differs little from links whose centres of mass lie on the other side of their
  /// joints.
  void tryPhysics();

  std::shared_ptr<const Robot> robot_;
  const LogExcerpt& excerpt_;
  int threads_;
  EffortScale scale_;
  Eigen::VectorXd gains_;
  ChannelColumns columns_, weightless_;
  Index n_;
  Eigen::MatrixXd effort_;
  ChannelRows rows_;  // of the motion as logged
  MotionPass base_;
  std::atomic<int> passes_ = 0, loops_not_closed_ = 0;
  HypothesisResults results_;
  DescribedScore described_;  ///< of the log as it is
  HypothesisScore screened_;  ///< of the log as it is, with gains of few rounds
};

}  // namespace dynid
