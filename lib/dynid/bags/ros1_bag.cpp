#include "dynid/bags/ros1_bag.h"

#include "dynid/bags/byte_cursor.h"
#include "dynid/bags/decompress.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace dynid {
namespace {

constexpr std::string_view kFirstLine = "#ROSBAG V2.0\n";
constexpr std::uint32_t kMaxHeader = 1 << 20;      // bytes of a record's header
constexpr std::uint32_t kMaxConnection = 4 << 20;  // bytes of a connection's description

enum Op : std::uint8_t {
  kMessageData = 0x02,
  kBagHeader = 0x03,
  kChunkRecord = 0x05,
  kChunkIndex = 0x06,
  kConnection = 0x07
};

/// The fields `name=value` of a record's header that are used.
struct RecordFields {
  int op = -1;
  std::uint32_t connection = 0, size = 0;
  std::int64_t time = 0;  // ns
  std::string topic, type, compression, encryptor;
};

template <typename T>
T numberIn(std::string_view value) {
  return ByteCursor({reinterpret_cast<const std::uint8_t*>(value.data()), value.size()})
      .number<T>();
}

RecordFields fieldsOf(Bytes bytes) {
  RecordFields fields;
  ByteCursor cursor(bytes);
  while (cursor.left() > 0) {
    const std::string_view field = cursor.text();
    const size_t equals = field.find('=');
    if (equals == std::string_view::npos) throw DamagedBytes("a header's field has no value");
    const std::string_view name = field.substr(0, equals), value = field.substr(equals + 1);
    if (name == "op") fields.op = numberIn<std::uint8_t>(value);
    if (name == "conn") fields.connection = numberIn<std::uint32_t>(value);
    if (name == "size") fields.size = numberIn<std::uint32_t>(value);
    if (name == "topic") fields.topic = value;
    if (name == "type") fields.type = value;
    if (name == "compression") fields.compression = value;
    if (name == "encryptor") fields.encryptor = value;
    if (name == "time" && value.size() == 8)
      fields.time = std::int64_t{numberIn<std::uint32_t>(value)} * 1'000'000'000 +
                    numberIn<std::uint32_t>(value.substr(4));
  }
  return fields;
}

/// A record's header, already consumed, and the length of its data, which follow in the stream.
struct Record {
  RecordFields fields;
  std::uint32_t length = 0;
};

Record nextRecord(BufferedBytes& bytes) {
  const Bytes size = bytes.view(4);
  if (size.size() < 4) throw DamagedBytes("the file stops inside a record");
  const auto header_length = ByteCursor(size).number<std::uint32_t>();
  if (header_length > kMaxHeader)
    throw DamagedBytes(fmt::format("a record's header says that it has {} bytes", header_length));
  const Bytes whole = bytes.view(size_t{8} + header_length);
  if (whole.size() < size_t{8} + header_length)
    throw DamagedBytes("the file stops inside a record");
  Record record;
  record.fields = fieldsOf(whole.subspan(4, header_length));
  record.length = ByteCursor(whole.subspan(4 + header_length)).number<std::uint32_t>();
  bytes.advance(whole.size());
  return record;
}

class Ros1Reader {
 public:
  Ros1Reader(ByteStream& file, BagScan& scan) : file_(file), scan_(scan) {}

  void read() {
    const Bytes start = file_.view(kFirstLine.size());
    if (!std::equal(kFirstLine.begin(), kFirstLine.end(), start.begin(), start.end()))
      throw DamagedBytes("does not start as a ROS 1 bag of version 2.0");
    file_.advance(kFirstLine.size());
    while (true) {
      const std::uint64_t offset = file_.position();
      try {
        if (file_.viewSome(1).empty()) return;
        const Record record = nextRecord(file_);
        if (record.fields.op == kChunkRecord) {
          if (!readChunk(record, offset)) return;
        } else {
          readRecord(file_, record, offset);
        }
      } catch (const DamagedBytes& damage) {
        if (encrypted_) throw;
        scan_.cutAt(offset, damage.what());
        return;
      }
    }
  }

