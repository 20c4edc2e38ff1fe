#include "dynid/dynamics/body_regressor.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "support/random_robot.h"

namespace dynid {
namespace {

TEST(BodyRegressor, GivesNewtonAndEulerAboutTheOrigin) {
  std::mt19937_64 rng(1);
  for (int i = 0; i < 50; ++i) {
    const InertialParameters pi = support::randomBody(rng);
    const CenterOfMassInertia body = centerOfMassInertia(pi);
    const Eigen::Vector3d w = support::vector(rng, 3.0), wd = support::vector(rng, 5.0);
    const Eigen::Vector3d a = support::vector(rng, 10.0), c = body.com;
    // Newton and Euler at the centre of mass, moment moved to the origin.
    const Eigen::Vector3d force = body.mass * (a + wd.cross(c) + w.cross(w.cross(c)));
    const Eigen::Vector3d spin = body.inertia_about_com * w;
    const Eigen::Vector3d moment = body.inertia_about_com * wd + w.cross(spin) + c.cross(force);
    const Vector6<double> wrench = bodyRegressor<double>(w, wd, a) * pi;
    EXPECT_LT((wrench.head<3>() - force).norm(), 1e-12 * (1.0 + force.norm()));
    EXPECT_LT((wrench.tail<3>() - moment).norm(), 1e-12 * (1.0 + moment.norm()));
  }
}

}  // namespace
}  // namespace dynid
