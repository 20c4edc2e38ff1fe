#include "dynid/logs/prediction_writer.h"

#include "dynid/logs/channel_writer.h"
#include "dynid/logs/h5_output.h"

#include <stdexcept>

namespace dynid {

struct PredictionWriter::Impl {
  H5Output file;
  Eigen::Index joints;
  size_t time = 0, measured = 0, predicted = 0;

  explicit Impl(const std::filesystem::path& path, size_t n)
      : file(path), joints(static_cast<Eigen::Index>(n)) {}
};

PredictionWriter::PredictionWriter(const std::filesystem::path& path,
                                   const std::vector<std::string>& joint_names,
                                   EffortKind kind,
                                   const std::vector<bool>& prismatic) {
  if (kind == EffortKind::kNone)
    throw std::invalid_argument(
        "the kind of the predicted values is none; expected effort or current");
  if (joint_names.empty() || (!prismatic.empty() && prismatic.size() != joint_names.size()))
    throw std::invalid_argument(std::to_string(joint_names.size()) + " joints and " +
                                std::to_string(prismatic.size()) +
                                " kinds; expected at least one joint and a kind for each or none");
  impl_ = std::make_unique<Impl>(path, joint_names.size());
  H5Output& file = impl_->file;
  file.setText("/", "format", "dynid-prediction");
  file.setNumber("/", "version", 1.0);
  file.writeTexts("joint_names", joint_names);
  impl_->time = file.createGrowing("time", 0, 0);
  file.setText("time", "unit", "s");
  const Quantity quantity = kind == EffortKind::kCurrent ? Quantity::kCurrent : Quantity::kEffort;
  const std::string stem = toText(kind);
  impl_->measured =
      createChannel(file, stem + "_measured", quantity, joint_names.size(), prismatic, 0);
  impl_->predicted =
      createChannel(file, stem + "_predicted", quantity, joint_names.size(), prismatic, 0);
}

PredictionWriter::~PredictionWriter() = default;
PredictionWriter::PredictionWriter(PredictionWriter&&) noexcept = default;
PredictionWriter& PredictionWriter::operator=(PredictionWriter&&) noexcept = default;

void PredictionWriter::append(const Eigen::Ref<const Eigen::VectorXd>& time,
                              const Eigen::Ref<const Eigen::MatrixXd>& measured,
                              const Eigen::Ref<const Eigen::MatrixXd>& predicted) {
  for (const auto* values : {&measured, &predicted})
    if (values->rows() != time.size() || values->cols() != impl_->joints)
      throw std::invalid_argument(
          "the measured or predicted values are [" + std::to_string(values->rows()) + ", " +
          std::to_string(values->cols()) + "]; expected [" + std::to_string(time.size()) + ", " +
          std::to_string(impl_->joints) + "]");
  impl_->file.append(impl_->time, time);
  impl_->file.append(impl_->measured, measured);
  impl_->file.append(impl_->predicted, predicted);
}

void PredictionWriter::finish() { impl_->file.finish(); }

}  // namespace dynid
