#include "dynid/diagnosis/hypotheses.h"
#include "dynid/diagnosis/raw_rows.h"
#include "dynid/dynamics/projection.h"

#include "damages.h"
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace dynid::mistakes {
namespace {

using Eigen::Index;
using Kind = Mistake::Kind;

class UserMistakes {
 public:
  UserMistakes(std::shared_ptr<const Robot> robot, const DiagnosedLog& log)
      : robot_(std::move(robot)), log_(log) {
    const std::vector<Index> order = byEffort(log);
    big_ = order[0];
    other_ = order[1];
    interval_ = medianInterval(log.windows);
  }

  std::vector<Damaged> run() {
    columns();
    efforts();
    singleEffort();
    rows();
    gravity();
    description();
    return std::move(all_);
  }

 private:
  DiagnosedLog& add(const std::string& name, const std::string& finding) {
    all_.push_back({name, robot_, log_, [](const Mistake&) { return false; }, finding});
    return all_.back().log;
  }
  /// A mistake of the strongest effort that a fit can name.
  DiagnosedLog& add(const std::string& name, Kind kind) {
    const int joint = static_cast<int>(big_);
    all_.push_back({name,
                    robot_,
                    log_,
                    [kind, joint](const Mistake& mistake) {
                      return mistake.kind == kind && mistake.joints == std::vector<int>{joint};
                    },
                    ""});
    return all_.back().log;
  }

  /// The axis of the joint with the strongest effort along the next axis of its frame, and a
  /// position with a gear ratio near 1.
  void description() {
    auto other = std::make_shared<Robot>(*robot_);
    Eigen::Vector3d& axis = other->bodies[other->joints[big_].body].axis;
    axis = Eigen::Vector3d(axis.z(), axis.x(), axis.y());
    add("axis_wrong", Kind::kJointAxis);
    all_.back().robot = other;
    for (RawSignals& window : add("position_x_1.25", Kind::kPositionScale).windows)
      for (Eigen::MatrixXd* channel : {&window.position, &window.velocity, &window.acceleration})
        if (channel->size() > 0) channel->col(big_) *= 1.25;
  }

  void columns() {
    for (RawSignals& window : add("effort_column_copied", "raw-copied-column").windows)
      window.effort.col(other_) = window.effort.col(big_);
    for (RawSignals& window : add("position_column_copied", "raw-copied-column").windows)
      for (Eigen::MatrixXd* channel : {&window.position, &window.velocity, &window.acceleration})
        if (channel->size() > 0) channel->col(other_) = channel->col(big_);
    for (RawSignals& window : add("effort_is_position", "raw-copied-column").windows)
      window.effort.col(big_) = window.position.col(big_);
    if (log_.windows.front().velocity.size() == 0) return;
    for (RawSignals& window : add("effort_is_velocity", "raw-copied-column").windows)
      window.effort.col(big_) = window.velocity.col(big_);
    for (RawSignals& window : add("velocity_sign", "raw-velocity").windows) window.velocity *= -1.0;
  }

  void efforts() {
    for (RawSignals& window : add("effort_unsigned", "raw-effort-unsigned").windows)
      window.effort = window.effort.cwiseAbs().eval();
    Eigen::RowVectorXd largest = Eigen::RowVectorXd::Zero(log_.windows.front().effort.cols());
    for (const RawSignals& window : log_.windows)
      largest = largest.cwiseMax(window.effort.cwiseAbs().colwise().maxCoeff());
    // The largest effort of the log is taken to be two thirds of the rated one.
    if (!log_.currents) {
      DiagnosedLog& percent = add("effort_percent_of_rated", "effort-unit");
      all_.back().is = [](const Mistake& m) { return m.kind == Kind::kEffortShare; };
      for (RawSignals& window : percent.windows)
        window.effort.array().rowwise() *= 100.0 / 1.5 / largest.array();
    }
    DiagnosedLog& filtered = add("effort_low_pass_1hz", "diagnosis-effort-late");
    const double memory = std::exp(-2.0 * std::numbers::pi * interval_);
    for (RawSignals& window : filtered.windows)
      for (Index r = 1; r < window.rows(); ++r)
        window.effort.row(r) =
            memory * window.effort.row(r - 1) + (1.0 - memory) * window.effort.row(r);
  }

  void singleEffort() {
    for (RawSignals& window : add("effort_unsigned_one", "raw-effort-unsigned").windows)
      window.effort.col(big_) = window.effort.col(big_).cwiseAbs().eval();
    for (RawSignals& window : add("effort_doubled_one", Kind::kEffortScale).windows)
      window.effort.col(big_) *= 2.0;
    const Index shift = std::lround(0.3 / interval_);
    for (RawSignals& window : add("effort_late_300ms_one", Kind::kEffortDelay).windows) {
      if (window.rows() <= shift) continue;
      const Index kept = window.rows() - shift;
      window.effort.col(big_).tail(kept) = window.effort.col(big_).head(kept).eval();
    }
    const Index step = std::lround(0.04 / interval_);
    for (RawSignals& window : add("position_late_40ms", Kind::kPositionDelay).windows) {
      if (window.rows() <= step) continue;
      for (Eigen::MatrixXd* channel : {&window.position, &window.velocity, &window.acceleration})
        if (channel->size() > 0)
          channel->col(big_).tail(window.rows() - step) =
              channel->col(big_).head(window.rows() - step).eval();
    }
    DiagnosedLog& held = add("effort_held_half", "raw-effort-zero");
    const double half = held.windows.front().time(0) + 0.5 * held.duration_s;
    for (RawSignals& window : held.windows)
      for (Index r = 0; r < window.rows(); ++r)
        if (window.time(r) > half) window.effort(r, big_) = 0.0;
  }

  /// A tenth of a second is lost every two seconds, and the clock is made up from the row number.
  void rows() {
    DiagnosedLog& lost = add("rows_lost_clock_made_up", "time-scale");
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> later(1.0, 3.0);
    double gap = log_.windows.front().time(0) + 1.0, made_up = gap - 1.0;
    for (RawSignals& window : lost.windows) {
      std::vector<Index> kept;
      for (Index r = 0; r < window.rows(); ++r) {
        if (window.time(r) < gap) kept.push_back(r);
        if (window.time(r) > gap + 0.1) gap = window.time(r) + later(random);
      }
      for (Eigen::MatrixXd* channel :
           {&window.position, &window.velocity, &window.acceleration, &window.effort})
        if (channel->size() > 0) *channel = (*channel)(kept, Eigen::all).eval();
      window.time.resize(std::ssize(kept));
      for (double& time : window.time) time = made_up += interval_;
    }
  }

  /// Efforts of which the controller has subtracted its gravity model: the gravity torque of the
  /// parameters that the diagnosis fits to the untouched log.
  void gravity() {
    if (log_.currents) return;
    const Diagnosis diagnosis = diagnose(robot_, log_);
    if (!diagnosis.results || robot_->gravity.norm() == 0.0) return;
    const Eigen::VectorXd inertial =
        diagnosis.results->as_logged.parameters.head(10 * robot_->numBodies());
    const ProjectionRegressor regressor(robot_);
    for (RawSignals& window : add("gravity_compensated", "diagnosis-no-gravity").windows) {
      const Eigen::MatrixXd rest = Eigen::MatrixXd::Zero(window.rows(), window.joints());
      window.effort -= regressor.efforts(inertial, window.position, rest, rest);
    }
  }

  std::shared_ptr<const Robot> robot_;
  const DiagnosedLog& log_;
  Index big_ = 0, other_ = 0;
  double interval_ = 0.0;
  std::vector<Damaged> all_;
};

}  // namespace

std::vector<Damaged> userMistakes(const std::shared_ptr<const Robot>& robot,
                                  const DiagnosedLog& log) {
  return UserMistakes(robot, log).run();
}

}  // namespace dynid::mistakes
