#include "dynid/signals/local_motion.h"

#include "dynid/core/parallel.h"
#include "dynid/math/nan.h"
#include "dynid/math/quantile.h"
#include "dynid/signals/raw_signals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace dynid {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Mean of the squares without the largest hundredth.
double trimmedMeanSquare(std::vector<double>& residuals) {
  for (double& r : residuals) r *= r;
  const std::size_t kept = residuals.size() - residuals.size() / 100;
  std::nth_element(residuals.begin(),
                   residuals.begin() + static_cast<std::ptrdiff_t>(kept - 1),
                   residuals.end());
  double sum = 0.0;
  for (std::size_t k = 0; k < kept; ++k) sum += residuals[k];
  return sum / static_cast<double>(kept);
}

/// Ranges of rows for which all rows within `half` are equally spaced up to rounding.
std::vector<Segment> evenlySpaced(const Eigen::Ref<const VectorXd>& x, Index half) {
  constexpr double kRounding = 1e-9;  // relative to the spacing
  std::vector<Segment> runs;
  for (Index begin = 0, end = 0; begin + 1 < x.size(); begin = end - 1) {
    const double step = x(begin + 1) - x(begin);
    end = begin + 2;
    while (end < x.size() && std::abs(x(end) - x(end - 1) - step) <= kRounding * step) ++end;
    if (end - begin > 2 * half) runs.push_back({begin + half, end - half});
  }
  return runs;
}

/// Slopes in such a range; there the slope of the parabola equals that of the straight line, sum d
/// Q_d / sum d^2.
void evenSlopes(const Eigen::Ref<const VectorXd>& x,
                const Eigen::Ref<const MatrixXd>& Q,
                Index half,
                Segment run,
                Segment joints,
                MatrixXd& slopes) {
  double squares = 0.0;
  for (Index d = 1; d <= half; ++d) squares += 2.0 * static_cast<double>(d * d);
  const double scale = 1.0 / (squares * (x(run.begin) - x(run.begin - 1)));
  for (Index j = joints.begin; j < joints.end; ++j) {
    auto run_slopes = slopes.col(j).segment(run.begin, run.size());
    run_slopes.setZero();
    for (Index d = 1; d <= half; ++d)
      run_slopes += scale * static_cast<double>(d) *
                    (Q.col(j).segment(run.begin + d, run.size()) -
                     Q.col(j).segment(run.begin - d, run.size()));
  }
}

/// The cubic through the two rows before a row and the two behind it.
class CubicThroughNeighbours {
 public:
  CubicThroughNeighbours(const Eigen::Ref<const VectorXd>& time, Index row) : row_(row) {
    for (int a = 0; a < 4; ++a) {
      weights_[a] = 1.0;
      for (int b = 0; b < 4; ++b)
        if (b != a) weights_[a] *= (time(row) - time(knot(b))) / (time(knot(a)) - time(knot(b)));
    }
  }
  /// The value at the row less that of the cubic.
  double residual(const Eigen::Ref<const VectorXd>& values) const {
    double predicted = 0.0;
    for (int a = 0; a < 4; ++a) predicted += weights_[a] * values(knot(a));
    return values(row_) - predicted;
  }

 private:
  Index knot(int a) const { return row_ + (a < 2 ? a - 2 : a - 1); }
  Index row_;
  std::array<double, 4> weights_{};
};

