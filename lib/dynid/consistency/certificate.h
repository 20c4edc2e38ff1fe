#pragma once

#include "dynid/spatial/inertia.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// The fit with prior,
///
///     min 1/2 ||A x - b||^2 + c0 + weight sum_k (tr Q_k - log det Q_k)
///
/// over the feasible set of the first stage, with a feasible x and multipliers of its bounds.
struct PriorCertificate {
  double weight = 0.0;  ///< 0: there is no fit with prior
  Eigen::MatrixXd A;    ///< as Certificate; empty: equal to that of the certificate
  Eigen::VectorXd b;
  double c0 = 0.0;
  Eigen::VectorXd x;
  Eigen::VectorXd u;   ///< [rows of A]; empty: b - A x
  Eigen::VectorXd nu;  ///< [1 + bounds], the trace bound first
};

/// The proof that a physically consistent fit is optimal. It can be checked without other data: the
/// convex problem
///
///     min 1/2 ||A x - b||^2 + c0   over   x = (svec Q_1, ..., svec Q_n, s_1, ..., s_p),
///     Q_k >= 0 (4x4),  s_j >= 0,  C x <= d,  a^T x <= T   (a^T x = sum tr Q_k + sum s_j),
///
/// a feasible x, and multipliers u (one per row of A) and nu >= 0 (one per row of C). Weak duality
/// bounds the distance of x from the optimum for all u and nu >= 0; see checkCertificate.
///
/// x is in whitened coordinates shifted by the margin: body k has the pseudo-inertia P_k = C_k (Q_k
/// + margin 1) C_k^T with C_k = whitening[k]; scalar j is scalar_scales(j) s_j.
struct Certificate {
  int bodies = 0;     ///< n
  Eigen::MatrixXd A;  ///< [rank x (10 n + p)]
  Eigen::VectorXd b;  ///< [rank]
  double c0 = 0.0;    ///< half the squared residual that does not depend on x
  /// Lower triangular, C_k C_k^T = sigma * prior pseudo-inertia of body k
  std::vector<Eigen::Matrix4d> whitening;
  Eigen::VectorXd scalar_scales;  ///< [p]
  double margin = 0.0;
  Eigen::VectorXd a;       ///< [10 n + p], the gradient of the trace bound
  double T = 0.0;          ///< bound on a^T x
  Eigen::MatrixXd C;       ///< [bounds x (10 n + p)], rows scaled to norm about one
  Eigen::VectorXd d;       ///< [bounds]
  Eigen::VectorXd x;       ///< [10 n + p], the optimum found (first stage)
  Eigen::VectorXd u;       ///< [rank]
  Eigen::VectorXd nu;      ///< [bounds]
  double z_squared = 0.0;  ///< ||z||^2 of the regression; sets the floor of the relative gap
  PriorCertificate prior;
};

/// Result of the check of the fit with prior.
struct PriorCheck {
  bool valid = false;         ///< there is a fit with prior, well formed and feasible
  std::string reason;         ///< why not
  double objective = 0.0;     ///< F(x)
  double relative_gap = 0.0;  ///< gap / max(F, 1e-6 * 1/2 ||z||^2)
};

/// Result of checkCertificate.
struct CertificateCheck {
  bool valid = false;             ///< well formed, x feasible, nu >= 0, all finite
  std::string reason;             ///< why not
  double objective = 0.0;         ///< f(x)
  double gap = 0.0;               ///< f(x) - min f is at most this
  double relative_gap = 0.0;      ///< gap / max(f, 1e-6 * 1/2 ||z||^2)
  double trace_multiplier = 0.0;  ///< delta, charged to a^T x <= T
  double min_eigenvalue = 0.0;    ///< over all Q_k and s_j of x; not below zero if x is consistent
  double max_bound_violation = 0.0;  ///< max over (C x - d, a^T x - T), at least 0
};

/// Recomputes the bound from the numbers of the certificate alone. With w = -A^T u + C^T nu and
/// delta = max(0, -lambda_min(w) + rounding), for every feasible x' and hence for the optimum
///
///     f(x) - f(x') <= 1/2 ||b - A x - u||^2 + <x, w + delta a> + nu^T (d - C x)
///                     + delta (T - a^T x).
///
/// Does not throw for wrong numbers: a malformed certificate is reported by `valid` and `reason`.
CertificateCheck checkCertificate(const Certificate& certificate);

/// Recomputes the bound of the fit with prior (priorGap) from the numbers of the certificate alone.
PriorCheck checkPriorCertificate(const Certificate& certificate);

/// Standard parameters (10 per body, then the scalars) of a point x in the certificate's
/// coordinates.
/// @throws std::invalid_argument, as the functions below, for sizes that do not fit the certificate
Eigen::VectorXd standardFromWhitened(const Certificate& certificate, const Eigen::VectorXd& x);

/// The inverse of standardFromWhitened, with which f of any given parameters can be recomputed.
Eigen::VectorXd whitenedFromStandard(const Certificate& certificate,
                                     const Eigen::VectorXd& standard);

/// f(x) = 1/2 ||A x - b||^2 + c0.
double certificateObjective(const Certificate& certificate, const Eigen::VectorXd& x);

}  // namespace dynid
