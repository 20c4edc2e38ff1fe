#include "dynid/math/sparse_product.h"

namespace dynid {

Eigen::MatrixXd productWithSparse(const Eigen::Ref<const Eigen::MatrixXd>& A,
                                  const Eigen::Ref<const Eigen::MatrixXd>& S) {
  Eigen::MatrixXd product = Eigen::MatrixXd::Zero(A.rows(), S.cols());
  for (Eigen::Index j = 0; j < S.cols(); ++j)
    for (Eigen::Index i = 0; i < S.rows(); ++i)
      if (S(i, j) != 0.0) product.col(j) += S(i, j) * A.col(i);
  return product;
}

}  // namespace dynid