/// Slopes at rows around which the rows are not equally spaced.
/// @param rows  [n,N] the transpose of Q
void unevenSlopes(const Eigen::Ref<const VectorXd>& x,
                  const MatrixXd& rows,
                  Index half,
                  std::span<const Index> places,
                  MatrixXd& slopes) {
  const Index n = rows.cols(), joints = rows.rows();
  VectorXd sum(joints), first(joints), second(joints), here(joints);
  for (const Index k : places) {
    const Index begin = std::max<Index>(0, k - half), end = std::min(n, k + half + 1);
    double m1 = 0.0, m2 = 0.0, m3 = 0.0, m4 = 0.0;
    sum.setZero();
    first.setZero();
    second.setZero();
    for (Index i = begin; i < end; ++i) {
      const double d = x(i) - x(k), d2 = d * d;
      m1 += d;
      m2 += d2;
      m3 += d2 * d;
      m4 += d2 * d2;
      here = rows.col(i) - rows.col(k);
      sum += here;
      first += d * here;
      second += d2 * here;
    }
    // The constant of the parabola is eliminated by subtracting means.
    const auto count = static_cast<double>(end - begin);
    const double c11 = m2 - m1 * m1 / count, c12 = m3 - m1 * m2 / count;
    const double c22 = m4 - m2 * m2 / count, determinant = c11 * c22 - c12 * c12;
    if (!(determinant > 1e-12 * c11 * c22)) continue;
    slopes.row(k) =
        ((c22 * (first - m1 / count * sum) - c12 * (second - m2 / count * sum)) / determinant)
            .transpose();
  }
}

}  // namespace

MatrixXd chordSlopes(const Eigen::Ref<const MatrixXd>& Q, Index half) {
  const Index n = Q.rows();
  MatrixXd slopes = MatrixXd::Zero(n, Q.cols());
  for (Index j = 0; j < Q.cols(); ++j)
    for (Index k = 0; k < n; ++k) {
      const Index before = std::max<Index>(0, k - half), after = std::min(n - 1, k + half);
      if (after > before)
        slopes(k, j) = (Q(after, j) - Q(before, j)) / static_cast<double>(after - before);
    }
  return slopes;
}

VectorXd incrementNoise(const Eigen::Ref<const MatrixXd>& Q,
                        const Eigen::Ref<const MatrixXd>& slopes,
                        int threads) {
  const Index n = Q.rows();
  VectorXd noise(Q.cols());
  parallelFor(static_cast<int>(Q.cols()), threads, [&](int j) {
    const double range = n > 0 ? Q.col(j).maxCoeff() - Q.col(j).minCoeff() : 0.0;
    noise(j) = 1e-9 * range + 1e-15;
    if (n < 10) return;
    std::vector<double> speeds(n - 1);
    for (Index k = 0; k + 1 < n; ++k) speeds[k] = std::abs(slopes(k, j) + slopes(k + 1, j));
    const double slow = nthSmallest(speeds, speeds.size() / 5);
    std::vector<double> residuals;
    for (Index k = 0; k + 1 < n; ++k)
      if (speeds[k] <= slow)
        residuals.push_back(Q(k + 1, j) - Q(k, j) - 0.5 * (slopes(k, j) + slopes(k + 1, j)));
    noise(j) = std::max(noise(j), std::sqrt(trimmedMeanSquare(residuals)));
  });
  return noise;
}

VectorXd incrementResolution(const Eigen::Ref<const MatrixXd>& Q, int threads) {
  VectorXd resolution(Q.cols());
  parallelFor(static_cast<int>(Q.cols()), threads, [&](int j) {
    std::vector<double> steps;
    for (Index k = 1; k < Q.rows(); ++k)
      if (Q(k, j) != Q(k - 1, j)) steps.push_back(std::abs(Q(k, j) - Q(k - 1, j)));
    const double range = Q.rows() > 0 ? Q.col(j).maxCoeff() - Q.col(j).minCoeff() : 0.0;
    resolution(j) = 1e-12 * range + 1e-15;
    if (steps.empty()) return;
    resolution(j) = std::max(resolution(j), nthSmallest(steps, steps.size() / 100));
  });
  return resolution;
}

double leastShownSpeed(const Eigen::Ref<const VectorXd>& velocity) {
  constexpr double kSteps = 3.0;
  return kSteps * incrementResolution(velocity)(0);
}

