#include "dynid/validation/paired_test.h"

#include "dynid/core/text.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

// Chosen by simulation of first-order noise: with 40 or more differences and a lag-1 correlation up
// to 0.9, a true null hypothesis is rejected in 3 to 7 % of the cases; with 20 differences in at
// most 12 %.
constexpr size_t kFewestBatches = 20;
constexpr size_t kFewestToTell = 8;
constexpr double kSignificance = 0.05;

struct Moments {
  double mean = 0.0, variance = 0.0, lag1 = 0.0;
};

Moments momentsOf(const std::vector<double>& x) {
  Moments m;
  const auto n = static_cast<double>(x.size());
  for (const double v : x) m.mean += v / n;
  double squares = 0.0, products = 0.0;
  for (size_t i = 0; i < x.size(); ++i) {
    squares += (x[i] - m.mean) * (x[i] - m.mean);
    if (i > 0) products += (x[i] - m.mean) * (x[i - 1] - m.mean);
  }
  m.variance = squares / (n - 1.0);
  // The estimate is too small by about (1 + 4 r)/n (Kendall 1954).
  m.lag1 = squares > 0.0 ? (products / squares * n + 1.0) / std::max(1.0, n - 4.0) : 0.0;
  return m;
}

std::vector<double> mergedPairs(const std::vector<double>& x) {
  std::vector<double> merged;
  for (size_t i = 0; i + 1 < x.size(); i += 2) merged.push_back(0.5 * (x[i] + x[i + 1]));
  return merged;
}

}  // namespace

BlockErrors::BlockErrors(Eigen::Index joints, Eigen::Index rows_per_block, size_t max_blocks)
    : joints_(joints),
      rows_per_block_(std::max<Eigen::Index>(1, rows_per_block)),
      max_blocks_(max_blocks) {}

void BlockErrors::add(const Eigen::Ref<const Eigen::MatrixXd>& measured,
                      const Eigen::Ref<const Eigen::MatrixXd>& predicted) {
  for (Eigen::Index i = 0; i < measured.rows(); ++i) {
    if (blocks_.empty() || blocks_.back().rows == rows_per_block_) {
      if (blocks_.size() >= max_blocks_ && blocks_.size() % 2 == 0) {
        for (size_t k = 0; 2 * k < blocks_.size(); ++k) {
          const Block &a = blocks_[2 * k], &b = blocks_[2 * k + 1];
          blocks_[k] = {
              a.errors + b.errors, a.measured + b.measured, a.count + b.count, a.rows + b.rows};
        }
        blocks_.resize(blocks_.size() / 2);
        rows_per_block_ *= 2;
      }
      const Eigen::ArrayXd zero = Eigen::ArrayXd::Zero(joints_);
      blocks_.push_back({zero, zero, zero, 0});
    }
    Block& block = blocks_.back();
    ++block.rows;
    for (Eigen::Index j = 0; j < joints_; ++j) {
      const double m = measured(i, j), error = m - predicted(i, j);
      if (!std::isfinite(error)) continue;
      block.errors(j) += error * error;
      block.measured(j) += m * m;
      block.count(j) += 1.0;
    }
  }
}

std::vector<BlockErrors::Block> BlockErrors::blocks() const {
  std::vector<Block> complete = blocks_;
  if (complete.size() > 1 && complete.back().rows < rows_per_block_) complete.pop_back();
  return complete;
}

PairedTest testMean(const std::vector<double>& differences) {
  PairedTest test;
  std::vector<double> batches = differences;
  Moments m;
  for (;;) {
    if (batches.size() >= 2) m = momentsOf(batches);
    const auto n = static_cast<double>(batches.size());
    if (batches.size() < 2 * kFewestBatches || !(m.lag1 > 0.5 / std::sqrt(n))) break;
    batches = mergedPairs(batches);
    test.batch_length *= 2;
  }
  test.batches = batches.size();
  if (batches.size() < 2) {
    test.mean = batches.empty() ? 0.0 : batches[0];
    return test;
  }
  test.mean = m.mean;
  const auto n = static_cast<double>(batches.size());
  const double correlation = std::clamp(m.lag1, 0.0, 0.9);
  const double inefficiency = (1.0 + correlation) / (1.0 - correlation);
  test.degrees_of_freedom = std::max(1.0, n / inefficiency - 1.0);
  const double std_error = std::sqrt(m.variance * inefficiency / n);
  if (!(std_error > 0.0)) {
    test.p_value = m.mean == 0.0 ? 1.0 : 0.0;
    return test;
  }
  const boost::math::students_t t(test.degrees_of_freedom);
  test.p_value = 2.0 * boost::math::cdf(boost::math::complement(t, std::abs(m.mean) / std_error));
  return test;
}

