#pragma once

#include "dynid/logs/log.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace dynid {

/// A link with only one of the two sensors that the identification of its body needs.
struct LoneSensor {
  std::string link;
  bool wrench = false;  ///< the sensor: true for wrench, false for inertial
};

/// The links of `links` with only one sensor. @throws InputError if the file cannot be opened
std::vector<LoneSensor> loneSensors(const std::filesystem::path& path,
                                    const std::vector<std::string>& links);

/// Reads the groups `bodies/<link>` of a log (format: datasets/README.md).
class BodyReader {
 public:
  /// @param links  links to look for. Links without a group, or with only one of the two sensors,
  ///     are left out: the identification of a body needs both
  /// @param rows   number of rows of the log
  /// @throws InputError "path:/bodies/link/...: ..." for a group without a required channel, and
  ///     for a wrong shape, number of rows or unit
  BodyReader(const std::filesystem::path& path,
             const std::vector<std::string>& links,
             std::int64_t rows);
  ~BodyReader();
  BodyReader(BodyReader&&) noexcept;
  BodyReader& operator=(BodyReader&&) noexcept;

  /// The links that have sensors, in the requested order.
  const std::vector<std::string>& links() const;
  /// Number of groups, whether requested or not, without those that have only one of the two
  /// sensors.
  std::int64_t groups() const;
  /// Rows [first, first + count) of the link's channels.
  /// @throws InputError if they cannot be read
  BodySamples read(size_t link, std::int64_t first, std::int64_t count) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dynid
