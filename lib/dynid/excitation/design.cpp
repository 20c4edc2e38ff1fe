#include "dynid/excitation/design.h"

#include "dynid/core/text.h"
#include "dynid/excitation/criterion.h"
#include "dynid/excitation/earlier_statistics.h"
#include "dynid/excitation/effort_check.h"
#include "dynid/excitation/forecast.h"
#include "dynid/excitation/information.h"
#include "dynid/excitation/motion_limits.h"
#include "dynid/excitation/passive_check.h"
#include "dynid/excitation/search.h"
#include "dynid/excitation/search_problem.h"
#include "dynid/excitation/space.h"
#include "dynid/excitation/space_check.h"
#include "dynid/excitation/whole_motion.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace dynid {
namespace {

Eigen::VectorXd noiseOf(const Robot& robot,
                        const ExcitationOptions& options,
                        const std::optional<EarlierStatistics>& earlier,
                        std::vector<std::string>& notes) {
  const auto n = std::ssize(robot.drives);
  if (options.noise.size() == 1) return Eigen::VectorXd::Constant(n, options.noise.front());
  if (!options.noise.empty()) return Eigen::Map<const Eigen::VectorXd>(options.noise.data(), n);
  if (earlier) {
    notes.emplace_back("no `noise`: the noise found by the statistics is used");
    return earlier->whiteNoise(options.rate_hz);
  }
  Eigen::VectorXd noise(n);
  const bool all_limited =
      robot.T.isIdentity() &&
      std::all_of(robot.joints.begin(), robot.joints.end(), [](const Joint& joint) {
        return std::isfinite(joint.limits.effort) && joint.limits.effort > 0.0;
      });
  for (Eigen::Index i = 0; i < n; ++i)
    noise(i) = all_limited ? 0.01 * robot.joints[i].limits.effort : 1.0;
  notes.emplace_back(all_limited ? "no `noise`: 1 % of every effort limit is used"
                                 : "no `noise`: 1 N m (1 N) is used for every channel");
  return noise;
}

std::vector<std::string> startOutside(const Robot& robot,
                                      const MotionLimits& limits,
                                      const std::vector<double>& start) {
  std::vector<std::string> reasons;
  for (Eigen::Index j = 0; j < std::ssize(start); ++j) {
    const double beyond = std::max(limits.lower(j) - start[j], start[j] - limits.upper(j));
    if (beyond > 0.0)
      reasons.push_back(robot.joints[j].name + ": start posture " + toText(start[j]) + " is " +
                        toText(beyond, 3) + " outside of the position limits " +
                        toText(limits.lower(j)) + " to " + toText(limits.upper(j)) +
                        "; give another `start` or more `position_share`");
  }
  return reasons;
}

// Reasons against every motion that can be found before the search.
std::vector<std::string> objections(const Robot& robot,
                                    const MotionLimits& limits,
                                    const ExcitationOptions& options) {
  std::vector<std::string> reasons =
      contradictions(robot, limits, options.harmonics, options.duration_s);
  const std::vector<std::string> outside = startOutside(robot, limits, options.start);
  reasons.insert(reasons.end(), outside.begin(), outside.end());
  return reasons.empty() ? tooWeakToRest(robot, limits) : reasons;
}

// Information of the statistics, converted to rows with the noise of the new log, per sample of it.
std::vector<Eigen::MatrixXd> knownRows(const EarlierStatistics& earlier,
                                       const Eigen::VectorXd& noise,
                                       double samples) {
  std::vector<Eigen::MatrixXd> known;
  for (size_t i = 0; i < earlier.information.size(); ++i) {
    const double sigma = noise(i);
    known.emplace_back(sigma * sigma / samples * earlier.information[i]);
  }
  return known;
}

std::vector<std::string> notesOf(const Robot& robot, const MotionLimits& limits) {
  std::vector<std::string> notes = limits.notes;
  if (robot.floating_base)
    notes.emplace_back(
        "the base floats: the motion, its efforts and the forecast are those of a base at rest; "
        "hold it while the motion is executed");
  return notes;
}

// Where no joint comes near its limits: the highest frequency of the Fourier series is too low for
// the ranges of the joints.
void noteSlowness(const Robot& robot, const ExcitationOptions& options, ExcitationDesign& e) {
  constexpr double kSlow = 0.3, kWanted = 0.5;  // of the velocity limit
  constexpr double kHeavy = 0.8;  // of the effort limit: more speed may not be possible
  const auto largest = [](const Eigen::VectorXd& peaks, const Eigen::VectorXd& limits) {
    return peaks.cwiseQuotient(limits).maxCoeff();  // 0 where there is no limit
  };
  Eigen::Index fastest = 0;
  const double share = e.peaks.velocity.cwiseQuotient(e.limits.velocity).maxCoeff(&fastest);
  if (!(share > 0.0 && share < kSlow) ||
      largest(e.peaks.acceleration, e.limits.acceleration) > kSlow ||
      largest(e.effort, e.limits.effort) > kHeavy)
    return;
  e.notes.push_back(
      fmt::format("the motion reaches {:.0f} % of the velocity limit of {}, and less of the "
                  "others: its highest frequency, `harmonics` / `duration`, is {} Hz, which is low "
                  "for this robot; a shorter period (`duration` {:.2g}) shows inertias better, "
                  "`periods` repeats it",
                  100.0 * share,
                  robot.joints[fastest].name,
                  toText(options.harmonics / options.duration_s, 2),
                  options.duration_s * share / kWanted));
}

// Final check before anything is written. The search meets these limits, but for the efforts
// between its instants.
std::vector<std::string> violations(const Robot& robot, const ExcitationDesign& e) {
  std::vector<std::string> found;
  for (int j = 0; j < robot.numJoints(); ++j) {
    const auto complain = [&](const char* what, double value, double limit) {
      if (value > limit)
        found.push_back(robot.joints[j].name + ": " + what + " " + toText(value) +
                        " exceeds the limit " + toText(limit));
    };
    const double rounding = 1e-9 * e.limits.half()(j);
    complain("position", e.peaks.upper(j), e.limits.upper(j) + rounding);
    complain("position below", -e.peaks.lower(j), -e.limits.lower(j) + rounding);
    complain("velocity", e.peaks.velocity(j), e.limits.velocity(j));
    complain("acceleration", e.peaks.acceleration(j), e.limits.acceleration(j));
    complain("jerk", e.peaks.jerk(j), e.limits.jerk(j));
    complain("effort", e.effort(j), e.limits.effort(j));
    if (e.effort(j) > e.limits.effort(j))
      found.back() += "; give more `starts` or `seconds`, or raise `effort_share`";
  }
  if (!e.approach.clear) found.push_back(describe(*e.space, e.approach));
  return found;
}

// Evaluates a motion: condition number, forecast, expected verdicts.
// @param found  [parameters] estimates from the statistics, or empty
void evaluateMotion(const SearchProblem& problem,
                    double samples,
                    const Eigen::VectorXd& found,
                    ExcitationDesign& e) {
  const MotionSamples motion = denseSamples(e.search.best.X, problem.period_s);
  Information plain(
      problem.robot, problem.sought, Eigen::VectorXd::Ones(e.noise.size()), problem.earlier);
  Eigen::MatrixXd M = plain.matrix(motion, Eigen::VectorXd::Zero(e.noise.size()));
  if (!problem.earlier.empty()) {
    e.condition_number_with_statistics = conditionNumber(M);
    M -= plain.earlier();
  }
  e.condition_number = conditionNumber(M);
  e.log_det_per_sample = -evaluateCriterion(Criterion::kD, M, 1.0).value;
  e.layout = problem.sought.layout;
  e.forecast = forecast(problem.robot, problem.sought, motion, samples, e.noise, problem.earlier);
  for (Eigen::Index p = 0; p < found.size(); ++p)
    if (std::isfinite(found(p))) e.forecast[p].expected = found(p);
  e.verdicts = forecastVerdicts(problem.sought, e.forecast);
}

// The reason why the search found no trajectory, derived from the one with the smallest excess.
std::string noTrajectory(const SearchProblem& problem, const SearchResult& search) {
  const Eigen::MatrixXd& X = search.nearest.X;
  if (X.size() == 0) return "no trajectory found in the time given; give more `seconds`";
  if (problem.space) {
    const Approach approach = closestApproach(*problem.space, boundedMotion(X, problem.period_s));
    if (!approach.clear)
      return "no trajectory found that keeps clear; the best one so far: " +
             describe(*problem.space, approach) +
             " of its period; search longer (`seconds`), make room, give less `position_share` or "
             "`clearance`, or correct the capsules ([collision] in the description, `link_radius`)";
  }
  const std::vector<std::string> broken =
      mechanismViolations(*problem.robot, denseSamples(X, problem.period_s));
  if (!broken.empty())
    return "no trajectory found that the mechanism can follow; the best one so far: " +
           broken.front() +
           "; narrow the position limits of the driven joints to where it works, check the limits "
           "of the passive ones, or search longer (`seconds`)";
  const Eigen::VectorXd efforts = effortPeaks(*problem.robot, denseSamples(X, problem.period_s));
  Eigen::Index worst = 0;
  (efforts.array() / problem.limits.effort.array()).maxCoeff(&worst);
  const double beyond = efforts(worst) - problem.limits.effort(worst);
  if (beyond > 0.0)
    return "no trajectory found within the effort limits; the best one so far: " +
           problem.robot->joints[worst].name + " takes " + toText(efforts(worst), 4) + ", " +
           toText(beyond, 3) + " more than its limit " + toText(problem.limits.effort(worst), 4) +
           "; raise the limit or `effort_share`, search longer (`seconds`), lower "
           "`acceleration_share`, correct the description's inertias, or use `ignore_effort`";
  return "no trajectory found that determines all parameters; give more `duration_s`, more "
         "`harmonics` or more `seconds`";
}

std::string noLeads(const ExcitationDesign& e) {
  return std::string("no lead-in from rest of up to 20 s keeps the limits") +
         (e.space ? " and clear of everything" : "") +
         "; give another `start` (or none: it is then chosen), or another `seed`";
}

// Sets up the collision constraints, if there are any. Contacts at the start are reasons against
// the design.
void makeSpace(const std::shared_ptr<const Robot>& robot,
               const ExcitationOptions& options,
               const std::optional<Eigen::VectorXd>& start,
               ExcitationDesign& e) {
  SpaceOptions settings = options.space;
  if (settings.surroundings.empty()) settings.surroundings = surroundingsOf(*robot, robot->name);
  if (!settings.asked()) {
    e.notes.emplace_back(
        settings.ignore
            ? "`ignore_space`: collisions are not checked"
            : "the description has nothing to keep clear of ([ground], [[obstacle.box]], "
              "[workspace], [[collision.capsule]]) and no `link_radius` is given: collisions are "
              "not checked");
    return;
  }
  if (!robot->loops.empty()) {
    e.reasons = {
        "collisions of a mechanism with closed loops are not checked: its passive joints' paths "
        "are not bounded between samples; `ignore_space` designs without, and then rehearse the "
        "motion in a simulator"};
    return;
  }
  const auto space = std::make_shared<const Space>(
      robot, settings, e.limits.lower, e.limits.upper, start.value_or(e.limits.middle()));
  e.notes.insert(e.notes.end(), space->notes().begin(), space->notes().end());
  e.not_checked = space->leftOut();
  e.reasons = space->unmet();
  if (space->count() == 0 || !e.reasons.empty()) return;
  e.space = space;
  if (start) e.reasons = startContacts(*space, *start);
}

// Returns a check whether a lead is free of collisions: first at some samples, which is fast, then
// at all times.
std::function<bool(const QuinticPiece&)> clearOf(const std::shared_ptr<const Space>& space) {
  if (!space) return {};
  return [space](const QuinticPiece& piece) {
    const MotionSamples samples = samplesOf(piece, 12);
    for (Eigen::Index i = 0; i < samples.q.rows(); ++i)
      if (space->smallest(samples.q.row(i).transpose()).first < space->clearance()) return false;
    return closestApproach(*space, boundedMotion(piece)).clear;
  };
}

// Sets up the search problem. Reads the statistics, and sets the noise and the notes of the design.
SearchProblem problemOf(const std::shared_ptr<const Robot>& robot,
                        const ExcitationOptions& options,
                        std::optional<EarlierStatistics>& earlier,
                        ExcitationDesign& e) {
  SearchProblem problem;
  problem.robot = robot;
  problem.sought = options.payload_link.empty() ? soughtParameters(robot, options.drive_inertia)
                                                : payloadParameters(robot, options.payload_link);
  if (!options.statistics.empty())
    earlier = readEarlierStatistics(robot, problem.sought, options.statistics);
  e.noise = noiseOf(*robot, options, earlier, e.notes);
  if (earlier) {
    e.notes.insert(e.notes.end(), earlier->notes.begin(), earlier->notes.end());
    problem.earlier = knownRows(*earlier, e.noise, options.samples());
  }
  problem.limits = e.limits;
  problem.harmonics = options.harmonics;
  problem.period_s = options.duration_s;
  problem.criterion = options.criterion;
  problem.weights = e.noise.cwiseInverse();
  problem.space = e.space;
  problem.from_rest = options.from_rest;
  problem.seed = options.seed;
  return problem;
}

}  // namespace

