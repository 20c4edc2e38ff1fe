#include "dynid/excitation/motion_limits.h"

#include "dynid/core/text.h"
#include "dynid/excitation/effort_check.h"
#include "dynid/excitation/fourier_basis.h"
#include "dynid/excitation/nonlinear_program.h"
#include "dynid/robot/complete_limits.h"
#include "dynid/robot/robot.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace dynid {
namespace {

// A motion over less than this share of a joint's range would be hidden by noise.
constexpr double kUsefulShare = 1e-3;

double chosen(const std::vector<double>& values, int joint, double otherwise) {
  if (values.empty()) return otherwise;
  return values.size() == 1 ? values.front() : values[joint];
}

std::string listed(const char* what,
                   const std::vector<std::string>& names,
                   const std::string& instead) {
  return std::string("no ") + what + " for " + join(names) + ": " + instead;
}

/// Names of the joints for which the description does not give a limit. Those with one of two
/// position limits have the range that is assumed with them.
struct JointsWithout {
  std::vector<std::string> position, lower, upper, velocity, acceleration, effort;
};

void noteMissingPositions(const Joint& joint,
                          const JointLimits& given,
                          const JointLimits& complete,
                          JointsWithout& without) {
  const bool has_lower = std::isfinite(given.lower), has_upper = std::isfinite(given.upper);
  if (has_lower && has_upper) return;
  const std::string range = joint.name + " (" + toText(complete.lower, 4) + " to " +
                            toText(complete.upper, 4) + (joint.prismatic ? " m)" : " rad)");
  if (has_lower)
    without.upper.push_back(range);
  else if (has_upper)
    without.lower.push_back(range);
  else
    without.position.push_back(joint.name);
}

/// What is assumed for these joints, one sentence per kind of limit.
std::vector<std::string> assumedLimits(const JointsWithout& without) {
  std::vector<std::string> notes;
  const std::string give =
      "; give limits = { position = [lower, upper] } under [joint.NAME] in the description";
  if (!without.position.empty())
    notes.push_back(listed("position limits", without.position, "+-pi (+-0.5 m) is used" + give));
  const std::string ranges = "these ranges are used" + give;
  if (!without.lower.empty())
    notes.push_back(listed("lower position limit", without.lower, ranges));
  if (!without.upper.empty())
    notes.push_back(listed("upper position limit", without.upper, ranges));
  if (!without.velocity.empty())
    notes.push_back(
        listed("velocity limit",
               without.velocity,
               "1 rad/s (0.5 m/s) is used; give limits = { velocity = ... } under [joint.NAME] in "
               "the description, or `max_velocity`"));
  if (!without.acceleration.empty())
    notes.push_back(
        listed("acceleration limit",
               without.acceleration,
               "velocity limit / 0.25 s is used; give limits = { acceleration = ... } under "
               "[joint.NAME] in the description, or `max_acceleration`"));
  if (!without.effort.empty())
    notes.push_back(
        listed("inertias",
               without.effort,
               "its effort cannot be predicted and is not limited; give <inertial> to the links "
               "that it moves (dynid check names them), or [link.NAME] mass = [lower, upper] for "
               "identification"));
  return notes;
}

}  // namespace

MotionLimits motionLimits(const Robot& robot, const LimitOptions& options) {
  options.check(robot.numJoints());
  const Eigen::Index n = robot.numJoints();
  MotionLimits limits;
  for (auto* v : {&limits.lower,
                  &limits.upper,
                  &limits.velocity,
                  &limits.acceleration,
                  &limits.jerk,
                  &limits.effort})
    v->setConstant(n, kInfinity);
  JointsWithout without;
  std::vector<std::string> faster;
  for (int j = 0; j < robot.numJoints(); ++j) {
    const Joint& joint = robot.joints[j];
    JointLimits given = joint.limits;
    given.velocity = chosen(options.velocity, j, given.velocity);
    given.acceleration = chosen(options.acceleration, j, given.acceleration);
    if (given.velocity * options.velocity_share > joint.limits.velocity)
      faster.push_back(joint.name + " (" + toText(joint.limits.velocity) +
                       (joint.prismatic ? " m/s)" : " rad/s)"));
    if (!std::isfinite(given.velocity)) without.velocity.push_back(joint.name);
    if (!std::isfinite(given.acceleration)) without.acceleration.push_back(joint.name);
    const JointLimits complete = completeLimits(given, joint.prismatic);
    noteMissingPositions(joint, given, complete, without);
    const double middle = 0.5 * (complete.lower + complete.upper),
                 half = 0.5 * (complete.upper - complete.lower) * options.position_share;
    limits.lower(j) = middle - half;
    limits.upper(j) = middle + half;
    limits.velocity(j) = complete.velocity * options.velocity_share;
    limits.acceleration(j) = complete.acceleration * options.acceleration_share;
    limits.jerk(j) = chosen(options.jerk, j, kInfinity);
    if (!options.effort || !std::isfinite(given.effort)) continue;
    if (hasPrior(robot, j))
      limits.effort(j) = given.effort * options.effort_share;
    else
      without.effort.push_back(joint.name);
  }
  limits.notes = assumedLimits(without);
  if (!faster.empty())
    limits.notes.push_back("`max_velocity` is above the limit of the description for " +
                           join(faster));
  return limits;
}