namespace {

/// Per joint 1 / (mean squared error of both models); 0 if there is no error.
struct Weights {
  Eigen::ArrayXd weight;  ///< factor of the squared errors
  /// Factor of the other model's squared errors, (our measured / its measured)^2, to account for
  /// different drive gains.
  Eigen::ArrayXd scale;
};

// Weights from the mean squared errors of both models over the whole log.
Weights weightsOf(const std::vector<BlockErrors::Block>& ours,
                  const std::vector<BlockErrors::Block>& other) {
  const Eigen::Index n = ours[0].errors.size();
  Eigen::ArrayXd a = Eigen::ArrayXd::Zero(n), b = a, measured_a = a, measured_b = a, count = a;
  for (size_t k = 0; k < ours.size(); ++k) {
    a += ours[k].errors;
    b += other[k].errors;
    measured_a += ours[k].measured;
    measured_b += other[k].measured;
    count += ours[k].count;
  }
  Weights result;
  result.scale = (measured_b > 0.0).select(measured_a / measured_b, 1.0);
  const Eigen::ArrayXd both = 0.5 * (a + result.scale * b);
  result.weight = (both > 0.0).select(count / both, 0.0);
  return result;
}

std::string verdictText(const Comparison& c, const PairedTest& test, double seconds) {
  const std::string basis = "p = " + toText(test.p_value, 2) + ", " + std::to_string(test.batches) +
                            " stretches of " + toText(seconds, 2) + " s";
  if (test.batches < kFewestToTell)
    return "too short to tell which model is better (" + basis + ")";
  const double size = 100.0 * std::abs(c.difference);
  const std::string percent = (size < 10.0 ? toText(size, 2) : fmt::format("{:.0f}", size)) + " %";
  if (!c.significant) return "no significant difference from " + c.other + " (" + basis + ")";
  if (c.difference > 0.0)
    return "this model is better than " + c.other + ": its whitened squared error is lower by " +
           percent + " of the two models' mean (" + basis + ")";
  return c.other + " is better: this model's whitened squared error is higher by " + percent +
         " of the two models' mean (" + basis + ")";
}

}  // namespace

Comparison comparePaired(const std::string& other_name,
                         const BlockErrors& ours,
                         const BlockErrors& other,
                         double seconds_per_row) {
  Comparison comparison;
  comparison.other = other_name;
  const std::vector<BlockErrors::Block> a = ours.blocks(), b = other.blocks();
  if (a.empty() || a.size() != b.size()) {
    comparison.message = "not comparable: the models do not predict the same rows";
    return comparison;
  }
  const Weights weights = weightsOf(a, b);
  std::vector<double> differences;
  for (size_t k = 0; k < a.size(); ++k) {
    // A joint is left out if it has no samples here, or not the same number in both.
    const auto usable = (a[k].count > 0.0) && (a[k].count == b[k].count);
    const Eigen::ArrayXd joint =
        weights.weight * (weights.scale * b[k].errors - a[k].errors) / a[k].count.max(1.0);
    const double joints = usable.cast<double>().sum();
    if (joints > 0.0) differences.push_back(usable.select(joint, 0.0).sum() / joints);
  }
  const PairedTest test = testMean(differences);
  comparison.difference = test.mean;
  comparison.p_value = test.batches < kFewestToTell ? 1.0 : test.p_value;
  comparison.significant = comparison.p_value < kSignificance;
  const double seconds = static_cast<double>(ours.rowsPerBlock()) * seconds_per_row *
                         static_cast<double>(test.batch_length);
  comparison.message = verdictText(comparison, test, seconds);
  return comparison;
}

}  // namespace dynid
