#pragma once

namespace dynid {

/// Matrices as the units with native instructions take them: column by column, `stride` numbers
/// from column to column.
struct DenseMatrix {
  double* data;
  long rows, cols, stride;
};
struct ConstDenseMatrix {
  const double* data;
  long rows, cols, stride;
};

}  // namespace dynid
