#pragma once

#include "dynid/core/progress.h"
#include "dynid/excitation/search_problem.h"

#include <vector>

namespace dynid {

/// How long to search.
struct SearchOptions {
  int threads = 1;        ///< chains at a time, each in a process of its own
  double seconds = 60.0;  ///< ends then with the best so far; 0: no limit, `starts` is needed
  int starts = 0;  ///< ends after this many chains; 0: when the time is up. With `starts` alone the
                   ///< result depends on the seed only, not on the machine or on threads
  int hops = 2;    ///< random steps from the best of a chain
};

/// An improvement of the best, for the record.
struct SearchStep {
  double seconds = 0.0;
  int chain = 0;
  double score = 0.0;
};

struct SearchResult {
  Candidate best;     ///< score infinite where nothing usable was found
  Candidate nearest;  ///< the one of infinite score with the smallest excess; X empty: none
  int finished_chains = 0;
  std::vector<SearchStep> steps;
  int interrupted_by = 0;  ///< signal that ended the search early; 0: none
};

/// The best trajectory over several chains (runChain) with seeds of their own. Chains run in child
/// processes because Ipopt's linear solver is not thread safe; they die with this process.
/// Interrupted by `progress`, it ends with the best so far.
/// @throws Interrupted if nothing usable was found by then
/// @throws std::runtime_error if no child can be made or all of them crash.
SearchResult searchTrajectory(const SearchProblem& problem,
                              const SearchOptions& options,
                              const Progress& progress = {});

}  // namespace dynid
