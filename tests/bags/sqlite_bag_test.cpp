#include "dynid/bags/sqlite_bag.h"

#include "dynid/core/errors.h"

#include <gmock/gmock.h>

#include "logs/test_files.h"
#include "support/bag_writers.h"
#include "support/collected_messages.h"

namespace dynid {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SqliteBag : public ::testing::Test {
 protected:
  std::filesystem::path path() const { return directory_.file("x.db3"); }
  std::vector<std::string> read() {
    sink_ = CollectedMessages();
    BagScan scan(sink_);
    scan.beginFile(0, path().string(), "");
    readSqliteBag(path(), false, scan, {});
    return scan.losses();
  }
  std::string complaint() {
    return messageOf<InputError>([&] { read(); });
  }
  TestDirectory directory_;
  CollectedMessages sink_;
};

TEST_F(SqliteBag, MessagesInTheOrderOfTimeAndDecompressed) {
  {
    TestDatabase file(path());
    file.topic(3, "/a", "pkg/msg/A");
    file.message(3, 20, {2});
    file.message(3, 10, compress(Blob(5000, 7), "zstd"));
  }
  EXPECT_THAT(read(), IsEmpty());
  ASSERT_EQ(sink_.messages.size(), 2U);
  EXPECT_EQ(sink_.messages[0].log_time, 10);
  EXPECT_EQ(sink_.messages[0].data, Blob(5000, 7));
  EXPECT_EQ(sink_.topics[0].type, "pkg/A");
  EXPECT_EQ(directory_.files(), 1U) << "nothing is written beside the file";
}

TEST_F(SqliteBag, AMessageThatGrowsTooMuchIsLost) {
  {
    TestDatabase file(path());
    file.topic(1, "/a", "pkg/A");
    file.message(1, 1, compress(Blob(size_t{100} << 20, 0), "zstd"));
    file.message(1, 2, {1});
  }
  EXPECT_THAT(read(),
              ::testing::ElementsAre(HasSubstr("is longer than 16777216 bytes when decompressed")));
  EXPECT_EQ(sink_.messages.size(), 1U);
}

TEST_F(SqliteBag, ViewsVirtualTablesAndComputedColumns) {
  {
    TestDatabase file(path(), false);
    file.run("CREATE TABLE topics(id INTEGER, name TEXT, type TEXT)");
    file.run(
        "CREATE VIEW messages AS WITH RECURSIVE endless(topic_id, timestamp, data) AS (SELECT 1, "
        "1, x'00' "
        "UNION ALL SELECT topic_id, timestamp + 1, data FROM endless) SELECT * FROM endless");
  }
  EXPECT_THAT(complaint(), HasSubstr("'messages' is not a plain table but a view"));
  {
    TestDatabase file(path(), false);
    file.run("CREATE TABLE topics(id INTEGER, name TEXT, type TEXT)");
    file.run(
        "CREATE TABLE messages(topic_id INTEGER, timestamp INTEGER, data BLOB AS "
        "(zeroblob(900000000)))");
  }
  EXPECT_THAT(complaint(), HasSubstr("the column 'data' of 'messages' is computed"));
}

TEST_F(SqliteBag, OtherDatabases) {
  {
    TestDatabase file(path(), false);
    file.run("CREATE TABLE other(id INTEGER)");
  }
  EXPECT_THAT(
      complaint(),
      HasSubstr("has no table 'topics'; it is an SQLite database, but not a rosbag2 recording"));
  writeText(path(), "SQLite format 3");
  EXPECT_THAT(complaint(), HasSubstr("record or copy it again"));
}

TEST_F(SqliteBag, ACutDatabaseGivesWhatCanBeRead) {
  {
    TestDatabase file(path());
    file.run("BEGIN");
    file.topic(1, "/a", "pkg/A");
    for (int i = 0; i < 3000; ++i) file.message(1, i, Blob(100, 1));
    file.run("COMMIT");
  }
  const auto size = std::filesystem::file_size(path());
  const Blob sent(100, 1);
  for (const double part : {0.9, 0.7, 0.5, 0.3, 0.1}) {
    std::filesystem::resize_file(path(),
                                 static_cast<std::uintmax_t>(part * static_cast<double>(size)));
    std::vector<std::string> losses;
    try {
      losses = read();
    } catch (const InputError& error) {
      losses = {error.what()};
    }
    EXPECT_FALSE(losses.empty()) << part;
    // Messages of any time may be lost with a page, but no message is invented or changed.
    for (size_t i = 0; i < sink_.messages.size(); ++i) {
      ASSERT_EQ(sink_.messages[i].data, sent) << part;
      if (i > 0) {
        ASSERT_GT(sink_.messages[i].log_time, sink_.messages[i - 1].log_time);
      }
    }
    EXPECT_GT(sink_.messages.size(), part > 0.8 ? 1000U : 0U) << part;
  }
}

}  // namespace
}  // namespace dynid
