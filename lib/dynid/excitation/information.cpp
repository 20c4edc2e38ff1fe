#include "dynid/excitation/information.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

Eigen::VectorXd direction(const Eigen::Ref<const Eigen::VectorXd>& dq, double smoothing) {
  if (smoothing > 0.0) return (dq.array() / smoothing).tanh();
  return dq.array().sign();
}

}  // namespace

Information::Information(std::shared_ptr<const Robot> robot,
                         SoughtParameters sought,
                         Eigen::VectorXd weights,
                         const std::vector<Eigen::MatrixXd>& earlier)
    : robot_(std::move(robot)),
      sought_(std::move(sought)),
      weights_(std::move(weights)),
      inverse_transmission_(robot_->T.inverse()),
      regressor_(robot_),
      adjoint_(robot_) {
  if (!earlier.empty()) earlier_.setZero(sought_.count(), sought_.count());
  for (size_t i = 0; i < earlier.size(); ++i) {
    const double weight = weights_(i);
    earlier_ += weight * weight * earlier[i];
  }
  const int n = robot_->numJoints();
  std::vector<std::vector<int>> standard;
  for (int j = 0; j < n; ++j) standard.push_back(regressor_.columns(j));
  entries_.resize(robot_->drives.size());
  for (int i = 0; i < std::ssize(entries_); ++i) {
    for (int c = 0; c < std::ssize(sought_.columns); ++c) {
      const Column& column = sought_.columns[c];
      Entry entry{c, {}};
      bool seen = column.kind != ColumnKind::kInertial && column.owner == i;
      if (column.kind == ColumnKind::kInertial) {
        const int wanted_column = 10 * column.owner + column.component;
        for (int j = 0; j < n; ++j) {
          const auto& in = standard[j];
          const auto it = std::find(in.begin(), in.end(), wanted_column);
          const bool moves = it != in.end() && robot_->T(j, i) != 0.0;
          entry.at.push_back(moves ? static_cast<int>(it - in.begin()) : -1);
          seen = seen || moves;
        }
      }
      if (seen) entries_[i].push_back(std::move(entry));
    }
  }
}

void Information::fillChannels(const MotionSamples& motion, const Eigen::VectorXd& smoothing) {
  regressor_.evaluate(motion.q, motion.dq, motion.ddq, Y_);
  W_.resize(entries_.size());
  for (Eigen::Index i = 0; i < std::ssize(entries_); ++i) {
    const Eigen::VectorXd dq = motion.dq * inverse_transmission_.row(i).transpose(),
                          ddq = motion.ddq * inverse_transmission_.row(i).transpose();
    Eigen::MatrixXd& W = W_[i];
    W.setZero(motion.q.rows(), std::ssize(entries_[i]));
    for (size_t e = 0; e < entries_[i].size(); ++e) {
      const Entry& entry = entries_[i][e];
      const Column& column = sought_.columns[entry.column];
      auto target = W.col(e);
      if (column.kind == ColumnKind::kInertial) {
        for (size_t j = 0; j < entry.at.size(); ++j)
          if (entry.at[j] >= 0) target += robot_->T(j, i) * Y_[j].col(entry.at[j]);
      } else if (column.kind == ColumnKind::kDriveInertia) {
        target = ddq;
      } else if (column.effect == FrictionEffect::kViscous) {
        target = dq;
      } else if (column.effect == FrictionEffect::kCoulomb) {
        target = direction(dq, smoothing(i));
      } else {
        target.setOnes();
      }
    }
    W *= weights_(i);
  }
}

Eigen::MatrixXd Information::rows(const MotionSamples& motion, const Eigen::VectorXd& smoothing) {
  fillChannels(motion, smoothing);
  const Eigen::Index samples = motion.q.rows();
  Eigen::MatrixXd all =
      Eigen::MatrixXd::Zero(samples * std::ssize(entries_), std::ssize(sought_.columns));
  for (Eigen::Index i = 0; i < std::ssize(entries_); ++i)
    for (size_t e = 0; e < entries_[i].size(); ++e)
      all.col(entries_[i][e].column).segment(i * samples, samples) = W_[i].col(e);
  return sought_.mix.size() > 0 ? all * sought_.mix : all;
}