std::vector<std::string> contradictions(const Robot& robot,
                                        const MotionLimits& limits,
                                        int harmonics,
                                        double period_s) {
  std::vector<std::string> found;
  const double w = 2.0 * std::numbers::pi * harmonics / period_s;
  for (Eigen::Index j = 0; j < limits.lower.size(); ++j) {
    const Joint& joint = robot.joints[j];
    const double range = limits.upper(j) - limits.lower(j);
    if (!(range > 0.0)) {
      found.push_back(joint.name + ": position limits " + toText(limits.lower(j)) + " to " +
                      toText(limits.upper(j)) + " leave no room" +
                      (range < 0.0 ? " (" + toText(-range) + " too little)" : "") +
                      "; widen them or hold the joint with `exclude_joints`");
      continue;
    }
    if (!(limits.velocity(j) > 0.0) || !(limits.acceleration(j) > 0.0)) {
      found.push_back(joint.name + ": velocity limit " + toText(limits.velocity(j)) +
                      ", acceleration limit " + toText(limits.acceleration(j)) +
                      " allow no motion; raise them or hold the joint with `exclude_joints`");
      continue;
    }
    const double scale = std::min(range, joint.prismatic ? 0.5 : 1.0);
    const double reach = std::min({0.5 * range,
                                   limits.velocity(j) / w,
                                   limits.acceleration(j) / (w * w),
                                   limits.jerk(j) / (w * w * w)});
    if (reach >= kUsefulShare * scale) continue;
    double factor = kUsefulShare * scale * w / limits.velocity(j);
    factor = std::max(factor, std::sqrt(kUsefulShare * scale * w * w / limits.acceleration(j)));
    if (std::isfinite(limits.jerk(j)))
      factor = std::max(factor, std::cbrt(kUsefulShare * scale * w * w * w / limits.jerk(j)));
    found.push_back(joint.name + ": in " + toText(period_s) + " s the harmonic " +
                    std::to_string(harmonics) + " may move it by " + toText(reach, 3) +
                    " only within velocity " + toText(limits.velocity(j)) + " and acceleration " +
                    toText(limits.acceleration(j)) + ", expected at least " +
                    toText(kUsefulShare * scale, 3) + "; `duration_s` of at least " +
                    toText(period_s * factor, 3) + " s, fewer `harmonics` or higher limits help");
  }
  return found;
}

Eigen::MatrixXd coefficientScale(const MotionLimits& limits, int harmonics, double period_s) {
  const Eigen::Index n = limits.lower.size(), L = harmonics;
  Eigen::MatrixXd scale(1 + 2 * L, n);
  const Eigen::VectorXd half = limits.half();
  scale.row(0) = half;
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index l = 1; l <= L; ++l) {
      const double w = 2.0 * std::numbers::pi * static_cast<double>(l) / period_s;
      scale(l, j) = scale(L + l, j) = std::min(
          {half(j) * w, limits.velocity(j), limits.acceleration(j) / w, limits.jerk(j) / (w * w)});
    }
  return scale;
}

