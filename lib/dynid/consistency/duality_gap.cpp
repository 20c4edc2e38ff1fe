#include "dynid/consistency/duality_gap.h"

#include "dynid/spatial/pseudo_inertia.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <limits>

namespace dynid {
namespace {

constexpr double kEigenvalueError = 10.0;  // of a 4x4 matrix, in rounding units of its norm

}  // namespace

ExtendedVector dualSlack(const Eigen::Ref<const Eigen::MatrixXd>& A,
                         const Eigen::Ref<const Eigen::MatrixXd>& C,
                         const Eigen::VectorXd& u,
                         const Eigen::Ref<const Eigen::VectorXd>& nu) {
  const ExtendedVector extended_u = u.cast<Extended>(), extended_nu = nu.cast<Extended>();
  ExtendedVector w(A.cols());
  for (Eigen::Index j = 0; j < w.size(); ++j)
    w(j) = C.col(j).cast<Extended>().dot(extended_nu) - A.col(j).cast<Extended>().dot(extended_u);
  return w;
}

double dualSlackError(const Eigen::Ref<const Eigen::MatrixXd>& A,
                      const Eigen::Ref<const Eigen::MatrixXd>& C,
                      const Eigen::VectorXd& u,
                      const Eigen::Ref<const Eigen::VectorXd>& nu) {
  const auto terms = static_cast<double>(A.rows() + C.rows());
  return static_cast<double>(std::numeric_limits<Extended>::epsilon()) * (0.25 * terms + 10.0) *
         (A.norm() * u.norm() + (C.cwiseAbs().transpose() * nu).norm());
}

DualityGap dualityGap(const Eigen::Ref<const Eigen::MatrixXd>& A,
                      const Eigen::VectorXd& b,
                      const Eigen::Ref<const Eigen::MatrixXd>& C,
                      const Eigen::Ref<const Eigen::VectorXd>& d,
                      double T,
                      int bodies,
                      const Eigen::VectorXd& x,
                      const Eigen::VectorXd& u,
                      const Eigen::Ref<const Eigen::VectorXd>& nu) {
  const ExtendedVector w = dualSlack(A, C, u, nu);
  double lowest = 0.0;
  for (int k = 0; k < bodies; ++k) {
    const Eigen::Matrix4d block = smat(w.segment<10>(10 * k).cast<double>());
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(block, Eigen::EigenvaluesOnly);
    const double error = std::numeric_limits<double>::epsilon() * kEigenvalueError * block.norm() +
                         dualSlackError(A.middleCols<10>(10 * k), C.middleCols<10>(10 * k), u, nu);
    lowest = std::min(lowest, eigen.eigenvalues()(0) - error);
  }
  for (Eigen::Index j = 10 * bodies; j < w.size(); ++j)
    lowest =
        std::min(lowest, static_cast<double>(w(j)) - dualSlackError(A.col(j), C.col(j), u, nu));

  DualityGap result;
  result.trace_multiplier = -lowest;
  ExtendedVector slack = d.cast<Extended>();
  for (Eigen::Index j = 0; j < x.size(); ++j) slack -= x(j) * C.col(j).cast<Extended>();
  // delta <x, a> and -delta a^T x cancel exactly.
  const Extended gap = 0.5 * (b - A * x - u).squaredNorm() + x.cast<Extended>().dot(w) +
                       nu.cast<Extended>().dot(slack) + Extended{result.trace_multiplier} * T;
  result.gap = std::max(0.0, static_cast<double>(gap));
  return result;
}

}  // namespace dynid
