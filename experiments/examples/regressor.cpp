// The regressor of a robot at one state, for an estimator of one's own: tau = Y pi.
//   example_regressor ROBOT
#include <cstdio>
#include <dynid/dynid.h>
#include <exception>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s ROBOT\n", argv[0]);
    return 2;
  }
  try {
    const auto robot = std::make_shared<const dynid::Robot>(dynid::loadRobot(argv[1]));
    const dynid::ProjectionRegressor regressor(robot);
    const Eigen::VectorXd q = Eigen::VectorXd::Constant(robot->numJoints(), 0.3);
    const Eigen::VectorXd dq = Eigen::VectorXd::Constant(robot->numJoints(), 0.5);
    const Eigen::VectorXd ddq = Eigen::VectorXd::Constant(robot->numJoints(), -1.0);
    const Eigen::MatrixXd Y = regressor.dense(q, dq, ddq);

    // Any parameters will do: the Newton-Euler recursion must give the same efforts.
    const Eigen::VectorXd pi = Eigen::VectorXd::LinSpaced(Y.cols(), 0.1, 1.0);
    const double disagreement =
        (Y * pi - dynid::inverseDynamics(*robot, pi, q, dq, ddq)).lpNorm<Eigen::Infinity>();
    std::printf("%ld x %ld, disagreement with Newton-Euler %.1e\n",
                static_cast<long>(Y.rows()),
                static_cast<long>(Y.cols()),
                disagreement);
    return disagreement < 1e-9 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
