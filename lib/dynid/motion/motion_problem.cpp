#include "dynid/motion/motion_problem.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <random>

namespace dynid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int kOrder = UniformSpline::kOrder;
// Minimum share of the rows that remains as degrees of freedom after leverage
constexpr double kMinFreedom = 0.05;

double huberCost(double e, double limit) {
  const double size = std::abs(e);
  return size <= limit ? e * e : 2.0 * limit * size - limit * limit;
}

double huberWeight(double e, double limit) {
  const double size = std::abs(e);
  return size <= limit ? 1.0 : std::sqrt(limit / size);
}

}  // namespace

MotionProblem::MotionProblem(const EffortSensitivity& model,
                             const std::vector<MotionRecord>& records,
                             const MotionOptions& options,
                             double knot_rate)
    : model_(&model), records_(&records), options_(&options), knot_rate_(knot_rate) {
  placeSplines();
}

MotionProblem::MotionProblem(const EffortSensitivity& model,
                             const std::vector<MotionRecord>& records,
                             const MotionOptions& options,
                             double knot_rate,
                             Mask mask)
    : MotionProblem(model, records, options, knot_rate) {
  mask_ = std::move(mask);
}

void MotionProblem::placeSplines() {
  Index samples = 0;
  for (const MotionRecord& record : *records_) samples += record.time.size();
  const Index n = model_->numJoints();
  time_.resize(samples);
  q_.resize(samples, n);
  effort_.resize(samples, n);
  Index at = 0;
  for (const MotionRecord& record : *records_) {
    const double begin = record.time(0), end = record.time(record.time.size() - 1);
    const Index intervals =
        std::max<Index>(1, static_cast<Index>(std::ceil((end - begin) * knot_rate_ - 1e-9)));
    splines_.emplace_back(begin, (end - begin) / static_cast<double>(intervals), intervals);
    first_knot_.push_back(knots_);
    for (Index i = 0; i < record.time.size(); ++i) {
      basis_.push_back(splines_.back().at(record.time(i)));
      basis_.back().first += knots_;
      begins_.push_back(i == 0);
    }
    knots_ += splines_.back().numCoefficients();
    time_.segment(at, record.time.size()) = record.time;
    q_.middleRows(at, record.time.size()) = record.q;
    effort_.middleRows(at, record.time.size()) = record.effort;
    at += record.time.size();
  }
}

MotionProblem::Motion MotionProblem::motionOf(const MatrixXd& coefficients) const {
  Motion motion;
  motion.q.resize(time_.size(), q_.cols());
  motion.dq = motion.ddq = motion.q;
  Index at = 0;
  for (std::size_t r = 0; r < splines_.size(); ++r) {
    const Index count = (*records_)[r].time.size();
    const SplineMotion of_record =
        evaluate(splines_[r],
                 coefficients.middleRows(first_knot_[r], splines_[r].numCoefficients()),
                 (*records_)[r].time);
    motion.q.middleRows(at, count) = of_record.value;
    motion.dq.middleRows(at, count) = of_record.first;
    motion.ddq.middleRows(at, count) = of_record.second;
    at += count;
  }
  return motion;
}

MotionProblem::Mask MotionProblem::usableRows(const Motion& motion) const {
  Mask mask(time_.size(), q_.cols());
  for (Index j = 0; j < q_.cols(); ++j)
    mask.col(j) = motion.dq.col(j).array().abs() > options_->slowest_speed(j);
  Index at = 0;
  for (const MotionRecord& record : *records_) {
    const Index count = record.time.size();
    for (Index i = 0; i < count; ++i)
      if (record.time(i) < record.time(0) + options_->end_s ||
          record.time(i) > record.time(count - 1) - options_->end_s)
        mask.row(at + i).setConstant(false);
    at += count;
  }
  return mask;
}

