/// Relative error of a model's efforts on the moving samples (above 0.05 rad/s or m/s) of a
/// simulated log without noise, at its exact positions, velocities and accelerations. No filter
/// takes part.
///
///   motion_clean_error MODEL.json LOG.h5

#include "dynid/logs/log_reader.h"
#include "dynid/model/json.h"
#include "dynid/model/model_efforts.h"

#include <cmath>
#include <cstdio>
#include <exception>

int main(int argc, char** argv) try {
  if (argc != 3) return 2;
  const dynid::Model model = dynid::loadModel(argv[1]);
  const dynid::LogReader reader(argv[2]);
  dynid::RawBlock log;
  reader.read(0, reader.info().rows, log);
  const Eigen::MatrixXd predicted =
      dynid::modelEfforts(model, log.position, log.velocity, log.acceleration);
  double error = 0.0, size = 0.0;
  for (Eigen::Index j = 0; j < predicted.cols(); ++j)
    for (Eigen::Index i = 0; i < predicted.rows(); ++i) {
      if (std::abs(log.velocity(i, j)) < 0.05) continue;
      error += std::pow(predicted(i, j) - log.effort(i, j), 2.0);
      size += std::pow(log.effort(i, j), 2.0);
    }
  std::printf("%.6f\n", std::sqrt(error / size));
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