Eigen::MatrixXd Information::gram() const {
  const auto columns = std::ssize(sought_.columns);
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(columns, columns);
  for (size_t i = 0; i < entries_.size(); ++i) {
    // Eigen refers to the first element, which an actuator without columns does not have
    if (entries_[i].empty()) continue;
    Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(W_[i].cols(), W_[i].cols());
    gram.selfadjointView<Eigen::Lower>().rankUpdate(W_[i].transpose());
    for (Eigen::Index c = 0; c < std::ssize(entries_[i]); ++c)
      for (size_t r = c; r < entries_[i].size(); ++r)
        M(entries_[i][r].column, entries_[i][c].column) += gram(r, c);
  }
  M.triangularView<Eigen::StrictlyUpper>() = M.transpose();
  return M;
}

Eigen::MatrixXd Information::matrix(const MotionSamples& motion, const Eigen::VectorXd& smoothing) {
  fillChannels(motion, smoothing);
  Eigen::MatrixXd M = gram() / static_cast<double>(motion.q.rows());
  if (sought_.mix.size() > 0) M = sought_.mix.transpose() * M * sought_.mix;
  if (earlier_.size() > 0) M += earlier_;
  return M;
}

MotionSamples Information::gradient(const MotionSamples& motion,
                                    const Eigen::VectorXd& smoothing,
                                    const Eigen::MatrixXd& dM) {
  const Eigen::MatrixXd by_columns =
      sought_.mix.size() > 0 ? sought_.mix * dM * sought_.mix.transpose() : dM;
  const Eigen::Index samples = motion.q.rows();
  G_.resize(Y_.size());
  for (size_t j = 0; j < Y_.size(); ++j) G_[j].setZero(samples, Y_[j].cols());
  MotionSamples friction{Eigen::MatrixXd::Zero(samples, motion.q.cols()),
                         Eigen::MatrixXd::Zero(samples, motion.q.cols()),
                         Eigen::MatrixXd::Zero(samples, motion.q.cols())};
  for (Eigen::Index i = 0; i < std::ssize(entries_); ++i) {
    std::vector<int> columns;
    for (const Entry& entry : entries_[i]) columns.push_back(entry.column);
    const Eigen::MatrixXd weights =
        (2.0 * weights_(i) / static_cast<double>(samples)) * (W_[i] * by_columns(columns, columns));
    for (size_t e = 0; e < entries_[i].size(); ++e) {
      const Entry& entry = entries_[i][e];
      const Column& column = sought_.columns[entry.column];
      const auto g = weights.col(e);
      if (column.kind == ColumnKind::kInertial) {
        for (size_t j = 0; j < entry.at.size(); ++j)
          if (entry.at[j] >= 0) G_[j].col(entry.at[j]) += robot_->T(j, i) * g;
      } else if (column.kind == ColumnKind::kDriveInertia) {
        friction.ddq += g * inverse_transmission_.row(i);
      } else if (column.effect == FrictionEffect::kViscous) {
        friction.dq += g * inverse_transmission_.row(i);
      } else if (column.effect == FrictionEffect::kCoulomb) {
        const Eigen::ArrayXd s = W_[i].col(e).array() / weights_(i);
        const Eigen::VectorXd slope = g.array() * (1.0 - s.square()) / smoothing(i);
        friction.dq += slope * inverse_transmission_.row(i);
      }
    }
  }
  MotionSamples result;
  adjoint_.evaluate(motion.q, motion.dq, motion.ddq, G_, result.q, result.dq, result.ddq);
  result.dq += friction.dq;
  result.ddq += friction.ddq;
  return result;
}

}  // namespace dynid