MotionState MotionProblem::start() {
  MotionState state;
  const Index n = q_.cols();
  state.coefficients.resize(knots_, n);
  for (std::size_t r = 0; r < splines_.size(); ++r)
    state.coefficients.middleRows(first_knot_[r], splines_[r].numCoefficients()) =
        fitSpline(splines_[r], (*records_)[r].time, (*records_)[r].q);
  const Motion motion = motionOf(state.coefficients);
  if (mask_.size() == 0) mask_ = usableRows(motion);
  const std::vector<MatrixXd> rows = model_->rows(motion.q, motion.dq, motion.ddq);
  const Index p = model_->numParameters();
  state.noise.effort_std_dev = VectorXd::Ones(n);
  state.noise.whitening = VectorXd::Zero(n);
  state.theta = VectorXd::Zero(p);
  for (int pass = 0; pass < 4; ++pass) {
    MatrixXd gram = MatrixXd::Zero(p, p);
    VectorXd right = VectorXd::Zero(p);
    const MatrixXd target = whitened(effort_, state.noise);
    for (Index j = 0; j < n; ++j) {
      MatrixXd of_channel(time_.size(), p);
      const MatrixXd& raw = rows[j];
      const double s = state.noise.effort_std_dev(j), phi = state.noise.whitening(j);
      for (Index i = 0; i < time_.size(); ++i) {
        if (!mask_(i, j))
          of_channel.row(i).setZero();
        else if (follows(i) && mask_(i - 1, j))
          of_channel.row(i) = (raw.row(i) - phi * raw.row(i - 1)) / s;
        else
          of_channel.row(i) = std::sqrt(1.0 - phi * phi) / s * raw.row(i);
      }
      gram += of_channel.transpose() * of_channel;
      right += of_channel.transpose() * target.col(j);
    }
    const VectorXd scale = gram.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    MatrixXd scaled = scale.asDiagonal() * gram * scale.asDiagonal();
    scaled.diagonal().array() += 1e-12;
    const Eigen::LDLT<MatrixXd> factor(scaled);
    state.theta = scale.asDiagonal() * factor.solve(VectorXd(scale.asDiagonal() * right));
    least_squares_covariance_ =
        scale.asDiagonal() * factor.solve(MatrixXd::Identity(p, p)) * scale.asDiagonal();
    MatrixXd residual = effort_;
    for (Index j = 0; j < n; ++j) residual.col(j) -= rows[j] * state.theta;
    estimateNoise(residual,
                  VectorXd::Constant(n, static_cast<double>(p) / static_cast<double>(n)),
                  false,
                  state.noise);
  }
  return state;
}

MotionState MotionProblem::resume(const MotionProblem& before, const MotionState& state) const {
  MotionState next = state;
  const Motion motion = before.motionOf(state.coefficients);
  next.coefficients.resize(knots_, q_.cols());
  Index at = 0;
  for (std::size_t r = 0; r < splines_.size(); ++r) {
    const Index count = (*records_)[r].time.size();
    next.coefficients.middleRows(first_knot_[r], splines_[r].numCoefficients()) =
        fitSpline(splines_[r], (*records_)[r].time, motion.q.middleRows(at, count));
    at += count;
  }
  return next;
}

MatrixXd MotionProblem::whitened(const MatrixXd& residual, const MotionNoise& noise) const {
  MatrixXd e = MatrixXd::Zero(residual.rows(), residual.cols());
  for (Index j = 0; j < residual.cols(); ++j) {
    const double phi = noise.whitening(j), s = noise.effort_std_dev(j);
    for (Index i = 0; i < residual.rows(); ++i) {
      if (!mask_(i, j)) continue;
      e(i, j) = follows(i) && mask_(i - 1, j) ? (residual(i, j) - phi * residual(i - 1, j)) / s
                                              : std::sqrt(1.0 - phi * phi) * residual(i, j) / s;
    }
  }
  return e;
}

double MotionProblem::objectiveOf(const MotionState& state) const {
  const Motion motion = motionOf(state.coefficients);
  const MatrixXd e = whitened(
      effort_ - model_->efforts(motion.q, motion.dq, motion.ddq, state.theta), state.noise);
  double sum =
      ((q_ - motion.q) * options_->position_std_dev.cwiseInverse().asDiagonal()).squaredNorm();
  for (Index j = 0; j < e.cols(); ++j)
    for (Index i = 0; i < e.rows(); ++i) sum += huberCost(e(i, j), options_->huber);
  return sum;
}

