#pragma once

#include "dynid/consistency/conic_problem.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// A strictly interior pair (x, w) of the cone and its dual, stored as Nesterov-Todd factors: for
/// every body
///
///     Q = G L G^T,  Z = G^-T L G^-1,  L diagonal,
///
/// so that Theta = (congruence by G^-1) maps x and Theta^-T maps w to the same point svec(L).
/// Scalars: the same with 1x1 blocks. Q and Z are never factorised again: they are updated in the
/// scaled space, where they are well conditioned (Nesterov, Todd, SIAM J. Optim. 8(2), 1998; Todd,
/// Toh, Tutuncu, SIAM J. Optim. 8(3), 1998).
class ConeScaling {
 public:
  /// x = primal * identity, w = dual * identity; both positive.
  ConeScaling(int bodies, int scalars, double primal, double dual);
  /// x inside the cone, w = mu x^-1.
  ConeScaling(int bodies, int scalars, const Eigen::VectorXd& x, double mu);

  int size() const { return 10 * static_cast<int>(bodies_.size()) + static_cast<int>(x_.size()); }
  Eigen::VectorXd primal() const;
  Eigen::VectorXd dual() const;
  /// <x, w>.
  double complementarity() const;
  /// The contribution of the bodies to it.
  double bodyComplementarity() const;
  /// svec(L), the scaled point.
  Eigen::VectorXd point() const;
  /// svec(T) with (L T + T L) / 2 = mu 1: at L + dx, L + dw with dx + dw = T - L, x and w have the
  /// complementarity mu but for dx dw. Bodies and scalars may have different mu.
  Eigen::VectorXd centering(double bodies, double scalars) const;
  /// What the second-order term (dx dw + dw dx) / 2 of a step takes from the centering:
  /// svec(S) with (L S + S L) / 2 = (dx dw + dw dx) / 2.
  Eigen::VectorXd secondOrder(const Eigen::VectorXd& dx, const Eigen::VectorXd& dw) const;
  /// Theta^-T g, for gradients: svec(G^T smat(g) G).
  Eigen::VectorXd toScaledDual(const Eigen::VectorXd& g) const;
  /// Theta^-1 y.
  Eigen::VectorXd fromScaled(const Eigen::VectorXd& y) const;
  /// Writes M Theta^-1 into `out` (same shape as M).
  void multiplyInverse(const Eigen::Ref<const RowMajorMatrix>& M,
                       Eigen::Ref<RowMajorMatrix> out,
                       int threads = 1) const;
  /// Largest alpha with svec(L) + alpha step in the cone; +infinity if the whole ray is inside.
  double lengthToBoundary(const Eigen::VectorXd& step) const;
  /// Moves to L + alpha dx, L + alpha dw (both scaled, inside the cone) and refactorises there.
  /// @returns false if rounding errors left the cone; the pair must not be used afterwards
  bool advance(double alpha, const Eigen::VectorXd& dx, const Eigen::VectorXd& dw);

 private:
  struct Body {
    Eigen::Matrix4d G;
    Eigen::Matrix4d G_inverse;
    Eigen::Vector4d lambda;
  };
  std::vector<Body> bodies_;
  Eigen::VectorXd x_;  // scalars
  Eigen::VectorXd w_;
};

}  // namespace dynid
