#pragma once

#include "dynid/equations/rows.h"
#include "dynid/logs/log.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// A payload that occurs in one or more logs. Logs with the same payload name share it; a log with
/// an unnamed payload has its own.
struct Payload {
  std::string name;  ///< in the log; if it has none, "payload " and the file name of the log
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
  std::vector<std::string> places;  ///< per payload: the file and group that stated it first
  std::vector<int> of_log;          ///< per log: index of its payload; -1: none
};

/// Adds a payload, or the values that it states to the payload of the same name.
/// @param place  the file and group that state it, for messages
/// @returns its index
/// @throws InputError if the payload of the same name has another link or other known values
int addPayload(PayloadTable& table, const Payload& payload, const std::string& place);

/// The payloads of the logs. An unnamed payload is called after the file of its log, with as many
/// of its folders as distinguish it from the other files.
///
/// @param notes    per log: payload stated in the file
/// @param options  per log: "link:mass" from the command line, or ""; it replaces all values of the
///     file, but not the name
/// @param files    per log: path, for messages and as name of unnamed payloads
/// @throws InputError for a link that the robot does not have, and for a name with different links
///     or values (see addPayload); UsageError for an option that is not link:mass
PayloadTable collectPayloads(const Robot& robot,
                             const std::vector<std::optional<PayloadNote>>& notes,
                             const std::vector<std::string>& options,
                             const std::vector<std::filesystem::path>& files);

/// Whether an unnamed payload of this log can have this name.
bool namesPayloadOf(const std::string& name, const std::filesystem::path& file);

/// Appends ten columns per payload to the layout ("<payload>.m" ...).
/// @returns the payloads with their first columns
std::vector<Payload> appendPayloadColumns(std::vector<Payload> payloads, ParameterLayout& layout);

/// One entry per payload, and an empty one if some log has no payload; see structuralBase.
std::vector<std::optional<PayloadPlacement>> distinctPlacements(
    const std::vector<Payload>& payloads, bool some_log_without);

}  // namespace dynid