void MotionProblem::addPositionEquations(const Motion& motion) {
  const Index n = q_.cols();
  for (Index i = 0; i < time_.size(); ++i) {
    const UniformSpline::Basis& basis = basis_[i];
    for (Index j = 0; j < n; ++j) {
      const double precision = 1.0 / std::pow(options_->position_std_dev(j), 2.0);
      const double off = q_(i, j) - motion.q(i, j);
      for (Index a = 0; a < kOrder; ++a) {
        const double value = precision * basis.value[a];
        equations_->addToGradient((basis.first + a) * n + j, value * off);
        for (Index b = 0; b <= a; ++b)
          equations_->addToBand(
              (basis.first + a) * n + j, (basis.first + b) * n + j, value * basis.value[b]);
      }
    }
  }
}

MotionStep MotionProblem::linearise(const MotionState& state) {
  const Index n = q_.cols(), p = model_->numParameters(), samples = time_.size();
  const Motion motion = motionOf(state.coefficients);
  const MatrixXd residual = effort_ - model_->efforts(motion.q, motion.dq, motion.ddq, state.theta);
  const MatrixXd e = whitened(residual, state.noise);
  const EffortSensitivity::Derivatives slopes =
      model_->derivatives(motion.q, motion.dq, motion.ddq, state.theta);
  const std::vector<MatrixXd> Y = model_->rows(motion.q, motion.dq, motion.ddq);
  equations_ = std::make_unique<BorderedBand>(knots_ * n, (kOrder + 1) * n - 1, p);
  rows_.clear();

  // Adds `gain` times the derivative of effort a at sample i to a row whose blocks begin at `knot`.
  const auto add_row = [&](Index i, Index a, double gain, Index knot, auto&& row) {
    const UniformSpline::Basis& basis = basis_[i];
    for (Index j = 0; j < n; ++j) {
      const double by_q = gain * slopes.by_q[j](i, a), by_dq = gain * slopes.by_dq[j](i, a);
      const double by_ddq = gain * slopes.by_ddq[j](i, a);
      for (Index b = 0; b < kOrder; ++b) {
        row((basis.first - knot + b) * n + j) += by_q * basis.value[b] +
                                                 by_dq * basis.first_derivative[b] +
                                                 by_ddq * basis.second_derivative[b];
      }
    }
    row.tail(p) += gain * Y[a].row(i);
  };

  for (Index i = 0; i < samples;) {
    Index end = i + 1;
    const Index last_knot = basis_[i].first;
    while (end < samples && basis_[end].first == last_knot && follows(end)) ++end;
    Rows rows{end - i, follows(i) ? basis_[i - 1].first : last_knot, {}};
    const Index width = (last_knot - rows.first_knot + kOrder) * n;
    rows.J.setZero(rows.samples * n, width + p);
    VectorXd right(rows.samples * n);
    for (Index k = i; k < end; ++k)
      for (Index a = 0; a < n; ++a) {
        const Index at = (k - i) * n + a;
        right(at) = 0.0;
        if (!mask_(k, a)) continue;
        const double weight = huberWeight(e(k, a), options_->huber);
        const double gain = weight / state.noise.effort_std_dev(a);
        const double phi = state.noise.whitening(a);
        const bool pair = follows(k) && mask_(k - 1, a);
        auto row = rows.J.row(at);
        add_row(k, a, pair ? gain : gain * std::sqrt(1.0 - phi * phi), rows.first_knot, row);
        if (pair && phi != 0.0) add_row(k - 1, a, -phi * gain, rows.first_knot, row);
        right(at) = weight * e(k, a);
      }
    equations_->add(rows.first_knot * n, rows.J, right);
    rows_.push_back(std::move(rows));
    i = end;
  }
  addPositionEquations(motion);
  return solvedStep(objectiveOf(state));
}

MotionStep MotionProblem::solvedStep(double objective) {
  MotionStep step;
  step.objective = objective;
  step.solved = equations_->factor();
  if (!step.solved) return step;
  const VectorXd change = equations_->solve(equations_->gradient());
  step.predicted_decrease = change.dot(equations_->gradient());
  step.coefficients = Eigen::Map<const MatrixXd>(change.data(), q_.cols(), knots_).transpose();
  step.theta = change.tail(model_->numParameters());
  leverage_ = effortLeverage();
  return step;
}

