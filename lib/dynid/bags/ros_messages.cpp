#include "dynid/bags/ros_messages.h"

#include "dynid/bags/byte_cursor.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace dynid {
namespace {

constexpr size_t kEncapsulation = 4;  // bytes in front of CDR
constexpr size_t kMaxPadding = 8;     // bytes of arbitrary content after a message

/// Reads the fields of a message in either encoding.
class MessageFields {
 public:
  MessageFields(std::string_view encoding, Bytes bytes) : cursor_(bytes) {
    if (encoding == "ros1") return;
    if (encoding != "cdr")
      throw DamagedBytes(
          fmt::format("the encoding '{}' is not known; known are cdr and ros1", encoding));
    if (bytes.size() < kEncapsulation) throw DamagedBytes("is too short for CDR");
    const int kind = bytes[0] << 8 | bytes[1];
    // Plain CDR of version 1 (0, 1) and of version 2 (6, 7); even is big endian.
    if (kind != 0 && kind != 1 && kind != 6 && kind != 7)
      throw DamagedBytes(fmt::format("CDR of the kind {:#06x} is not known", kind));
    cdr_ = true;
    little_endian_ = kind % 2 == 1;
    double_alignment_ = kind < 2 ? 8 : 4;
    cursor_ = ByteCursor(bytes.subspan(kEncapsulation), !little_endian_);
  }

  template <typename T>
  T number() {
    if (cdr_) cursor_.align(sizeof(T) == 8 ? double_alignment_ : sizeof(T));
    return cursor_.number<T>();
  }

  std::string_view text() {
    if (cdr_) cursor_.align(4);
    std::string_view text = cursor_.text();
    if (cdr_ && text.ends_with('\0')) text.remove_suffix(1);
    return text;
  }

  RosHeader header() {
    RosHeader header;
    if (!cdr_) number<std::uint32_t>();  // sequence number
    const std::int64_t seconds =
        cdr_ ? number<std::int32_t>() : static_cast<std::int64_t>(number<std::uint32_t>());
    header.stamp = seconds * 1'000'000'000 + number<std::uint32_t>();
    header.frame = text();
    return header;
  }

  /// The length of a list whose elements have at least `size` bytes.
  size_t count(size_t size) {
    const auto count = number<std::uint32_t>();
    if (count > cursor_.left() / size)
      throw DamagedBytes(fmt::format(
          "a list says that it has {} elements; {} bytes are left", count, cursor_.left()));
    return count;
  }

  void texts(std::vector<std::string_view>& out) {
    out.resize(count(4));
    for (std::string_view& element : out) element = text();
  }

  void numbers(std::vector<double>& out) {
    out.resize(count(8));
    if (out.empty()) return;
    if (cdr_) cursor_.align(double_alignment_);
    const Bytes bytes = cursor_.take(8 * out.size());
    if (little_endian_ == (std::endian::native == std::endian::little)) {
      std::memcpy(out.data(), bytes.data(), bytes.size());
      return;
    }
    ByteCursor swapped(bytes, !little_endian_);
    for (double& element : out) element = swapped.number<double>();
  }

  template <size_t N>
  void numbers(std::array<double, N>& out) {
    for (double& element : out) element = number<double>();
  }

  template <size_t N>
  void skipNumbers() {
    std::array<double, N> ignored;
    numbers(ignored);
  }

  /// Checks the end of the message. Recorders may append up to eight bytes of arbitrary content,
  /// and zeros.
  void end() {
    const size_t left = cursor_.left();
    const Bytes rest = cursor_.take(left);
    if (left > kMaxPadding &&
        std::any_of(rest.begin(), rest.end(), [](auto byte) { return byte != 0; }))
      throw DamagedBytes(fmt::format("has {} bytes too many for its type", left));
  }

 private:
  ByteCursor cursor_;
  bool cdr_ = false;
  bool little_endian_ = true;
  size_t double_alignment_ = 8;
};

}  // namespace

void readJointState(std::string_view encoding, Bytes bytes, JointStateMessage& out) {
  MessageFields fields(encoding, bytes);
  out.header = fields.header();
  fields.texts(out.names);
  fields.numbers(out.position);
  fields.numbers(out.velocity);
  fields.numbers(out.effort);
  fields.end();
}

void readDynamicJointState(std::string_view encoding, Bytes bytes, JointStateMessage& out) {
  MessageFields fields(encoding, bytes);
  out.header = fields.header();
  fields.texts(out.names);
  const size_t joints = out.names.size();
  if (fields.count(8) != joints)
    throw DamagedBytes("has another number of interface lists than of joints");
  std::vector<double>* const channels[] = {&out.position, &out.velocity, &out.effort};
  constexpr std::string_view kNames[] = {"position", "velocity", "effort"};
  for (std::vector<double>* channel : channels) channel->clear();
  std::vector<std::string_view> interfaces;
  std::vector<double> values;
  size_t kept = 0;
  for (size_t joint = 0; joint < joints; ++joint) {
    fields.texts(interfaces);
    fields.numbers(values);
    if (interfaces.size() != values.size())
      throw DamagedBytes("has another number of values than of interfaces");
    bool is_joint = false;
    for (size_t c = 0; c < std::size(kNames); ++c) {
      const auto found = std::find(interfaces.begin(), interfaces.end(), kNames[c]);
      if (found == interfaces.end()) continue;
      channels[c]->resize(joints, std::numeric_limits<double>::quiet_NaN());
      (*channels[c])[kept] = values[found - interfaces.begin()];
      is_joint = true;
    }
    if (is_joint) out.names[kept++] = out.names[joint];
  }
  out.names.resize(kept);
  for (std::vector<double>* channel : channels)
    if (!channel->empty()) channel->resize(kept);
  fields.end();
}

void readWrench(std::string_view encoding, Bytes bytes, WrenchMessage& out) {
  MessageFields fields(encoding, bytes);
  out.header = fields.header();
  fields.numbers(out.wrench);
  fields.end();
}

void readImu(std::string_view encoding, Bytes bytes, ImuMessage& out) {
  MessageFields fields(encoding, bytes);
  out.header = fields.header();
  fields.skipNumbers<4>();  // orientation
  fields.skipNumbers<9>();  // its covariance
  fields.numbers(out.angular_velocity);
  fields.skipNumbers<9>();
  fields.numbers(out.linear_acceleration);
  fields.skipNumbers<9>();
  fields.end();
}

}  // namespace dynid