void addLimits(const MotionLimits& limits,
               const Eigen::MatrixXd& scale,
               double period_s,
               int points,
               NonlinearProgram& program) {
  const Eigen::Index n = scale.cols(), width = scale.rows(), L = (width - 1) / 2;
  const FourierBasis basis =
      fourierBasis(static_cast<int>(L), period_s, periodGrid(period_s, points));
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::Index row = program.A.rows();
  for (int c = 0; c < program.A.outerSize(); ++c)
    for (Eigen::SparseMatrix<double>::InnerIterator it(program.A, c); it; ++it)
      entries.emplace_back(it.row(), it.col(), it.value());
  const auto add = [&](const Eigen::MatrixXd& B, Eigen::Index joint, double limit) {
    if (!std::isfinite(limit)) return;
    for (Eigen::Index i = 0; i < points; ++i, ++row)
      for (Eigen::Index c = 0; c < width; ++c) {
        const double value = B(i, c) * scale(c, joint) / limit;
        if (value != 0.0) entries.emplace_back(row, joint * width + c, value);
      }
  };
  const Eigen::VectorXd half = limits.half();
  for (Eigen::Index j = 0; j < n; ++j) {
    add(basis.q, j, half(j));
    add(basis.dq, j, limits.velocity(j));
    add(basis.ddq, j, limits.acceleration(j));
    add(basis.dddq, j, limits.jerk(j));
  }
  const Eigen::Index before = program.lower.size();
  program.A.resize(row, n * width);
  program.A.setFromTriplets(entries.begin(), entries.end());
  program.lower.conservativeResize(row);
  program.upper.conservativeResize(row);
  program.lower.tail(row - before).setConstant(-1.0);
  program.upper.tail(row - before).setConstant(1.0);
}

void bringToRest(Eigen::MatrixXd& X) {
  const Eigen::Index L = (X.rows() - 1) / 2;
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(L).normalized(),
                        order =
                            Eigen::VectorXd::LinSpaced(L, 1.0, static_cast<double>(L)).normalized();
  X.middleRows(1, L) -= ones * (ones.transpose() * X.middleRows(1, L)).eval();
  X.bottomRows(L) -= order * (order.transpose() * X.bottomRows(L)).eval();
}

void restrictToRest(const Eigen::MatrixXd& scale, NonlinearProgram& program) {
  const Eigen::Index width = scale.rows();
  Eigen::MatrixXd projection = Eigen::MatrixXd::Identity(width, width);
  bringToRest(projection);
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index j = 0; j < scale.cols(); ++j)
    for (Eigen::Index r = 0; r < width; ++r)
      for (Eigen::Index c = 0; c < width; ++c)
        if (projection(r, c) != 0.0)
          entries.emplace_back(
              j * width + r, j * width + c, projection(r, c) * scale(c, j) / scale(r, j));
  Eigen::SparseMatrix<double> map(scale.size(), scale.size());
  map.setFromTriplets(entries.begin(), entries.end());
  program.A = (program.A * map).pruned();
}

MotionPeaks seriesPeaks(const Eigen::MatrixXd& X, double period_s) {
  const int L = static_cast<int>(X.rows() - 1) / 2, points = 100 * L;
  const FourierBasis basis = fourierBasis(L, period_s, periodGrid(period_s, points));
  const double factor = gridToPeak(L, points);
  const Eigen::MatrixXd q = basis.q * X;
  const Eigen::VectorXd low = q.colwise().minCoeff(), high = q.colwise().maxCoeff();
  const Eigen::VectorXd centre = 0.5 * (low + high), radius = 0.5 * factor * (high - low);
  MotionPeaks peaks;
  peaks.lower = centre - radius;
  peaks.upper = centre + radius;
  peaks.velocity = factor * (basis.dq * X).cwiseAbs().colwise().maxCoeff();
  peaks.acceleration = factor * (basis.ddq * X).cwiseAbs().colwise().maxCoeff();
  peaks.jerk = factor * (basis.dddq * X).cwiseAbs().colwise().maxCoeff();
  return peaks;
}

double shrinkIntoLimits(const MotionLimits& limits, double period_s, Eigen::MatrixXd& X) {
  const MotionPeaks peaks = seriesPeaks(X, period_s);
  double smallest = 1.0;
  for (Eigen::Index j = 0; j < X.cols(); ++j) {
    const double offset = X(0, j);
    double factor = 1.0;
    const auto keep = [&](double peak, double limit) {
      if (peak > limit) factor = std::min(factor, (1.0 - 1e-9) * limit / peak);
    };
    keep(peaks.upper(j) - offset, limits.upper(j) - offset);
    keep(offset - peaks.lower(j), offset - limits.lower(j));
    keep(peaks.velocity(j), limits.velocity(j));
    keep(peaks.acceleration(j), limits.acceleration(j));
    keep(peaks.jerk(j), limits.jerk(j));
    X.col(j).tail(X.rows() - 1) *= std::max(factor, 0.0);
    smallest = std::min(smallest, factor);
  }
  return smallest;
}

}  // namespace dynid