VectorXd MotionProblem::effortLeverage() const {
  constexpr Index kProbes = 8;
  const Index n = q_.cols(), p = model_->numParameters();
  std::mt19937_64 generator(1);
  std::bernoulli_distribution coin;
  std::vector<MatrixXd> probes;
  MatrixXd right = MatrixXd::Zero(knots_ * n + p, kProbes);
  for (const Rows& rows : rows_) {
    probes.push_back(MatrixXd::NullaryExpr(
        rows.J.rows(), kProbes, [&] { return coin(generator) ? 1.0 : -1.0; }));
    const MatrixXd product = rows.J.transpose() * probes.back();
    const Index width = rows.J.cols() - p;
    right.middleRows(rows.first_knot * n, width) += product.topRows(width);
    right.bottomRows(p) += product.bottomRows(p);
  }
  const MatrixXd solution = equations_->solve(right);
  VectorXd leverage = VectorXd::Zero(n);
  for (std::size_t g = 0; g < rows_.size(); ++g) {
    const Rows& rows = rows_[g];
    const Index width = rows.J.cols() - p;
    const MatrixXd fitted =
        rows.J.leftCols(width) * solution.middleRows(rows.first_knot * n, width) +
        rows.J.rightCols(p) * solution.bottomRows(p);
    for (Index i = 0; i < fitted.rows(); ++i)
      leverage(i % n) += fitted.row(i).dot(probes[g].row(i)) / static_cast<double>(kProbes);
  }
  return leverage;
}

double MotionProblem::advance(MotionState& state, const MotionStep& step) const {
  for (double length = 1.0; length > 1e-4; length *= 0.5) {
    MotionState next = state;
    next.coefficients += length * step.coefficients;
    next.theta += length * step.theta;
    if (objectiveOf(next) > step.objective * (1.0 + 1e-9)) continue;
    state = std::move(next);
    return length;
  }
  return 0.0;
}

void MotionProblem::estimateNoise(const MatrixXd& residual,
                                  const VectorXd& leverage,
                                  bool clip,
                                  MotionNoise& noise) const {
  for (Index j = 0; j < residual.cols(); ++j) {
    double product = 0.0, before = 0.0, count = 0.0;
    for (Index i = 1; i < residual.rows(); ++i) {
      if (!follows(i) || !mask_(i, j) || !mask_(i - 1, j)) continue;
      product += residual(i, j) * residual(i - 1, j);
      before += residual(i - 1, j) * residual(i - 1, j);
    }
    noise.whitening(j) =
        before > 0.0 ? std::clamp(product / before, 0.0, options_->whitening_cap) : 0.0;
    const double phi = noise.whitening(j), limit = options_->huber * noise.effort_std_dev(j);
    double sum = 0.0;
    for (Index i = 0; i < residual.rows(); ++i) {
      if (!mask_(i, j)) continue;
      const double e = follows(i) && mask_(i - 1, j) ? residual(i, j) - phi * residual(i - 1, j)
                                                     : std::sqrt(1.0 - phi * phi) * residual(i, j);
      sum += clip ? std::pow(std::min(std::abs(e), limit), 2.0) : e * e;
      count += 1.0;
    }
    if (count == 0.0) continue;
    noise.effort_std_dev(j) =
        std::sqrt(sum / std::max(count - leverage(j), kMinFreedom * count)) + 1e-300;
  }
}

void MotionProblem::updateNoise(MotionState& state) const {
  const Motion motion = motionOf(state.coefficients);
  estimateNoise(effort_ - model_->efforts(motion.q, motion.dq, motion.ddq, state.theta),
                leverage_,
                true,
                state.noise);
}

VectorXd MotionProblem::positionRatio(const MotionState& state) const {
  const Motion motion = motionOf(state.coefficients);
  const auto samples = static_cast<double>(time_.size());
  const Index n = q_.cols();
  // The leverages of all rows add up to the number of unknowns.
  const double left = static_cast<double>(knots_ * n + model_->numParameters()) - leverage_.sum();
  const double freedom = std::max(samples - left / static_cast<double>(n), kMinFreedom * samples);
  return ((q_ - motion.q).colwise().squaredNorm().transpose() / freedom)
      .cwiseSqrt()
      .cwiseQuotient(options_->position_std_dev);
}

std::vector<MatrixXd> MotionProblem::coefficientsByRecord(const MotionState& state) const {
  std::vector<MatrixXd> result;
  for (std::size_t r = 0; r < splines_.size(); ++r)
    result.emplace_back(
        state.coefficients.middleRows(first_knot_[r], splines_[r].numCoefficients()));
  return result;
}

}  // namespace dynid
