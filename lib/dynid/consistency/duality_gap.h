#pragma once

#include <Eigen/Core>

namespace dynid {

/// A number with more digits than double, where the processor has one. The sums of a certificate
/// are computed with it: their rounding error is multiplied by the bound on the overall size, which
/// grows with the number of bodies.
using Extended = long double;
using ExtendedVector = Eigen::Matrix<Extended, Eigen::Dynamic, 1>;

/// w = C^T nu - A^T u.
ExtendedVector dualSlack(const Eigen::Ref<const Eigen::MatrixXd>& A,
                         const Eigen::Ref<const Eigen::MatrixXd>& C,
                         const Eigen::VectorXd& u,
                         const Eigen::Ref<const Eigen::VectorXd>& nu);

/// Bounds the norm of the rounding error of w in the given columns of A and C.
double dualSlackError(const Eigen::Ref<const Eigen::MatrixXd>& A,
                      const Eigen::Ref<const Eigen::MatrixXd>& C,
                      const Eigen::VectorXd& u,
                      const Eigen::Ref<const Eigen::VectorXd>& nu);

/// Upper bound of the distance of f(x) = 1/2 ||A x - b||^2 from its minimum over the cone with C x
/// <= d and a^T x <= T.
struct DualityGap {
  double gap = 0.0;
  double trace_multiplier = 0.0;  ///< delta
};

/// Weak duality. For all x, u and nu >= 0, with w = -A^T u + C^T nu and delta = max(0,
/// -lambda_min(w) + rounding),
///
///     f(x) - min f <= 1/2 ||b - A x - u||^2 + <x, w + delta a> + nu^T (d - C x)
///                     + delta (T - a^T x),
///
/// because 1/2 ||A x' - b||^2 >= b^T u - 1/2 ||u||^2 - u^T A x' for every x', and w + delta a lies
/// in the (self-dual) cone. A need not have full rank. `rounding` bounds the error of the computed
/// w, block by block (dualSlackError), and of its eigenvalues. C [bounds x (10 bodies + scalars)]
/// does not contain the trace row; a is coneIdentity.
DualityGap dualityGap(const Eigen::Ref<const Eigen::MatrixXd>& A,
                      const Eigen::VectorXd& b,
                      const Eigen::Ref<const Eigen::MatrixXd>& C,
                      const Eigen::Ref<const Eigen::VectorXd>& d,
                      double T,
                      int bodies,
                      const Eigen::VectorXd& x,
                      const Eigen::VectorXd& u,
                      const Eigen::Ref<const Eigen::VectorXd>& nu);

}  // namespace dynid