VectorXd motionInformation(const Eigen::Ref<const MatrixXd>& slopes,
                           const Eigen::Ref<const VectorXd>& noise) {
  VectorXd information = VectorXd::Zero(slopes.rows());
  for (Index j = 0; j < slopes.cols(); ++j) information += (slopes.col(j) / noise(j)).cwiseAbs2();
  return information;
}

MatrixXd parabolaSlopes(const Eigen::Ref<const VectorXd>& x,
                        const Eigen::Ref<const MatrixXd>& Q,
                        Index half,
                        int threads) {
  const Index n = Q.rows();
  MatrixXd slopes = MatrixXd::Zero(n, Q.cols());
  if (n < 3) {
    if (n == 2) slopes.rowwise() = (Q.row(1) - Q.row(0)) / (x(1) - x(0));
    return slopes;
  }
  const std::vector<Segment> even = evenlySpaced(x, half);
  parallelRanges(Q.cols(), threads, [&](Index first, Index end) {
    for (const Segment run : even) evenSlopes(x, Q, half, run, {first, end}, slopes);
  });
  std::vector<bool> done(n, false);
  for (const Segment run : even) std::fill(done.begin() + run.begin, done.begin() + run.end, true);
  std::vector<Index> uneven;
  for (Index k = 0; k < n; ++k)
    if (!done[k]) uneven.push_back(k);
  // Transposed: the joints of one row are contiguous.
  const MatrixXd rows = Q.transpose();
  parallelRanges(std::ssize(uneven), threads, [&](Index first, Index end) {
    unevenSlopes(x, rows, half, {uneven.data() + first, uneven.data() + end}, slopes);
  });
  return slopes;
}

VectorXd elapsedByMotion(const Eigen::Ref<const MatrixXd>& Q,
                         const Eigen::Ref<const MatrixXd>& slopes,
                         const Eigen::Ref<const VectorXd>& noise,
                         int threads) {
  const Index n = Q.rows();
  VectorXd elapsed = VectorXd::Constant(std::max<Index>(n - 1, 0), kNaN);
  parallelRanges(elapsed.size(), threads, [&](Index first, Index end) {
    const Index rows = end - first;
    Eigen::ArrayXd seen = Eigen::ArrayXd::Zero(rows), information = seen, v(rows);
    for (Index j = 0; j < Q.cols(); ++j) {
      v = 0.5 *
          (slopes.col(j).segment(first, rows) + slopes.col(j).segment(first + 1, rows)).array() /
          noise(j);
      seen += v * (Q.col(j).segment(first + 1, rows) - Q.col(j).segment(first, rows)).array() /
              noise(j);
      information += v * v;
    }
    for (Index k = 0; k < rows; ++k)
      if (information(k) > kCertain) elapsed(first + k) = seen(k) / information(k);
  });
  return elapsed;
}

double motionRoughness(const Eigen::Ref<const VectorXd>& time,
                       const Eigen::Ref<const MatrixXd>& Q,
                       const Eigen::Ref<const VectorXd>& noise,
                       int threads) {
  const VectorXd information = motionInformation(chordSlopes(Q, 8), noise);
  std::vector<CubicThroughNeighbours> cubics;
  for (Index k = 2; k + 2 < Q.rows(); ++k)
    if (information(k) > kCertain) cubics.emplace_back(time, k);
  if (cubics.size() < 16) return kNaN;
  VectorXd of_joint(Q.cols());
  parallelFor(static_cast<int>(Q.cols()), threads, [&](int j) {
    std::vector<double> residuals;
    residuals.reserve(cubics.size());
    for (const CubicThroughNeighbours& cubic : cubics)
      residuals.push_back(cubic.residual(Q.col(j)));
    of_joint(j) = 0.5 * std::log(trimmedMeanSquare(residuals) + 1e-2 * noise(j) * noise(j));
  });
  double sum = 0.0;
  for (const double roughness : of_joint) sum += roughness;
  return sum / static_cast<double>(Q.cols());
}

}  // namespace dynid
