#pragma once

#include "dynid/core/progress.h"
#include "dynid/excitation/candidate.h"

#include <cmath>
#include <vector>

namespace dynid {

struct SearchProblem;

/// Duration and extent of the search.
struct SearchOptions {
  int threads = 1;  ///< number of chains at the same time, each in its own process
  /// The search ends after this time with the best so far; 0: no limit, `starts` is then required
  double seconds = 60.0;
  /// Number of chains after which the search ends; 0: only the time limit applies. With `starts`
  /// alone the result depends on the seed only, not on the machine or the number of threads.
  int starts = 0;
  int hops = 2;  ///< random steps from the best trajectory of a chain
};

/// An improvement of the best trajectory, for the record.
struct SearchStep {
  double seconds = 0.0;  ///< since the start of the search
  int chain = 0;         ///< index of the chain that found it
  double score = 0.0;    ///< value of the criterion; smaller is better
};

/// Result of searchTrajectory.
struct SearchResult {
  Candidate best;     ///< its score is infinite if no usable trajectory was found
  Candidate nearest;  ///< trajectory of infinite score with the smallest excess; X empty: none
  int finished_chains = 0;        ///< chains that ran to their end
  std::vector<SearchStep> steps;  ///< improvements of the best trajectory
  int interrupted_by = 0;         ///< signal that ended the search early; 0: none
  /// The best score of twenty random motions within the limits of position, velocity, acceleration
  /// and jerk, efforts and obstacles not looked at. A designed motion that is worse is poor.
  double reference = INFINITY;
  int abandoned_chains = 0;  ///< ended because they were poor and did not improve any more

  bool poor() const { return !(best.score <= reference); }
};

/// The best trajectory over several chains (runChain) with different seeds. Chains run in child
/// processes because Ipopt's linear solver is not thread-safe; these end with this process. If
/// `progress` interrupts the search, it ends with the best so far. A search by time (`seconds`)
/// replaces a chain that is worse than SearchResult::reference and has not improved for 1 to 5 s by
/// one with another seed, because chains can get stuck between obstacles.
/// @throws Interrupted if no usable trajectory was found before the interruption
/// @throws std::runtime_error if no child process can be started or all of them crash
SearchResult searchTrajectory(const SearchProblem& problem,
                              const SearchOptions& options,
                              const Progress& progress = {});

}  // namespace dynid
