#pragma once

#include <functional>
#include <vector>

namespace dynid {

/// Processes that share out the windows of every pass and otherwise do the same work, so that all
/// of them come to the same model. This one is a team of one; the program has one over MPI.
class Team {
 public:
  Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  virtual ~Team() = default;

  virtual int rank() const { return 0; }
  virtual int size() const { return 1; }
  /// Sends numbers to rank 0 (called on the others).
  virtual void send(const std::vector<double>&) {}
  /// What that rank sent (called on rank 0).
  virtual std::vector<double> receive(int) { return {}; }
  /// Rank 0's numbers, on all.
  virtual void broadcast(std::vector<double>&) {}
};

/// Brings what every process has gathered to all of them: rank 0 absorbs the others' numbers in the
/// order of their ranks, so the result does not depend on timing.
///
/// @param pack    this process' numbers (on rank 0: with all that was absorbed)
/// @param absorb  adds another process' numbers
/// @param unpack  replaces this process' numbers
void combine(Team& team,
             const std::function<std::vector<double>()>& pack,
             const std::function<void(const std::vector<double>&)>& absorb,
             const std::function<void(const std::vector<double>&)>& unpack);

}  // namespace dynid
