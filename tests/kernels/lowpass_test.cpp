#include "dynid/kernels/instruction_set.h"
#include "dynid/kernels/scratch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace dynid {
namespace {

// Transposed direct form II as in textbooks, in long double, over one extended column.
void runOnce(const double (*sections)[5], int num_sections, std::vector<long double>& x) {
  const long double first = x.front();
  for (int s = 0; s < num_sections; ++s) {
    const double* c = sections[s];
    long double s1 = (1.0L - c[0]) * first, s2 = (c[2] - static_cast<long double>(c[4])) * first;
    for (long double& value : x) {
      const long double y = c[0] * value + s1;
      s1 = c[1] * value - c[3] * y + s2;
      s2 = c[2] * value - c[4] * y;
      value = y;
    }
  }
}

std::vector<double> truth(
    const double (*sections)[5], int num_sections, const double* column, long rows, long pad) {
  std::vector<long double> x;
  for (long k = pad; k >= 1; --k) x.push_back(2.0L * column[0] - column[k]);
  x.insert(x.end(), column, column + rows);
  for (long k = 1; k <= pad; ++k) x.push_back(2.0L * column[rows - 1] - column[rows - 1 - k]);
  for (int pass = 0; pass < 2; ++pass) {
    runOnce(sections, num_sections, x);
    std::reverse(x.begin(), x.end());
  }
  return {x.begin() + pad, x.begin() + pad + rows};
}

// Every number of columns around the lanes, of rows around the blocks, one to three sections.
TEST(Lowpass, EveryInstructionSetGivesWhatOneColumnInLongDoubleGives) {
  // Butterworth of order two, cut-offs 0.05, 0.12 and 0.2 of the rate.
  const double sections[3][5] = {{0.020083365564211,
                                  0.040166731128423,
                                  0.020083365564211,
                                  -1.561018075800718,
                                  0.641351538057563},
                                 {0.091314900436831,
                                  0.182629800873661,
                                  0.091314900436831,
                                  -0.982405793108396,
                                  0.347665394855718},
                                 {0.206572083826148,
                                  0.413144167652296,
                                  0.206572083826148,
                                  -0.369527377351241,
                                  0.195815712655833}};
  std::mt19937_64 rng(3);
  std::normal_distribution<double> normal;
  for (const InstructionSet& set : availableInstructionSets())
    for (const long columns : {1, 2, 3, 7, 8, 9, 15, 16, 17, 40})
      for (const long rows : {2, 3, 9, 63, 64, 65, 200}) {
        const long pad = std::min<long>(rows - 1, 30), stride = rows + 5;
        const int count = 1 + static_cast<int>(columns % 3);
        std::vector<double> X(columns * stride);
        for (double& x : X) x = normal(rng);
        const std::vector<double> before = X;
        Scratch scratch;
        LowpassRequest request{};
        request.sections = sections;
        request.num_sections = count;
        request.columns = X.data();
        request.stride = stride;
        request.num_columns = columns;
        request.rows = rows;
        request.pad = pad;
        request.lanes = scratch.atLeast(kFilterLanes * (rows + 2 * pad));
        set.lowpass(request);
        for (long c = 0; c < columns; ++c) {
          const std::vector<double> expected =
              truth(sections, count, before.data() + c * stride, rows, pad);
          for (long k = 0; k < stride; ++k) {
            const auto at = static_cast<size_t>(c * stride + k);
            if (k >= rows) {
              ASSERT_EQ(X[at], before[at]) << "wrote beyond the column";
            } else {
              // The coefficients have 15 digits, which changes the gain at 0 Hz by 1e-14 in both
              // computations.
              ASSERT_NEAR(X[at], expected[k], 2e-13)
                  << set.name << ", " << columns << " columns, " << rows << " rows, column " << c;
            }
          }
        }
      }
}

}  // namespace
}  // namespace dynid
