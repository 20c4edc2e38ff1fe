#include "dynid/excitation/space_rows.h"

#include <cmath>

namespace dynid {
namespace {

constexpr double kGapSharpness = 200.0;  // 1/m
constexpr double kScale = 0.1;           // m

}  // namespace

SpaceRows::SpaceRows(
    std::shared_ptr<const Space> space, int harmonics, double period_s, int points, double margin)
    : space_(std::move(space)),
      basis_(fourierBasis(harmonics, period_s, periodGrid(period_s, points))),
      margin_(margin) {}

void SpaceRows::evaluate(const Eigen::MatrixXd& X,
                         Eigen::VectorXd& g,
                         Eigen::MatrixXd* jacobian) const {
  const Eigen::MatrixXd q = basis_.q * X;
  g.resize(count());
  if (jacobian != nullptr) jacobian->resize(count(), X.size());
  Eigen::VectorXd gaps;
  Eigen::MatrixXd slopes;
  for (Eigen::Index i = 0; i < q.rows(); ++i) {
    space_->evaluate(q.row(i).transpose(), gaps, jacobian != nullptr ? &slopes : nullptr);
    const double smallest = gaps.minCoeff();
    const Eigen::VectorXd share = (-kGapSharpness * (gaps.array() - smallest)).exp();
    const double soft = smallest - std::log(share.sum()) / kGapSharpness;
    g(i) = (soft - space_->clearance() - margin_) / kScale;
    if (jacobian == nullptr) continue;
    const Eigen::RowVectorXd by_q = share.transpose() * slopes / (share.sum() * kScale);
    for (Eigen::Index j = 0; j < X.cols(); ++j)
      jacobian->row(i).segment(j * X.rows(), X.rows()) = by_q(j) * basis_.q.row(i);
  }
}

}  // namespace dynid
