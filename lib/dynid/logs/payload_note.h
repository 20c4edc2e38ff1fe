#pragma once

#include "dynid/logs/h5_input.h"
#include "dynid/logs/log.h"

#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// The load that a log names: group `payload`, or the root attribute `payload_mass_kg` (0: no
/// load). Each entry of the group may be a dataset or an attribute.
/// @throws InputError when a value is not usable (negative mass, wrong length, not finite).
std::optional<PayloadNote> readPayload(const H5Input& input, std::vector<std::string>& notes);

}  // namespace dynid
