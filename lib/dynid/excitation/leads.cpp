#include "dynid/excitation/leads.h"

#include "dynid/excitation/effort_check.h"
#include "dynid/excitation/passive_check.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace dynid {
namespace {

constexpr int kGrid = 200;                                         // intervals per piece
constexpr int kPhases = 100;                                       // per period
constexpr double kGentle = 0.5, kShortest = 0.1, kLongest = 20.0;  // [s]
constexpr double kGrowth = 1.15;

struct End {
  Eigen::VectorXd q, dq, ddq;
};

// The quintic from rest at `rest` to the state `end` in `duration`.
QuinticPiece fromRest(const Eigen::VectorXd& rest, const End& end, double duration) {
  const Eigen::VectorXd d = end.q - rest, v = duration * end.dq, a = duration * duration * end.ddq;
  QuinticPiece piece;
  piece.duration_s = duration;
  piece.coefficients.setZero(d.size(), 6);
  piece.coefficients.col(0) = rest;
  piece.coefficients.col(3) = 10.0 * d - 4.0 * v + 0.5 * a;
  piece.coefficients.col(4) = -15.0 * d + 7.0 * v - a;
  piece.coefficients.col(5) = 6.0 * d - 3.0 * v + 0.5 * a;
  for (int k = 3; k < 6; ++k) piece.coefficients.col(k) /= std::pow(duration, k);
  return piece;
}

// The same motion reversed in time: p(t) = f(T - t).
QuinticPiece reversed(const QuinticPiece& piece) {
  QuinticPiece back = piece;
  const double T = piece.duration_s;
  back.coefficients.setZero();
  for (int k = 0; k < 6; ++k) {
    double binomial = 1.0;
    for (int i = 0; i <= k; ++i) {
      back.coefficients.col(i) +=
          piece.coefficients.col(k) * (binomial * std::pow(T, k - i) * (i % 2 == 0 ? 1.0 : -1.0));
      binomial *= static_cast<double>(k - i) / (i + 1);
    }
  }
  return back;
}

// Largest ratio of a peak to its limit; above 1 a limit is violated.
double use(const MotionLimits& limits, const MotionPeaks& peaks) {
  const Eigen::ArrayXd middle = limits.middle(), half = limits.half();
  return std::max({((peaks.upper.array() - middle) / half).maxCoeff(),
                   ((middle - peaks.lower.array()) / half).maxCoeff(),
                   (peaks.velocity.array() / limits.velocity.array()).maxCoeff(),
                   (peaks.acceleration.array() / limits.acceleration.array()).maxCoeff(),
                   (peaks.jerk.array() / limits.jerk.array()).maxCoeff()});
}

// Whether a piece begins at rest, up to rounding: without linear and quadratic terms.
bool beginsAtRest(const QuinticPiece& piece) {
  constexpr double kRounding = 1e-9;
  Eigen::ArrayXd scale = Eigen::ArrayXd::Constant(piece.coefficients.rows(), 1e-300);
  for (int k = 1; k < 6; ++k)
    scale += piece.coefficients.col(k).array().abs() * std::pow(piece.duration_s, k);
  const auto small = [&](int k) {
    return (piece.coefficients.col(k).array().abs() * std::pow(piece.duration_s, k) <=
            kRounding * scale)
        .all();
  };
  return small(1) && small(2);
}

// Smallest and largest position of each joint in a piece that begins at rest: at its ends, or where
// the velocity t^2 (3 c3 + 4 c4 t + 5 c5 t^2) is zero.
void addExtremes(const QuinticPiece& piece, MotionPeaks& peaks) {
  const double T = piece.duration_s;
  for (Eigen::Index j = 0; j < piece.coefficients.rows(); ++j) {
    const auto c = piece.coefficients.row(j);
    const auto q = [&](double t) { return c(0) + t * t * t * (c(3) + t * (c(4) + t * c(5))); };
    peaks.lower(j) = std::min(q(0.0), q(T));
    peaks.upper(j) = std::max(q(0.0), q(T));
    const double a = 5.0 * c(5), b = 4.0 * c(4), d = 3.0 * c(3);
    const double root = std::sqrt(std::max(b * b - 4.0 * a * d, 0.0));
    const double far = -0.5 * (b + std::copysign(root, b));
    for (const double t : {far / a, d / far})
      if (t > 0.0 && t < T) {
        peaks.lower(j) = std::min(peaks.lower(j), q(t));
        peaks.upper(j) = std::max(peaks.upper(j), q(t));
      }
  }
}

struct Found {
  QuinticPiece piece;
  double use = std::numeric_limits<double>::infinity();
};

// The shortest duration of at least `duration` with which `before` seconds and it are a whole
// number of samples.
double wholeSamples(double duration, double before, double rate_hz) {
  return std::ceil((before + duration) * rate_hz * (1.0 - 1e-12)) / rate_hz - before;
}

// Lead-in to one phase with the shortest duration within the limits.
// @param before  [s] duration of what is sampled before the piece
std::optional<Found> shortest(const Robot& robot,
                              const MotionLimits& limits,
                              const End& end,
                              const LeadOptions& options,
                              double before,
                              double no_shorter_than) {
  constexpr double kRounding = 1e-12;  // of a posture at a limit
  for (double least = no_shorter_than; least <= kLongest; least *= kGrowth) {
    const double T = wholeSamples(least, before, options.rate_hz);
    Eigen::VectorXd rest = end.q - 0.5 * T * end.dq + T * T / 12.0 * end.ddq;
    rest = options.start ? *options.start : rest.cwiseMax(limits.lower).cwiseMin(limits.upper);
    Found found{fromRest(rest, end, T)};
    found.use = use(limits, quinticPeaks(found.piece));
    if (found.use > 1.0 + kRounding) continue;
    if (!mechanismViolations(robot, samplesOf(found.piece, kGrid)).empty()) continue;
    const Eigen::VectorXd efforts = effortPeaks(robot, samplesOf(found.piece, kGrid));
    if ((efforts.array() > limits.effort.array()).any()) continue;
    if (!options.clear || options.clear(found.piece)) return found;
  }
  return std::nullopt;
}

std::optional<Leads> planLeadsFrom(const Robot& robot,
                                   const MotionLimits& limits,
                                   const Eigen::MatrixXd& X,
                                   double period_s,
                                   const LeadOptions& options,
                                   double no_shorter_than) {
  const Eigen::VectorXd times = periodGrid(period_s, kPhases);
  const FourierBasis basis = fourierBasis(static_cast<int>(X.rows() - 1) / 2, period_s, times);
  const Eigen::MatrixXd q = basis.q * X, dq = basis.dq * X, ddq = basis.ddq * X;
  std::optional<Leads> best;
  constexpr double kNone = std::numeric_limits<double>::infinity();
  double best_total = kNone, best_use = kNone;
  for (Eigen::Index i = 0; i < kPhases; ++i) {
    const End into{q.row(i), dq.row(i), ddq.row(i)};
    const auto in = shortest(robot, limits, into, options, 0.0, no_shorter_than);
    if (!in) continue;
    // A lead-out is a lead-in reversed in time.
    const End outof{q.row(i), -dq.row(i), ddq.row(i)};
    const auto out = shortest(robot, limits, outof, options, options.periodic_s, no_shorter_than);
    if (!out) continue;
    const double total = in->piece.duration_s + out->piece.duration_s;
    const double worst = std::max(in->use, out->use);
    if (total > best_total || (total == best_total && worst >= best_use)) continue;
    best = Leads{times(i), in->piece, reversed(out->piece)};
    best_total = total;
    best_use = worst;
  }
  return best;
}

}  // namespace