ExcitationDesign designExcitation(const std::shared_ptr<const Robot>& unloaded,
                                  const ExcitationOptions& options,
                                  const Progress& progress) {
  if (!unloaded) throw std::invalid_argument("excitation: no robot");
  options.check(*unloaded);
  const std::shared_ptr<const Robot> robot =
      options.payload_mass > 0.0
          ? withPointMass(*unloaded, options.payload_link, options.payload_mass)
          : unloaded;
  const auto begin = std::chrono::steady_clock::now();
  ExcitationDesign e;
  e.limits = motionLimits(*robot, options.limits);
  e.notes = notesOf(*robot, e.limits);
  e.reasons = objections(*robot, e.limits, options);
  std::optional<Eigen::VectorXd> start;
  if (!options.start.empty())
    start = Eigen::Map<const Eigen::VectorXd>(options.start.data(), robot->numJoints());
  checkMechanismRange(*robot, e.limits.lower, e.limits.upper, e.notes, e.reasons);
  if (e.reasons.empty()) makeSpace(robot, options, start, e);
  if (!e.reasons.empty()) return e;

  std::optional<EarlierStatistics> earlier;
  const SearchProblem problem = problemOf(robot, options, earlier, e);
  e.search = searchTrajectory(problem, options.search, progress);
  if (e.search.lost_processes > 0)
    e.notes.push_back(std::to_string(e.search.lost_processes) +
                      " of the processes of the search ended early, perhaps for lack of memory: "
                      "their part of the search is missing; fewer `threads` need less memory");
  if (!std::isfinite(e.search.best.score)) {
    e.reasons = {noTrajectory(problem, e.search)};
    return e;
  }
  WholeMotion motion{e.search.best.X, options.duration_s, options.periods, std::nullopt};
  if (!options.from_rest) {
    const double periodic_s = motion.periods * motion.period_s;
    motion.leads = planLeads(*robot,
                             e.limits,
                             motion.X,
                             motion.period_s,
                             {start, clearOf(e.space), options.rate_hz, periodic_s});
    if (!motion.leads) {
      e.reasons = {noLeads(e)};
      return e;
    }
  }
  e.trajectory = trajectoryOf(*robot, motion, options.rate_hz);
  e.peaks = peaksOf(motion);
  e.effort = effortsOf(*robot, motion);
  if (e.space) e.approach = approachOf(*e.space, motion, e.trajectory);
  evaluateMotion(problem, options.samples(), earlier ? earlier->parameters : Eigen::VectorXd(), e);
  if (e.search.random())
    e.notes.emplace_back(
        "the search found nothing better than the best of twenty random motions, which is used; "
        "more `seconds` will probably improve it");
  noteSlowness(*robot, options, e);
  e.reasons = violations(*robot, e);
  const std::vector<std::string> broken =
      mechanismViolations(*robot, denseSamples(motion.X, motion.period_s));
  e.reasons.insert(e.reasons.end(), broken.begin(), broken.end());
  e.feasible = e.reasons.empty();
  e.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return e;
}

}  // namespace dynid
