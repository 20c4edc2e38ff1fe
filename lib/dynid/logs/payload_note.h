#pragma once

#include "dynid/logs/h5_input.h"
#include "dynid/logs/log.h"

#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// The payload stated in a log: group `payload`, or root attribute `payload_mass_kg` (0: no
/// payload). Each entry of the group may be a dataset or an attribute.
/// @throws InputError for an invalid value (negative mass, wrong length, not finite)
std::optional<PayloadNote> readPayload(const H5Input& input, std::vector<std::string>& notes);

}  // namespace dynid
