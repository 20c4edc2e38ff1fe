#pragma once

#include "dynid/excitation/excitation_design.h"
#include "dynid/excitation/search_problem.h"

#include <cstdint>
#include <functional>

namespace dynid {

/// One chain of the search: a random start, a D-optimal stage, then stages of the criteria E and
/// condition number with increasing sharpness. This is followed `hops` times by a random step from
/// the best trajectory so far and another minimisation. The same seed and chain give the same
/// trajectory.
/// @param found  receives every improvement of the chain, and every improvement of the excess
///     before there is a score; its result false stops the chain
void runChain(const SearchProblem& problem,
              std::uint64_t chain,
              int hops,
              const std::function<bool(const Candidate&)>& found);

}  // namespace dynid
