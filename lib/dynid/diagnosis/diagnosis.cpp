#include "dynid/diagnosis/diagnosis.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/diagnosis/evidence_text.h"
#include "dynid/diagnosis/hypotheses.h"
#include "dynid/diagnosis/magnitudes.h"
#include "dynid/diagnosis/mistake_text.h"
#include "dynid/diagnosis/open_loops.h"
#include "dynid/diagnosis/position_ratio.h"
#include "dynid/diagnosis/raw_checks.h"
#include "dynid/diagnosis/raw_mistakes.h"
#include "dynid/diagnosis/tiny_efforts.h"
#include "dynid/diagnosis/turning_points.h"
#include "dynid/diagnosis/uniform_rods.h"
#include "dynid/diagnosis/velocity_checks.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace dynid {
namespace {

using Eigen::Index;
using Severity = Finding::Severity;

constexpr Index kFewestRows = 60;
// If the plain model leaves less than this share of the variance of an effort unexplained, the
// effort is not a magnitude: magnitudes are never explained so well.
constexpr double kExplainedMagnitude = 0.05;
constexpr double kComparableShare = 0.25;       // least share of gravity in the effort
constexpr double kComparableCorrelation = 0.7;  // with uniform rods
// Fitted gravity torque over that of uniform rods: 0.11 to 4.5 on thirteen real arms.
constexpr double kHeaviest = 25.0, kLightest = 0.008;
constexpr double kFarTooLight = 1e-3;  // less than torques on the side of the motors
// Ratio of the implied mass to the mass that the description states.
constexpr double kHeaviestOfKnown = 8.0, kLightestOfKnown = 0.125;
// Smallest factor between efforts and described masses that is reported, and smallest correlation
// of the gravity torques of a joint that is compared.
constexpr double kScaleOff = 2.5, kLikeDescribed = 0.9;
constexpr double kRemovedDelay = 0.1;  // [s]: shorter ones are removed by the identification
constexpr double kVeryLateEffort = 0.035, kOwnDelay = 0.04;                      // [s]
constexpr double kDelayGain = 0.8, kSmallDelayGain = 0.3, kOwnDelayGain = 0.45;  // [nat]

/// Gains of the channels: the torque of one ampere; NaN where it is not known.
Eigen::VectorXd channelGains(const Robot& robot, bool currents) {
  Eigen::VectorXd gains = Eigen::VectorXd::Ones(robot.numJoints());
  if (!currents) return gains;
  for (Index a = 0; a < gains.size(); ++a) {
    const Drive& drive = robot.drives[a];
    gains(a) = drive.drive_gain && !drive.identify_gain ? *drive.drive_gain : std::nan("");
  }
  return gains;
}

/// Replaces currents whose gain is known by torques, and counts times from the start of the log.
void toTorques(const Eigen::VectorXd& gains, DiagnosedLog& log) {
  for (RawSignals& window : log.windows) {
    window.time.array() -= log.start_s;
    for (Index c = 0; c < gains.size(); ++c)
      if (std::isfinite(gains(c))) window.effort.col(c) *= gains(c);
  }
}

void nameMistakes(const Robot& robot,
                  const HypothesisResults& results,
                  const std::vector<std::string>& names,
                  Diagnosis& diagnosis) {
  const Index named = namedHypothesis(results);
  if (named < 0) return;
  const TriedHypothesis& best = results.tried[named];
  diagnosis.correctable.push_back(best.mistake);
  std::string tied, remedy = remedyOf(best.mistake, names);
  for (Index i = named + 1; i < std::min<Index>(std::ssize(results.tried), named + 4); ++i) {
    const TriedHypothesis& other = results.tried[i];
    if (other.certainty() <= best.certainty() - kTiedCertainty) break;
    const auto is_other = [&](const Mistake& mistake) {
      return areTheSame(mistake, other.mistake);
    };
    if (std::any_of(diagnosis.correctable.begin(), diagnosis.correctable.end(), is_other)) continue;
    diagnosis.correctable.push_back(other.mistake);
    tied += "; or " + statementOf(other.mistake, names);
    remedy += "; or " + remedyOf(other.mistake, names);
  }
  tied += otherCauses(best);
  if (best.mistake.kind == Mistake::Kind::kGravity && best.restsOnPhysics())
    remedy +=
        "; the direction is known to some degrees only, because links that resemble those of the "
        "description tell it: measure how the base is mounted";
  const bool removed = best.mistake.kind == Mistake::Kind::kEffortDelay &&
                       std::abs(best.mistake.value) <= kRemovedDelay;
  if (!results.confirmed) {
    tied +=
        "; or that nothing is wrong, because the joints move one after the other and other parts "
        "of the log do not show it";
    remedy += "; or log motions in which all joints move together";
  }
  const bool refused =
      best.certainty() >= kRefuseCertainty && best.mayRefuse() && !removed && results.confirmed;
  // Of a warning the user decides: the description may be wrong instead, or nothing.
  std::erase_if(diagnosis.correctable,
                [&](const Mistake& mistake) { return !refused || !isReversible(mistake); });
  diagnosis.findings.push_back({refused ? Severity::kRefuse : Severity::kWarning,
                                "diagnosis-" + codeOf(best.mistake.kind),
                                best.mistake.joints.size() == 1 ? best.mistake.joints.front() : -1,
                                fmt::format("it seems that {}{}: {}",
                                            statementOf(best.mistake, names),
                                            tied,
                                            evidenceOf(robot, results, best, names)),
                                best.certainty(),
                                remedy});
}

/// Mass of the moving bodies that the description states [kg]; NaN where it states none.
double statedMass(const Robot& robot) {
  if (robot.total_mass) return 0.5 * ((*robot.total_mass)[0] + (*robot.total_mass)[1]);
  double sum = 0.0;
  for (const Body& body : robot.bodies) {
    if (!body.bounds.mass) return std::nan("");
    sum += 0.5 * ((*body.bounds.mass)[0] + (*body.bounds.mass)[1]);
  }
  return sum;
}

/// Compares the masses that the fitted gravity torques imply with those of uniform rods and of the
/// description: a large ratio means that all efforts are in another unit.
void judgeUnit(const Robot& robot, const HypothesisScore& fit, std::vector<Finding>& findings) {
  std::vector<double> slopes;
  for (Index c = 0; c < fit.gravity_share.size(); ++c)
    if (fit.gravity_share(c) > kComparableShare &&
        fit.gravity_correlation(c) > kComparableCorrelation)
      slopes.push_back(std::log(fit.gravity_slope(c)));
  if (slopes.empty()) return;
  std::sort(slopes.begin(), slopes.end());
  const size_t half = slopes.size() / 2;
  const double slope =
      std::exp(slopes.size() % 2 == 1 ? slopes[half] : 0.5 * (slopes[half - 1] + slopes[half]));
  const double rod_mass = massOfUniformRods(robot);
  const double stated = statedMass(robot);
  const double relative = std::isfinite(stated) && stated > 0.0 ? slope * rod_mass / stated : 1.0;
  const bool heavy = slope > kHeaviest || relative > kHeaviestOfKnown;
  const bool light = (slope < kLightest && slopes.size() > 1) || relative < kLightestOfKnown;
  if (!heavy && !light) return;
  // The comparison with rods is not used for a single joint, for robots with loops and for small
  // trees. No finding is made where the masses of the description agree with the efforts.
  const bool rods_tell = slopes.size() > 1 && robot.loops.empty() && robot.numBodies() >= 4;
  if (!rods_tell && !std::isfinite(stated)) return;
  const double of_prior = slope * rod_mass / robot.priorMass();
  if (of_prior > kLightestOfKnown && of_prior < kHeaviestOfKnown) return;
  const bool refused = heavy || relative < kLightestOfKnown || slope < kFarTooLight;
  findings.push_back(
      {refused ? Severity::kRefuse : Severity::kWarning,
       "diagnosis-effort-unit",
       -1,
       fmt::format(
           "the efforts of all joints seem to be in another unit: their gravity part asks for "
           "moving parts of about {:.3g} kg{}",
           slope * rod_mass,
           std::isfinite(stated)
               ? fmt::format(", the robot description states about {:.3g} kg", stated)
               : fmt::format(", uniform rods of the size of this robot weigh {:.3g} kg", rod_mass)),
       slope,
       heavy ? "N mm or mA: set the unit under [effort] (or [current]) in the import mapping; "
               "check that a "
               "gear ratio or drive_gain is not applied twice"
             : "motor-side torques: set gear_ratio under [effort] in the import mapping; motor "
               "currents: import them as [current], and give drive_gain in [joint.NAME] of the "
               "robot description"});
}

/// Compares the fitted gravity torques with those of the description's inertials. A factor that all
/// joints share is an error of the scale of the efforts or of all masses. A factor of single joints
/// may be an error of the description.
void judgeScale(const HypothesisScore& fit,
                const std::vector<std::string>& names,
                std::vector<Finding>& findings) {
  std::vector<double> slopes;
  std::vector<std::string> joints;
  for (Index c = 0; c < fit.gravity_share.size(); ++c)
    if (fit.gravity_share(c) > kComparableShare && fit.prior_correlation(c) > kLikeDescribed) {
      slopes.push_back(std::log(fit.prior_slope(c)));
      joints.push_back(fmt::format("{} {:.2g} times", names[c], fit.prior_slope(c)));
    }
  if (slopes.size() < 2) return;
  const auto [low, high] = std::minmax_element(slopes.begin(), slopes.end());
  const double nearest = *low > 0.0 ? *low : *high < 0.0 ? -*high : 0.0;
  if (nearest < std::log(kScaleOff) || *high - *low > nearest) return;
  const double scale = std::exp(0.5 * (*low + *high));
  findings.push_back(
      {Severity::kWarning,
       "diagnosis-effort-unit",
       -1,
       fmt::format("the efforts seem to be {:.2g} times the joint torques, or the masses of the "
                   "robot description are wrong by that factor: the gravity part of the efforts "
                   "is that of the description's links times a factor ({})",
                   scale,
                   join(joints)),
       scale,
       fmt::format(
           "check unit, gear ratios and drive gains of the efforts (scale = {:.3g} under "
           "[effort] in the import mapping; motor currents are to be imported as [current], "
           "with drive_gain in [joint.NAME] of the robot description); if they are right, "
           "correct or remove the inertials of the URDF",
           1.0 / scale)});
}

/// Positions whose rounding hides the accelerations.
void judgeSteps(const LogExcerpt& excerpt,
                const std::vector<std::string>& names,
                const Robot& robot,
                std::vector<Finding>& findings) {
  std::vector<std::string> coarse;
  Index worst = -1;
  for (Index c = 0; c < excerpt.rounding_share.size(); ++c) {
    if (!excerpt.isCoarse(c)) continue;
    coarse.push_back(fmt::format("{} {:.3g} {}",
                                 names[c],
                                 excerpt.position_step(c),
                                 robot.joints[c].prismatic ? "m" : "rad"));
    if (worst < 0 || excerpt.rounding_share(c) > excerpt.rounding_share(worst)) worst = c;
  }
  if (coarse.empty()) return;
  findings.push_back(
      {Severity::kWarning,
       "diagnosis-position-coarse",
       coarse.size() == 1 ? static_cast<int>(worst) : -1,
       fmt::format(
           "positions are recorded in steps so coarse that they hide the accelerations below "
           "{:.3g} Hz ({}): wrong scales, delays, zero positions, units and directions of "
           "gravity cannot be told from their rounding and were not judged",
           excerpt.cutoff_hz,
           join(coarse)),
       excerpt.rounding_share(worst),
       "log the position in the finest steps that the encoder has (more digits in the recording), "
       "or "
       "move these joints further and faster"});
}

void judgeDelay(const HypothesisResults& results,
                const std::vector<std::string>& names,
                std::vector<Finding>& findings) {
  const double size = std::abs(results.common_delay);
  const bool common = (size > kLateEffort && results.delay_gain > kDelayGain) ||
                      (size > kVeryLateEffort && results.delay_gain > kSmallDelayGain);
  if (!common && results.delay_gain < kDelayGain) return;
  std::vector<std::string> late;
  for (Index c = 0; c < results.effort_delay.size(); ++c)
    if (std::abs(results.effort_delay(c)) > kLateEffort &&
        (common || (results.effort_delay_gain(c) > kOwnDelayGain &&
                    std::abs(results.effort_delay(c)) > kOwnDelay)))
      late.push_back(fmt::format("{} {:.0f} ms", names[c], 1e3 * results.effort_delay(c)));
  if (late.empty()) return;
  std::string text;
  for (size_t i = 0; i < late.size(); ++i) text += (i == 0 ? "" : ", ") + late[i];
  findings.push_back(
      {Severity::kWarning,
       "diagnosis-effort-late",
       -1,
       fmt::format(
           "the efforts are late against the positions ({}): with that undone the model leaves "
           "{} unexplained",
           text,
           timesLess(results.delay_gain)),
       results.common_delay,
       "log position and effort of the same instant; a filter in the drive or two messages without "
       "a common time stamp delay one of them"});
}

/// Compares degrees with other ratios of the positions. Where another one explains the efforts
/// clearly better, adds the finding that refuses the log.
/// @param degrees  its ratios are set
/// @returns whether degrees remain
bool degreesRemain(const std::shared_ptr<const Robot>& robot,
                   const LogExcerpt& excerpt,
                   const ColumnMotion& motion,
                   const Eigen::VectorXd& gains,
                   int threads,
                   Mistake& degrees,
                   std::vector<Finding>& findings) {
  try {
    const PositionRatio found =
        findPositionRatio(robot, excerpt, motion, degrees.joints, gains, threads);
    degrees.lowest_ratio = found.lowest;
    degrees.highest_ratio = found.highest;
    if (found.isDegrees()) return true;
    findings.insert(findings.begin(), findingOf(found, degrees.joints, robot->logColumnNames()));
    return false;
  } catch (const InputError&) {  // the loops of the robot do not close
    return true;
  }
}

/// Whether nothing but efforts beyond their limits was found, for which a wrong unit may be the
/// reason.
bool onlyLimits(const std::vector<Finding>& findings) {
  return std::all_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.code == "raw-effort-limit";
  });
}

