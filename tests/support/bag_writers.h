#pragma once

#include <algorithm>
#include <bit>
#include <bzlib.h>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <libdeflate.h>
#include <lz4frame.h>
#include <sqlite3.h>
#include <string>
#include <utility>
#include <vector>
#include <zstd.h>

namespace dynid {

/// Writers of small recordings, independent of the readers under test.
using Blob = std::vector<std::uint8_t>;

inline void append(Blob& out, const Blob& more) { out.insert(out.end(), more.begin(), more.end()); }

template <typename T>
void put(Blob& out, T value, bool big_endian = false) {
  std::uint8_t raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  if (big_endian != (std::endian::native == std::endian::big)) std::reverse(raw, raw + sizeof(T));
  out.insert(out.end(), raw, raw + sizeof(T));
}

inline void putText(Blob& out, const std::string& text) {
  put<std::uint32_t>(out, static_cast<std::uint32_t>(text.size()));
  out.insert(out.end(), text.begin(), text.end());
}

inline Blob compress(const Blob& plain, const std::string& kind) {
  if (kind == "zstd") {
    Blob out(ZSTD_compressBound(plain.size()));
    out.resize(ZSTD_compress(out.data(), out.size(), plain.data(), plain.size(), 3));
    return out;
  }
  if (kind == "lz4") {
    Blob out(LZ4F_compressFrameBound(plain.size(), nullptr));
    out.resize(LZ4F_compressFrame(out.data(), out.size(), plain.data(), plain.size(), nullptr));
    return out;
  }
  if (kind == "bz2") {
    Blob out(plain.size() + plain.size() / 50 + 1000);
    auto size = static_cast<unsigned>(out.size());
    BZ2_bzBuffToBuffCompress(reinterpret_cast<char*>(out.data()),
                             &size,
                             reinterpret_cast<char*>(const_cast<std::uint8_t*>(plain.data())),
                             static_cast<unsigned>(plain.size()),
                             9,
                             0,
                             0);
    out.resize(size);
    return out;
  }
  return plain;
}

/// What a test publishes.
struct TestJointState {
  std::int64_t stamp = 0;  // ns
  std::vector<std::string> names;
  std::vector<double> position, velocity, effort;
};

/// Bytes of a message: plain CDR of either byte order, or ROS 1.
class MessageBytes {
 public:
  explicit MessageBytes(bool big_endian = false, bool ros1 = false)
      : big_(big_endian), ros1_(ros1) {
    if (!ros1) bytes_ = {0, static_cast<std::uint8_t>(big_endian ? 0 : 1), 0, 0};
    start_ = bytes_.size();
  }
  template <typename T>
  MessageBytes& number(T value) {
    align(sizeof(T));
    put(bytes_, value, big_);
    return *this;
  }
  MessageBytes& text(const std::string& text) {
    number(static_cast<std::uint32_t>(text.size() + (ros1_ ? 0 : 1)));
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    if (!ros1_) bytes_.push_back(0);
    return *this;
  }
  MessageBytes& header(std::int64_t stamp, const std::string& frame) {
    if (ros1_) number(std::uint32_t{7});
    number(static_cast<std::int32_t>(stamp / 1000000000));
    number(static_cast<std::uint32_t>(stamp % 1000000000));
    return text(frame);
  }
  MessageBytes& numbers(const std::vector<double>& values) {
    number(static_cast<std::uint32_t>(values.size()));
    for (const double value : values) number(value);
    return *this;
  }
  const Blob& bytes() const { return bytes_; }

