#include "dynid/bags/bag_scan.h"

#include <algorithm>
#include <fmt/format.h>

namespace dynid {
namespace {

constexpr size_t kMaxTopics = 4096;
constexpr size_t kMaxIndexed = 65536;  // topics, over all files
constexpr size_t kMaxName = 4096;      // bytes
constexpr size_t kMaxDamaged = 10000;  // blocks
constexpr std::int64_t kMaxMessages = std::int64_t{1} << 53;
constexpr size_t kSentences = 5;

void requireReasonableNames(const BagTopic& topic) {
  for (const std::string* name : {&topic.name, &topic.type, &topic.encoding})
    if (name->size() > kMaxName)
      throw DamagedBytes(fmt::format("a topic's name is longer than {} bytes", kMaxName));
}

}  // namespace

BagScan::BagScan(BagSink& sink, const std::vector<DamagedBlock>& leave_out, TopicIndex index)
    : sink_(sink), known_index_(std::move(index)) {
  for (const DamagedBlock& block : leave_out) {
    leave_out_.insert(block.key());
    addLoss(block.loss);
  }
}

void BagScan::beginFile(size_t number, const std::string& path, const std::string& compression) {
  file_ = number;
  path_ = path;
  sink_.file(number);
  if (!compression.empty()) compressions_.insert("whole file " + compression);
}

size_t BagScan::topic(const BagTopic& topic) {
  requireReasonableNames(topic);
  const auto [at, is_new] =
      numbers_.try_emplace({topic.name, topic.type, topic.encoding}, topics_.size());
  if (!is_new) return at->second;
  if (topics_.size() == kMaxTopics)
    throw DamagedBytes(fmt::format("there are more than {} topics", kMaxTopics));
  topics_.push_back({topic.name, plainType(topic.type), topic.encoding});
  wanted_.push_back(sink_.topic(topics_.size() - 1, topics_.back()));
  return at->second;
}

void BagScan::indexTopic(std::uint32_t id, BagTopic topic) {
  requireReasonableNames(topic);
  if (found_index_.size() < kMaxIndexed)
    found_index_.insert_or_assign({file_, id}, std::move(topic));
}

const BagTopic* BagScan::indexed(std::uint32_t id) const {
  const auto found = known_index_.find({file_, id});
  return found == known_index_.end() ? nullptr : &found->second;
}

void BagScan::message(size_t topic, std::int64_t log_time, Bytes data) {
  ++messages_;
  ++in_block_;
  sink_.message(topic, std::clamp<std::int64_t>(log_time, 0, kLatestTime), data);
}

void BagScan::announce(std::int64_t messages) {
  const std::int64_t more = std::clamp<std::int64_t>(messages, 0, kMaxMessages);
  announced_ = std::min(announced_.value_or(0) + more, kMaxMessages);
}

void BagScan::addLoss(const std::string& text) {
  if (losses_.size() < kSentences) losses_.push_back(text);
  if (losses_.size() == kSentences) losses_.emplace_back("and more of this kind");
}

void BagScan::loseMessageOf(std::uint32_t id, std::uint64_t offset, const std::string& why) {
  if (unknown_.size() < kMaxIndexed) unknown_.insert({file_, id});
  loseMessage(offset, why);
}

bool BagScan::isToBeRepeated() const {
  return !damaged_.empty() || std::any_of(unknown_.begin(), unknown_.end(), [&](const auto& id) {
    return found_index_.contains(id);
  });
}

void BagScan::loseMessage(std::uint64_t offset, const std::string& why) {
  ++lost_messages_;
  addLoss(fmt::format("{}: at byte {}: {}", path_, offset, why));
}

void BagScan::damagedBlock(std::uint64_t offset, const std::string& why) {
  if (damaged_.size() == kMaxDamaged)
    throw DamagedBytes(fmt::format("more than {} chunks are damaged", kMaxDamaged));
  damaged_.push_back(
      {file_,
       offset,
       in_block_,
       fmt::format("{}: the chunk at byte {} is left out: {}; {} messages could be seen in it",
                   path_,
                   offset,
                   why,
                   in_block_)});
  addLoss(damaged_.back().loss);
}

void BagScan::cutAt(std::uint64_t offset, const std::string& why) {
  addLoss(fmt::format("{}: from byte {} on: {}", path_, offset, why));
}

void BagScan::wrongChecksum(const std::string& text) {
  wrong_checksums_.push_back(path_ + ": " + text);
}

std::string plainType(const std::string& type) {
  const size_t at = type.find("/msg/");
  return at == std::string::npos ? type : type.substr(0, at) + type.substr(at + 4);
}

}  // namespace dynid
