#include "dynid/math/solve_at_rank.h"

namespace dynid {

Eigen::VectorXd solveAtRank(const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& qr,
                            const Eigen::VectorXd& b) {
  const Eigen::Index rank = qr.rank();
  const Eigen::VectorXd rotated = qr.matrixQ().adjoint() * b;
  Eigen::VectorXd solution = Eigen::VectorXd::Zero(qr.cols());
  solution.head(rank) = qr.matrixQR()
                            .topLeftCorner(rank, rank)
                            .triangularView<Eigen::Upper>()
                            .solve(rotated.head(rank));
  return qr.colsPermutation() * solution;
}

}  // namespace dynid
