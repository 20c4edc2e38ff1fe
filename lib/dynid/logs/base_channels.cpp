#include "dynid/logs/base_channels.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/logs/channel_units.h"
#include "dynid/logs/h5_input.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace dynid {
namespace {

constexpr double kNormTolerance = 0.01;  // accepts quaternions rounded to two digits

std::optional<H5Numbers> channelOf(const H5Input& input,
                                   const std::string& name,
                                   std::int64_t columns,
                                   std::int64_t rows,
                                   const std::vector<std::string>& units) {
  if (!input.has(name)) return std::nullopt;
  H5Numbers numbers = input.numbers(name);
  if (numbers.shape().size() != 2 || numbers.columns() != columns)
    throw InputError(
        input.place(name) + ": has " +
        (numbers.shape().size() == 2 ? std::to_string(numbers.columns()) : std::string("no")) +
        " columns; expected " + std::to_string(columns));
  if (numbers.rows() < rows)
    throw InputError(input.place(name) + ": has " + std::to_string(numbers.rows()) +
                     " rows; the log has " + std::to_string(rows));
  const std::vector<std::string> unit = unitAttribute(input, name);
  const bool known = unit.empty() || trim(unit.front()).empty() || unit.front() == "SI" ||
                     std::find(units.begin(), units.end(), unit.front()) != units.end();
  if (!known)
    throw InputError(input.place(name) + ": the unit \"" + unit.front() +
                     "\" is not known; give SI units, unit \"" + units.front() + "\"");
  return numbers;
}

std::string frameOf(const H5Input& input, const std::string& name) {
  const std::vector<std::string> text = input.textAttribute(name, "frame");
  const std::vector<std::string> known = {"body", "space", "hybrid"};
  const std::string place = input.place(name) + ": ";
  if (text.empty())
    throw InputError(place +
                     "has no attribute 'frame'; write which it is given in: " + join(known));
  if (std::find(known.begin(), known.end(), text.front()) == known.end())
    throw InputError(place + "the frame \"" + text.front() + "\" is not one of " + join(known) +
                     didYouMean(text.front(), known));
  return text.front();
}

Eigen::MatrixXd rowsOf(const std::optional<H5Numbers>& numbers,
                       std::int64_t first,
                       std::int64_t count) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  if (!numbers) return {};
  std::vector<double> raw;
  numbers->read(first, count, raw);
  return Eigen::Map<const RowMajor>(raw.data(), count, numbers->columns());
}

void checkQuaternions(const H5Input& input, const Eigen::MatrixXd& pose, std::int64_t first) {
  for (Eigen::Index i = 0; i < pose.rows(); ++i) {
    const double norm = pose.row(i).tail<4>().norm();
    if (!std::isfinite(norm) || std::abs(norm - 1.0) <= kNormTolerance) continue;
    throw InputError(input.place("base/pose") + "[" + std::to_string(first + i) +
                     "]: the quaternion's norm is " + toText(norm, 4) +
                     "; expected 1 (x y z qx qy qz qw)");
  }
}

}  // namespace

struct BaseReader::Impl {
  std::filesystem::path path;
  std::int64_t rows = 0;
  bool has_pose = false, has_twist = false, has_wrench = false;
  std::string twist_frame, wrench_frame;

  struct Channels {
    H5Input input;
    std::optional<H5Numbers> pose, twist, wrench;
  };
  std::optional<Channels> open;  // empty: closed

  const Channels& channels() {
    if (open) return *open;
    Channels found{H5Input(path), {}, {}, {}};
    if (found.input.hasGroup("base")) {
      found.pose = channelOf(found.input, "base/pose", 7, rows, {"m", "m, 1"});
      found.twist = channelOf(found.input, "base/twist", 6, rows, {"m/s, rad/s"});
      found.wrench = channelOf(found.input, "base/wrench", 6, rows, {"N, N m"});
    }
    return open.emplace(std::move(found));
  }
};

BaseReader::BaseReader(const std::filesystem::path& path, std::int64_t rows)
    : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  impl_->rows = rows;
  const Impl::Channels& channels = impl_->channels();
  impl_->has_pose = channels.pose.has_value();
  impl_->has_twist = channels.twist.has_value();
  impl_->has_wrench = channels.wrench.has_value();
  if (impl_->has_twist) impl_->twist_frame = frameOf(channels.input, "base/twist");
  if (impl_->has_wrench) impl_->wrench_frame = frameOf(channels.input, "base/wrench");
}
BaseReader::~BaseReader() = default;
BaseReader::BaseReader(BaseReader&&) noexcept = default;
BaseReader& BaseReader::operator=(BaseReader&&) noexcept = default;

bool BaseReader::hasPose() const { return impl_->has_pose; }
bool BaseReader::hasTwist() const { return impl_->has_twist; }
bool BaseReader::hasWrench() const { return impl_->has_wrench; }
const std::string& BaseReader::twistFrame() const { return impl_->twist_frame; }
const std::string& BaseReader::wrenchFrame() const { return impl_->wrench_frame; }
void BaseReader::close() const { impl_->open.reset(); }

BaseSamples BaseReader::read(std::int64_t first, std::int64_t count) const {
  const Impl::Channels& channels = impl_->channels();
  BaseSamples samples;
  samples.pose = rowsOf(channels.pose, first, count);
  samples.twist = rowsOf(channels.twist, first, count);
  samples.wrench = rowsOf(channels.wrench, first, count);
  checkQuaternions(channels.input, samples.pose, first);
  return samples;
}

}  // namespace dynid
