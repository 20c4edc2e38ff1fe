#include "dynid/consistency/certificate.h"

#include "dynid/consistency/conic_problem.h"
#include "dynid/consistency/physical_fit.h"
#include "dynid/spatial/pseudo_inertia.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "consistency/random_problems.h"
#include <cmath>
#include <stdexcept>

namespace dynid {
namespace {

using random_problems::families;
using random_problems::randomProblem;

PhysicalFitResult fitOf(std::size_t family, std::uint32_t seed, int max_iterations = 60) {
  PhysicalFitOptions options;
  options.max_iterations = max_iterations;
  options.second_stage = false;
  return solvePhysicalFit(randomProblem(families().at(family), 1, seed), options);
}

/// A random point of the cone within the trace bound.
Eigen::VectorXd randomFeasible(const Certificate& c, random_problems::Random& random) {
  Eigen::VectorXd x(c.x.size());
  for (int k = 0; k < c.bodies; ++k) {
    Eigen::Matrix4d B = Eigen::Matrix4d::NullaryExpr([&] { return random.normal(); });
    if (random.uniform() < 0.5) B.col(3).setZero();
    x.segment<10>(10 * k) = svec(B * B.transpose());
  }
  for (Eigen::Index j = 10 * c.bodies; j < x.size(); ++j) x(j) = random.uniform();
  // Half of the points are close to the optimum, where a wrong bound would show.
  x *= random.uniform() * c.T / c.a.dot(x);
  if (random.uniform() < 0.5) x = c.x + 1e-3 * random.uniform() * (x - c.x);
  return x;
}

TEST(Certificate, NoFeasiblePointIsBetterThanTheBoundAlsoOfEarlyStops) {
  random_problems::Random random(7);
  for (std::size_t family = 0; family < families().size(); ++family)
    for (const int iterations : {7, 11, 60}) {
      const PhysicalFitResult fit = fitOf(family, 2000, iterations);
      if (!fit.feasible) continue;
      const CertificateCheck check = checkCertificate(fit.certificate);
      ASSERT_TRUE(check.valid) << check.reason;
      for (int i = 0; i < 200; ++i) {
        const double f =
            certificateObjective(fit.certificate, randomFeasible(fit.certificate, random));
        ASSERT_GE(f, check.objective - check.gap - 1e-12 * check.objective)
            << families().at(family).name << " after " << iterations;
      }
    }
}

TEST(Certificate, EarlyStopIsNeverBelowTheTrueOptimum) {
  for (std::size_t family = 0; family < families().size(); ++family) {
    const CertificateCheck best = checkCertificate(fitOf(family, 2001).certificate);
    for (const int iterations : {9, 12, 15}) {
      const PhysicalFitResult early = fitOf(family, 2001, iterations);
      if (!early.feasible) continue;
      const CertificateCheck check = checkCertificate(early.certificate);
      const double floor = 1e-6 * 0.5 * early.certificate.z_squared;
      EXPECT_GE(best.objective, check.objective - check.gap - 1e-10 * floor);
      EXPECT_EQ(early.converged, early.relative_duality_gap <= 1e-8);
    }
  }
}

TEST(Certificate, GapAgreesWithTheDualObjective) {
  const Certificate c = fitOf(1, 2002).certificate;
  const CertificateCheck check = checkCertificate(c);
  const double dual =
      c.b.dot(c.u) - 0.5 * c.u.squaredNorm() + c.c0 - c.nu.dot(c.d) - check.trace_multiplier * c.T;
  EXPECT_NEAR(check.objective - check.gap, dual, 1e-10 * check.objective);
}

TEST(Certificate, WhitenedCoordinatesRoundTrip) {
  const PhysicalFitResult fit = fitOf(0, 2003);
  const Eigen::VectorXd standard = standardFromWhitened(fit.certificate, fit.certificate.x);
  EXPECT_LT((whitenedFromStandard(fit.certificate, standard) - fit.certificate.x).norm(),
            1e-9 * fit.certificate.x.norm());
  EXPECT_LT((standard - fit.x_first_stage.head(standard.size())).norm(), 1e-12 * standard.norm());
}

TEST(Certificate, PointsOfAnotherSizeAreRefused) {
  const Certificate certificate = fitOf(0, 2000).certificate;
  for (const Eigen::Index more : {-1, 1}) {
    const Eigen::VectorXd wrong = Eigen::VectorXd::Ones(certificate.x.size() + more);
    EXPECT_THROW(standardFromWhitened(certificate, wrong), std::invalid_argument);
    EXPECT_THROW(whitenedFromStandard(certificate, wrong), std::invalid_argument);
    EXPECT_THROW(certificateObjective(certificate, wrong), std::invalid_argument);
  }
}

TEST(Certificate, TamperingShows) {
  const Certificate good = fitOf(1, 2004).certificate;
  ASSERT_LE(checkCertificate(good).relative_gap, 1e-8);

  Certificate better = good;  // states a better fit than it has
  better.x *= 0.99;
  EXPECT_GT(checkCertificate(better).relative_gap, 1e-8);

  Certificate outside = good;
  outside.x(0) = -1.0;
  EXPECT_FALSE(checkCertificate(outside).valid);
  EXPECT_THAT(checkCertificate(outside).reason, testing::HasSubstr("not physically consistent"));

  Certificate data = good;
  data.b(0) *= 1.001;
  EXPECT_GT(checkCertificate(data).relative_gap, 1e-8);

  Certificate multipliers = good;
  multipliers.u *= 1.1;
  EXPECT_GT(checkCertificate(multipliers).relative_gap, 1e-8);

  Certificate large = good;
  large.T = 0.5 * good.a.dot(good.x);
  EXPECT_THAT(checkCertificate(large).reason, testing::HasSubstr("violates a bound"));
}

TEST(Certificate, MalformedOnesAreReportedNotThrown) {
  EXPECT_EQ(checkCertificate(Certificate{}).reason, "empty");
  const Certificate good = fitOf(1, 2005).certificate;
  Certificate bad = good;
  bad.u.conservativeResize(bad.u.size() - 1);
  EXPECT_THAT(checkCertificate(bad).reason, testing::HasSubstr("do not match the rows of A"));
  bad = good;
  bad.x(3) = std::nan("");
  EXPECT_THAT(checkCertificate(bad).reason, testing::HasSubstr("not finite"));
  bad = good;
  bad.a(0) = 0.0;
  EXPECT_THAT(checkCertificate(bad).reason, testing::HasSubstr("gradient of the trace"));
  bad = good;
  bad.whitening.pop_back();
  EXPECT_THAT(checkCertificate(bad).reason, testing::HasSubstr("blocks for"));
}

}  // namespace
}  // namespace dynid
