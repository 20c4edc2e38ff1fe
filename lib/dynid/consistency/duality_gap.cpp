#include "dynid/consistency/duality_gap.h"

#include "dynid/spatial/pseudo_inertia.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <limits>

namespace dynid {

DualityGap dualityGap(const Eigen::Ref<const Eigen::MatrixXd>& A,
                      const Eigen::VectorXd& b,
                      const Eigen::Ref<const Eigen::MatrixXd>& C,
                      const Eigen::Ref<const Eigen::VectorXd>& d,
                      double T,
                      int bodies,
                      const Eigen::VectorXd& x,
                      const Eigen::VectorXd& u,
                      const Eigen::Ref<const Eigen::VectorXd>& nu) {
  const auto terms = static_cast<double>(A.rows() + C.rows());
  const double rounding = std::numeric_limits<double>::epsilon() * (0.25 * terms + 10.0);
  const double u_norm = u.norm();
  const Eigen::VectorXd bound_terms = C.cwiseAbs().transpose() * nu;
  const Eigen::VectorXd w = C.transpose() * nu - A.transpose() * u;

  double lowest = 0.0;
  for (int k = 0; k < bodies; ++k) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(smat(w.segment<10>(10 * k)),
                                                               Eigen::EigenvaluesOnly);
    const double error = rounding * (A.middleCols<10>(10 * k).norm() * u_norm +
                                     bound_terms.segment<10>(10 * k).norm());
    lowest = std::min(lowest, eigen.eigenvalues()(0) - error);
  }
  for (Eigen::Index j = 10 * bodies; j < w.size(); ++j)
    lowest = std::min(lowest, w(j) - rounding * (A.col(j).norm() * u_norm + bound_terms(j)));

  DualityGap result;
  result.trace_multiplier = -lowest;
  // delta <x, a> and -delta a^T x cancel exactly.
  result.gap = 0.5 * (b - A * x - u).squaredNorm() + x.dot(w) + nu.dot(d - C * x) +
               result.trace_multiplier * T;
  result.gap = std::max(0.0, result.gap);
  return result;
}

}  // namespace dynid
