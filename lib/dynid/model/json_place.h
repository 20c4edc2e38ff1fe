#pragma once

#include "dynid/model/json_text.h"

#include <Eigen/Core>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dynid {

/// A value in a JSON file with its place, so that every error message names the file and the key.
/// Values that are missing or of the wrong type throw InputError "file: /key/key: ...".
class JsonPlace {
 public:
  JsonPlace(const Json& value, std::string file, std::string path = "")
      : value_(&value), file_(std::move(file)), path_(std::move(path)) {}

  const std::string& file() const { return file_; }
  [[noreturn]] void fail(const std::string& message) const;

  /// The member of an object. @throws InputError naming the missing key.
  JsonPlace at(const std::string& key) const;
  /// As `at`, but empty if the key is missing or null.
  std::optional<JsonPlace> find(const std::string& key) const;
  /// All members of an object, in the file's order.
  std::vector<std::pair<std::string, JsonPlace>> members() const;
  /// All elements of a list.
  std::vector<JsonPlace> elements() const;

  bool isList() const { return value_->is_array(); }
  bool boolean() const;
  std::string text() const;
  int integer() const;
  /// A finite number.
  double number() const;
  /// A number, or NaN for null. The texts "infinity" and "-infinity" of older files are accepted
  /// too.
  double anyNumber() const;
  /// As anyNumber, with `of_null` for null.
  double numberOr(double of_null) const;
  /// A list of `size` numbers (-1: any length), each read as by anyNumber.
  Eigen::VectorXd vector(Eigen::Index size = -1) const;
  /// A list of rows; `rows` -1: any number of rows.
  Eigen::MatrixXd matrix(Eigen::Index rows, Eigen::Index cols) const;

 private:
  const Json* value_;
  std::string file_, path_;
};

/// Parses a whole text. @throws InputError "file:line:column: ..." where it is not JSON.
Json parseJson(const std::string& text, const std::string& file);

}  // namespace dynid
