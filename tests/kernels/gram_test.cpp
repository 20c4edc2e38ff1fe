#include "dynid/kernels/instruction_set.h"
#include "dynid/kernels/scratch.h"

#include <Eigen/Core>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace dynid {
namespace {

// Numbers of columns around the tiles, of rows around the blocks; rows that are not neighbours in
// memory of the next column's.
TEST(Gram, EveryInstructionSetGivesTheProduct) {
  std::mt19937_64 rng(5);
  std::normal_distribution<double> normal;
  const auto draw = [&](Eigen::Index rows, Eigen::Index columns) {
    return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(rng); }).eval();
  };
  for (const InstructionSet& set : availableInstructionSets())
    for (const Eigen::Index columns : {1, 3, 4, 7, 8, 9, 20, 61})
      for (const Eigen::Index rows : {1, 2, 263, 264, 265, 700}) {
        const Eigen::MatrixXd all = draw(rows + 3, columns);
        const auto X = all.topRows(rows);
        const Eigen::Index padded = gramColumns(columns);
        Eigen::MatrixXd U = Eigen::MatrixXd::Zero(padded, padded);
        Eigen::MatrixXd own =
            Eigen::MatrixXd(draw(columns, columns).triangularView<Eigen::Upper>()) +
            10.0 * Eigen::MatrixXd::Identity(columns, columns);
        std::vector<int> order(static_cast<size_t>(columns));
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), rng);
        const auto plain = static_cast<Eigen::Index>(rng() % static_cast<size_t>(columns + 1));
        own.topLeftCorner(plain, plain) = Eigen::MatrixXd(own.diagonal().head(plain).asDiagonal());
        U.topLeftCorner(columns, columns) = own;
        U.diagonal().head(columns) = own.diagonal().cwiseInverse();
        Eigen::MatrixXd G = Eigen::MatrixXd::Constant(padded, padded, 7.0);
        Scratch scratch;
        set.gram({X.data(),
                  X.outerStride(),
                  rows,
                  columns,
                  order.data(),
                  plain,
                  U.data(),
                  G.data(),
                  scratch.atLeast(static_cast<size_t>(gramScratch(columns)))});
        const Eigen::MatrixXd Z = own.transpose()
                                      .triangularView<Eigen::Lower>()
                                      .solve(X(Eigen::all, order).transpose())
                                      .transpose();
        const Eigen::MatrixXd expected = Z.transpose() * Z;
        const Eigen::MatrixXd upper =
            G.topLeftCorner(columns, columns).triangularView<Eigen::Upper>();
        const Eigen::MatrixXd difference =
            upper - expected.triangularView<Eigen::Upper>().toDenseMatrix();
        EXPECT_LT(difference.norm(), 1e-13 * expected.norm())
            << set.name << ", " << rows << " x " << columns << ", " << plain << " plain";
      }
}

}  // namespace
}  // namespace dynid
