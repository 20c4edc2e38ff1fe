#include "dynid/signals/interpolated_rows.h"

#include "dynid/math/nan.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <unsupported/Eigen/FFT>
#include <vector>

namespace dynid {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;

constexpr double kSinglePrecision = 0x1p-22;      // rounding of a second difference, relative
constexpr Index kRowsOfBlock = 1024;              // rows
constexpr Index kPaddedBlock = 4 * kRowsOfBlock;  // for a fine frequency axis
constexpr Index kTurnsOfBlock = 16;               // blocks with fewer samples are not used
constexpr Index kLeastTurns = 60;                 // in all blocks
constexpr Index kRowsOfPeriod = 32;               // rows
constexpr double kTurnsToReturns = 3.0;           // changes of the slope for each return to it
constexpr double kOfStraightRows = 0.8;           // of those between kinks
constexpr double kPeriodic = 0.65;                // least R
constexpr double kAlike = 0.97;                   // of the highest R: the same, up to rounding

/// Rows behind the changes of the slope in an excerpt.
struct SlopeChanges {
  std::vector<Index> rows;
  Index returns = 0;   ///< disturbances after which the slope is the one before
  Index straight = 0;  ///< straight rows, without long standstills and constant speeds
  Index bent = 0;      ///< the other rows
};

SlopeChanges slopeChanges(const MatrixXd& Q) {
  SlopeChanges turns;
  if (Q.rows() < 3) return turns;
  const RowVectorXd tolerance =
      kSinglePrecision * Q.array().isFinite().select(Q.cwiseAbs(), 0.0).colwise().maxCoeff();
  const auto same = [&](Index a, Index b) {  // the increments that end at these rows
    return (((Q.row(a) - Q.row(a - 1)) - (Q.row(b) - Q.row(b - 1))).array().abs() <=
            tolerance.array())
        .all();
  };
  Index last = 0, run = 0;  // the last straight row, and how many there are up to it
  for (Index k = 1; k + 1 < Q.rows(); ++k) {
    if (!same(k, k + 1)) {
      ++turns.bent;
      turns.straight += run <= kRowsOfPeriod ? run : 0;
      run = 0;
      continue;
    }
    if (last > 0 && last + 1 < k) {
      if (same(last + 1, k))
        ++turns.returns;
      else
        turns.rows.push_back(k);
    }
    last = k;
    ++run;
  }
  return turns;
}

/// Sum of |sum_i exp(2 pi i f s_i)|^2 and of the squared number of rows, over blocks.
struct Periodicity {
  std::vector<double> power = std::vector<double>(kPaddedBlock / 2 + 1, 0.0);
  double squared_counts = 0.0;
  Index count = 0;

  void add(const std::vector<Index>& rows) {
    Eigen::FFT<double> fft;
    std::vector<double> marks;
    std::vector<std::complex<double>> transformed;
    for (auto first = rows.begin(); first != rows.end();) {
      const Index block = *first / kRowsOfBlock;
      const auto last =
          std::find_if(first, rows.end(), [&](Index row) { return row / kRowsOfBlock != block; });
      if (last - first >= kTurnsOfBlock) {
        marks.assign(kPaddedBlock, 0.0);
        for (auto row = first; row != last; ++row) marks[*row % kRowsOfBlock] = 1.0;
        fft.fwd(transformed, marks);
        for (std::size_t k = 0; k < power.size(); ++k) power[k] += std::norm(transformed[k]);
        squared_counts += std::pow(static_cast<double>(last - first), 2);
        count += last - first;
      }
      first = last;
    }
  }

  /// The lowest frequency [cycles per row] of those with the highest R; NaN: R is too low.
  double frequency() const {
    const auto begin = power.begin() + kPaddedBlock / kRowsOfPeriod;
    const double highest = *std::max_element(begin, power.end());
    if (count < kLeastTurns || highest < kPeriodic * kPeriodic * squared_counts) return kNaN;
    auto peak =
        std::find_if(begin, power.end(), [&](double p) { return p >= kAlike * kAlike * highest; });
    while (peak + 1 != power.end() && *(peak + 1) > *peak) ++peak;
    return static_cast<double>(peak - power.begin()) / static_cast<double>(kPaddedBlock);
  }
};

}  // namespace

double interpolatedFrom(std::span<const RawSignals> excerpts, double rate_hz) {
  Periodicity periodicity;
  double turns = 0.0, returns = 0.0, straight = 0.0, bent = 0.0;
  for (const RawSignals& excerpt : excerpts) {
    const SlopeChanges found = slopeChanges(excerpt.position);
    turns += static_cast<double>(found.rows.size());
    returns += static_cast<double>(found.returns);
    straight += static_cast<double>(found.straight);
    bent += static_cast<double>(found.bent);
    periodicity.add(found.rows);
  }
  const double frequency = periodicity.frequency();
  if (std::isnan(frequency) || turns < kTurnsToReturns * returns) return kNaN;
  // At most two rows of every period touch a kink.
  if (straight < kOfStraightRows * (1.0 - 2.0 * frequency) * (straight + bent)) return kNaN;
  return rate_hz * frequency;
}

}  // namespace dynid
