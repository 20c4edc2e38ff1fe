#pragma once

#include "dynid/excitation/search_problem.h"

#include <cstdint>
#include <functional>

namespace dynid {

/// One chain of the search: a random start, a D-optimal stage, then (E, condition) stages of
/// growing sharpness, and `hops` times: a random step from the best so far, and down again.
/// The same seed and chain give the same trajectory.
/// @param found  gets every improvement of the chain, and before there is a score, every one of the
///               excess; false stops it
void runChain(const SearchProblem& problem,
              std::uint64_t chain,
              int hops,
              const std::function<bool(const Candidate&)>& found);

}  // namespace dynid
