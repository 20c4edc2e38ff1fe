#pragma once

#include "dynid/equations/rows.h"
#include "dynid/logs/log.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// A distinct load over all logs: logs with the same name share it, others have their own.
struct Payload {
  std::string name;
  PayloadNote note;  ///< what is known
  PayloadPlacement placement;
  std::string link;
  /// Known entries of its ten parameters about the payload link's origin; NaN where unknown.
  InertialParameters known = InertialParameters::Constant(std::numeric_limits<double>::quiet_NaN());
  bool fullyKnown() const { return known.allFinite(); }
};

/// The loads of all logs.
struct PayloadTable {
  std::vector<Payload> payloads;
  std::vector<int> of_log;  ///< per log: index of its payload, -1 without
};

/// @param notes    per log what the file says
/// @param options  per log the command line's "link:mass", "" without; overrides the file
/// @param files    per log its name, for messages and for names of nameless loads
/// @throws InputError for a link that the robot does not have; UsageError for an option that is not
/// link:mass.
PayloadTable collectPayloads(const Robot& robot,
                             const std::vector<std::optional<PayloadNote>>& notes,
                             const std::vector<std::string>& options,
                             const std::vector<std::string>& files);

/// Appends ten columns a payload to the layout ("<payload>.m" ...) and fills
/// placement.first_column.
void appendPayloadColumns(PayloadTable& table, ParameterLayout& layout);

}  // namespace dynid
