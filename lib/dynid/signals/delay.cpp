#include "dynid/signals/delay.h"

#include "dynid/core/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace dynid {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

struct Fit {
  double correlation = 0.0;
  double gain = 0.0;
  double residual = 0.0;  ///< variance of what the reference does not explain
};

/// signal(k + shift) against reference(k) over the common part.
Fit compare(const Eigen::Ref<const VectorXd>& reference,
            const Eigen::Ref<const VectorXd>& signal,
            Index shift) {
  const Index n = reference.size() - std::abs(shift);
  const auto x = reference.segment(std::max<Index>(0, -shift), n).array();
  const auto y = signal.segment(std::max<Index>(0, shift), n).array();
  const double x_mean = x.mean(), y_mean = y.mean();
  const double xx = (x - x_mean).square().sum(), yy = (y - y_mean).square().sum();
  const double xy = ((x - x_mean) * (y - y_mean)).sum();
  if (!(xx > 0.0) || !(yy > 0.0)) return {};
  const double correlation = xy / std::sqrt(xx * yy);
  return {correlation, xy / xx, (1.0 - correlation * correlation) * yy / static_cast<double>(n)};
}

}  // namespace

DelayEstimate estimateDelay(const Eigen::Ref<const VectorXd>& reference,
                            const Eigen::Ref<const VectorXd>& signal,
                            double dt,
                            double max_lag) {
  if (reference.size() != signal.size() || !(dt > 0.0) || !(max_lag >= 0.0))
    throw std::invalid_argument("estimateDelay: " + std::to_string(reference.size()) + " and " +
                                std::to_string(signal.size()) + " samples, step " + toText(dt) +
                                " s, lag up to " + toText(max_lag) +
                                " s; expected as many samples, a positive step");
  DelayEstimate none;
  none.lag = none.std_dev = std::numeric_limits<double>::quiet_NaN();
  const Index n = reference.size();
  const Index limit =
      std::min<Index>(static_cast<Index>(std::min(std::ceil(max_lag / dt), 1e9)), n / 4);
  if (n < 8 || limit < 1) return none;

  VectorXd scores(2 * limit + 1);
  for (Index shift = -limit; shift <= limit; ++shift)
    scores(shift + limit) = compare(reference, signal, shift).correlation;
  Index best = 0;
  if (!(scores.cwiseAbs().maxCoeff(&best) > 0.0)) return none;

  const Fit fit = compare(reference, signal, best - limit);
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

}  // namespace dynid
