#include "dynid/diagnosis/channel_columns.h"

#include "dynid/dynamics/joint_effects.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

using Eigen::Index;

constexpr double kRampShare = 0.02;  // of the 95 % speed: width of the Coulomb ramp
constexpr double kSpeedQuantile = 0.95;
constexpr double kStillShare = 0.12;  // of the 95 % speed
constexpr double kFewestUsed = 0.04;  // of the rows

double quantileOfSize(const Eigen::VectorXd& values, double share) {
  std::vector<double> sizes(values.size());
  for (Index i = 0; i < values.size(); ++i) sizes[i] = std::abs(values(i));
  if (sizes.empty()) return 0.0;
  const auto at = sizes.begin() + static_cast<Index>(share * static_cast<double>(sizes.size() - 1));
  std::nth_element(sizes.begin(), at, sizes.end());
  return *at;
}

}  // namespace

ChannelColumns::ChannelColumns(std::shared_ptr<const Robot> robot, bool efforts_of_drives)
    : robot_(std::move(robot)), regressor_(robot_) {
  const Index n = robot_->numJoints();
  C_ = robot_->T.inverse();
  B_ = Eigen::MatrixXd::Identity(n, n);
  offset_ = Eigen::VectorXd::Zero(n);
  for (Index c = 0; c < n; ++c) {
    if (!robot_->measured_at_actuator[c]) continue;
    B_.col(c) = robot_->T.col(c);
    offset_(c) = robot_->transmission_offset(c);
  }
  const auto without_rounding = [](double value) { return std::abs(value) < 1e-12 ? 0.0 : value; };
  E_ = efforts_of_drives ? robot_->T : B_;
  F_ = (C_ * E_).unaryExpr(without_rounding);
  motion_of_effort_ = (B_.inverse() * E_).unaryExpr(without_rounding);
  speed_of_drives_ = (C_ * B_).unaryExpr(without_rounding);
  const Index first_offset = numInertial() + 3 * n;
  size_ = first_offset + n;
  for (Index a = 0; a < n; ++a) {
    const Drive& drive = robot_->drives[a];
    const bool prismatic = robot_->joints[a].prismatic;
    for (const PositionEffect& effect : drive.position_effects) {
      PositionColumns columns{a, effect, size_, {}};
      columns.share = effect.at_actuator ? F_.row(a) : E_.row(a);
      size_ += std::ssize(positionTerms(effect, prismatic));
      position_.push_back(std::move(columns));
    }
  }
  place_ = Eigen::MatrixXi::Constant(size_, n, -1);
  active_.resize(n);
  for (Index c = 0; c < n; ++c) {
    const auto use = [&](Index first, Index count) {
      for (Index k = first; k < first + count; ++k) {
        if (place_(k, c) >= 0) continue;
        place_(k, c) = static_cast<int>(std::ssize(active_[c]));
        active_[c].push_back(k);
      }
    };
    for (Index j = 0; j < n; ++j)
      if (E_(j, c) != 0.0)
        for (const int body : regressor_.bodies(static_cast<int>(j))) use(10 * body, 10);
    num_active_inertial_.push_back(std::ssize(active_[c]));
    for (Index a = 0; a < n; ++a)
      if (F_(a, c) != 0.0) use(numInertial() + 3 * a, 3);
    use(first_offset + c, 1);
    for (const PositionColumns& terms : position_)
      if (terms.share(c) != 0.0)
        use(terms.first_column,
            std::ssize(positionTerms(terms.effect, robot_->joints[terms.joint].prismatic)));
  }
}

std::vector<Index> ChannelColumns::frictionColumns() const {
  std::vector<Index> columns;
  for (Index a = 0; a < channels(); ++a)
    for (Index k = 0; k < 2; ++k) columns.push_back(numInertial() + 3 * a + k);
  return columns;
}

Eigen::MatrixXd ChannelColumns::jointSide(const Eigen::MatrixXd& log) const {
  return log * B_.transpose();
}

