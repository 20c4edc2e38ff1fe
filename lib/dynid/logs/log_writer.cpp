#include "dynid/logs/log_writer.h"

#include "dynid/logs/channel_writer.h"
#include "dynid/logs/h5_output.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dynid {
namespace {

void writeHeader(H5Output& file, const LogHeader& header) {
  file.setText("/", "format", "dynid-log");
  file.setNumber("/", "version", 1.0);
  const std::pair<const char*, const std::string*> texts[] = {{"robot", &header.robot},
                                                              {"source", &header.source},
                                                              {"license", &header.license},
                                                              {"description", &header.description}};
  for (const auto& [attribute, text] : texts)
    if (!text->empty()) file.setText("/", attribute, *text);
  if (header.sample_rate_hz) file.setNumber("/", "sample_rate_hz", *header.sample_rate_hz);
  // Written as text: a double cannot represent nanoseconds since 1970.
  if (header.time_origin_ns)
    file.setText("/", "time_origin_ns", std::to_string(*header.time_origin_ns));
  if (header.gravity)
    file.setNumbers(
        "/", "gravity", {header.gravity->x(), header.gravity->y(), header.gravity->z()});
  file.writeTexts("joint_names", header.joint_names);
}

void writePayload(H5Output& file, const PayloadNote& payload) {
  file.createGroup("payload");
  if (!payload.link.empty()) file.writeText("payload/link", payload.link);
  if (!payload.name.empty()) file.writeText("payload/name", payload.name);
  if (!std::isnan(payload.mass)) file.writeNumber("payload/mass", payload.mass);
  if (payload.com) file.writeVector("payload/com", *payload.com);
  if (payload.inertia) file.writeVector("payload/inertia", *payload.inertia);
}

/// A dataset of a body channel, and the member from which it is written.
struct BodyWriter {
  Eigen::MatrixXd BodySamples::*member;
  size_t growing;
};

std::vector<BodyWriter> createBody(H5Output& file,
                                   const std::string& link,
                                   const BodyChannels& channels,
                                   int compression) {
  const std::string group = "bodies/" + link;
  file.createGroup(group);
  std::vector<BodyWriter> writers;
  const auto create = [&](bool wanted,
                          const char* name,
                          std::int64_t columns,
                          const char* unit,
                          Eigen::MatrixXd BodySamples::*member) {
    if (!wanted) return;
    writers.push_back({member, file.createGrowing(group + "/" + name, columns, compression)});
    file.setText(group + "/" + name, "unit", unit);
  };
  create(channels.angular_velocity, "angular_velocity", 3, "rad/s", &BodySamples::angular_velocity);
  create(channels.angular_acceleration,
         "angular_acceleration",
         3,
         "rad/s^2",
         &BodySamples::angular_acceleration);
  create(channels.linear_acceleration,
         "linear_acceleration",
         3,
         "m/s^2",
         &BodySamples::linear_acceleration);
  create(channels.wrench, "wrench", 6, "N, N m", &BodySamples::wrench);
  return writers;
}

/// A dataset of a base channel, and the member from which it is written.
struct BaseWriter {
  Eigen::MatrixXd BaseSamples::*member;
  size_t growing;
};

std::vector<BaseWriter> createBase(H5Output& file, const LogHeader& header) {
  std::vector<BaseWriter> writers;
  if (header.base_frame.empty()) return writers;
  file.createGroup("base");
  const auto create = [&](const std::string& name,
                          std::int64_t columns,
                          const char* unit,
                          Eigen::MatrixXd BaseSamples::*member) {
    writers.push_back({member, file.createGrowing(name, columns, header.compression)});
    file.setText(name, "unit", unit);
    if (columns == 6) file.setText(name, "frame", header.base_frame);
  };
  if (header.base_moves) {
    create("base/pose", 7, "m, 1", &BaseSamples::pose);
    create("base/twist", 6, "m/s, rad/s", &BaseSamples::twist);
  }
  create("base/wrench", 6, "N, N m", &BaseSamples::wrench);
  return writers;
}

}  // namespace

