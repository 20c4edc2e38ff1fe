#include "dynid/excitation/regressor_adjoint.h"

#include "dynid/dynamics/body_regressor.h"
#include "dynid/dynamics/kinematics.h"
#include "dynid/excitation/closed_adjoint.h"

#include <Eigen/Geometry>

#include <algorithm>

namespace dynid {
namespace {

using Eigen::Vector3d;
using Block10 = Eigen::Matrix<double, 6, 10>;

// The vector v with tr(M^T [u]x) = v . u for all u.
Vector3d axial(const Eigen::Matrix3d& M) {
  return {M(2, 1) - M(1, 2), M(0, 2) - M(2, 0), M(1, 0) - M(0, 1)};
}

using Block6 = Eigen::Matrix<double, 3, 6>;

// The vector v with <N, L(u)> = v . u for all u, where L(u) vec6(I) = I u.
Vector3d inertiaAdjoint(const Block6& N) {
  return {N(0, 0) + N(1, 1) + N(2, 2), N(0, 1) + N(1, 3) + N(2, 4), N(0, 2) + N(1, 4) + N(2, 5)};
}

struct MotionAdjoint {
  Vector3d w, wd, a;
};

// Adjoints of the motion of one body, from <A(w, wd, a), B>.
MotionAdjoint bodyAdjoint(const Block10& B, const Vector3d& w) {
  const Eigen::Matrix3d H = B.block<3, 3>(0, 1), M = B.block<3, 3>(3, 1);
  const Block6 N = B.block<3, 6>(3, 4);
  MotionAdjoint adjoint;
  adjoint.a = B.block<3, 1>(0, 0) - axial(M);
  adjoint.wd = axial(H) + inertiaAdjoint(N);
  Block6 crossed;
  for (int c = 0; c < 6; ++c) crossed.col(c) = Vector3d(N.col(c)).cross(w);
  adjoint.w = (H + H.transpose()) * w - 2.0 * H.trace() * w + inertiaAdjoint(crossed);
  const double x = w.x(), y = w.y(), z = w.z();
  const Block6 L{{x, y, z, 0, 0, 0}, {0, x, 0, y, z, 0}, {0, 0, x, 0, y, z}};
  for (int c = 0; c < 6; ++c) adjoint.w += Vector3d(L.col(c)).cross(Vector3d(N.col(c)));
  return adjoint;
}

}  // namespace

struct RegressorAdjoint::BodyScratch {
  Eigen::Matrix<double, 6, Eigen::Dynamic> J, J_adjoint;  // columns in the order of joints_[k]
  Vector3d w_carried, wd_carried, a_carried;  // motion of the parent in this body's frame
  MotionAdjoint adjoint;
};

struct RegressorAdjoint::Scratch {
  Eigen::VectorXd q, dq, ddq;
  std::vector<BodyMotion<double>> motions;
  std::vector<BodyScratch> bodies;
};

RegressorAdjoint::RegressorAdjoint(std::shared_ptr<const Robot> robot)
    : robot_(std::move(robot)), scratch_(std::make_shared<Scratch>()) {
  if (!robot_->loops.empty()) {
    closed_ = std::make_shared<ClosedAdjoint>(*robot_);
    return;
  }
  const size_t bodies = robot_->bodies.size();
  joints_.resize(bodies);
  offsets_.resize(bodies);
  from_parent_.resize(bodies);
  for (int j = 0; j < std::ssize(robot_->joints); ++j) {
    const std::vector<bool> moved = robot_->bodiesMovedBy(j);
    int column = 0;
    for (size_t k = 0; k < bodies; ++k) {
      if (!moved[k]) continue;
      joints_[k].push_back(j);
      offsets_[k].push_back(column);
      column += 10;
    }
  }
  scratch_->bodies.resize(bodies);
  for (size_t k = 0; k < bodies; ++k) {
    const Body& body = robot_->bodies[k];
    const auto place = [&](int joint) {
      return static_cast<int>(std::find(joints_[k].begin(), joints_[k].end(), joint) -
                              joints_[k].begin());
    };
    joint_entry_.push_back(place(body.joint));
    if (body.parent >= 0)
      for (int joint : joints_[body.parent]) from_parent_[k].push_back(place(joint));
    const auto columns = std::ssize(joints_[k]);
    scratch_->bodies[k].J.resize(6, columns);
    scratch_->bodies[k].J_adjoint.resize(6, columns);
  }
}

void RegressorAdjoint::outward(Eigen::Index sample, const std::vector<Eigen::MatrixXd>& G) {
  Scratch& s = *scratch_;
  forwardKinematics<double>(*robot_, s.q, s.dq, s.ddq, s.motions);
  for (size_t k = 0; k < robot_->bodies.size(); ++k) {
    const Body& body = robot_->bodies[k];
    const BodyMotion<double>& motion = s.motions[k];
    BodyScratch& link = s.bodies[k];
    link.J.setZero();
    Vector3d w = Vector3d::Zero(), wd = Vector3d::Zero(), a = -robot_->gravity;
    if (body.parent >= 0) {
      w = s.motions[body.parent].w;
      wd = s.motions[body.parent].wd;
      a = s.motions[body.parent].a;
      for (size_t i = 0; i < from_parent_[k].size(); ++i) {
        const auto from = s.bodies[body.parent].J.col(i);
        const Vector3d jv = from.head<3>(), jw = from.tail<3>();
        link.J.col(from_parent_[k][i]).head<3>() =
            motion.R_PB.transpose() * (jv + jw.cross(motion.p_PB));
        link.J.col(from_parent_[k][i]).tail<3>() = motion.R_PB.transpose() * jw;
      }
    }
    link.w_carried = motion.R_PB.transpose() * w;
    link.wd_carried = motion.R_PB.transpose() * wd;
    link.a_carried = motion.R_PB.transpose() *
                     (a + wd.cross(motion.p_PB) + w.cross(Vector3d(w.cross(motion.p_PB))));
    link.J.col(joint_entry_[k]).segment<3>(body.prismatic ? 0 : 3) += body.multiplier * body.axis;

    const BodyRegressor<double> A = bodyRegressor<double>(motion.w, motion.wd, motion.a);
    Block10 B = Block10::Zero();
    for (Eigen::Index i = 0; i < std::ssize(joints_[k]); ++i) {
      const Eigen::Matrix<double, 10, 1> g =
          G[joints_[k][i]].block<1, 10>(sample, offsets_[k][i]).transpose();
      link.J_adjoint.col(i).noalias() = A * g;
      B.noalias() += link.J.col(i) * g.transpose();
    }
    link.adjoint = bodyAdjoint(B, motion.w);
  }
}

void RegressorAdjoint::inward(Eigen::Index sample,
                              Eigen::MatrixXd& gq,
                              Eigen::MatrixXd& gdq,
                              Eigen::MatrixXd& gddq) {
  Scratch& s = *scratch_;
  for (size_t k = robot_->bodies.size(); k-- > 0;) {
    const Body& body = robot_->bodies[k];
    const BodyMotion<double>& motion = s.motions[k];
    BodyScratch& link = s.bodies[k];
    MotionAdjoint& bar = link.adjoint;
    const Vector3d& z = body.axis;
    const double rate = body.multiplier * s.dq(body.joint);
    double position_bar = 0.0, rate_bar = 0.0, acceleration_bar = 0.0;
    if (body.prismatic) {
      acceleration_bar = z.dot(bar.a);
      rate_bar = 2.0 * z.dot(bar.a.cross(motion.w));
      bar.w += 2.0 * rate * z.cross(bar.a);
    } else {
      acceleration_bar = z.dot(bar.wd);
      rate_bar = z.dot(bar.wd.cross(motion.w));
      bar.w += rate * z.cross(bar.wd);
      rate_bar += z.dot(bar.w);
      position_bar = z.dot(bar.w.cross(link.w_carried) + bar.wd.cross(link.wd_carried) +
                           bar.a.cross(link.a_carried));
    }
    const Vector3d W = motion.R_PB * bar.w, wd_bar = motion.R_PB * bar.wd, A = motion.R_PB * bar.a;
    const Vector3d& p = motion.p_PB;
    Vector3d p_bar = Vector3d::Zero();
    if (body.parent >= 0) {
      BodyScratch& up = s.bodies[body.parent];
      const Vector3d& w = s.motions[body.parent].w;
      const Vector3d& wd = s.motions[body.parent].wd;
      up.adjoint.a += A;
      up.adjoint.wd += wd_bar + p.cross(A);
      up.adjoint.w += W + w.dot(p) * A + A.dot(w) * p - 2.0 * A.dot(p) * w;
      p_bar = A.cross(wd) + w.cross(Vector3d(w.cross(A)));
      for (Eigen::Index i = 0; i < std::ssize(from_parent_[k]); ++i) {
        const auto from = i, to = Eigen::Index{from_parent_[k][i]};
        const Vector3d v_bar = link.J_adjoint.col(to).head<3>(),
                       w_bar = link.J_adjoint.col(to).tail<3>();
        const Vector3d jw = up.J.col(from).tail<3>();
        const Vector3d jv_B = motion.R_PB.transpose() * (up.J.col(from).head<3>() + jw.cross(p));
        const Vector3d jw_B = motion.R_PB.transpose() * jw;
        if (!body.prismatic) position_bar += z.dot(v_bar.cross(jv_B) + w_bar.cross(jw_B));
        const Vector3d V = motion.R_PB * v_bar;
        up.J_adjoint.col(from).head<3>() += V;
        up.J_adjoint.col(from).tail<3>() += motion.R_PB * w_bar + p.cross(V);
        p_bar += V.cross(jw);
      }
    }
    if (body.prismatic) position_bar = (motion.R_PB * z).dot(p_bar);
    gq(sample, body.joint) += body.multiplier * position_bar;
    gdq(sample, body.joint) += body.multiplier * rate_bar;
    gddq(sample, body.joint) += body.multiplier * acceleration_bar;
  }
}

void RegressorAdjoint::evaluate(const Eigen::MatrixXd& q,
                                const Eigen::MatrixXd& dq,
                                const Eigen::MatrixXd& ddq,
                                const std::vector<Eigen::MatrixXd>& G,
                                Eigen::MatrixXd& gq,
                                Eigen::MatrixXd& gdq,
                                Eigen::MatrixXd& gddq) {
  if (closed_) {
    closed_->evaluate(q, dq, ddq, G, gq, gdq, gddq);
    return;
  }
  for (auto* g : {&gq, &gdq, &gddq}) g->setZero(q.rows(), q.cols());
  for (Eigen::Index sample = 0; sample < q.rows(); ++sample) {
    scratch_->q = q.row(sample);
    scratch_->dq = dq.row(sample);
    scratch_->ddq = ddq.row(sample);
    outward(sample, G);
    inward(sample, gq, gdq, gddq);
  }
}

}  // namespace dynid
