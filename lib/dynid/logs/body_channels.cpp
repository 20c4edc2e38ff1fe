#include "dynid/logs/body_channels.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/logs/channel_units.h"
#include "dynid/logs/h5_input.h"
#include "dynid/logs/units.h"

#include <algorithm>
#include <optional>

namespace dynid {
namespace {

/// One channel of a link.
struct Channel {
  H5Numbers numbers;
  double to_si = 1.0;
};

struct LinkChannels {
  Channel angular_velocity, linear_acceleration, wrench;
  std::optional<Channel> angular_acceleration;
};

double scaleOf(const H5Input& input, const std::string& name, Quantity quantity, bool linear) {
  const std::vector<std::string> texts = unitAttribute(input, name);
  if (texts.empty() || trim(texts.front()).empty()) return 1.0;
  const std::optional<Unit> unit = parseUnit(quantity, texts.front());
  if (!unit || unit->linear != linear)
    throw InputError(input.place(name) + ": the unit \"" + texts.front() + "\" does not fit; use " +
                     siUnit(quantity, linear));
  return unit->to_si;
}

// Checks the unit of a wrench: force and moment have different units, and only SI is accepted.
void requireSi(const H5Input& input, const std::string& name) {
  const std::vector<std::string> texts = unitAttribute(input, name);
  if (texts.empty()) return;
  const std::vector<std::string> known = {"", "N", "N m", "N, N m", "N N m", "SI"};
  if (std::find(known.begin(), known.end(), texts.front()) == known.end())
    throw InputError(input.place(name) + ": the unit \"" + texts.front() +
                     "\" is not known; give forces in N and moments in N m, unit \"N, N m\"");
}

Channel open(const H5Input& input,
             const std::string& name,
             std::int64_t columns,
             std::int64_t rows) {
  if (!input.has(name))
    throw InputError(input.place(name) +
                     ": is missing; a body is identified from its angular_velocity, its "
                     "linear_acceleration and its wrench");
  Channel channel{input.numbers(name)};
  if (channel.numbers.shape().size() != 2 || channel.numbers.columns() != columns)
    throw InputError(input.place(name) + ": has " + std::to_string(channel.numbers.columns()) +
                     " numbers per row; expected " + std::to_string(columns));
  if (channel.numbers.rows() < rows)
    throw InputError(input.place(name) + ": has " + std::to_string(channel.numbers.rows()) +
                     " rows; the log has " + std::to_string(rows));
  return channel;
}

// Whether the link has only a wrench or only an inertial sensor; the identification needs both.
bool hasOneSensorOnly(const H5Input& input, const std::string& link) {
  const std::string group = "bodies/" + link + "/";
  const bool wrench = input.has(group + "wrench");
  const bool angular = input.has(group + "angular_velocity");
  const bool linear = input.has(group + "linear_acceleration");
  return (wrench && !angular && !linear) || (!wrench && angular && linear);
}

LinkChannels openLink(const H5Input& input, const std::string& link, std::int64_t rows) {
  const std::string group = "bodies/" + link + "/";
  LinkChannels channels{open(input, group + "angular_velocity", 3, rows),
                        open(input, group + "linear_acceleration", 3, rows),
                        open(input, group + "wrench", 6, rows),
                        std::nullopt};
  channels.angular_velocity.to_si =
      scaleOf(input, group + "angular_velocity", Quantity::kVelocity, false);
  channels.linear_acceleration.to_si =
      scaleOf(input, group + "linear_acceleration", Quantity::kAcceleration, true);
  requireSi(input, group + "wrench");
  const std::string acceleration = group + "angular_acceleration";
  if (!input.has(acceleration)) return channels;
  channels.angular_acceleration = open(input, acceleration, 3, rows);
  channels.angular_acceleration->to_si =
      scaleOf(input, acceleration, Quantity::kAcceleration, false);
  return channels;
}

Eigen::MatrixXd samplesOf(const Channel& channel, std::int64_t first, std::int64_t count) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  std::vector<double> raw;
  channel.numbers.read(first, count, raw);
  return channel.to_si * Eigen::Map<const RowMajor>(raw.data(), count, channel.numbers.columns());
}

}  // namespace

std::vector<LoneSensor> loneSensors(const std::filesystem::path& path,
                                    const std::vector<std::string>& links) {
  std::vector<LoneSensor> lone;
  const H5Input input(path);
  if (!input.hasGroup("bodies")) return lone;
  for (const std::string& link : links)
    if (input.hasGroup("bodies/" + link) && hasOneSensorOnly(input, link))
      lone.push_back({link, input.has("bodies/" + link + "/wrench")});
  return lone;
}

struct BodyReader::Impl {
  H5Input input;
  std::int64_t incomplete;  // number of groups with only one of the two sensors
  std::vector<std::string> links;
  std::vector<LinkChannels> channels;
};

BodyReader::BodyReader(const std::filesystem::path& path,
                       const std::vector<std::string>& links,
                       std::int64_t rows)
    : impl_(new Impl{H5Input(path), 0, {}, {}}) {
  if (!impl_->input.hasGroup("bodies")) return;
  for (const std::string& link : links) {
    if (!impl_->input.hasGroup("bodies/" + link)) continue;
    if (hasOneSensorOnly(impl_->input, link)) {
      ++impl_->incomplete;
      continue;
    }
    impl_->channels.push_back(openLink(impl_->input, link, rows));
    impl_->links.push_back(link);
  }
}
BodyReader::~BodyReader() = default;
BodyReader::BodyReader(BodyReader&&) noexcept = default;
BodyReader& BodyReader::operator=(BodyReader&&) noexcept = default;

const std::vector<std::string>& BodyReader::links() const { return impl_->links; }

std::int64_t BodyReader::groups() const {
  return impl_->input.groupSize("bodies") - impl_->incomplete;
}

BodySamples BodyReader::read(size_t link, std::int64_t first, std::int64_t count) const {
  const LinkChannels& channels = impl_->channels[link];
  BodySamples samples;
  samples.angular_velocity = samplesOf(channels.angular_velocity, first, count);
  samples.linear_acceleration = samplesOf(channels.linear_acceleration, first, count);
  samples.wrench = samplesOf(channels.wrench, first, count);
  if (channels.angular_acceleration)
    samples.angular_acceleration = samplesOf(*channels.angular_acceleration, first, count);
  return samples;
}

}  // namespace dynid
