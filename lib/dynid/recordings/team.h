#pragma once

#include <functional>
#include <vector>

namespace dynid {

/// A group of processes that divide the windows of every pass among themselves. All other work is
/// done by every process, so that all obtain the same model. This class is a group of one process;
/// the program `dynid` provides one for MPI.
class Team {
 public:
  Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  virtual ~Team() = default;

  /// Index of this process, 0 to size() - 1.
  virtual int rank() const { return 0; }
  /// Number of processes.
  virtual int size() const { return 1; }
  /// Sends numbers to rank 0. Called on the other ranks.
  virtual void send(const std::vector<double>&) {}
  /// Receives the numbers that this rank sent. Called on rank 0.
  virtual std::vector<double> receive(int) { return {}; }
  /// Replaces the numbers on all ranks by those of rank 0.
  virtual void broadcast(std::vector<double>&) {}
};

/// Gives every process the sum of what all processes have gathered. Rank 0 adds the numbers of the
/// other ranks in ascending order, so the result does not depend on timing.
///
/// @param pack    returns the numbers of this process (on rank 0: including all that were added)
/// @param absorb  adds the numbers of another process
/// @param unpack  replaces the numbers of this process
void combine(Team& team,
             const std::function<std::vector<double>()>& pack,
             const std::function<void(const std::vector<double>&)>& absorb,
             const std::function<void(const std::vector<double>&)>& unpack);

}  // namespace dynid
