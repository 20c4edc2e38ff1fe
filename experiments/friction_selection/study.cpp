// How often is friction selected rightly, and how often is a term selected that is not there? Two
// joints of random robots, random motions and noise, one per seed.
#include "friction/simulated_friction.h"
#include "support/random_robot.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

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

// Of a selected term; an optional Coulomb term with a distance is hysteresis.
std::string termName(const Column& column) {
  return column.hasPreslidingState() && column.effect == FrictionEffect::kCoulomb
             ? "hysteresis"
             : toString(column.effect);
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
       {FrictionEffect::kLoad}},
      {"viscous, Coulomb, hysteresis",
       {.coulomb = 0.15, .hysteresis = 0.15, .hysteresis_distance = 3e-2},
       false,
       {FrictionEffect::kCoulomb}}};
  std::printf(
      "| friction of the simulated robot | rows | noise | actuators | found | sign model wrong | "
      "superfluous terms |\n|---|---|---|---|---|---|---|\n");
  for (const auto& [rows, noise] : std::vector<std::pair<int, double>>{
           {8000, 0.01}, {8000, 0.05}, {1000, 0.05}, {250, 0.05}, {120, 0.05}, {60, 0.05}}) {
    for (const Case& simulated : cases) {
      int actuators = 0, found = 0, wrong_sign = 0, in_vain = 0;
      std::map<std::string, int> by_name;
      for (int seed = 1; seed <= seeds; ++seed) {
        RandomRobotOptions options;
        options.joints = 2;
        const auto robot = std::make_shared<const Robot>(randomRobot(seed, options));
        for (const SelectedFriction& selected :
             selectedFriction(robot, simulated.truth, seed, noise, rows)) {
          ++actuators;
          wrong_sign += (selected.sign_model.presliding > 0.0) != simulated.presliding ? 1 : 0;
          found += std::all_of(simulated.expected.begin(),
                               simulated.expected.end(),
                               [&](FrictionEffect e) { return selected.has(e); });
          for (const Column& column : selected.optional)
            if (!isIn(simulated.expected, column.effect)) {
              ++in_vain;
              ++by_name[termName(column)];
            }
        }
      }
      std::string names;
      for (const auto& [name, count] : by_name) names += " " + name + " " + std::to_string(count);
      std::printf("| %s | %d | %g %% | %d | %d | %d | %d%s |\n",
                  simulated.name,
                  rows,
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