 private:
  void readRecord(BufferedBytes& bytes, const Record& record, std::uint64_t offset) {
    switch (record.fields.op) {
      case kBagHeader:
        encrypted_ = !record.fields.encryptor.empty();
        if (encrypted_) throw DamagedBytes("is encrypted; decrypt it with `rosbag decrypt`");
        break;
      case kConnection: {
        const Bytes data = dataOf(bytes, record.length, kMaxConnection);
        const BagTopic topic = {record.fields.topic, fieldsOf(data).type, "ros1"};
        topics_[record.fields.connection] = scan_.topic(topic);
        // Connections outside of chunks are in the index at the end.
        if (&bytes == &file_) scan_.indexTopic(record.fields.connection, topic);
        break;
      }
      case kMessageData:
        readMessage(bytes, record, offset);
        return;
      case kChunkIndex:
        countMessages(dataOf(bytes, record.length, kMaxConnection));
        break;
      default:
        break;
    }
    skipData(bytes, record.length);
  }

  static Bytes dataOf(BufferedBytes& bytes, std::uint32_t length, std::uint32_t most) {
    if (length > most)
      throw DamagedBytes(fmt::format("a record says that it has {} bytes", length));
    const Bytes data = bytes.view(length);
    if (data.size() < length) throw DamagedBytes("the file stops inside a record");
    return data;
  }

  static void skipData(BufferedBytes& bytes, std::uint32_t length) {
    if (!bytes.skip(length)) throw DamagedBytes("the file stops inside a record");
  }

  void readMessage(BufferedBytes& bytes, const Record& record, std::uint64_t offset) {
    auto topic = topics_.find(record.fields.connection);
    if (topic == topics_.end())
      if (const BagTopic* indexed = scan_.indexed(record.fields.connection))
        topic = topics_.emplace(record.fields.connection, scan_.topic(*indexed)).first;
    const bool known = topic != topics_.end();
    const bool wanted = known && scan_.wants(topic->second);
    if (wanted && record.length <= BufferedBytes::kMaxView) {
      scan_.message(
          topic->second, record.fields.time, dataOf(bytes, record.length, BufferedBytes::kMaxView));
      bytes.advance(record.length);
      return;
    }
    skipData(bytes, record.length);
    if (wanted)
      scan_.loseMessage(offset, fmt::format("a message of {} bytes is too long", record.length));
    else if (!known)
      scan_.loseMessageOf(
          record.fields.connection, offset, "a message belongs to no connection of the file");
    else
      scan_.message(topic->second, record.fields.time, {});
  }

  void countMessages(Bytes data) {
    ByteCursor cursor(data);
    while (cursor.left() >= 8) {
      cursor.number<std::uint32_t>();
      scan_.announce(cursor.number<std::uint32_t>());
    }
  }

  /// @returns false if the file ends inside the chunk
  bool readChunk(const Record& record, std::uint64_t offset) {
    const std::uint64_t begin = file_.position();
    scan_.beginBlock();
    std::string damage;
    if (!scan_.leavesOut(offset)) {
      try {
        readChunkContent(record, offset);
      } catch (const DamagedBytes& error) {
        damage = error.what();
      }
    }
    const std::uint64_t taken = file_.position() - begin;
    const bool complete = file_.skip(record.length - taken);
    if (!complete)
      damage = fmt::format("the file stops inside it, after {} of {} bytes",
                           file_.position() - begin,
                           record.length);
    if (!damage.empty() && !scan_.leavesOut(offset)) scan_.damagedBlock(offset, damage);
    return complete;
  }

  void readChunkContent(const Record& record, std::uint64_t offset) {
    scan_.compression(record.fields.compression);
    LimitedBytes stored(file_, record.length);
    const std::unique_ptr<ByteStream> plain = decompressed(record.fields.compression, stored);
    BufferedBytes content(*plain);
    const std::uint64_t size = record.fields.size;
    while (content.position() < size) readRecord(content, nextRecord(content), offset);
    if (content.position() > size || !content.viewSome(1).empty())
      throw DamagedBytes(fmt::format("has more than the {} bytes that it announces", size));
  }

  BufferedBytes file_;
  BagScan& scan_;
  bool encrypted_ = false;
  std::unordered_map<std::uint32_t, size_t> topics_;
};

}  // namespace

void readRos1Bag(ByteStream& file, BagScan& scan) { Ros1Reader(file, scan).read(); }

}  // namespace dynid
