// Joint efforts of a model along a motion that is computed here, for example in a controller.
//   example_predict MODEL.json
#include <cmath>
#include <cstdio>
#include <dynid/dynid.h>
#include <exception>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s MODEL.json\n", argv[0]);
    return 2;
  }
  try {
    const dynid::Model model = dynid::loadModel(argv[1]);
    const int joints = model.robot->numJoints();
    constexpr int kSamples = 5;
    constexpr double kStep = 0.1, kOmega = 2.0;  // s, rad/s
    Eigen::MatrixXd q(kSamples, joints), dq(kSamples, joints), ddq(kSamples, joints);
    for (int i = 0; i < kSamples; ++i) {
      const double phase = kOmega * kStep * i;
      q.row(i).setConstant(0.5 * std::sin(phase));
      dq.row(i).setConstant(0.5 * kOmega * std::cos(phase));
      ddq.row(i).setConstant(-0.5 * kOmega * kOmega * std::sin(phase));
    }
    const Eigen::MatrixXd tau = dynid::modelEfforts(model, q, dq, ddq);
    for (int i = 0; i < kSamples; ++i) {
      for (int j = 0; j < joints; ++j) std::printf("%10.4f", tau(i, j));
      std::printf("  [%s]\n", model.effort_unit.c_str());
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
  return 0;
}
