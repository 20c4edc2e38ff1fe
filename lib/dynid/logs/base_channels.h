#pragma once

#include "dynid/logs/log.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace dynid {

/// Reads the group `base` of a log (format: datasets/README.md).
class BaseReader {
 public:
  /// @param rows  number of rows of the log
  /// @throws InputError "path:/base/...: ..." for a wrong shape, number of rows or unit, and for a
  ///     twist or wrench without the attribute that states its frame
  BaseReader(const std::filesystem::path& path, std::int64_t rows);
  ~BaseReader();
  BaseReader(BaseReader&&) noexcept;
  BaseReader& operator=(BaseReader&&) noexcept;

  bool hasPose() const;
  bool hasTwist() const;
  bool hasWrench() const;
  /// "body", "space" or "hybrid"; "" if the log does not have the channel.
  const std::string& twistFrame() const;
  const std::string& wrenchFrame() const;

  /// Rows [first, first + count).
  /// @throws InputError if they cannot be read, or contain an invalid quaternion
  BaseSamples read(std::int64_t first, std::int64_t count) const;

  /// See LogReader::close.
  void close() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dynid
