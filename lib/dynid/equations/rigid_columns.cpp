#include "dynid/equations/rigid_columns.h"

namespace dynid {

RigidColumns::RigidColumns(const ParameterLayout& layout,
                           const std::vector<int>& columns,
                           const PayloadPlacement* payload)
    : num_columns_(static_cast<Eigen::Index>(columns.size())) {
  if (payload != nullptr) {
    payload_map_ = inertialTransform(payload->X_BL);
    payload_first_ = Eigen::Index{10} * payload->body;
  }
  for (size_t c = 0; c < columns.size(); ++c) {
    const Column& column = layout[columns[c]];
    const auto target = static_cast<Eigen::Index>(c);
    if (column.kind == ColumnKind::kInertial)
      inertial_.push_back({target, 10 * column.owner + column.component});
    if (column.kind != ColumnKind::kPayload) continue;
    const bool of_payload = payload != nullptr && columns[c] >= payload->first_column &&
                            columns[c] < payload->first_column + 10;
    carried_.push_back({target, of_payload ? column.component : -1});
  }
}

void RigidColumns::place(
    const Eigen::Ref<const Eigen::RowVectorXd, 0, Eigen::InnerStride<>>& bodies,
    Eigen::Ref<Eigen::RowVectorXd, 0, Eigen::InnerStride<>> row) const {
  for (const auto& [target, from] : inertial_) row(target) = bodies(from);
  for (const auto& [target, component] : carried_)
    row(target) =
        component < 0 ? 0.0 : bodies.segment<10>(payload_first_).dot(payload_map_.col(component));
}

Eigen::MatrixXd RigidColumns::placed(const Eigen::MatrixXd& bodies) const {
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(bodies.rows(), num_columns_);
  if (bodies.size() == 0 || rows.size() == 0) return rows;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) place(bodies.row(i), rows.row(i));
  return rows;
}

}  // namespace dynid
