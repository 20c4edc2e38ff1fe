#include "dynid/bags/mcap.h"

#include "dynid/bags/byte_cursor.h"
#include "dynid/bags/decompress.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace dynid {
namespace {

constexpr std::uint8_t kMcapMagic[] = {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};
constexpr size_t kMcapMagicSize = sizeof kMcapMagic;
constexpr size_t kRecordHead = 9;    // opcode and length
constexpr size_t kMessageHead = 22;  // channel, sequence, log time, publish time
constexpr size_t kChunkHead = 8 + 8 + 8 + 4 + 4;
constexpr size_t kMaxCompressionName = 64;
constexpr size_t kMaxTypeName = 1024;
constexpr size_t kMaxDescription = size_t{1} << 20;  // of a header, schema or channel, bytes
constexpr std::uint64_t kMaxChunk = std::uint64_t{4} << 30;

enum Opcode : std::uint8_t {
  kHeader = 0x01,
  kFooter = 0x02,
  kSchema = 0x03,
  kChannel = 0x04,
  kMessage = 0x05,
  kChunk = 0x06,
  kStatistics = 0x0b,
  kDataEnd = 0x0f
};

struct RecordHead {
  std::uint8_t opcode;
  std::uint64_t length;
};

class McapReader {
 public:
  McapReader(ByteStream& file, BagScan& scan) : file_(file), scan_(scan) {}

  void read() {
    if (!startsAsMcap(file_.view(kMcapMagicSize)))
      throw DamagedBytes("does not start as an MCAP file");
    file_.advance(kMcapMagicSize);
    while (true) {
      const std::uint64_t offset = file_.position();
      try {
        const std::optional<RecordHead> head = nextHead(file_, offset);
        if (!head) return;
        if (head->opcode == kDataEnd) {
          readDataEnd(head->length);
          return;
        }
        if (head->opcode == kFooter) return;
        file_.advance(kRecordHead);
        if (head->opcode == kChunk) {
          if (!readChunk(offset, head->length)) return;
        } else {
          readRecord(file_, *head, offset);
        }
      } catch (const DamagedBytes& damage) {
        scan_.cutAt(offset, damage.what());
        return;
      }
    }
  }

 private:
  /// Reads the head of the next record without consuming it; empty at the end of the file.
  std::optional<RecordHead> nextHead(BufferedBytes& bytes, std::uint64_t offset) {
    const Bytes head = bytes.view(kRecordHead);
    if (head.empty()) {
      scan_.cutAt(offset, "the file stops before its end mark: the recording was not finished");
      return std::nullopt;
    }
    if (head.size() < kRecordHead) {
      scan_.cutAt(offset, "the file stops inside a record");
      return std::nullopt;
    }
    return headOf(head);
  }

  static RecordHead headOf(Bytes bytes) {
    ByteCursor cursor(bytes);
    RecordHead head{};
    head.opcode = cursor.number<std::uint8_t>();
    head.length = cursor.number<std::uint64_t>();
    if (head.opcode == 0) throw DamagedBytes("there is no record");
    return head;
  }

  static void skipRecord(BufferedBytes& bytes, std::uint64_t length) {
    if (!bytes.skip(length))
      throw DamagedBytes(
          fmt::format("a record says that it has {} bytes, more than there are", length));
  }

  /// The first bytes of a record. The caller must skip the rest.
  static Bytes beginningOf(BufferedBytes& bytes, std::uint64_t length, size_t most) {
    const auto count = static_cast<size_t>(std::min<std::uint64_t>(length, most));
    const Bytes beginning = bytes.view(count);
    if (beginning.size() < count)
      throw DamagedBytes(
          fmt::format("a record says that it has {} bytes, more than there are", length));
    return beginning;
  }

  /// Reads a schema, channel, message or header record; skips all others.
  void readRecord(BufferedBytes& bytes, RecordHead head, std::uint64_t offset) {
    switch (head.opcode) {
      case kHeader: {
        ByteCursor cursor(beginningOf(bytes, head.length, kMaxDescription));
        cursor.text();
        scan_.library(std::string(cursor.text().substr(0, 100)));
        break;
      }
      case kSchema:
        readSchema(beginningOf(bytes, head.length, kMaxDescription));
        break;
      case kChannel: {
        const Channel channel = channelIn(beginningOf(bytes, head.length, kMaxDescription));
        channels_[channel.id] = scan_.topic(channel.topic);
        break;
      }
      case kMessage:
        readMessage(bytes, head.length, offset);
        return;
      default:
        break;
    }
    skipRecord(bytes, head.length);
  }

  struct Channel {
    std::uint16_t id;
    BagTopic topic;
  };

  void readSchema(Bytes bytes) {
    ByteCursor cursor(bytes);
    const auto id = cursor.number<std::uint16_t>();
    schemas_[id] = cursor.text().substr(0, kMaxTypeName);
  }

  /// If the schema was in a damaged chunk, the channel is taken from the summary section.
  Channel channelIn(Bytes bytes) const {
    ByteCursor cursor(bytes);
    const auto id = cursor.number<std::uint16_t>();
    const auto schema = schemas_.find(cursor.number<std::uint16_t>());
    const BagTopic* indexed = schema == schemas_.end() ? scan_.indexed(id) : nullptr;
    if (indexed != nullptr) return {id, *indexed};
    BagTopic topic;
    topic.name = cursor.text();
    topic.type = schema == schemas_.end() ? "" : schema->second;
    topic.encoding = cursor.text();
    return {id, topic};
  }

