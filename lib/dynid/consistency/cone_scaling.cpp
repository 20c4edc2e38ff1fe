#include "dynid/consistency/cone_scaling.h"

#include "dynid/core/parallel.h"
#include "dynid/spatial/pseudo_inertia.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <limits>

namespace dynid {
namespace {

Eigen::Matrix4d diagonal(const Eigen::Vector4d& values) { return values.asDiagonal(); }

}  // namespace

ConeScaling::ConeScaling(int bodies, int scalars, double primal, double dual)
    : x_(Eigen::VectorXd::Constant(scalars, primal)), w_(Eigen::VectorXd::Constant(scalars, dual)) {
  const double g = std::pow(primal / dual, 0.25);
  const Body body{g * Eigen::Matrix4d::Identity(),
                  1.0 / g * Eigen::Matrix4d::Identity(),
                  Eigen::Vector4d::Constant(std::sqrt(primal * dual))};
  bodies_.assign(bodies, body);
}

ConeScaling::ConeScaling(int bodies, int scalars, const Eigen::VectorXd& x, double mu)
    : x_(x.tail(scalars)), w_(mu * x.tail(scalars).cwiseInverse()) {
  const double root = std::pow(mu, 0.25);
  for (int k = 0; k < bodies; ++k) {
    const Eigen::LLT<Eigen::Matrix4d> factor(smat(x.segment<10>(10 * k)));
    const Eigen::Matrix4d L = factor.matrixL();
    const Eigen::Matrix4d L_inverse = factor.matrixL().solve(Eigen::Matrix4d::Identity());
    bodies_.push_back({L / root, root * L_inverse, Eigen::Vector4d::Constant(std::sqrt(mu))});
  }
}

Eigen::VectorXd ConeScaling::primal() const {
  Eigen::VectorXd x(size());
  Eigen::Index at = 0;
  for (const Body& body : bodies_) {
    x.segment<10>(at) = svec(body.G * body.lambda.asDiagonal() * body.G.transpose());
    at += 10;
  }
  x.tail(x_.size()) = x_;
  return x;
}

Eigen::VectorXd ConeScaling::dual() const {
  Eigen::VectorXd w(size());
  Eigen::Index at = 0;
  for (const Body& body : bodies_) {
    w.segment<10>(at) =
        svec(body.G_inverse.transpose() * body.lambda.asDiagonal() * body.G_inverse);
    at += 10;
  }
  w.tail(w_.size()) = w_;
  return w;
}

double ConeScaling::complementarity() const { return x_.dot(w_) + bodyComplementarity(); }

double ConeScaling::bodyComplementarity() const {
  double sum = 0.0;
  for (const Body& body : bodies_) sum += body.lambda.squaredNorm();
  return sum;
}

Eigen::VectorXd ConeScaling::point() const {
  Eigen::VectorXd l(size());
  Eigen::Index at = 0;
  for (const Body& body : bodies_) {
    l.segment<10>(at) = svec(diagonal(body.lambda));
    at += 10;
  }
  l.tail(x_.size()) = (x_.array() * w_.array()).sqrt();
  return l;
}

Eigen::VectorXd ConeScaling::centering(double bodies, double scalars) const {
  Eigen::VectorXd t(size());
  Eigen::Index at = 0;
  for (const Body& body : bodies_) {
    t.segment<10>(at) = svec(diagonal(bodies * body.lambda.cwiseInverse()));
    at += 10;
  }
  t.tail(x_.size()) = scalars * (x_.array() * w_.array()).rsqrt();
  return t;
}

Eigen::VectorXd ConeScaling::secondOrder(const Eigen::VectorXd& dx,
                                         const Eigen::VectorXd& dw) const {
  Eigen::VectorXd second(size());
  Eigen::Index at = 0;
  for (const Body& body : bodies_) {
    const Eigen::Matrix4d product = smat(dx.segment<10>(at)) * smat(dw.segment<10>(at));
    const Eigen::Matrix4d sums =
        body.lambda.replicate<1, 4>() + body.lambda.transpose().replicate<4, 1>();
    second.segment<10>(at) = svec((product + product.transpose()).cwiseQuotient(sums));
    at += 10;
  }
  const Eigen::Index scalars = x_.size();
  second.tail(scalars) =
      dx.tail(scalars).array() * dw.tail(scalars).array() * (x_.array() * w_.array()).rsqrt();
  return second;
}

Eigen::VectorXd ConeScaling::toScaledDual(const Eigen::VectorXd& g) const {
  Eigen::VectorXd y(size());
  Eigen::Index at = 0;
  for (const Body& body : bodies_) {
    y.segment<10>(at) = svec(body.G.transpose() * smat(g.segment<10>(at)) * body.G);
    at += 10;
  }
  y.tail(x_.size()) = g.tail(x_.size()).array() * (x_.array() / w_.array()).sqrt();
  return y;
}

Eigen::VectorXd ConeScaling::fromScaled(const Eigen::VectorXd& y) const {
  Eigen::VectorXd dx(size());
  Eigen::Index at = 0;
  for (const Body& body : bodies_) {
    dx.segment<10>(at) = svec(body.G * smat(y.segment<10>(at)) * body.G.transpose());
    at += 10;
  }
  dx.tail(x_.size()) = y.tail(x_.size()).array() * (x_.array() / w_.array()).sqrt();
  return dx;
}

void ConeScaling::multiplyInverse(const Eigen::Ref<const RowMajorMatrix>& M,
                                  Eigen::Ref<RowMajorMatrix> out,
                                  int threads) const {
  if (M.rows() == 0) return;
  const auto bodies = std::ssize(bodies_);
  parallelRanges(bodies, threads, [&](Eigen::Index first, Eigen::Index end) {
    for (Eigen::Index k = first; k < end; ++k)
      out.middleCols<10>(10 * k).noalias() = M.middleCols<10>(10 * k) * congruence(bodies_[k].G);
  });
  for (Eigen::Index j = 0; j < x_.size(); ++j)
    out.col(10 * bodies + j) = std::sqrt(x_(j) / w_(j)) * M.col(10 * bodies + j);
}

double ConeScaling::lengthToBoundary(const Eigen::VectorXd& step) const {
  // L + alpha D >= 0 if and only if 1 + alpha lambda_min(L^-1/2 D L^-1/2) >= 0.
  double lowest = 0.0;
  Eigen::Index at = 0;
  for (const Body& body : bodies_) {
    const Eigen::Vector4d root = body.lambda.cwiseSqrt().cwiseInverse();
    const Eigen::Matrix4d relative =
        root.asDiagonal() * smat(step.segment<10>(at)) * root.asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(relative, Eigen::EigenvaluesOnly);
    lowest = std::min(lowest, eigen.eigenvalues()(0));
    at += 10;
  }
  for (Eigen::Index j = 0; j < x_.size(); ++j)
    lowest = std::min(lowest, step(at + j) / std::sqrt(x_(j) * w_(j)));
  return lowest < 0.0 ? -1.0 / lowest : std::numeric_limits<double>::infinity();
}

bool ConeScaling::advance(double alpha, const Eigen::VectorXd& dx, const Eigen::VectorXd& dw) {
  Eigen::Index at = 0;
  for (Body& body : bodies_) {
    const Eigen::Matrix4d L = diagonal(body.lambda);
    const Eigen::LLT<Eigen::Matrix4d> primal_factor(L + alpha * smat(dx.segment<10>(at)));
    const Eigen::LLT<Eigen::Matrix4d> dual_factor(L + alpha * smat(dw.segment<10>(at)));
    if (primal_factor.info() != Eigen::Success || dual_factor.info() != Eigen::Success)
      return false;
    const Eigen::Matrix4d Lx = primal_factor.matrixL();
    const Eigen::Matrix4d Lw = dual_factor.matrixL();
    const Eigen::JacobiSVD<Eigen::Matrix4d> svd(Lw.transpose() * Lx,
                                                Eigen::ComputeFullU | Eigen::ComputeFullV);
    if (svd.info() != Eigen::Success) return false;
    body.lambda = svd.singularValues();
    const Eigen::Vector4d root = body.lambda.cwiseSqrt().cwiseInverse();
    body.G = (body.G * Lx * svd.matrixV() * root.asDiagonal()).eval();
    body.G_inverse =
        (root.asDiagonal() * svd.matrixU().transpose() * Lw.transpose() * body.G_inverse).eval();
    at += 10;
  }
  for (Eigen::Index j = 0; j < x_.size(); ++j) {
    const double l = std::sqrt(x_(j) * w_(j));
    x_(j) *= 1.0 + alpha * dx(at + j) / l;
    w_(j) *= 1.0 + alpha * dw(at + j) / l;
  }
  return true;
}

}  // namespace dynid
