#include "dynid/signals/delay.h"

#include "dynid/core/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace dynid {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

struct Fit {
  double correlation = 0.0;
  double gain = 0.0;
  double residual = 0.0;  ///< variance that the reference does not explain
};

/// Two channels without their means, with cumulative sums, so that each shift needs only one inner
/// product.
class ShiftedFits {
 public:
  ShiftedFits(const Eigen::Ref<const VectorXd>& reference, const Eigen::Ref<const VectorXd>& signal)
      : reference_(reference), signal_(signal) {}

  /// Fit of signal(k + shift) to reference(k) over the common part.
  Fit at(Index shift) const {
    const Index n = reference_.values.size() - std::abs(shift);
    const Index of_reference = std::max<Index>(0, -shift), of_signal = std::max<Index>(0, shift);
    const auto [x, xx] = reference_.sums(of_reference, n);
    const auto [y, yy] = signal_.sums(of_signal, n);
    if (!(xx > 0.0) || !(yy > 0.0)) return {};
    const double product =
        reference_.values.segment(of_reference, n).dot(signal_.values.segment(of_signal, n));
    const double xy = product - x * y / static_cast<double>(n);
    const double correlation = xy / std::sqrt(xx * yy);
    return {correlation, xy / xx, (1.0 - correlation * correlation) * yy / static_cast<double>(n)};
  }

 private:
  struct Channel {
    explicit Channel(const Eigen::Ref<const VectorXd>& all)
        : values(all.array() - all.mean()), sum(all.size() + 1), squares(all.size() + 1) {
      sum(0) = squares(0) = 0.0;
      for (Index i = 0; i < values.size(); ++i) {
        sum(i + 1) = sum(i) + values(i);
        squares(i + 1) = squares(i) + values(i) * values(i);
      }
    }
    /// Sum of n values, and sum of their squares about the mean.
    std::pair<double, double> sums(Index first, Index n) const {
      const double total = sum(first + n) - sum(first);
      const double about_mean =
          squares(first + n) - squares(first) - total * total / static_cast<double>(n);
      // For a constant channel this is rounding error, not motion.
      return {total, about_mean > 1e-12 * squares(values.size()) ? about_mean : 0.0};
    }
    VectorXd values, sum, squares;
  };
  Channel reference_, signal_;
};

}  // namespace

DelayEstimate estimateDelay(const Eigen::Ref<const VectorXd>& reference,
                            const Eigen::Ref<const VectorXd>& signal,
                            double dt,
                            double max_lag) {
  if (reference.size() != signal.size() || !(dt > 0.0) || !(max_lag >= 0.0))
    throw std::invalid_argument(std::to_string(reference.size()) + " and " +
                                std::to_string(signal.size()) + " samples, step " + toText(dt) +
                                " s, lag up to " + toText(max_lag) +
                                " s; expected as many samples, a positive step");
  DelayEstimate none;
  none.lag = none.std_dev = std::numeric_limits<double>::quiet_NaN();
  const Index n = reference.size();
  const Index limit =
      std::min<Index>(static_cast<Index>(std::min(std::ceil(max_lag / dt), 1e9)), n / 4);
  if (n < 8 || limit < 1) return none;

  const ShiftedFits fits(reference, signal);
  VectorXd scores(2 * limit + 1);
  for (Index shift = -limit; shift <= limit; ++shift)
    scores(shift + limit) = fits.at(shift).correlation;
  Index best = 0;
  if (!(scores.cwiseAbs().maxCoeff(&best) > 0.0)) return none;

  const Fit fit = fits.at(best - limit);
  double fraction = 0.0;
  if (best > 0 && best < 2 * limit) {
    const double below = std::abs(scores(best - 1)), top = std::abs(scores(best));
    const double above = std::abs(scores(best + 1)), bend = below - 2.0 * top + above;
    if (bend < 0.0) fraction = std::clamp(0.5 * (below - above) / bend, -0.5, 0.5);
  }
  DelayEstimate estimate;
  estimate.lag = (static_cast<double>(best - limit) + fraction) * dt;
  estimate.correlation = fit.correlation;
  estimate.gain = fit.gain;
  const auto slope = (reference.tail(n - 1) - reference.head(n - 1)).array() / dt;
  const double information = fit.gain * fit.gain * slope.square().sum();
  estimate.std_dev = information > 0.0 ? std::sqrt(fit.residual / information)
                                       : std::numeric_limits<double>::quiet_NaN();
  return estimate;
}

std::map<double, std::vector<Eigen::Index>> columnsByDelay(const Eigen::VectorXd& delays) {
  std::map<double, std::vector<Eigen::Index>> columns;
  for (Eigen::Index c = 0; c < delays.size(); ++c) columns[delays(c)].push_back(c);
  return columns;
}

}  // namespace dynid