void LogHeader::check() const {
  const auto refuse = [](const std::string& why) {
    throw std::invalid_argument("the header of a log: " + why);
  };
  if (joint_names.empty()) refuse("joint_names is empty; expected a name per column");
  for (size_t i = 0; i < joint_names.size(); ++i)
    if (joint_names[i].empty() ||
        std::find(joint_names.begin(),
                  joint_names.begin() + static_cast<long>(i),
                  joint_names[i]) != joint_names.begin() + static_cast<long>(i))
      refuse("joint_names[" + std::to_string(i) + "] is '" + joint_names[i] +
             "'; expected names that are not empty and differ");
  if (!prismatic.empty() && prismatic.size() != joint_names.size())
    refuse("prismatic has " + std::to_string(prismatic.size()) + " entries; expected " +
           std::to_string(joint_names.size()) + " or none");
  if (!body_channels.empty() && body_channels.size() != bodies.size())
    refuse("body_channels has " + std::to_string(body_channels.size()) + " entries; expected " +
           std::to_string(bodies.size()) + " or none");
  if (sample_rate_hz && !(std::isfinite(*sample_rate_hz) && *sample_rate_hz > 0.0))
    refuse("sample_rate_hz is " + std::to_string(*sample_rate_hz) + "; expected a positive number");
  if (compression < 0 || compression > 9)
    refuse("compression is " + std::to_string(compression) + "; expected 0 to 9");
}

struct LogWriter::Impl {
  H5Output file;
  LogHeader header;
  size_t time;
  std::vector<ChannelWriter> channels;
  std::vector<std::vector<BodyWriter>> bodies;
  std::vector<BaseWriter> base;

  Impl(const std::filesystem::path& path, const LogHeader& head) : file(path), header(head) {
    writeHeader(file, header);
    time = file.createGrowing("time", 0, header.compression);
    file.setText("time", "unit", "s");
    addChannel("position", Quantity::kPosition, &RawBlock::position);
    if (header.has_velocity) addChannel("velocity", Quantity::kVelocity, &RawBlock::velocity);
    if (header.has_acceleration)
      addChannel("acceleration", Quantity::kAcceleration, &RawBlock::acceleration);
    if (header.effort_kind == EffortKind::kEffort)
      addChannel("effort", Quantity::kEffort, &RawBlock::effort);
    if (header.effort_kind == EffortKind::kCurrent)
      addChannel("current", Quantity::kCurrent, &RawBlock::effort);
    if (header.payload) writePayload(file, *header.payload);
    if (!header.bodies.empty()) file.createGroup("bodies");
    for (size_t i = 0; i < header.bodies.size(); ++i)
      bodies.push_back(
          createBody(file,
                     header.bodies[i],
                     header.body_channels.empty() ? BodyChannels() : header.body_channels[i],
                     header.compression));
    base = createBase(file, header);
  }

  void addChannel(const std::string& name, Quantity quantity, Eigen::MatrixXd RawSignals::*member) {
    channels.push_back({name, member, 0});
    const size_t joints = header.joint_names.size();
    channels.back().growing =
        header.joint_kinds_known
            ? createChannel(file, name, quantity, joints, header.prismatic, header.compression)
            : file.createGrowing(name, static_cast<std::int64_t>(joints), header.compression);
  }
};

LogWriter::LogWriter(const std::filesystem::path& path, const LogHeader& header) {
  header.check();
  impl_ = std::make_unique<Impl>(path, header);
}
LogWriter::~LogWriter() = default;
LogWriter::LogWriter(LogWriter&&) noexcept = default;
LogWriter& LogWriter::operator=(LogWriter&&) noexcept = default;

void LogWriter::append(const RawBlock& block,
                       const std::vector<BodySamples>& bodies,
                       const BaseSamples& base) {
  if (bodies.size() != impl_->bodies.size())
    throw std::invalid_argument("samples of " + std::to_string(bodies.size()) +
                                " bodies; expected " + std::to_string(impl_->bodies.size()));
  const auto n = std::ssize(impl_->header.joint_names);
  for (const ChannelWriter& channel : impl_->channels) {
    const Eigen::MatrixXd& values = block.*channel.member;
    if (values.rows() != block.rows() || values.cols() != n)
      throw std::invalid_argument(channel.name + " is [" + std::to_string(values.rows()) + ", " +
                                  std::to_string(values.cols()) + "]; expected [" +
                                  std::to_string(block.rows()) + ", " + std::to_string(n) + "]");
  }
  impl_->file.append(impl_->time, block.time);
  for (const ChannelWriter& channel : impl_->channels)
    impl_->file.append(channel.growing, block.*channel.member);
  for (size_t i = 0; i < bodies.size(); ++i)
    for (const BodyWriter& writer : impl_->bodies[i])
      impl_->file.append(writer.growing, bodies[i].*writer.member);
  for (const BaseWriter& writer : impl_->base)
    impl_->file.append(writer.growing, base.*writer.member);
}

void LogWriter::finish() { impl_->file.finish(); }

}  // namespace dynid
