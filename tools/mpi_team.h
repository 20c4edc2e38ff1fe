#pragma once

#include "dynid/recordings/team.h"

#include <functional>
#include <memory>
#include <string>

namespace dynid::tool {

/// The processes that `mpirun` started together; nullptr where there is one, or the program was
/// built without MPI (-DDYNID_MPI=ON builds with).
std::unique_ptr<Team> mpiTeam();

/// Runs `work` as a member of the team. A failure ends all members: one that they share is said by
/// the first, one of its own by the member that has it.
/// @param who  for the message
int runInTeam(const Team* team, const std::string& who, const std::function<int()>& work);

}  // namespace dynid::tool
