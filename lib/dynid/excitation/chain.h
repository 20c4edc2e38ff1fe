#pragma once

#include "dynid/excitation/objective.h"
#include "dynid/excitation/space.h"

#include <Eigen/Core>

#include <cstdint>
#include <functional>
#include <memory>

namespace dynid {

/// All that the search for a trajectory needs to know.
struct SearchProblem {
  std::shared_ptr<const Robot> robot;
  SoughtParameters sought;
  MotionLimits limits;
  int harmonics = 5;
  double period_s = 20.0;
  Criterion criterion = Criterion::kCondition;
  Eigen::VectorXd weights;  ///< [actuators] of the rows in D, A, E: 1/sigma; the condition number
                            ///< is that of the unweighted rows
  std::vector<Eigen::MatrixXd> earlier;  ///< as Information's: what statistics know already
  std::shared_ptr<const Space> space;    ///< to keep clear of; null: nothing is looked at
  bool from_rest = false;  ///< a period begins and ends at rest: no velocity, no acceleration
  std::uint64_t seed = 1;
};

/// A trajectory within the limits, except perhaps for efforts, and its score: the criterion with
/// hard signs and true eigenvalues on a dense grid. Smaller is better.
struct Candidate {
  Eigen::MatrixXd X;
  double score = INFINITY;  ///< infinite where it touches something, too
  double gap = INFINITY;    ///< [m] smallest of the space, where that is looked at
};

/// The score of a trajectory; infinite where efforts exceed their limits or M is singular. The
/// space is not looked at.
double trueScore(const SearchProblem& problem, Information& information, const Eigen::MatrixXd& X);

/// The rows' weights that the criterion means.
Eigen::VectorXd criterionWeights(const SearchProblem& problem);

/// One chain of the search: a random start, a D-optimal stage, then (E, condition) stages of
/// growing sharpness, and `hops` times: a random step from the best so far, and down again.
/// The same seed and chain give the same trajectory.
/// @param found  gets every improvement of the chain, and while there is nothing better, what
///               touches something (score infinite); false stops it
void runChain(const SearchProblem& problem,
              std::uint64_t chain,
              int hops,
              const std::function<bool(const Candidate&)>& found);

}  // namespace dynid
