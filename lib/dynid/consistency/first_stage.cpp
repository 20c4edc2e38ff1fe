#include "dynid/consistency/first_stage.h"

#include "dynid/consistency/interior_search.h"
#include "dynid/core/text.h"

#include <fmt/format.h>
#include <vector>

namespace dynid {
namespace {

constexpr double kParallel = 1e-12;
constexpr double kNarrow = 1e-7;      // scaled distance to which two opposite rows are opened
constexpr double kRelaxed = 1e-6;     // scaled relaxation if the bounds have no common interior
constexpr double kSizeActive = 1e-6;  // slack of the bound on the overall size over its limit
constexpr double kSizeMatters = 4.0;  // factor by which a wider bound must lower the objective
constexpr double kWidest = 1000.0;

InteriorPointOptions interiorPointOptions(const PhysicalFitOptions& options,
                                          const Eigen::VectorXd& start) {
  return {options.gap_tolerance, options.max_iterations, start, options.threads};
}

/// Two opposite rows that (nearly) touch fix a number and leave no interior; they are moved apart
/// by kNarrow.
void openNarrowPairs(ConicProblem& conic) {
  for (Eigen::Index i = 1; i < conic.d.size(); ++i)
    for (Eigen::Index j = i + 1; j < conic.d.size(); ++j) {
      const double width = conic.d(i) + conic.d(j);
      if (width < -kParallel || width > kNarrow) continue;
      if ((conic.C.row(i) + conic.C.row(j)).norm() > kParallel) continue;
      conic.d(i) += 0.5 * (kNarrow - width);
      conic.d(j) += 0.5 * (kNarrow - width);
    }
}

std::string conflictText(const InteriorSearch& search,
                         const PhysicalFitProblem& problem,
                         double margin) {
  std::string text = "these bounds cannot all be met by physically consistent bodies";
  if (margin > 0.0)
    text += " that contain a share of " + toText(margin) + " of their priors (`margin`)";
  std::vector<std::string> names;
  for (const Eigen::Index row : search.rows)
    names.push_back("\"" + problem.bound_names[row - 1] + "\"");
  return text + ": " + join(names) + "; loosen or remove one of them";
}

/// Used if the iteration from the identity cannot satisfy the bounds: searches a point inside the
/// bounds first, with a larger bound on the overall size if necessary. `conic` is changed
/// accordingly. `reason` explains contradictory bounds.
FirstStage firstStageFromInterior(const PhysicalFitProblem& problem,
                                  const PhysicalFitOptions& options,
                                  ConicProblem& conic,
                                  std::string& reason) {
  FirstStage stage;
  for (const double factor : {1.0, 10.0, 100.0, 1000.0, 10000.0}) {
    ConicProblem wider = conic;
    wider.d(0) *= factor;
    const InteriorSearch search = findInterior(wider);
    if (search.contradictory) {
      reason = conflictText(search, problem, options.margin);
      continue;
    }
    if (search.x.size() == 0) continue;
    for (const double relaxed : {0.0, kRelaxed}) {
      wider.d.tail(wider.d.size() - 1).array() += relaxed;
      stage.optimum = minimizeOnCone(wider, interiorPointOptions(options, search.x));
      if (stage.optimum.x.size() == 0) continue;
      stage.start = search.x;
      conic.d = wider.d;
      reason.clear();
      if (factor > 1.0)
        reason = "bounds far from the prior: bound on the overall size widened " + toText(factor) +
                 " times";
      else if (relaxed > 0.0)
        reason = "the bounds leave no interior; relaxed by a millionth of their size";
      return stage;
    }
  }
  if (reason.empty())
    reason = fmt::format(
        "no feasible point found within {} steps; check the bounds, or allow more steps",
        options.max_iterations);
  return stage;
}

/// Widens the bound on the overall size while that lowers the objective noticeably.
void widenOverallSize(const PhysicalFitOptions& options,
                      ConicProblem& conic,
                      InteriorPointResult& optimum,
                      std::string& reason) {
  if (!options.widen_tau) return;
  for (double factor = 10.0; factor <= kWidest; factor *= 10.0) {
    if (!overallSizeIsActive(conic, optimum.x)) return;
    ConicProblem wider = conic;
    wider.d(0) *= 10.0;
    const InteriorPointResult other = minimizeOnCone(wider, interiorPointOptions(options, {}));
    if (other.x.size() == 0 ||
        wider.relativeTo(optimum.objective) < kSizeMatters * wider.relativeTo(other.objective))
      return;
    conic.d(0) = wider.d(0);
    optimum = other;
    reason = "bodies larger than their prior: bound on the overall size widened " + toText(factor) +
             " times";
  }
}

}  // namespace

bool overallSizeIsActive(const ConicProblem& conic, const Eigen::VectorXd& x) {
  return conic.d(0) - conic.C.row(0).dot(x) < kSizeActive * conic.d(0);
}

FirstStage solveFirstStage(const PhysicalFitProblem& problem,
                           const PhysicalFitOptions& options,
                           ConicProblem& conic,
                           std::string& reason) {
  openNarrowPairs(conic);
  FirstStage stage;
  stage.optimum = minimizeOnCone(conic, interiorPointOptions(options, {}));
  if (stage.optimum.x.size() > 0) {
    widenOverallSize(options, conic, stage.optimum, reason);
    return stage;
  }
  if (conic.d.size() > 1) return firstStageFromInterior(problem, options, conic, reason);
  reason =
      fmt::format("no feasible point found within {} steps; allow more", options.max_iterations);
  return stage;
}

}  // namespace dynid
