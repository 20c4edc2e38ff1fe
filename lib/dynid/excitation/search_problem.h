#pragma once

#include "dynid/excitation/excitation_design.h"
#include "dynid/excitation/excitation_options.h"
#include "dynid/excitation/sought_parameters.h"
#include "dynid/excitation/space.h"

#include <Eigen/Core>

#include <cstdint>
#include <memory>
#include <vector>

namespace dynid {

/// Input of the search for a trajectory.
struct SearchProblem {
  std::shared_ptr<const Robot> robot;
  SoughtParameters sought;
  MotionLimits limits;
  int harmonics = 5;
  double period_s = 20.0;  ///< period of the Fourier series
  Criterion criterion = Criterion::kCondition;
  /// [actuators] Weights 1/sigma of the rows for the criteria D, A and E. The condition number is
  /// that of the unweighted rows.
  Eigen::VectorXd weights;
  std::vector<Eigen::MatrixXd> earlier;  ///< as in Information: information of earlier logs
  std::shared_ptr<const Space> space;    ///< collision constraints; null: none
  bool from_rest = false;  ///< each period begins and ends with zero velocity and acceleration
  std::uint64_t seed = 1;
};

}  // namespace dynid
