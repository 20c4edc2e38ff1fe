// Seconds of one call of modelEfforts for 100 000 random states: torque MODEL.json
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <dynid/dynid.h>
#include <random>
#include <vector>

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("torque MODEL.json\n", stderr);
    return 2;
  }
  const dynid::Model model = dynid::loadModel(arguments[1]);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  const auto draw = [&]() -> Eigen::MatrixXd {
    return Eigen::MatrixXd::NullaryExpr(
        100000, model.robot->numJoints(), [&] { return normal(random); });
  };
  const Eigen::MatrixXd q = draw(), dq = draw(), ddq = draw();
  std::vector<double> seconds;
  for (int k = 0; k < 9; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    dynid::modelEfforts(model, q, dq, ddq);
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::nth_element(seconds.begin(), seconds.begin() + 4, seconds.end());
  std::printf("library            %.4f s\n", seconds[4]);
}
