#include "dynid/model/json_place.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace dynid {

void JsonPlace::fail(const std::string& message) const {
  throw InputError(file_ + ": " + (path_.empty() ? "/" : path_) + ": " + message);
}

JsonPlace JsonPlace::at(const std::string& key) const {
  if (!value_->is_object())
    fail(std::string("is a ") + value_->type_name() + "; expected an object");
  const auto found = value_->find(key);
  if (found != value_->end()) return {*found, file_, path_ + "/" + key};
  std::vector<std::string> keys;
  for (auto it = value_->begin(); it != value_->end(); ++it) keys.push_back(it.key());
  fail("the key \"" + key + "\" is missing" + didYouMean(key, keys));
}

std::optional<JsonPlace> JsonPlace::find(const std::string& key) const {
  if (!value_->is_object())
    fail(std::string("is a ") + value_->type_name() + "; expected an object");
  const auto found = value_->find(key);
  if (found == value_->end() || found->is_null()) return std::nullopt;
  return JsonPlace(*found, file_, path_ + "/" + key);
}

std::vector<std::pair<std::string, JsonPlace>> JsonPlace::members() const {
  if (!value_->is_object())
    fail(std::string("is a ") + value_->type_name() + "; expected an object");
  std::vector<std::pair<std::string, JsonPlace>> result;
  for (auto it = value_->begin(); it != value_->end(); ++it)
    result.emplace_back(it.key(), JsonPlace(*it, file_, path_ + "/" + it.key()));
  return result;
}

std::vector<JsonPlace> JsonPlace::elements() const {
  if (!value_->is_array()) fail(std::string("is a ") + value_->type_name() + "; expected a list");
  std::vector<JsonPlace> result;
  for (size_t i = 0; i < value_->size(); ++i)
    result.emplace_back((*value_)[i], file_, fmt::format("{}/{}", path_, i));
  return result;
}

bool JsonPlace::boolean() const {
  if (!value_->is_boolean())
    fail(std::string("is a ") + value_->type_name() + "; expected true or false");
  return value_->get<bool>();
}

std::string JsonPlace::text() const {
  if (!value_->is_string()) fail(std::string("is a ") + value_->type_name() + "; expected a text");
  return value_->get<std::string>();
}

int JsonPlace::integer() const {
  const double value = number();
  if (value != std::floor(value) || std::abs(value) > 1e9)
    fail("is " + toText(value) + "; expected a whole number");
  return static_cast<int>(value);
}

double JsonPlace::number() const {
  if (!value_->is_number())
    fail(std::string("is a ") + value_->type_name() + "; expected a finite number");
  return value_->get<double>();
}

double JsonPlace::anyNumber() const { return numberOr(std::numeric_limits<double>::quiet_NaN()); }

double JsonPlace::numberOr(double of_null) const {
  if (value_->is_null()) return of_null;
  if (*value_ == "infinity") return std::numeric_limits<double>::infinity();
  if (*value_ == "-infinity") return -std::numeric_limits<double>::infinity();
  if (!value_->is_number())
    fail(std::string("is a ") + value_->type_name() + "; expected a number or null");
  return value_->get<double>();
}

Eigen::VectorXd JsonPlace::vector(Eigen::Index size) const {
  const std::vector<JsonPlace> all = elements();
  const auto found = std::ssize(all);
  if (size >= 0 && found != size) fail(fmt::format("has {} numbers; expected {}", found, size));
  Eigen::VectorXd result(found);
  for (Eigen::Index i = 0; i < found; ++i) result(i) = all[i].anyNumber();
  return result;
}

Eigen::MatrixXd JsonPlace::matrix(Eigen::Index rows, Eigen::Index cols) const {
  const std::vector<JsonPlace> all = elements();
  const auto found = std::ssize(all);
  if (rows >= 0 && found != rows) fail(fmt::format("has {} rows; expected {}", found, rows));
  Eigen::MatrixXd result(found, cols);
  for (Eigen::Index i = 0; i < found; ++i) result.row(i) = all[i].vector(cols).transpose();
  return result;
}

namespace {

constexpr size_t kLongestQuote = 120;

/// The parser's message without its number and place, with a long quotation of the text shortened
/// to its end.
std::string shortMessage(const std::string& what) {
  const size_t colon = what.find(": ");
  std::string message = colon == std::string::npos ? what : what.substr(colon + 2);
  constexpr std::string_view kLastRead = "last read: '";
  const size_t quote = message.find(kLastRead);
  if (quote == std::string::npos) return message;
  const size_t begin = quote + kLastRead.size();
  if (message.size() - begin <= kLongestQuote) return message;
  size_t end = message.size() - kLongestQuote;
  while (end < message.size() && (static_cast<unsigned char>(message[end]) & 0xc0) == 0x80)
    ++end;  // not within a character of UTF-8
  return message.substr(0, begin) + "..." + message.substr(end);
}

}  // namespace

Json parseJson(const std::string& text, const std::string& file) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const size_t end = std::min(text.size(), error.byte > 0 ? error.byte - 1 : 0);
    const auto begin = text.begin();
    const auto stop = begin + static_cast<std::ptrdiff_t>(end);
    const auto line = 1 + std::count(begin, stop, '\n');
    const size_t line_begin = end == 0 ? 0 : text.rfind('\n', end - 1) + 1;  // npos + 1 is 0
    throw InputError(
        fmt::format("{}:{}:{}: not JSON ({}{})",
                    file,
                    line,
                    end - line_begin + 1,
                    error.byte > text.size() ? "the file ends early; was it copied whole? " : "",
                    shortMessage(error.what())));
  } catch (const Json::out_of_range& error) {  // a number like 1e999
    throw InputError(file + ": a number is too large (" + error.what() + ")");
  }
}

}  // namespace dynid