/// Adds the findings that follow from the fits.
/// @param known  all drive gains are known
void judgeResults(const Robot& robot,
                  const LogExcerpt& excerpt,
                  const HypothesisResults& results,
                  bool known,
                  Diagnosis& diagnosis) {
  if (results.tried.empty())
    diagnosis.left_out.push_back(
        "no mistake was looked for: the plain model explains every joint so well that none could "
        "explain the efforts better");
  const std::vector<std::string> names = robot.logColumnNames();
  if (known)
    if (std::vector<Finding> tiny = tinyEfforts(results.as_logged, names); !tiny.empty()) {
      diagnosis.findings.insert(diagnosis.findings.begin(), tiny.begin(), tiny.end());
      return;
    }
  nameMistakes(robot, results, names, diagnosis);
  if (known && onlyLimits(diagnosis.findings)) {
    judgeUnit(robot, results.as_logged, diagnosis.findings);
    if (onlyLimits(diagnosis.findings)) judgeScale(results.as_logged, names, diagnosis.findings);
    diagnosis.correctable = mistakesBehind(diagnosis.findings, robot);
  }
  if (!results.coarse &&
      std::none_of(
          diagnosis.findings.begin(), diagnosis.findings.end(), [](const Finding& finding) {
            return finding.code == "diagnosis-effort-late" ||
                   finding.code == "diagnosis-position-late";
          }))
    judgeDelay(results, names, diagnosis.findings);
  if (!results.tried.empty()) judgeSteps(excerpt, names, robot, diagnosis.findings);
  if (!known)
    diagnosis.left_out.push_back(
        "wrong scales of efforts were not looked for: the drive gains are not known");
  if (results.loops_not_closed > 0)
    diagnosis.left_out.push_back(fmt::format(
        "{} hypotheses were not tried: the loops of the robot do not close in the motion "
        "that they ask for",
        results.loops_not_closed));
}

