#include "dynid/regression/gram_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace dynid {
namespace {

// Numbers of rows around block and tile sizes; columns in another order, not contiguous, and with a
// stride for which they share cache sets (64 numbers); rows in two parts.
TEST(GramSums, AreThoseOfThePermutedQuotient) {
  std::mt19937_64 rng(5);
  std::normal_distribution<double> normal;
  const auto draw = [&](Eigen::Index rows, Eigen::Index columns) {
    return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(rng); }).eval();
  };
  for (const Eigen::Index columns : {1, 3, 4, 7, 8, 9, 20, 61})
    for (const Eigen::Index rows : {1, 2, 24, 263, 264, 265, 700})
      for (const Eigen::Index stride : {rows + 3, (rows + 63) / 64 * 64}) {
        const Eigen::MatrixXd all = draw(stride, columns);
        const auto X = all.topRows(rows);
        Eigen::MatrixXd U = Eigen::MatrixXd(draw(columns, columns).triangularView<Eigen::Upper>()) +
                            10.0 * Eigen::MatrixXd::Identity(columns, columns);
        const auto plain = static_cast<Eigen::Index>(rng() % static_cast<size_t>(columns + 1));
        U.topLeftCorner(plain, plain).setIdentity();
        std::vector<int> order(columns);
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), rng);
        GramSums sums(U, plain, order);
        Scratch scratch;
        sums.add(X, scratch);
        sums.add(X.topRows((rows + 1) / 2), scratch);
        const auto quotient = [&](const Eigen::MatrixXd& part) -> Eigen::MatrixXd {
          const Eigen::MatrixXd permuted = part(Eigen::all, order).transpose();
          return U.transpose().triangularView<Eigen::Lower>().solve(permuted).transpose();
        };
        const Eigen::MatrixXd Z = quotient(X), again = quotient(X.topRows((rows + 1) / 2));
        const Eigen::MatrixXd expected =
            (Z.transpose() * Z + again.transpose() * again).triangularView<Eigen::Upper>();
        EXPECT_LT((sums.upper() - expected).norm(), 1e-13 * expected.norm())
            << rows << " x " << columns << ", " << plain << " plain, stride " << stride;
      }
}

}  // namespace
}  // namespace dynid
