#pragma once

#include <Eigen/Core>

namespace dynid {

/// Positions without the errors that a wrong time of whole rows causes. If row k was recorded at
/// t_k + d_k and not at t_k, every joint is off by the same time:
///
///     q_j(t_k) = s_j(t_k) + s_j'(t_k) d_k,
///     d_k = sum_j (q_j - s_j) s_j' / r_j^2 / sum_j (s_j' / r_j)^2
///
/// with s the positions averaged over 0.1 s (twice), and r_j the root mean square of q_j - s_j. Of
/// what is not such an error, one part in as many as there are joints that move is removed as well,
/// and all of it where they move along one line.
/// @param positions [N,n] rad or m on a uniform clock
/// @returns [N,n]
Eigen::MatrixXd withoutTimingErrors(const Eigen::MatrixXd& positions, double rate_hz);

}  // namespace dynid
