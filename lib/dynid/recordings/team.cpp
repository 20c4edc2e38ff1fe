#include "dynid/recordings/team.h"

namespace dynid {

void combine(Team& team,
             const std::function<std::vector<double>()>& pack,
             const std::function<void(const std::vector<double>&)>& absorb,
             const std::function<void(const std::vector<double>&)>& unpack) {
  if (team.size() == 1) return;
  std::vector<double> numbers;
  if (team.rank() == 0) {
    for (int other = 1; other < team.size(); ++other) absorb(team.receive(other));
    numbers = pack();
  } else {
    team.send(pack());
  }
  team.broadcast(numbers);
  if (team.rank() != 0) unpack(numbers);
}

}  // namespace dynid
