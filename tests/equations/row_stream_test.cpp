#include "dynid/equations/row_stream.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace dynid {
namespace {

constexpr Eigen::Index kSamples = 3000;

/// Rows of two channels, of which some samples are at standstill.
struct Rows {
  std::vector<Eigen::MatrixXd> channels;
  std::vector<std::vector<bool>> moving;

  explicit Rows(const std::vector<Eigen::Index>& columns) {
    std::mt19937_64 rng(2);
    std::normal_distribution<double> normal;
    for (Eigen::Index p : columns) {
      Eigen::MatrixXd X(kSamples, p);
      for (double& value : X.reshaped()) value = normal(rng);
      // Columns of very different magnitudes; the last two are nearly equal.
      for (Eigen::Index c = 0; c < p; ++c) X.col(c) *= std::pow(10.0, static_cast<double>(c % 7));
      X.col(p - 1) = X.col(p - 2) + 1e-6 * X.col(p - 1);
      channels.push_back(X);
      std::vector<bool> moves;
      for (Eigen::Index i = 0; i < kSamples; ++i) moves.push_back(i % 9 != 4 && i % 100 < 70);
      moving.push_back(moves);
    }
  }

  std::vector<RowPiece> compress(int threads = 1) const {
    std::vector<Eigen::Index> samples(kSamples);
    std::iota(samples.begin(), samples.end(), 0);
    std::vector<RowPiece> pieces(channels.size());
    std::vector<RowPiece*> addresses;
    for (RowPiece& piece : pieces) addresses.push_back(&piece);
    std::vector<Eigen::Index> batch;
    RowStream(threads).compress(
        samples,
        [&](const std::vector<Eigen::Index>& chosen, RowBlock& rows) {
          batch = chosen;
          std::vector<Eigen::Index> sizes;
          for (const Eigen::MatrixXd& X : channels) sizes.push_back(X.cols() - 1);
          rows.resize(chosen.size(), sizes);
          for (size_t a = 0; a < channels.size(); ++a)
            rows.withEffort(a) = channels[a](chosen, Eigen::all);
        },
        [&](size_t a, std::vector<size_t>& places) {
          places.clear();
          for (size_t i = 0; i < batch.size(); ++i)
            if (!moving[a][batch[i]]) places.push_back(i);
        },
        addresses);
    return pieces;
  }

  Eigen::MatrixXd of(size_t channel, bool moves) const {
    std::vector<Eigen::Index> chosen;
    for (Eigen::Index i = 0; i < kSamples; ++i)
      if (moving[channel][i] == moves) chosen.push_back(i);
    return channels[channel](chosen, Eigen::all);
  }
};

// Compares |R| with that of Householder, up to rounding relative to each column's norm.
void expectFactorOf(const Eigen::MatrixXd& rows, const TriangularFactor& factor) {
  EXPECT_EQ(factor.rows(), static_cast<double>(rows.rows()));
  const Eigen::MatrixXd R = triangularize(rows);
  for (Eigen::Index c = 0; c < R.cols(); ++c)
    EXPECT_LT((factor.R().col(c).cwiseAbs() - R.col(c).cwiseAbs()).norm(), 1e-12 * R.col(c).norm())
        << "column " << c;
}

TEST(RowStream, GivesTheFactorsOfHouseholderOnAllRows) {
  const Rows rows({20, 7});
  const std::vector<RowPiece> pieces = rows.compress();
  for (size_t a = 0; a < pieces.size(); ++a) {
    expectFactorOf(rows.of(a, true), pieces[a].moving);
    expectFactorOf(rows.of(a, false), pieces[a].standstill);
  }
}

TEST(RowStream, TheNumberOfThreadsDoesNotMatter) {
  Rows rows({20, 7, 20, 12});
  rows.channels[2].row(1235) *= 1e30;
  const std::vector<RowPiece> one = rows.compress(1), three = rows.compress(3);
  for (size_t a = 0; a < one.size(); ++a) {
    EXPECT_EQ(one[a].moving.R(), three[a].moving.R()) << "channel " << a;
    EXPECT_EQ(one[a].standstill.R(), three[a].standstill.R()) << "channel " << a;
  }
}

TEST(RowStream, RowsThatNoSampleForetoldAreNotLost) {
  Rows rows({20, 7});
  // A column that is zero except at one sample, which is not part of the subsample.
  rows.channels[0].col(3).setZero();
  rows.channels[0](1234 + 1, 3) = 1e3;
  ASSERT_TRUE(rows.moving[0][1235]);
  const std::vector<RowPiece> pieces = rows.compress();
  expectFactorOf(rows.of(0, true), pieces[0].moving);
  expectFactorOf(rows.of(1, true), pieces[1].moving);
}

// Rows thirty orders of magnitude larger than the others: rounding loses the small rows with every
// method, but the factor of the large rows must be right.
TEST(RowStream, AFewRowsMayDwarfTheOthers) {
  Rows rows({20, 7});
  for (Eigen::Index i : {601, 1203, 1235}) {
    ASSERT_TRUE(rows.moving[0][i]);
    rows.channels[0].row(i) *= 1e30;
  }
  const std::vector<RowPiece> pieces = rows.compress();
  const Eigen::MatrixXd rows_of_channel = rows.of(0, true), R = pieces[0].moving.R();
  EXPECT_EQ(pieces[0].moving.rows(), static_cast<double>(rows_of_channel.rows()));
  const Eigen::VectorXd size = rows_of_channel.colwise().norm();
  const Eigen::MatrixXd inverse = size.cwiseInverse().asDiagonal();
  const Eigen::MatrixXd scaled = rows_of_channel * inverse, factor = R * inverse;
  EXPECT_LT((factor.transpose() * factor - scaled.transpose() * scaled).norm(), 1e-13);
  expectFactorOf(rows.of(1, true), pieces[1].moving);
}

TEST(RowStream, AFewStillRowsAreKeptAsTheyAre) {
  Rows rows({20, 7});
  for (auto& moves : rows.moving) {
    moves.assign(kSamples, true);
    moves[5] = moves[700] = false;
  }
  const std::vector<RowPiece> pieces = rows.compress();
  expectFactorOf(rows.of(0, true), pieces[0].moving);
  EXPECT_EQ(pieces[0].standstill.rows(), 0.0);
  EXPECT_EQ(pieces[0].standstill_rows, rows.of(0, false));
}

}  // namespace
}  // namespace dynid
