#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace dynid {

/// Objects keep the order in which their keys were written.
using Json = nlohmann::ordered_json;

/// A number as it stands in our files. JSON has neither NaN (not known, does not apply) nor
/// infinity (not bounded): both become null, and the key says which is meant. Finite numbers read
/// back to the same bits.
Json jsonNumber(double value);
/// A count: written without a decimal point.
Json jsonCount(double value);

/// Indented text that people can read and diff: lists of numbers, and objects that fit, on one
/// line. Names that are not UTF-8 get replacement characters. Ends with a line end.
std::string formatJson(const Json& value);

}  // namespace dynid
