#include "prediction_output.h"

#include "dynid/logs/log_reader.h"

namespace dynid::tool {

PredictionOutput::PredictionOutput(const std::string& file,
                                   const Model& model,
                                   const std::string& log) {
  if (file.empty()) return;
  const Robot& robot = *model.robot;
  std::vector<bool> prismatic;
  for (const Joint& joint : robot.joints) prismatic.push_back(joint.prismatic);
  writer_ = std::make_unique<PredictionWriter>(
      file, robot.logColumnNames(), readLogInfo(log).effort_kind, prismatic);
}

PredictionSink PredictionOutput::sink() {
  if (!writer_) return {};
  return [this](const PredictionBlock& block) {
    writer_->append(block.time, block.recorded, block.recorded_predicted);
  };
}

void PredictionOutput::finish() {
  if (writer_) writer_->finish();
}

}  // namespace dynid::tool