LogExcerpt excerptOf(const DiagnosedLog& log, const Robot& robot, int threads) {
  std::vector<bool> prismatic;
  for (const Joint& joint : robot.joints) prismatic.push_back(joint.prismatic);
  LogExcerpt excerpt = excerptOf(log.windows, prismatic, kExcerptRows, threads);
  excerpt.efforts_of_drives = log.currents;
  return excerpt;
}

/// The mistakes behind raw rows that are refused. Degrees are compared with other ratios.
void explainRawRows(const std::shared_ptr<const Robot>& robot,
                    DiagnosedLog log,
                    const Eigen::VectorXd& gains,
                    int threads,
                    Diagnosis& diagnosis) {
  diagnosis.correctable = mistakesBehind(diagnosis.findings, *robot);
  diagnosis.left_out.push_back("hypotheses were not tried: the rows themselves are refused");
  if (robot->floating_base) return;
  if (!diagnosis.correctable.empty() && !isDegrees(diagnosis.correctable.front())) return;
  std::optional<Mistake> degrees = degreesBehind(diagnosis.findings, *robot);
  if (!degrees) return;
  const LogCorrection correction = correctionOf(*degrees, *robot);
  for (RawSignals& window : log.windows) apply(correction, window);
  const LogExcerpt excerpt = excerptOf(log, *robot, threads);
  if (excerpt.rows() < kFewestRows) return;
  // Damaged numbers are no angles at any ratio.
  if (excerpt.q.cwiseAbs().maxCoeff() * kDegreesRatio > kWidestAngle * kLargestPositionRatio)
    return;
  const ColumnMotion motion{excerpt.q, excerpt.dq, excerpt.ddq};
  const bool remain =
      degreesRemain(robot, excerpt, motion, gains, threads, *degrees, diagnosis.findings);
  if (diagnosis.correctable.empty()) return;
  diagnosis.correctable.clear();
  if (remain) diagnosis.correctable.push_back(*degrees);
}

}  // namespace

