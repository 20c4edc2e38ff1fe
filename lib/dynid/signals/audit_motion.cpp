#include "dynid/core/text.h"
#include "dynid/math/quantile.h"
#include "dynid/signals/audit_parts.h"
#include "dynid/signals/clipped_positions.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace dynid {

namespace {

using Eigen::Index;
using Severity = Finding::Severity;
using std::numbers::pi;

constexpr double kLoudNoise = 0.3;    // ratio of noise to motion, as accelerations
constexpr double kMissed = 3.0;       // residual of a spline in standard deviations of the noise
constexpr double kShortestLog = 1.0;  // [s]
constexpr double kAlternates = 0.01;  // share of rows that stand out of both neighbours
// Of the velocity limit. The logs of six of nine real robots are faster with all joints.
constexpr double kLowSpeed = 0.2;
constexpr double kPlaceholderSpeed = 10.0;  // [rad/s or m/s]

bool hasLimits(const AuditMaterial& material, Index joint) {
  const AuditContext& context = material.context;
  return context.position_lower.size() > 0 && context.position_upper.size() > 0 &&
         std::isfinite(context.position_lower(joint)) &&
         std::isfinite(context.position_upper(joint));
}

/// Share of recorded positions outside the limits after multiplication by `scale`.
double shareOutside(const AuditMaterial& material, Index joint, double scale) {
  const std::vector<double> values = columnOf(material, &RawSignals::position, joint);
  const double low = material.context.position_lower(joint) - 1e-3;
  const double high = material.context.position_upper(joint) + 1e-3;
  const auto outside = std::count_if(
      values.begin(), values.end(), [&](double q) { return scale * q < low || scale * q > high; });
  return static_cast<double>(outside) /
         static_cast<double>(std::max<std::size_t>(values.size(), 1));
}

/// Largest range [rad] that a position in radians usually has.
double largestTurn(const AuditMaterial& material, Index joint) {
  const AuditContext& context = material.context;
  return context.largest_turn.size() > 0 ? context.largest_turn(joint) : kUsualTurn;
}

/// Positions (and velocities) in degrees instead of radians. Two indications: more than half of the
/// joints turn further than usual (largestTurn), or most rows of more than half lie outside the
/// limits, but all of them inside after division by 57.3. Joints outside may have wrong zero
/// positions: one of them must cover more than its limits allow. Single joints in degrees are left
/// to the diagnosis.
void auditDegrees(const AuditMaterial& material, std::vector<Finding>& findings) {
  std::vector<double> ranges;
  int outside = 0, turning = 0, far = 0;
  bool wide = false;  // a joint covers more than its limits allow
  for (int j = 0; j < material.excerpts.front().joints(); ++j) {
    if (material.isPrismatic(j) || !material.moves(j)) continue;
    ++turning;
    ranges.push_back(material.rangeOf(j));
    far += material.rangeOf(j) > largestTurn(material, j) ? 1 : 0;
    if (!hasLimits(material, j) || shareOutside(material, j, 1.0) < 0.3 ||
        shareOutside(material, j, pi / 180.0) > 0.0)
      continue;
    ++outside;
    wide = wide || material.rangeOf(j) >
                       material.context.position_upper(j) - material.context.position_lower(j);
  }
  const double typical = median(ranges);
  if (!(2 * far > turning) && !(wide && 2 * outside > turning)) return;
  findings.push_back({Severity::kRefuse,
                      "position-degrees",
                      -1,
                      "positions look like degrees (or like those of the motors, before their "
                      "gears): the joints turn through " +
                          toText(typical, 4) + " rad (median)" +
                          (outside > 0 ? ", and " + std::to_string(outside) +
                                             " of them leave their limits but would not in degrees"
                                       : std::string()),
                      typical,
                      "degrees: set the unit attribute of position (and velocity) to deg, or "
                      "convert; positions of the motors: set gear_ratio under [position] (and "
                      "[velocity]) in the import mapping; joints that turn this far: give them "
                      "the type continuous in the URDF, or position limits that allow it (round "
                      "numbers more than 8 pi apart count as degrees)"});
}

void auditLimits(const AuditMaterial& material, int j, std::vector<Finding>& findings) {
  if (!hasLimits(material, j)) return;
  const double share = shareOutside(material, j, 1.0);
  if (share == 0.0) return;
  findings.push_back({Severity::kWarning,
                      "position-limit",
                      j,
                      material.nameOf(j) + ": " + toPercent(share) +
                          " of the positions lie outside the limits [" +
                          toText(material.context.position_lower(j), 4) + ", " +
                          toText(material.context.position_upper(j), 4) + "]" + material.unitOf(j),
                      share,
                      "check the joint order, the zero position, the unit and the limits; if the "
                      "joint touched an end stop there, set these efforts to NaN, which leaves "
                      "their rows out"});
}

void auditClippedPositions(const AuditMaterial& material, int j, std::vector<Finding>& findings) {
  const auto clipped = findClippedPositions(material.excerpts, j, material.plan.dt);
  if (!clipped) return;
  const double share =
      static_cast<double>(clipped->rows) / static_cast<double>(material.counts.read);
  findings.push_back(
      {clipped->velocity_goes_on ? Severity::kRefuse : Severity::kWarning,
       "position-clipped",
       j,
       material.nameOf(j) + ": the position stops " + std::to_string(clipped->stays) +
           " times at " + toText(clipped->value, 4) + material.unitOf(j) +
           " in full motion and leaves it as fast (" + toPercent(share) + " of the rows), while " +
           (clipped->velocity_goes_on ? "the logged velocity goes on" : "the robot goes on") +
           ": it is cut off at this value",
       share,
       "log the measured position without a limit (look for a clamp in the driver, "
       "the logger or the conversion), or leave those parts out (`from_s`, `to_s`)"});
}

/// Whether the position of a row is far from those of both neighbours, which are near each other.
/// A full turn is not far: an angle that wraps may do so at every row.
bool standsOut(const RawSignals& rows, Index k, Index joint, double far) {
  const double before = rows.position(k, joint) - rows.position(k - 1, joint);
  const double after = rows.position(k, joint) - rows.position(k + 1, joint);
  const double step = std::min(std::abs(before), std::abs(after));
  return before * after > 0.0 && step > far && step > 2.0 * std::abs(before - after) &&
         std::abs(step - 2.0 * pi) > 0.3;
}

/// Share of the rows of a joint that stand out of both neighbours, 0 for less than ten.
double shareStandingOut(const AuditMaterial& material, int j) {
  constexpr Index kFew = 10;
  const double far = std::max(0.2, 0.1 * material.rangeOf(j));
  Index rows = 0, out = 0;
  for (const RawSignals& excerpt : material.excerpts) {
    rows += excerpt.rows();
    for (Index k = 1; k + 1 < excerpt.rows(); ++k) out += standsOut(excerpt, k, j, far) ? 1 : 0;
  }
  return out < kFew ? 0.0 : static_cast<double>(out) / static_cast<double>(rows);
}

/// Rows of another source between those of the robot: they come and go within a row or two, again
/// and again. @returns whether a finding was added
bool auditTwoSources(const AuditMaterial& material, std::vector<Finding>& findings) {
  double largest = 0.0;
  std::string names;
  for (int j = 0; j < material.excerpts.front().joints(); ++j) {
    const double share = shareStandingOut(material, j);
    if (share < kAlternates) continue;
    largest = std::max(largest, share);
    names += (names.empty() ? "" : ", ") + material.nameOf(j);
  }
  if (names.empty()) return false;
  findings.push_back(
      {Severity::kRefuse,
       "two-sources",
       -1,
       names + ": the position jumps away and back at up to " + toPercent(largest) +
           " of the rows: rows of another source lie between those of the robot (a second robot or "
           "another publisher with the same joint names, or false readings)",
       largest,
       "record one source only: give every robot and publisher a topic of its own, and stop those "
       "that publish states which are not measured (ROS: ros2 topic info --verbose lists the "
       "publishers of a topic)"});
  return true;
}

void auditRange(const AuditMaterial& material, int j, std::vector<Finding>& findings) {
  const double range = material.rangeOf(j);
  const double small = material.isPrismatic(j) ? 0.01 : 0.1;
  if (!material.moves(j)) {
    const bool seldom = range >= small;
    findings.push_back(
        {Severity::kWarning,
         "joint-still",
         j,
         material.nameOf(j) +
             (seldom ? ": moves in less than 5 % of the time (through " + toText(range, 3) +
                           material.unitOf(j) + "; otherwise slower than "
                     : ": never moves (95 % of the time slower than ") +
             toText(material.speedOf(j), 3) + material.unitOf(j) + "/s)",
         material.speedOf(j),
         seldom ? "move it for longer, or ignore it in the robot description: its own friction and "
                  "inertia can hardly be seen"
                : "move it, or ignore it in the robot description: its own friction and "
                  "inertia cannot be seen; if it did move, the log does not have its position "
                  "(encoder, column)"});
  } else if (range < small) {
    findings.push_back(
        {Severity::kWarning,
         "small-motion",
         j,
         material.nameOf(j) + ": moves through " + toText(range, 3) + material.unitOf(j) + " only",
         range,
         "use a larger motion: gravity hardly changes and friction dominates"});
  }
}

/// White position noise s causes an acceleration error s (2 pi fc)^2 sqrt(2 fc / (5 rate)) below
/// the cut-off fc.
void auditNoise(const AuditMaterial& material, int j, std::vector<Finding>& findings) {
  double squares = 0.0, samples = 0.0;
  for (const ConditionedSignals& excerpt : material.signals) {
    squares += excerpt.ddq.col(j).squaredNorm();
    samples += static_cast<double>(excerpt.ddq.rows());
  }
  const double fc = material.plan.motion_cutoff_hz;
  const double noise = material.plan.position_noise(j) * std::pow(2.0 * pi * fc, 2) *
                       std::sqrt(2.0 * fc / (5.0 * material.plan.rateHz()));
  const double ratio = noise / std::sqrt(squares / std::max(samples, 1.0) + 1e-300);
  if (!(ratio > kLoudNoise) || !material.moves(j)) return;
  findings.push_back({Severity::kWarning,
                      "noisy-position",
                      j,
                      material.nameOf(j) + ": position noise of " +
                          toText(material.plan.position_noise(j), 3) + material.unitOf(j) +
                          " makes " + toPercent(ratio) + " of the acceleration at a cut-off of " +
                          toText(fc, 3) + " Hz",
                      ratio,
                      "lower the cut-off: noise in the regressor biases the estimate"});
}

/// A spline whose residuals are much larger than the position noise does not resolve the motion.
void auditSpline(const AuditMaterial& material, std::vector<Finding>& findings) {
  const SignalPlan& plan = material.plan;
  if (plan.motion != MotionModel::kSpline || plan.exact_motion) return;
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(plan.position_noise.size());
  double samples = 0.0;
  for (std::size_t e = 0; e < material.signals.size(); ++e) {
    const RawSignals& excerpt = material.excerpts[e];
    const ConditionedSignals& spline = material.signals[e];
    squares += (channelOnGrid(excerpt, excerpt.position, spline, plan) - spline.q)
                   .colwise()
                   .squaredNorm()
                   .transpose();
    samples += static_cast<double>(spline.q.rows());
  }
  const Eigen::VectorXd missed = (squares / std::max(samples, 1.0)).cwiseSqrt();
  int worst = -1;
  double most = kMissed;
  for (int j = 0; j < missed.size(); ++j) {
    const double ratio = missed(j) / std::max(plan.position_noise(j), 1e-300);
    if (!material.moves(j) || !(ratio > most)) continue;
    most = ratio;
    worst = j;
  }
  if (worst < 0) return;
  const double knots = plan.rateHz() / static_cast<double>(plan.samplesPerKnot());
  findings.push_back({Severity::kWarning,
                      "spline-coarse",
                      worst,
                      material.nameOf(worst) + ": the spline with " + toText(knots, 3) +
                          " knots per second misses the positions by " + toText(missed(worst), 3) +
                          material.unitOf(worst) + ", " + toText(most, 3) +
                          " times their noise: it does not resolve the motion",
                      most,
                      "use `motion` filtered, or raise `cutoff_hz`"});
}

void auditInterruptions(const AuditMaterial& material, std::vector<Finding>& findings) {
  for (const Interruption& event : material.plan.interruptions)
    findings.push_back({Severity::kRepaired,
                        "motion-interrupted",
                        -1,
                        describe(event, material.plan.start_s),
                        event.slip,
                        event.repeated ? "check the logger: it repeated rows or lost them"
                                       : "check the controller for missed commands"});
}

/// Duration of the parts without gaps.
double secondsOf(const AuditMaterial& material) {
  double seconds = 0.0;
  for (const ConditionedSignals& excerpt : material.signals)
    for (const Segment& part : excerpt.segments)
      seconds += excerpt.time(part.end - 1) - excerpt.time(part.begin);
  return seconds;
}

/// Joints whose largest speed is far below the limit of the description.
void auditSpeed(const AuditMaterial& material, std::vector<Finding>& findings) {
  const Eigen::VectorXd& limits = material.context.velocity_limit;
  if (limits.size() == 0) return;
  // The same high limit of all joints is a placeholder.
  if (limits.minCoeff() == limits.maxCoeff() && limits(0) >= kPlaceholderSpeed) return;
  for (int j = 0; j < limits.size(); ++j) {
    if (!std::isfinite(limits(j)) || !(limits(j) > 0.0) || !material.moves(j)) continue;
    double fastest = 0.0;
    for (const ConditionedSignals& excerpt : material.signals)
      if (excerpt.dq.rows() > 0)
        fastest = std::max(fastest, excerpt.dq.col(j).cwiseAbs().maxCoeff());
    const double share = fastest / limits(j);
    if (share >= kLowSpeed) continue;
    findings.push_back({Severity::kNote,
                        "speed-low",
                        j,
                        material.nameOf(j) + ": the speed reaches " + toPercent(share) +
                            " of the velocity limit of " + toText(limits(j), 3) +
                            (material.isPrismatic(j) ? " m/s" : " rad/s"),
                        share,
                        "record faster motion (dynid excite) if the model is to predict it"});
  }
}

}  // namespace