MotionSamples samplesOf(const QuinticPiece& piece, int count) {
  MotionSamples samples;
  const Eigen::Index n = piece.coefficients.rows();
  for (auto* m : {&samples.q, &samples.dq, &samples.ddq}) m->setZero(count, n);
  for (int i = 0; i < count; ++i) {
    const double t = piece.duration_s * i / (count - 1);
    for (int k = 5; k >= 0; --k) {
      const Eigen::RowVectorXd c = piece.coefficients.col(k).transpose();
      samples.q.row(i) = samples.q.row(i) * t + c;
      if (k >= 1) samples.dq.row(i) = samples.dq.row(i) * t + k * c;
      if (k >= 2) samples.ddq.row(i) = samples.ddq.row(i) * t + k * (k - 1) * c;
    }
  }
  return samples;
}

MotionPeaks quinticPeaks(const QuinticPiece& piece) {
  const Eigen::MatrixXd& c = piece.coefficients;
  const double T = piece.duration_s, slack = T * T / (8.0 * kGrid * kGrid);
  const MotionSamples samples = samplesOf(piece, kGrid + 1);
  Eigen::MatrixXd jerk(kGrid + 1, c.rows());
  for (int i = 0; i <= kGrid; ++i) {
    const double t = T * i / kGrid;
    jerk.row(i) = (6.0 * c.col(3) + 24.0 * t * c.col(4) + 60.0 * t * t * c.col(5)).transpose();
  }
  const Eigen::VectorXd fifth = 120.0 * c.col(5).cwiseAbs();
  const Eigen::VectorXd fourth =
      (24.0 * c.col(4)).cwiseAbs().cwiseMax((24.0 * c.col(4) + 120.0 * T * c.col(5)).cwiseAbs());
  const auto peak = [](const Eigen::MatrixXd& m) -> Eigen::VectorXd {
    return m.cwiseAbs().colwise().maxCoeff();
  };
  MotionPeaks peaks;
  peaks.jerk = peak(jerk) + slack * fifth;
  peaks.acceleration = peak(samples.ddq) + slack * fourth;
  peaks.velocity = peak(samples.dq) + slack * peaks.jerk;
  peaks.lower = samples.q.colwise().minCoeff().transpose() - slack * peaks.acceleration;
  peaks.upper = samples.q.colwise().maxCoeff().transpose() + slack * peaks.acceleration;
  if (beginsAtRest(piece)) addExtremes(piece, peaks);
  if (const QuinticPiece back = reversed(piece); beginsAtRest(back)) addExtremes(back, peaks);
  return peaks;
}

std::optional<Leads> planLeads(const Robot& robot,
                               const MotionLimits& limits,
                               const Eigen::MatrixXd& X,
                               double period_s,
                               const LeadOptions& options) {
  // A short lead causes high accelerations; a long one may leave the joint's range.
  const Eigen::Index harmonics = (X.rows() - 1) / 2;
  std::optional<Leads> leads;
  for (double least = 0.5 * period_s / static_cast<double>(harmonics); !leads && least > kGentle;
       least *= 0.5)
    leads = planLeadsFrom(robot, limits, X, period_s, options, least);
  for (const double least : {kGentle, kShortest})
    if (!leads) leads = planLeadsFrom(robot, limits, X, period_s, options, least);
  return leads;
}

}  // namespace dynid
