#pragma once

#include "dynid/recordings/team.h"

#include <functional>
#include <memory>
#include <string>

namespace dynid::tool {

/// The processes that `mpirun` started together. nullptr if there is only one, or if the program
/// was built without MPI (option -DDYNID_MPI=ON).
std::unique_ptr<Team> mpiTeam();

/// Runs `work` as a member of the team. An error ends all members. An error that all of them have
/// is printed by the first, an error of a single member by that member.
/// @param who  name in the message
int runInTeam(const Team* team, const std::string& who, const std::function<int()>& work);

}  // namespace dynid::tool
