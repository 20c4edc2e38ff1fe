#pragma once

#include "dynid/core/errors.h"
#include "dynid/import/import.h"
#include "dynid/logs/log_reader.h"

#include <gmock/gmock.h>

#include "logs/test_files.h"
#include <filesystem>
#include <string>

namespace dynid {

/// Imports the text of a CSV.
class Import : public ::testing::Test {
 protected:
  std::filesystem::path csv() const { return directory_.file("log.csv"); }
  std::filesystem::path log() const { return directory_.file("log.h5"); }
  std::filesystem::path map() const { return directory_.file("map.toml"); }

  ImportResult import(const std::string& text,
                      const std::string& mapping = "",
                      bool skip_bad_rows = false) const {
    ImportOptions options;
    writeText(csv(), text);
    if (!mapping.empty()) {
      writeText(map(), mapping);
      options.mapping = map();
    }
    options.skip_bad_rows = skip_bad_rows;
    return importCsv(csv(), log(), options);
  }
  std::string complaint(const std::string& text, const std::string& mapping = "") const {
    std::filesystem::remove(log());
    const std::string message = messageOf<InputError>([&] { import(text, mapping); });
    EXPECT_FALSE(std::filesystem::exists(log()));
    const std::string directory = csv().parent_path().string() + "/";
    return message.starts_with(directory) ? message.substr(directory.size()) : message;
  }
  RawBlock imported() const {
    const LogReader reader(log());
    RawBlock block;
    reader.read(0, reader.info().rows, block);
    return block;
  }
  TestDirectory directory_;
};

/// "channel joint unit" of a source.
inline std::string takenAs(const ImportResult& result, const std::string& source) {
  for (const TakenColumn& column : result.taken)
    if (column.source == source) return column.channel + " " + column.joint + " " + column.unit;
  return "(not taken)";
}

}  // namespace dynid
