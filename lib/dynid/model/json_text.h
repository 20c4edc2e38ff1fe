#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace dynid {

/// Objects keep the order in which their keys were written.
using Json = nlohmann::ordered_json;

/// A number as written in dynid's files. JSON has neither NaN (not known, does not apply) nor
/// infinity (not bounded): both become null, and the key defines the meaning. Finite numbers read
/// back to the same bits.
Json jsonNumber(double value);
/// A count, written without a decimal point.
Json jsonCount(double value);

/// Indented text for reading and comparing: lists of numbers, and objects that fit, are on one
/// line. Bytes that are not UTF-8 become replacement characters. Ends with a newline.
std::string formatJson(const Json& value);

}  // namespace dynid
