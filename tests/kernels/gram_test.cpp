#include "dynid/kernels/instruction_set.h"
#include "dynid/kernels/scratch.h"

#include <Eigen/Core>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace dynid {
namespace {

// Numbers of columns around the tile sizes, of rows up to a block; the result is added to existing
// sums.
TEST(Gram, EveryInstructionSetAddsTheProduct) {
  std::mt19937_64 rng(5);
  std::normal_distribution<double> normal;
  const auto draw = [&](Eigen::Index rows, Eigen::Index columns) {
    return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(rng); }).eval();
  };
  for (const InstructionSet& set : availableInstructionSets())
    for (const Eigen::Index columns : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 20, 61})
      for (const Eigen::Index rows : {kGramTile, 2 * kGramTile, kGramRows}) {
        const Eigen::MatrixXd X = draw(rows, columns);
        Eigen::MatrixXd U = Eigen::MatrixXd(draw(columns, columns).triangularView<Eigen::Upper>()) +
                            10.0 * Eigen::MatrixXd::Identity(columns, columns);
        const auto plain = static_cast<Eigen::Index>(rng() % static_cast<size_t>(columns + 1));
        U.topLeftCorner(plain, plain).setIdentity();
        Eigen::MatrixXd U_of_kernel = U;
        U_of_kernel.diagonal() = U.diagonal().cwiseInverse();
        std::vector<const double*> pointers;
        for (Eigen::Index c = 0; c < columns; ++c) pointers.push_back(X.col(c).data());
        Scratch scratch;
        Eigen::VectorXd sums =
            Eigen::VectorXd::Constant(set.lanes * columns * (columns + 1) / 2, 0.5);
        set.gram({pointers.data(),
                  columns,
                  plain,
                  U_of_kernel.data(),
                  rows,
                  scratch.atLeast(columns * kGramRows),
                  sums.data()});
        const Eigen::MatrixXd Z =
            U.transpose().triangularView<Eigen::Lower>().solve(X.transpose()).transpose();
        const Eigen::MatrixXd expected = Z.transpose() * Z;
        double worst = 0.0;
        for (Eigen::Index j = 0; j < columns; ++j)
          for (Eigen::Index i = 0; i <= j; ++i)
            worst =
                std::max(worst,
                         std::abs(sums.segment(set.lanes * (j * (j + 1) / 2 + i), set.lanes).sum() -
                                  0.5 * set.lanes - expected(i, j)));
        EXPECT_LT(worst, 1e-13 * expected.norm())
            << set.name << ", " << rows << " x " << columns << ", " << plain << " plain";
      }
}

}  // namespace
}  // namespace dynid
