#pragma once

#include "dynid/signals/raw_signals.h"

#include <string>
#include <vector>

namespace dynid {

/// The usable rows of a window, before its clock is known.
struct OrderedRows {
  std::vector<Eigen::Index> rows;  ///< finite, stamps not decreasing
  RowCounts counts;                ///< read, not_finite and backward are set
};

/// Whether a recorded number is usable: finite and not above 1e12, which indicates corruption.
bool isUsable(double value);
/// The rows in which a channel has an unusable value.
std::vector<Eigen::Index> unusableRows(const Eigen::Ref<const Eigen::MatrixXd>& channel);

/// Drops rows with an unusable value in time, position, effort or a required channel, and then the
/// smallest number of rows such that the stamps are in order (longest nondecreasing subsequence). A
/// single wrong stamp thus costs one row only.
OrderedRows orderRows(const RawSignals& window);

/// Ranges of `rows` between intervals longer than max_gap [s].
std::vector<Segment> splitAtGaps(const RawSignals& window,
                                 const std::vector<Eigen::Index>& rows,
                                 double max_gap);

/// Remedy for stamps that are too large for seconds. It names the unit ("ms", "us", "ns") in which
/// a stamp of this magnitude counts the time since 1970; "" for stamps that may be seconds.
std::string stampUnitRemedy(double stamp);

}  // namespace dynid
