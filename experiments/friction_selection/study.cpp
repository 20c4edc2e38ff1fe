// How often is friction selected rightly, and how often is a term selected that is not there? Two
// joints of random robots, random motions and noise, one per seed.
#include "friction/simulated_friction.h"
#include "support/random_robot.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace {

using namespace dynid;

struct Case {
  const char* name;
  FrictionTruth truth;
  bool presliding = false;                    // the sign model should have it
  std::vector<FrictionEffect> expected = {};  // optional terms that are there
};

bool isIn(const std::vector<FrictionEffect>& effects, FrictionEffect effect) {
  return std::find(effects.begin(), effects.end(), effect) != effects.end();
}

}  // namespace

int main(int argc, char** argv) {
  const int seeds = argc > 1 ? std::atoi(argv[1]) : 100;
  const std::vector<Case> cases = {
      {"viscous", {}},
      {"viscous, Coulomb", {.coulomb = 0.2}},
      {"viscous, Coulomb, Stribeck",
       {.coulomb = 0.2, .stribeck = 0.15, .stribeck_velocity = 0.25},
       false,
       {FrictionEffect::kStribeck}},
      {"viscous, presliding", {.coulomb = 0.3, .presliding = 3e-3}, true},
      {"viscous, Coulomb, transmitted torque",
       {.coulomb = 0.1, .transmitted = 0.15},
       false,
       {FrictionEffect::kLoad}}};
  std::printf(
      "| friction of the simulated robot | noise | actuators | found | sign model wrong | "
      "terms chosen in vain |\n|---|---|---|---|---|---|\n");
  for (const double noise : {0.01, 0.05}) {
    for (const Case& own : cases) {
      int actuators = 0, found = 0, wrong_sign = 0, in_vain = 0;
      std::map<std::string, int> by_name;
      for (int seed = 1; seed <= seeds; ++seed) {
        RandomRobotOptions options;
        options.joints = 2;
        const auto robot = std::make_shared<const Robot>(randomRobot(seed, options));
        for (const SelectedFriction& selected : selectedFriction(robot, own.truth, seed, noise)) {
          ++actuators;
          wrong_sign += (selected.sign_model.presliding > 0.0) != own.presliding ? 1 : 0;
          found += std::all_of(own.expected.begin(), own.expected.end(), [&](FrictionEffect e) {
            return isIn(selected.optional, e);
          });
          for (FrictionEffect effect : selected.optional)
            if (!isIn(own.expected, effect)) {
              ++in_vain;
              ++by_name[toString(effect)];
            }
        }
      }
      std::string names;
      for (const auto& [name, count] : by_name) names += " " + name + " " + std::to_string(count);
      std::printf("| %s | %g %% | %d | %d | %d | %d%s |\n",
                  own.name,
                  100.0 * noise,
                  actuators,
                  found,
                  wrong_sign,
                  in_vain,
                  names.c_str());
      std::fflush(stdout);
    }
  }
  return 0;
}
