#pragma once

#include "dynid/equations/rows.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Where the rigid bodies' columns of a channel come from: a row over the ten parameters of every
/// body, the load's through its carrier.
class RigidColumns {
 public:
  /// @param columns  of the layout, those of the channel
  /// @param payload  nullptr: none
  RigidColumns(const ParameterLayout& layout,
               const std::vector<int>& columns,
               const PayloadPlacement* payload);

  /// @param bodies  [1 x 10 bodies]
  /// @param row     [1 x columns]; other columns stay as they are
  void place(const Eigen::Ref<const Eigen::RowVectorXd, 0, Eigen::InnerStride<>>& bodies,
             Eigen::Ref<Eigen::RowVectorXd, 0, Eigen::InnerStride<>> row) const;
  /// Rows of their own, other columns zero. [rows x columns]
  Eigen::MatrixXd placed(const Eigen::MatrixXd& bodies) const;

 private:
  struct Place {
    Eigen::Index target = 0;
    int from = 0;  ///< body column; component of the load, -1 for another log's
  };
  Eigen::Index num_columns_ = 0;
  std::vector<Place> inertial_, carried_;
  Eigen::Matrix<double, 10, 10> payload_map_;
  Eigen::Index payload_first_ = 0;
};

}  // namespace dynid