std::vector<Eigen::MatrixXd> ChannelColumns::inertialRows(const ColumnMotion& motion) const {
  std::vector<Eigen::MatrixXd> joint;
  const Eigen::MatrixXd q = jointSide(motion.q).rowwise() + offset_.transpose();
  regressor_.evaluate(q, jointSide(motion.dq), jointSide(motion.ddq), joint);
  std::vector<Eigen::MatrixXd> rows(channels());
  for (Index c = 0; c < channels(); ++c) {
    Eigen::MatrixXd& of_channel = rows[c];
    of_channel = Eigen::MatrixXd::Zero(motion.q.rows(), numActiveInertial(c));
    for (Index j = 0; j < channels(); ++j) {
      if (E_(j, c) == 0.0) continue;
      const std::vector<int>& bodies = regressor_.bodies(static_cast<int>(j));
      for (size_t b = 0; b < bodies.size(); ++b)
        of_channel.middleCols(placeOf(c, 10 * bodies[b]), 10) +=
            E_(j, c) * joint[j].middleCols(10 * b, 10);
    }
  }
  return rows;
}

void ChannelColumns::addDrives(const ColumnMotion& motion,
                               std::vector<Eigen::MatrixXd>& rows) const {
  const Eigen::MatrixXd v = motion.dq * speed_of_drives_.transpose();
  const Eigen::MatrixXd a = motion.ddq * speed_of_drives_.transpose();
  for (Index m = 0; m < channels(); ++m) {
    const double ramp = kRampShare * quantileOfSize(v.col(m), kSpeedQuantile) + 1e-12;
    const Eigen::VectorXd sign = (v.col(m) / ramp).array().tanh();
    for (Index c = 0; c < channels(); ++c) {
      if (F_(m, c) == 0.0) continue;
      Eigen::MatrixXd& of_channel = rows[c];
      const Index first = placeOf(c, numInertial() + 3 * m);
      of_channel.col(first) = F_(m, c) * v.col(m);
      of_channel.col(first + 1) = F_(m, c) * sign;
      of_channel.col(first + 2) = F_(m, c) * a.col(m);
    }
  }
  for (Index c = 0; c < channels(); ++c)
    rows[c].col(placeOf(c, numInertial() + 3 * channels() + c)).setOnes();
}

void ChannelColumns::addPositionEffects(const ColumnMotion& motion,
                                        std::vector<Eigen::MatrixXd>& rows) const {
  if (position_.empty()) return;
  const Eigen::MatrixXd joint = jointSide(motion.q).rowwise() + offset_.transpose();
  const Eigen::MatrixXd actuator =
      (joint.rowwise() - robot_->transmission_offset.transpose()) * C_.transpose();
  for (const PositionColumns& terms : position_) {
    const Eigen::MatrixXd values = positionColumns(
        terms.effect,
        terms.effect.at_actuator ? actuator.col(terms.joint) : joint.col(terms.joint));
    for (Index c = 0; c < channels(); ++c)
      if (terms.share(c) != 0.0)
        rows[c].middleCols(placeOf(c, terms.first_column), values.cols()) = terms.share(c) * values;
  }
}

Eigen::ArrayXXd ChannelColumns::usedRows(const ColumnMotion& motion) const {
  const Eigen::MatrixXd v = motion.dq * speed_of_drives_.transpose();
  Eigen::ArrayXXd used = Eigen::ArrayXXd::Ones(v.rows(), channels());
  for (Index m = 0; m < channels(); ++m) {
    const double still = kStillShare * quantileOfSize(v.col(m), kSpeedQuantile);
    const Eigen::ArrayXd moves = (v.col(m).array().abs() >= still).cast<double>();
    for (Index c = 0; c < channels(); ++c)
      if (F_(m, c) != 0.0) used.col(c) *= moves;
  }
  for (Index c = 0; c < channels(); ++c)
    if (used.col(c).mean() < kFewestUsed) used.col(c).setOnes();
  return used;
}

ChannelRows ChannelColumns::rows(const ColumnMotion& motion) const {
  std::vector<Eigen::MatrixXd> rows = inertialRows(motion);
  for (Index c = 0; c < channels(); ++c) {
    Eigen::MatrixXd& of_channel = rows[c];
    const Index inertial = of_channel.cols();
    of_channel.conservativeResize(Eigen::NoChange, std::ssize(active(c)));
    of_channel.rightCols(of_channel.cols() - inertial).setZero();
  }
  addDrives(motion, rows);
  addPositionEffects(motion, rows);
  const Eigen::ArrayXXd used = usedRows(motion);
  for (Index c = 0; c < channels(); ++c) rows[c].array().colwise() *= used.col(c);
  return {std::move(rows), used};
}

}  // namespace dynid
