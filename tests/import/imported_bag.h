#pragma once

#include "dynid/core/errors.h"
#include "dynid/import/import_bag.h"
#include "dynid/logs/log_reader.h"

#include <gmock/gmock.h>

#include "logs/test_files.h"
#include "support/bag_writers.h"
#include <cstdint>
#include <filesystem>
#include <string>

namespace dynid {

constexpr std::int64_t kMs = 1'000'000;

/// Imports an MCAP file.
class ImportBag : public ::testing::Test {
 protected:
  std::filesystem::path bag() const { return directory_.file("bag.mcap"); }
  std::filesystem::path log() const { return directory_.file("log.h5"); }
  ImportResult import(TestMcap& file, const BagImportOptions& options = {}) const {
    writeBytes(bag(), file.finish());
    return importBag({bag()}, log(), options);
  }
  RawBlock imported() const {
    LogReaderOptions options;
    options.min_rows = 1;
    const LogReader reader(log(), options);
    RawBlock block;
    reader.read(0, reader.info().rows, block);
    return block;
  }
  template <typename Error>
  std::string complaint(TestMcap& file, const BagImportOptions& options = {}) const {
    const std::string message = messageOf<Error>([&] { import(file, options); });
    EXPECT_FALSE(std::filesystem::exists(log()));
    const std::string directory = directory_.path().string() + "/";
    return message.starts_with(directory) ? message.substr(directory.size()) : message;
  }
  TestDirectory directory_;
};

inline TestJointState state(std::int64_t stamp, double value) {
  return {stamp, {"a", "b"}, {value, -value}, {2 * value, 3 * value}, {4 * value, 5 * value}};
}

}  // namespace dynid
