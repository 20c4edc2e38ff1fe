#include "dynid/dynamics/projection.h"

#include "dynid/dynamics/body_regressor.h"
#include "dynid/dynamics/kinematics.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace dynid {

struct ProjectionRegressor::Scratch {
  Eigen::VectorXd q, dq, ddq;
  std::vector<BodyMotion<double>> motions;
  std::vector<Eigen::Matrix<double, 6, Eigen::Dynamic>> J;  // per body, columns as joints_[k]
};

ProjectionRegressor::ProjectionRegressor(std::shared_ptr<const Robot> robot)
    : robot_(std::move(robot)), scratch_(std::make_shared<Scratch>()) {
  const size_t n = robot_->joints.size(), bodies = robot_->bodies.size();
  bodies_.resize(n);
  joints_.resize(bodies);
  offsets_.resize(bodies);
  for (size_t j = 0; j < n; ++j) {
    const std::vector<bool> moved = robot_->bodiesMovedBy(static_cast<int>(j));
    for (size_t k = 0; k < bodies; ++k) {
      if (!moved[k]) continue;
      joints_[k].push_back(static_cast<int>(j));
      offsets_[k].push_back(static_cast<int>(10 * bodies_[j].size()));
      bodies_[j].push_back(static_cast<int>(k));
    }
  }
  scratch_->J.resize(bodies);
  for (size_t k = 0; k < bodies; ++k)
    scratch_->J[k].resize(6, static_cast<Eigen::Index>(joints_[k].size()));
}

std::vector<int> ProjectionRegressor::columns(int joint) const {
  std::vector<int> columns;
  for (int body : bodies(joint))
    for (int c = 0; c < 10; ++c) columns.push_back(10 * body + c);
  return columns;
}

void ProjectionRegressor::evaluateSample(Eigen::Index sample, std::vector<Eigen::MatrixXd>& Y) {
  Scratch& s = *scratch_;
  forwardKinematics<double>(*robot_, s.q, s.dq, s.ddq, s.motions);
  for (size_t k = 0; k < robot_->bodies.size(); ++k) {
    const Body& body = robot_->bodies[k];
    const BodyMotion<double>& motion = s.motions[k];
    auto& J = s.J[k];
    J.setZero();
    if (body.parent >= 0) {  // carry its columns over: v_B = R^T (v_P + w_P x p), w_B = R^T w_P
      const auto parent = static_cast<size_t>(body.parent);
      size_t column = 0;
      for (size_t i = 0; i < joints_[parent].size(); ++i) {
        while (joints_[k][column] != joints_[parent][i]) ++column;
        const auto from = static_cast<Eigen::Index>(i), to = static_cast<Eigen::Index>(column);
        const Eigen::Vector3d v = s.J[parent].col(from).head<3>(),
                              w = s.J[parent].col(from).tail<3>();
        J.col(to).head<3>() = motion.R_PB.transpose() * (v + w.cross(motion.p_PB));
        J.col(to).tail<3>() = motion.R_PB.transpose() * w;
      }
    }
    const auto own =
        std::find(joints_[k].begin(), joints_[k].end(), body.joint) - joints_[k].begin();
    if (body.prismatic) {
      J.col(own).head<3>() += body.multiplier * body.axis;
    } else {
      J.col(own).tail<3>() += body.multiplier * body.axis;
    }
    const BodyRegressor<double> A = bodyRegressor<double>(motion.w, motion.wd, motion.a);
    for (size_t i = 0; i < joints_[k].size(); ++i) {
      Y[static_cast<size_t>(joints_[k][i])].block<1, 10>(sample, offsets_[k][i]).noalias() =
          J.col(static_cast<Eigen::Index>(i)).transpose() * A;
    }
  }
}

void ProjectionRegressor::evaluate(const Eigen::Ref<const Eigen::MatrixXd>& q,
                                   const Eigen::Ref<const Eigen::MatrixXd>& dq,
                                   const Eigen::Ref<const Eigen::MatrixXd>& ddq,
                                   std::vector<Eigen::MatrixXd>& Y) {
  const Eigen::Index n = robot_->numJoints();
  for (const auto* m : {&q, &dq, &ddq}) {
    if (m->cols() != n || m->rows() != q.rows())
      throw std::invalid_argument("ProjectionRegressor::evaluate: got " +
                                  std::to_string(m->rows()) + " x " + std::to_string(m->cols()) +
                                  "; expected " + std::to_string(q.rows()) + " x " +
                                  std::to_string(n));
  }
  Y.resize(static_cast<size_t>(n));
  for (size_t j = 0; j < Y.size(); ++j)
    Y[j].resize(q.rows(), static_cast<Eigen::Index>(10 * bodies_[j].size()));
  for (Eigen::Index sample = 0; sample < q.rows(); ++sample) {
    scratch_->q = q.row(sample);
    scratch_->dq = dq.row(sample);
    scratch_->ddq = ddq.row(sample);
    evaluateSample(sample, Y);
  }
}

Eigen::MatrixXd ProjectionRegressor::dense(const Eigen::VectorXd& q,
                                           const Eigen::VectorXd& dq,
                                           const Eigen::VectorXd& ddq) {
  std::vector<Eigen::MatrixXd> Y;
  evaluate(q.transpose(), dq.transpose(), ddq.transpose(), Y);
  Eigen::MatrixXd dense =
      Eigen::MatrixXd::Zero(robot_->numJoints(), Eigen::Index{10} * robot_->numBodies());
  for (int j = 0; j < robot_->numJoints(); ++j) {
    const std::vector<int> standard = columns(j);
    for (size_t c = 0; c < standard.size(); ++c)
      dense(j, standard[c]) = Y[static_cast<size_t>(j)](0, static_cast<Eigen::Index>(c));
  }
  return dense;
}

}  // namespace dynid