Diagnosis diagnose(const std::shared_ptr<const Robot>& robot, DiagnosedLog log, int threads) {
  Diagnosis diagnosis;
  if (log.windows.empty() || log.windows.front().effort.size() == 0) return diagnosis;
  const Eigen::VectorXd gains = channelGains(*robot, log.currents);
  const bool known = gains.allFinite();
  toTorques(gains, log);
  diagnosis.duration_s = log.duration_s;
  diagnosis.turning_points = turningPoints(log.windows);
  diagnosis.findings = checkRawLog(*robot, log.windows, log.duration_s, known);
  if (anyRefused(diagnosis.findings) && !onlyMagnitudes(diagnosis.findings)) {
    explainRawRows(robot, std::move(log), gains, threads, diagnosis);
    return diagnosis;
  }
  if (robot->floating_base) {
    diagnosis.left_out.push_back(
        "hypotheses about signs, order and zero positions were not tried: the base floats");
    return diagnosis;
  }
  LogExcerpt excerpt = excerptOf(log, *robot, threads);
  excerpt.clock_confirmed = velocitiesAgree(log.windows);
  const std::vector<Index> one_signed = channelsOfOneSign(log.windows);
  log.windows = {};  // long logs of many joints need the memory
  diagnosis.rows = excerpt.rows();
  diagnosis.cutoff_hz = excerpt.cutoff_hz;
  if (excerpt.rows() > 0)
    diagnosis.covered =
        (excerpt.q.colwise().maxCoeff() - excerpt.q.colwise().minCoeff()).transpose();
  if (excerpt.rows() < kFewestRows) {
    diagnosis.left_out.push_back("hypotheses were not tried: no stretch of the log is long enough");
    return diagnosis;
  }
  if (explainOpenLoops(robot, excerpt, gains, diagnosis)) return diagnosis;
  HypothesisResults results = tryHypotheses(robot, excerpt, gains, threads);
  if (const Index named = namedHypothesis(results);
      named >= 0 && isDegrees(results.tried[named].mistake)) {
    Mistake& degrees = results.tried[named].mistake;
    const ColumnMotion motion = undoneMotion(degrees, {excerpt.q, excerpt.dq, excerpt.ddq}, *robot);
    degreesRemain(robot, excerpt, motion, gains, threads, degrees, diagnosis.findings);
  }
  diagnosis.results = std::make_shared<const HypothesisResults>(results);
  if (!one_signed.empty() &&
      results.as_logged.unexplained(one_signed).maxCoeff() < kExplainedMagnitude)
    std::erase_if(diagnosis.findings, isMagnitude);
  if (anyRefused(diagnosis.findings)) return diagnosis;
  judgeResults(*robot, excerpt, results, known, diagnosis);
  return diagnosis;
}

}  // namespace dynid
