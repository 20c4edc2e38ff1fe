#pragma once

#include "dynid/equations/rows.h"
#include "dynid/logs/log.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// A payload that occurs in one or more logs. Logs with the same payload name share it; a log with
/// an unnamed payload has its own.
struct Payload {
  std::string name;  ///< in the log, or the file name of the log if it has none
  PayloadNote note;  ///< what the log states about it
  /// Placement; its first column belongs to the layout to which the payload was appended.
  PayloadPlacement placement;
  std::string link;  ///< name of the link to which it is fixed
  /// Known entries of its ten parameters about the origin of the payload's link; NaN if unknown.
  InertialParameters known = InertialParameters::Constant(std::numeric_limits<double>::quiet_NaN());
  bool fullyKnown() const { return known.allFinite(); }
};

/// The payloads of all logs.
struct PayloadTable {
  std::vector<Payload> payloads;
  std::vector<int> of_log;  ///< per log: index of its payload; -1: none
};

/// @param notes    per log: payload stated in the file
/// @param options  per log: "link:mass" from the command line, or ""; it takes precedence over the
///     file
/// @param files    per log: file name, for messages and as name of unnamed payloads
/// @throws InputError for a link that the robot does not have; UsageError for an option that is not
///     link:mass
PayloadTable collectPayloads(const Robot& robot,
                             const std::vector<std::optional<PayloadNote>>& notes,
                             const std::vector<std::string>& options,
                             const std::vector<std::string>& files);

/// Appends ten columns per payload to the layout ("<payload>.m" ...).
/// @returns the payloads with their first columns
std::vector<Payload> appendPayloadColumns(std::vector<Payload> payloads, ParameterLayout& layout);

/// One entry per payload, and an empty one if some log has no payload; see structuralBase.
std::vector<std::optional<PayloadPlacement>> distinctPlacements(
    const std::vector<Payload>& payloads, bool some_log_without);

}  // namespace dynid
