#include "dynid/logs/base_channels.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/logs/h5_input.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace dynid {
namespace {

constexpr double kNormTolerance = 0.01;  // rounding to two digits is still a quaternion

std::optional<H5Numbers> open(const H5Input& input,
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
  const std::vector<std::string> unit = input.textAttribute(name, "unit");
  const bool known = unit.empty() || trim(unit.front()).empty() || unit.front() == "SI" ||
                     std::find(units.begin(), units.end(), unit.front()) != units.end();
  if (!known)
    throw InputError(input.place(name) + ": the unit \"" + unit.front() +
                     "\" is not known; give SI units, unit \"" + units.front() + "\"");
  return numbers;
}

std::string frameOf(const H5Input& input, const std::string& name) {
  if (!input.has(name)) return {};
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
  H5Input input;
  std::optional<H5Numbers> pose, twist, wrench;
  std::string twist_frame, wrench_frame;
};

BaseReader::BaseReader(const std::filesystem::path& path, std::int64_t rows)
    : impl_(new Impl{H5Input(path), {}, {}, {}, {}, {}}) {
  const H5Input& input = impl_->input;
  if (!input.hasGroup("base")) return;
  impl_->pose = open(input, "base/pose", 7, rows, {"m", "m, 1"});
  impl_->twist = open(input, "base/twist", 6, rows, {"m/s, rad/s"});
  impl_->wrench = open(input, "base/wrench", 6, rows, {"N, N m"});
  impl_->twist_frame = frameOf(input, "base/twist");
  impl_->wrench_frame = frameOf(input, "base/wrench");
}
BaseReader::~BaseReader() = default;
BaseReader::BaseReader(BaseReader&&) noexcept = default;
BaseReader& BaseReader::operator=(BaseReader&&) noexcept = default;

bool BaseReader::hasPose() const { return impl_->pose.has_value(); }
bool BaseReader::hasTwist() const { return impl_->twist.has_value(); }
bool BaseReader::hasWrench() const { return impl_->wrench.has_value(); }
const std::string& BaseReader::twistFrame() const { return impl_->twist_frame; }
const std::string& BaseReader::wrenchFrame() const { return impl_->wrench_frame; }

BaseSamples BaseReader::read(std::int64_t first, std::int64_t count) const {
  BaseSamples samples;
  samples.pose = rowsOf(impl_->pose, first, count);
  samples.twist = rowsOf(impl_->twist, first, count);
  samples.wrench = rowsOf(impl_->wrench, first, count);
  checkQuaternions(impl_->input, samples.pose, first);
  return samples;
}

}  // namespace dynid