 private:
  void align(size_t size) {
    while (!ros1_ && (bytes_.size() - start_) % size != 0) bytes_.push_back(0);
  }
  Blob bytes_;
  size_t start_ = 0;
  bool big_, ros1_;
};

inline Blob jointStateBytes(const TestJointState& state,
                            bool big_endian = false,
                            bool ros1 = false) {
  MessageBytes bytes(big_endian, ros1);
  bytes.header(state.stamp, "base").number(static_cast<std::uint32_t>(state.names.size()));
  for (const std::string& name : state.names) bytes.text(name);
  return bytes.numbers(state.position).numbers(state.velocity).numbers(state.effort).bytes();
}

/// control_msgs/DynamicJointState with the channels of `state` that have numbers.
inline Blob dynamicStateBytes(const TestJointState& state) {
  MessageBytes bytes;
  const auto joints = static_cast<std::uint32_t>(state.names.size());
  bytes.header(state.stamp, "").number(joints);
  for (const std::string& name : state.names) bytes.text(name);
  bytes.number(joints);
  for (size_t j = 0; j < state.names.size(); ++j) {
    std::vector<std::string> interfaces;
    std::vector<double> values;
    for (const auto& [name, numbers] : {std::pair("position", &state.position),
                                        std::pair("velocity", &state.velocity),
                                        std::pair("effort", &state.effort)}) {
      if (numbers->empty()) continue;
      interfaces.emplace_back(name);
      values.push_back((*numbers)[j]);
    }
    bytes.number(static_cast<std::uint32_t>(interfaces.size()));
    for (const std::string& name : interfaces) bytes.text(name);
    bytes.numbers(values);
  }
  return bytes.bytes();
}

inline Blob wrenchBytes(std::int64_t stamp, const std::vector<double>& six, bool ros1 = false) {
  MessageBytes bytes(false, ros1);
  bytes.header(stamp, "sensor");
  for (const double value : six) bytes.number(value);
  return bytes.bytes();
}

inline Blob imuBytes(std::int64_t stamp, const std::vector<double>& six, bool ros1 = false) {
  MessageBytes bytes(false, ros1);
  bytes.header(stamp, "imu");
  for (int i = 0; i < 13; ++i) bytes.number(0.5);
  for (int i = 0; i < 3; ++i) bytes.number(six[i]);
  for (int i = 0; i < 9; ++i) bytes.number(0.25);
  for (int i = 3; i < 6; ++i) bytes.number(six[i]);
  for (int i = 0; i < 9; ++i) bytes.number(0.125);
  return bytes.bytes();
}

/// An MCAP file, chunk by chunk or without chunks.
class TestMcap {
 public:
  explicit TestMcap(std::string compression = "", bool chunks = true)
      : compression_(std::move(compression)), chunks_(chunks) {
    bytes_ = {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};
    Blob header;
    putText(header, "ros2");
    putText(header, "test writer");
    record(bytes_, 0x01, header);
  }
  /// @param schema  of an earlier channel, which has the type; 0: write one
  void channel(std::uint16_t id,
               const std::string& topic,
               const std::string& type,
               const std::string& encoding = "cdr",
               std::uint16_t schema = 0) {
    Blob type_of_channel, channel;
    put(type_of_channel, id);
    putText(type_of_channel, type);
    putText(type_of_channel, "ros2msg");
    putText(type_of_channel, "");
    put(channel, id);
    put(channel, schema == 0 ? id : schema);
    putText(channel, topic);
    putText(channel, encoding);
    put(channel, std::uint32_t{0});
    for (Blob* place : {&target(), &summary_}) {
      if (schema == 0) record(*place, 0x03, type_of_channel);
      record(*place, 0x04, channel);
    }
  }
  void message(std::uint16_t channel, std::int64_t log_time, const Blob& data) {
    Blob message;
    put(message, channel);
    put(message, std::uint32_t{0});
    put(message, log_time);
    put(message, log_time);
    append(message, data);
    record(target(), 0x05, message);
    ++messages_;
  }
  /// @param size  the uncompressed size that the chunk announces; 0: the true one
  void endChunk(std::uint64_t size = 0, bool wrong_checksum = false) {
    if (!chunks_ || open_.empty()) return;
    const Blob stored = compress(open_, compression_);
    Blob chunk;
    put(chunk, std::uint64_t{0});
    put(chunk, std::uint64_t{0});
    put(chunk, size == 0 ? std::uint64_t{open_.size()} : size);
    put(chunk, libdeflate_crc32(0, open_.data(), open_.size()) ^ (wrong_checksum ? 1U : 0U));
    putText(chunk, compression_);
    put(chunk, std::uint64_t{stored.size()});
    append(chunk, stored);
    record(bytes_, 0x06, chunk);
    open_.clear();
  }
  Blob finish(bool data_checksum = true, bool wrong_data_checksum = false) {
    endChunk();
    Blob data_end, statistics, footer(20, 0);
    put(data_end,
        data_checksum
            ? libdeflate_crc32(0, bytes_.data(), bytes_.size()) ^ (wrong_data_checksum ? 1U : 0U)
            : 0U);
    record(bytes_, 0x0f, data_end);
    append(bytes_, summary_);
    put(statistics, messages_);
    statistics.resize(46, 0);
    record(bytes_, 0x0b, statistics);
    record(bytes_, 0x02, footer);
    append(bytes_, {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'});
    return bytes_;
  }
  /// As it stands, without an end.
  Blob unfinished() const { return bytes_; }
  static void record(Blob& out, std::uint8_t opcode, const Blob& content) {
    out.push_back(opcode);
    put(out, std::uint64_t{content.size()});
    append(out, content);
  }

 private:
  Blob& target() { return chunks_ ? open_ : bytes_; }
  std::string compression_;
  bool chunks_;
  Blob bytes_, open_, summary_;
  std::uint64_t messages_ = 0;
};

/// A ROS 1 bag.
class TestRos1Bag {
 public:
  explicit TestRos1Bag(std::string compression = "none") : compression_(std::move(compression)) {
    const std::string magic = "#ROSBAG V2.0\n";
    bytes_.assign(magic.begin(), magic.end());
    record(bytes_, {{"op", {3}}}, Blob(4000, ' '));
  }
  void connection(std::uint32_t id, const std::string& topic, const std::string& type) {
    for (Blob* place : {&open_, &index_})
      record(*place,
             {{"op", {7}}, {"conn", u32(id)}, {"topic", text(topic)}},
             fields({{"type", text(type)}}));
  }
  void message(std::uint32_t connection, std::int64_t log_time, const Blob& data) {
    Blob time = u32(static_cast<std::uint32_t>(log_time / 1000000000));
    append(time, u32(static_cast<std::uint32_t>(log_time % 1000000000)));
    record(open_, {{"op", {2}}, {"conn", u32(connection)}, {"time", time}}, data);
  }
  void endChunk() {
    record(bytes_,
           {{"op", {5}},
            {"compression", text(compression_)},
            {"size", u32(static_cast<std::uint32_t>(open_.size()))}},
           compress(open_, compression_));
    open_.clear();
  }
  const Blob& bytes() const { return bytes_; }
  /// The bag with the connections in the index at its end.
  Blob finished() const {
    Blob whole = bytes_;
    append(whole, index_);
    return whole;
  }

 private:
  using Fields = std::vector<std::pair<std::string, Blob>>;
  static Blob text(const std::string& text) { return {text.begin(), text.end()}; }
  static Blob u32(std::uint32_t value) {
    Blob out;
    put(out, value);
    return out;
  }
  static Blob fields(const Fields& all) {
    Blob out;
    for (const auto& [name, value] : all) {
      put(out, static_cast<std::uint32_t>(name.size() + 1 + value.size()));
      append(out, text(name + "="));
      append(out, value);
    }
    return out;
  }
  static void record(Blob& out, const Fields& header, const Blob& data) {
    const Blob head = fields(header);
    append(out, u32(static_cast<std::uint32_t>(head.size())));
    append(out, head);
    append(out, u32(static_cast<std::uint32_t>(data.size())));
    append(out, data);
  }
  std::string compression_;
  Blob bytes_, open_, index_;
};

/// A rosbag2 database.
class TestDatabase {
 public:
  explicit TestDatabase(const std::filesystem::path& path, bool tables = true) {
    std::filesystem::remove(path);
    sqlite3_open(path.c_str(), &database_);
    if (!tables) return;
    run("CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, "
        "serialization_format TEXT NOT NULL)");
    run("CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp "
        "INTEGER "
        "NOT NULL, data BLOB NOT NULL)");
    run("CREATE INDEX timestamp_idx ON messages (timestamp ASC)");
  }
  ~TestDatabase() { close(); }
  TestDatabase(const TestDatabase&) = delete;
  TestDatabase& operator=(const TestDatabase&) = delete;
  void run(const std::string& sql) {
    sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr);
  }
  void topic(int id, const std::string& name, const std::string& type) {
    run("INSERT INTO topics VALUES(" + std::to_string(id) + ", '" + name + "', '" + type +
        "', 'cdr')");
  }
  void message(int topic, std::int64_t log_time, const Blob& data) {
    sqlite3_stmt* insert = nullptr;
    sqlite3_prepare_v2(database_,
                       "INSERT INTO messages(topic_id, timestamp, data) VALUES(?, ?, ?)",
                       -1,
                       &insert,
                       nullptr);
    sqlite3_bind_int(insert, 1, topic);
    sqlite3_bind_int64(insert, 2, log_time);
    sqlite3_bind_blob(insert, 3, data.data(), static_cast<int>(data.size()), SQLITE_TRANSIENT);
    sqlite3_step(insert);
    sqlite3_finalize(insert);
  }
  void close() {
    if (database_ != nullptr) sqlite3_close(database_);
    database_ = nullptr;
  }

 private:
  sqlite3* database_ = nullptr;
};

inline void writeBytes(const std::filesystem::path& path, const Blob& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

}  // namespace dynid
