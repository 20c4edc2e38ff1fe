#include "dynid/formulations/gauss.h"

#include "dynid/dynamics/kinematics.h"
#include "dynid/formulations/suitability.h"
#include "dynid/spatial/pseudo_inertia.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/QR>

#include <stdexcept>

namespace dynid {
namespace {

/// sqrt(m_i) (r''_i - g) = W ddq + w, with all particles stacked.
struct Particles {
  Eigen::MatrixXd W;
  Eigen::VectorXd w;
};

// The accelerations of all particles as a linear function of ddq. w is the part at ddq = 0 (with
// gravity); column j of W is the velocity for unit rate of joint j, which equals the derivative of
// the acceleration by ddq_j.
Particles particleAccelerations(const Robot& robot,
                                const Eigen::VectorXd& pi,
                                const Eigen::VectorXd& q,
                                const Eigen::VectorXd& dq) {
  const Eigen::Index n = q.size();
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(n);
  Particles particles{Eigen::MatrixXd::Zero(Eigen::Index{12} * robot.numBodies(), n),
                      Eigen::VectorXd::Zero(Eigen::Index{12} * robot.numBodies())};
  std::vector<Eigen::Matrix<double, 3, 4>> places(robot.bodies.size());
  for (size_t k = 0; k < places.size(); ++k) {
    const InertialParameters body = pi.segment<10>(10 * k);
    places[k].setZero();
    if (!body.isZero(0.0)) places[k] = equimomentalParticles(body);
  }
  std::vector<BodyMotion<double>> motions;
  const auto each_particle = [&](const auto& visit) {
    for (Eigen::Index k = 0; k < robot.numBodies(); ++k)
      for (Eigen::Index i = 0; i < 4; ++i) {
        const Eigen::Vector3d r = places[k].col(i);
        visit(12 * k + 3 * i, motions[k], r, std::sqrt(std::max(0.0, pi(10 * k) / 4)));
      }
  };
  forwardKinematics<double>(robot, q, dq, zero, motions);
  each_particle([&](Eigen::Index row, const auto& m, const Eigen::Vector3d& r, double root) {
    particles.w.segment<3>(row) = root * (m.a + m.wd.cross(r) + m.w.cross(m.w.cross(r)));
  });
  for (Eigen::Index j = 0; j < n; ++j) {
    forwardKinematics<double>(robot, q, Eigen::VectorXd::Unit(n, j), zero, motions);
    each_particle([&](Eigen::Index row, const auto& m, const Eigen::Vector3d& r, double root) {
      particles.W.col(j).segment<3>(row) = root * (m.v + m.w.cross(r));
    });
  }
  return particles;
}

}  // namespace

Eigen::Matrix<double, 3, 4> equimomentalParticles(const InertialParameters& pi) {
  const Eigen::LLT<Eigen::Matrix4d> factor(pseudoInertia(pi));
  if (factor.info() != Eigen::Success)
    throw std::invalid_argument("the pseudo-inertia is not positive definite; no such body exists");
  // P = L L^T = (L Q)(L Q)^T for every orthogonal Q. The reflection below gives all four columns
  // the same mass (last row).
  const Eigen::Matrix4d L = factor.matrixL();
  const Eigen::Vector4d last = L.row(3), equal = Eigen::Vector4d::Constant(0.5 * last.norm());
  const Eigen::Vector4d u = last - equal;
  Eigen::Matrix4d columns = L;
  if (u.squaredNorm() > 0.0) columns -= (2.0 / u.squaredNorm()) * (L * u) * u.transpose();
  return columns.topRows<3>() / equal(0);
}

Eigen::VectorXd gaussAccelerations(const Robot& robot,
                                   const Eigen::VectorXd& pi,
                                   const Eigen::VectorXd& q,
                                   const Eigen::VectorXd& dq,
                                   const Eigen::VectorXd& tau,
                                   const Eigen::MatrixXd& A,
                                   const Eigen::VectorXd& b) {
  const Eigen::Index n = q.size();
  const Particles particles = particleAccelerations(robot, pi, q, dq);
  // All accelerations that obey the constraint: start + free y.
  Eigen::VectorXd start = Eigen::VectorXd::Zero(n);
  Eigen::MatrixXd free = Eigen::MatrixXd::Identity(n, n);
  if (A.rows() > 0) {
    const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> rows(A);
    start = rows.solve(b);
    free = Eigen::MatrixXd(rows.matrixZ()).transpose().rightCols(n - rows.rank());
    free = rows.colsPermutation() * free;
  }
  if (free.cols() == 0) return start;
  // Minimise 1/2 |W ddq + w|^2 - tau.ddq over y.
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(particles.W * free);
  const Eigen::MatrixXd R = qr.matrixQR().topRows(free.cols()).triangularView<Eigen::Upper>();
  const Eigen::VectorXd rest = -(particles.W * start + particles.w);
  const Eigen::VectorXd projected = (qr.householderQ().transpose() * rest).head(free.cols());
  const Eigen::VectorXd push =
      R.transpose().triangularView<Eigen::Lower>().solve(free.transpose() * tau);
  return start + free * R.triangularView<Eigen::Upper>().solve(projected + push);
}

Formulation gaussFormulation() {
  return {"gauss",
          Computes::kAccelerations,
          "least constraint over particles, with linear constraints",
          kRoundingTolerance,
          kRoundingReason,
          false,
          suitsEveryRobot,
          [](const Robot& robot, const FormulationState& s) -> Eigen::MatrixXd {
            return gaussAccelerations(robot, s.pi, s.q, s.dq, s.tau_constrained, s.A, s.b);
          }};
}

}  // namespace dynid