void auditMotion(const AuditMaterial& material, std::vector<Finding>& findings) {
  const Index joints = material.excerpts.front().joints();
  bool any = false;
  for (int j = 0; j < joints; ++j) any = any || material.moves(j);
  if (!any) {
    if (const double seconds = secondsOf(material); seconds < kShortestLog) {
      findings.push_back({Severity::kRefuse,
                          "too-short",
                          -1,
                          "the log lasts " + toText(seconds, 3) + " s, and no joint moves in it",
                          seconds,
                          "record every joint going forth and back several times, at least 10 s"});
      return;
    }
    findings.push_back({Severity::kRefuse,
                        "no-motion",
                        -1,
                        "no joint moves: without motion nothing but gravity and stiction is seen",
                        0.0,
                        "use a log of an exciting motion"});
    return;
  }
  auditDegrees(material, findings);
  for (int j = 0; j < joints; ++j) auditRange(material, j, findings);
  for (int j = 0; j < joints; ++j) auditLimits(material, j, findings);
  for (int j = 0; j < joints; ++j) auditClippedPositions(material, j, findings);
  if (!auditTwoSources(material, findings)) auditJumps(material, findings);
  for (int j = 0; j < joints; ++j) auditNoise(material, j, findings);
  auditSpline(material, findings);
  auditSpeed(material, findings);
  auditInterruptions(material, findings);
}

}  // namespace dynid
