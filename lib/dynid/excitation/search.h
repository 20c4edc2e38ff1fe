#pragma once

#include "dynid/core/progress.h"
#include "dynid/excitation/excitation_design.h"
#include "dynid/excitation/excitation_options.h"

namespace dynid {

struct SearchProblem;

/// The best trajectory over several chains (runChain) with different seeds. Chains run in child
/// processes because Ipopt's linear solver is not thread-safe; these end with this process. If
/// `progress` interrupts the search, it ends with the best so far. A search by time (`seconds`)
/// replaces a chain that is worse than SearchResult::reference and has not improved for 1 to 5 s by
/// one with another seed, because chains can get stuck between obstacles. If a child process
/// crashes or is killed, the others go on (SearchResult::lost_processes).
/// @throws Interrupted if no usable trajectory was found before the interruption
/// @throws std::runtime_error if no child process can be started or all of them crash
SearchResult searchTrajectory(const SearchProblem& problem,
                              const SearchOptions& options,
                              const Progress& progress = {});

}  // namespace dynid
