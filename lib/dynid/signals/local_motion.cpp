#include "dynid/signals/local_motion.h"

#include "dynid/math/nan.h"
#include "dynid/math/quantile.h"
#include "dynid/signals/raw_signals.h"

#include <algorithm>
#include <cmath>
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
                MatrixXd& slopes) {
  double squares = 0.0;
  for (Index d = 1; d <= half; ++d) squares += 2.0 * static_cast<double>(d * d);
  const double scale = 1.0 / (squares * (x(run.begin) - x(run.begin - 1)));
  for (Index j = 0; j < Q.cols(); ++j) {
    auto run_slopes = slopes.col(j).segment(run.begin, run.size());
    run_slopes.setZero();
    for (Index d = 1; d <= half; ++d)
      run_slopes += scale * static_cast<double>(d) *
                    (Q.col(j).segment(run.begin + d, run.size()) -
                     Q.col(j).segment(run.begin - d, run.size()));
  }
}

}  // namespace

MatrixXd chordSlopes(const Eigen::Ref<const MatrixXd>& Q, Index half) {
  const Index n = Q.rows();
  MatrixXd slopes = MatrixXd::Zero(n, Q.cols());
  for (Index k = 0; k < n; ++k) {
    const Index before = std::max<Index>(0, k - half), after = std::min(n - 1, k + half);
    if (after > before)
      slopes.row(k) = (Q.row(after) - Q.row(before)) / static_cast<double>(after - before);
  }
  return slopes;
}

VectorXd incrementNoise(const Eigen::Ref<const MatrixXd>& Q,
                        const Eigen::Ref<const MatrixXd>& slopes) {
  const Index n = Q.rows();
  VectorXd noise(Q.cols());
  for (Index j = 0; j < Q.cols(); ++j) {
    const double range = n > 0 ? Q.col(j).maxCoeff() - Q.col(j).minCoeff() : 0.0;
    noise(j) = 1e-9 * range + 1e-15;
    if (n < 10) continue;
    std::vector<double> speeds(n - 1);
    for (Index k = 0; k + 1 < n; ++k) speeds[k] = std::abs(slopes(k, j) + slopes(k + 1, j));
    const double slow = nthSmallest(speeds, speeds.size() / 5);
    std::vector<double> residuals;
    for (Index k = 0; k + 1 < n; ++k)
      if (speeds[k] <= slow)
        residuals.push_back(Q(k + 1, j) - Q(k, j) - 0.5 * (slopes(k, j) + slopes(k + 1, j)));
    noise(j) = std::max(noise(j), std::sqrt(trimmedMeanSquare(residuals)));
  }
  return noise;
}

VectorXd incrementResolution(const Eigen::Ref<const MatrixXd>& Q) {
  VectorXd resolution(Q.cols());
  std::vector<double> steps;
  for (Index j = 0; j < Q.cols(); ++j) {
    steps.clear();
    for (Index k = 1; k < Q.rows(); ++k)
      if (Q(k, j) != Q(k - 1, j)) steps.push_back(std::abs(Q(k, j) - Q(k - 1, j)));
    const double range = Q.rows() > 0 ? Q.col(j).maxCoeff() - Q.col(j).minCoeff() : 0.0;
    resolution(j) = 1e-12 * range + 1e-15;
    if (steps.empty()) continue;
    resolution(j) = std::max(resolution(j), nthSmallest(steps, steps.size() / 100));
  }
  return resolution;
}

VectorXd motionInformation(const Eigen::Ref<const MatrixXd>& slopes,
                           const Eigen::Ref<const VectorXd>& noise) {
  VectorXd information = VectorXd::Zero(slopes.rows());
  for (Index j = 0; j < slopes.cols(); ++j) information += (slopes.col(j) / noise(j)).cwiseAbs2();
  return information;
}

MatrixXd parabolaSlopes(const Eigen::Ref<const VectorXd>& x,
                        const Eigen::Ref<const MatrixXd>& Q,
                        Index half) {
  const Index n = Q.rows();
  MatrixXd slopes = MatrixXd::Zero(n, Q.cols());
  if (n < 3) {
    if (n == 2) slopes.rowwise() = (Q.row(1) - Q.row(0)) / (x(1) - x(0));
    return slopes;
  }
  // Transposed: the joints of one row are contiguous, and the loop below runs over rows.
  const MatrixXd rows = Q.transpose();
  VectorXd sum(Q.cols()), first(Q.cols()), second(Q.cols()), here(Q.cols());
  const std::vector<Segment> even = evenlySpaced(x, half);
  for (const Segment run : even) evenSlopes(x, Q, half, run, slopes);
  std::size_t next = 0;  // index of the next evenly spaced range
  for (Index k = 0; k < n; ++k) {
    if (next < even.size() && k == even[next].begin) k = even[next++].end;
    if (k == n) break;
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
  return slopes;
}

VectorXd elapsedByMotion(const Eigen::Ref<const MatrixXd>& Q,
                         const Eigen::Ref<const MatrixXd>& slopes,
                         const Eigen::Ref<const VectorXd>& noise) {
  const Index n = Q.rows();
  VectorXd elapsed = VectorXd::Constant(std::max<Index>(n - 1, 0), kNaN);
  for (Index k = 0; k + 1 < n; ++k) {
    double seen = 0.0, information = 0.0;
    for (Index j = 0; j < Q.cols(); ++j) {
      const double v = 0.5 * (slopes(k, j) + slopes(k + 1, j)) / noise(j);
      seen += v * (Q(k + 1, j) - Q(k, j)) / noise(j);
      information += v * v;
    }
    if (information > kCertain) elapsed(k) = seen / information;
  }
  return elapsed;
}

double motionRoughness(const Eigen::Ref<const VectorXd>& time,
                       const Eigen::Ref<const MatrixXd>& Q,
                       const Eigen::Ref<const VectorXd>& noise) {
  const Index n = Q.rows();
  const VectorXd information = motionInformation(chordSlopes(Q, 8), noise);
  std::vector<std::vector<double>> residuals(Q.cols());
  for (Index k = 2; k + 2 < n; ++k) {
    if (!(information(k) > kCertain)) continue;
    const Index knots[4] = {k - 2, k - 1, k + 1, k + 2};
    double weights[4];
    for (int a = 0; a < 4; ++a) {
      weights[a] = 1.0;
      for (int b = 0; b < 4; ++b)
        if (b != a) weights[a] *= (time(k) - time(knots[b])) / (time(knots[a]) - time(knots[b]));
    }
    for (Index j = 0; j < Q.cols(); ++j) {
      double predicted = 0.0;
      for (int a = 0; a < 4; ++a) predicted += weights[a] * Q(knots[a], j);
      residuals[j].push_back(Q(k, j) - predicted);
    }
  }
  double sum = 0.0;
  for (Index j = 0; j < Q.cols(); ++j) {
    std::vector<double>& r = residuals[j];
    if (r.size() < 16) return kNaN;
    sum += 0.5 * std::log(trimmedMeanSquare(r) + 1e-2 * noise(j) * noise(j));
  }
  return sum / static_cast<double>(Q.cols());
}

}  // namespace dynid
