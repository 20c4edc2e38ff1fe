// Identifies a model from logs and prints what it found.
//   example_identify ROBOT LOG... MODEL.json
#include <cstdio>
#include <dynid/dynid.h>
#include <exception>

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: %s ROBOT LOG... MODEL.json\n", argv[0]);
    return 2;
  }
  try {
    const auto robot = std::make_shared<const dynid::Robot>(dynid::loadRobot(argv[1]));
    std::vector<dynid::LogInput> logs;
    for (int i = 2; i + 1 < argc; ++i) logs.push_back({argv[i], ""});
    dynid::IdentificationSettings settings;
    settings.threads = 2;

    dynid::Identification result = dynid::identify(robot, logs, settings);
    dynid::addOperatingPoints(result, settings.threads);
    const dynid::Model& model = result.model;
    for (int k = 0; k < robot->numBodies(); ++k)
      std::printf("%-20s %8.3f kg\n", robot->bodies[k].name.c_str(), model.body(k)(0));
    std::printf("relative error of the fit: %.4f\n", model.fit.relative_error);
    if (!model.status.usable) {
      std::printf("not usable: %s\n", model.status.reason.c_str());
      return 1;
    }
    dynid::saveModel(argv[argc - 1], model);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
  return 0;
}
