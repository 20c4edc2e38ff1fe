#pragma once

#include "dynid/equations/rows.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Selects the rigid-body columns of a channel from a row over the ten parameters of every body.
/// The columns of a payload are computed from those of the body that carries it.
class RigidColumns {
 public:
  /// @param columns  of the layout: the columns of the channel
  /// @param payload  nullptr: none
  RigidColumns(const ParameterLayout& layout,
               const std::vector<int>& columns,
               const PayloadPlacement* payload);

  /// @param bodies  [1 x 10 bodies]
  /// @param row     [1 x columns] result; columns other than rigid-body columns are unchanged
  void place(const Eigen::Ref<const Eigen::RowVectorXd, 0, Eigen::InnerStride<>>& bodies,
             Eigen::Ref<Eigen::RowVectorXd, 0, Eigen::InnerStride<>> row) const;
  /// Several rows at once; columns other than rigid-body columns are zero. [rows x columns]
  Eigen::MatrixXd placed(const Eigen::MatrixXd& bodies) const;

 private:
  struct Place {
    Eigen::Index target = 0;
    int from = 0;  ///< body column, or component of the payload; -1: payload of another log
  };
  Eigen::Index num_columns_ = 0;
  std::vector<Place> inertial_, carried_;
  Eigen::Matrix<double, 10, 10> payload_map_;
  Eigen::Index payload_first_ = 0;
};

}  // namespace dynid
