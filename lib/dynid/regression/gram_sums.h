#pragma once

#include "dynid/kernels/requests.h"
#include "dynid/kernels/scratch.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// The Gram matrix of Z = X P U^-1 as rows X come (what for: gramFactor). Sums stay lane by lane
/// until they are asked for; the same rows in the same order give the same bits.
class GramSums {
 public:
  GramSums() = default;
  /// @param U      [columns x columns], upper triangular, its leading columns those of the identity
  /// @param plain  so many
  /// @param order  of P: column c of X P is column order[c] of X
  GramSums(const Eigen::MatrixXd& U, Eigen::Index plain, std::vector<int> order);
  /// Adds the rows X [rows x columns], finite. @param scratch  shared by all that add in turn
  void add(const Eigen::Ref<const Eigen::MatrixXd>& X, Scratch& scratch);
  /// Z^T Z [columns x columns], its upper triangle; zeros below.
  Eigen::MatrixXd upper() const;

 private:
  struct alignas(64) Line {
    double numbers[8];
  };

  GramKernel kernel_ = nullptr;
  Eigen::Index lanes_ = 1, plain_ = 0;
  std::vector<int> order_;
  Eigen::MatrixXd U_;                   // with reciprocals on its diagonal
  std::vector<Line> sums_;              // as the kernel wants them
  std::vector<const double*> columns_;  // of the block in hand
};

}  // namespace dynid