  void readMessage(BufferedBytes& bytes, std::uint64_t length, std::uint64_t offset) {
    if (length < kMessageHead) throw DamagedBytes("a message record is too short");
    ByteCursor cursor(beginningOf(bytes, length, kMessageHead));
    const auto id = cursor.number<std::uint16_t>();
    auto channel = channels_.find(id);
    if (channel == channels_.end())
      if (const BagTopic* indexed = scan_.indexed(id))
        channel = channels_.emplace(id, scan_.topic(*indexed)).first;
    cursor.number<std::uint32_t>();
    const auto log_time = static_cast<std::int64_t>(cursor.number<std::uint64_t>());
    const bool known = channel != channels_.end();
    const bool wanted = known && scan_.wants(channel->second);
    if (wanted && length <= BufferedBytes::kMaxView) {
      const Bytes record = beginningOf(bytes, length, BufferedBytes::kMaxView);
      scan_.message(channel->second, log_time, record.subspan(kMessageHead));
      bytes.advance(record.size());
      return;
    }
    skipRecord(bytes, length);
    if (wanted)
      scan_.loseMessage(offset, fmt::format("a message of {} bytes is too long", length));
    else if (!known)
      scan_.loseMessageOf(id, offset, "a message belongs to no channel of the file");
    else
      scan_.message(channel->second, log_time, {});
  }

  /// @returns false if the file ends inside the chunk
  bool readChunk(std::uint64_t offset, std::uint64_t length) {
    const std::uint64_t begin = file_.position();
    scan_.beginBlock();
    std::string damage;
    if (!scan_.leavesOut(offset)) {
      try {
        readChunkContent(offset, length);
      } catch (const DamagedBytes& error) {
        damage = error.what();
      }
    }
    const std::uint64_t taken = file_.position() - begin;
    const bool complete = taken <= length && file_.skip(length - taken);
    if (!complete)
      damage = fmt::format(
          "the file stops inside it, after {} of {} bytes", file_.position() - begin, length);
    if (!damage.empty() && !scan_.leavesOut(offset)) scan_.damagedBlock(offset, damage);
    return complete;
  }

  void readChunkContent(std::uint64_t offset, std::uint64_t length) {
    if (length < kChunkHead) throw DamagedBytes("is too short");
    ByteCursor cursor(beginningOf(file_, length, kChunkHead + kMaxCompressionName + 8));
    cursor.take(16);
    const auto size = cursor.number<std::uint64_t>();
    const auto checksum = cursor.number<std::uint32_t>();
    const std::string compression(cursor.text());
    const auto stored = cursor.number<std::uint64_t>();
    if (stored != length - cursor.position())
      throw DamagedBytes("the length of its records contradicts its own length");
    if (size > kMaxChunk || (compression.empty() && size != stored))
      throw DamagedBytes(fmt::format("says that it has {} bytes when decompressed", size));
    file_.advance(cursor.position());
    scan_.compression(compression);

    LimitedBytes records(file_, stored);
    const std::unique_ptr<ByteStream> plain = decompressed(compression, records);
    BufferedBytes content(*plain);
    while (content.position() < size) readChunkRecord(content, size, offset);
    if (!content.viewSome(1).empty())
      throw DamagedBytes(fmt::format("has more than the {} bytes that it announces", size));
    if (checksum != 0 && checksum != content.checksum())
      throw DamagedBytes("its checksum is wrong");
  }

  void readChunkRecord(BufferedBytes& content, std::uint64_t size, std::uint64_t offset) {
    const Bytes bytes = content.view(kRecordHead);
    if (bytes.size() < kRecordHead) throw DamagedBytes("ends inside a record");
    const RecordHead head = headOf(bytes);
    if (head.length > size - content.position() - kRecordHead)
      throw DamagedBytes(fmt::format("holds a record that says it has {} bytes", head.length));
    content.advance(kRecordHead);
    readRecord(content, head, offset);
  }

  /// Checks the checksum of the data section, then searches the statistics after it.
  void readDataEnd(std::uint64_t length) {
    const std::uint32_t found = file_.checksum();
    file_.advance(kRecordHead);
    const Bytes bytes = beginningOf(file_, length, 4);
    const std::uint32_t expected = bytes.size() < 4 ? 0 : ByteCursor(bytes).number<std::uint32_t>();
    if (expected != 0 && expected != found)
      scan_.wrongChecksum("the checksum over all records is wrong: at least one byte was changed");
    skipRecord(file_, length);
    try {
      readSummary();
    } catch (const DamagedBytes&) {
      scan_.remark("its index at the end is truncated; no message is lost");
    }
  }

  /// Reads the channels and the number of messages from the summary section; skips the rest.
  void readSummary() {
    while (true) {
      const RecordHead head = headOf(beginningOf(file_, kRecordHead, kRecordHead));
      if (head.opcode == kFooter) return;
      file_.advance(kRecordHead);
      if (head.opcode == kStatistics && head.length >= 8)
        scan_.announce(static_cast<std::int64_t>(
            ByteCursor(beginningOf(file_, 8, 8)).number<std::uint64_t>()));
      if (head.opcode == kSchema) readSchema(beginningOf(file_, head.length, kMaxDescription));
      if (head.opcode == kChannel) {
        const Channel channel = channelIn(beginningOf(file_, head.length, kMaxDescription));
        scan_.indexTopic(channel.id, channel.topic);
      }
      skipRecord(file_, head.length);
    }
  }

  BufferedBytes file_;
  BagScan& scan_;
  std::unordered_map<std::uint16_t, std::string> schemas_;
  std::unordered_map<std::uint16_t, size_t> channels_;
};

}  // namespace

bool startsAsMcap(Bytes bytes) {
  return bytes.size() >= kMcapMagicSize &&
         std::equal(std::begin(kMcapMagic), std::end(kMcapMagic), bytes.begin());
}

void readMcap(ByteStream& file, BagScan& scan) { McapReader(file, scan).read(); }

}  // namespace dynid
