#include "prediction_output.h"

#include "dynid/logs/log_reader.h"

#include <utility>

namespace dynid::tool {

PredictionOutput::PredictionOutput(std::filesystem::path file,
                                   const Model& model,
                                   std::filesystem::path log)
    : file_(std::move(file)), log_(std::move(log)), model_(model) {}

PredictionWriter& PredictionOutput::writer() {
  if (writer_) return *writer_;
  const Robot& robot = *model_.robot;
  std::vector<bool> prismatic;
  for (const Joint& joint : robot.joints) prismatic.push_back(joint.prismatic);
  writer_ = std::make_unique<PredictionWriter>(
      file_, robot.logColumnNames(), readLogInfo(log_).effort_kind, prismatic);
  return *writer_;
}

PredictionSink PredictionOutput::sink() {
  if (file_.empty()) return {};
  return [this](const PredictionBlock& block) {
    writer().append(block.time, block.recorded, block.recorded_predicted);
  };
}

void PredictionOutput::finish() {
  if (writer_) writer_->finish();
}

}  // namespace dynid::tool
