#pragma once

#include "dynid/equations/rows.h"
#include "dynid/logs/log.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// A distinct payload over all logs: logs that give the same name share it, others have their own.
struct Payload {
  std::string name;
  PayloadNote note;            ///< what is known
  PayloadPlacement placement;  ///< its first column: of the layout that it was appended to
  std::string link;
  /// Known entries of its ten parameters about the payload link's origin; NaN where unknown.
  InertialParameters known = InertialParameters::Constant(std::numeric_limits<double>::quiet_NaN());
  bool fullyKnown() const { return known.allFinite(); }
};

/// The payloads of all logs.
struct PayloadTable {
  std::vector<Payload> payloads;
  std::vector<int> of_log;  ///< per log: index of its payload, -1 without
};

/// @param notes    per log what the file says
/// @param options  per log the command line's "link:mass", "" without; overrides the file
/// @param files    per log its name, for messages and for names of nameless payloads
/// @throws InputError for a link that the robot does not have; UsageError for an option that is not
/// link:mass.
PayloadTable collectPayloads(const Robot& robot,
                             const std::vector<std::optional<PayloadNote>>& notes,
                             const std::vector<std::string>& options,
                             const std::vector<std::string>& files);

/// Appends ten columns per payload to the layout ("<payload>.m" ...).
/// @returns the payloads with their places in it
std::vector<Payload> appendPayloadColumns(std::vector<Payload> payloads, ParameterLayout& layout);

/// One entry per distinct payload, and one without where a log has none: see structuralBase.
std::vector<std::optional<PayloadPlacement>> distinctPlacements(
    const std::vector<Payload>& payloads, bool some_log_without);

}  // namespace dynid
