// Designs an excitation trajectory within the limits of a robot and writes it.
//   example_excite ROBOT TRAJECTORY.h5
#include <cstdio>
#include <dynid/dynid.h>
#include <exception>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s ROBOT TRAJECTORY.h5\n", argv[0]);
    return 2;
  }
  try {
    const auto robot = std::make_shared<const dynid::Robot>(dynid::loadRobot(argv[1]));
    dynid::ExcitationOptions options;
    options.duration_s = 10.0;
    options.search.seconds = 5.0;
    const dynid::ExcitationDesign design = dynid::designExcitation(robot, options);
    if (!design.feasible) {
      for (const std::string& reason : design.reasons) std::printf("%s\n", reason.c_str());
      return 1;
    }
    dynid::writeTrajectory(argv[2], design.trajectory);
    std::printf("condition number %.1f\n", design.condition_number);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
  return 0;
}
