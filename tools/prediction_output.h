#pragma once

#include "dynid/logs/prediction_writer.h"
#include "dynid/validation/validate.h"

#include <filesystem>
#include <memory>

namespace dynid::tool {

/// The file of `validate --output`, on the log's own side and in its own channel (effort or
/// current); nothing where no name is given.
class PredictionOutput {
 public:
  PredictionOutput(std::filesystem::path file, const Model& model, std::filesystem::path log);
  /// Where the blocks go; empty without a file. The first block creates the file, because only a
  /// log that can be predicted has a channel to write. Must not outlive this object.
  PredictionSink sink();
  /// Completes the file. @throws OutputError
  void finish();

 private:
  PredictionWriter& writer();

  std::filesystem::path file_, log_;
  const Model& model_;
  std::unique_ptr<PredictionWriter> writer_;
};

}  // namespace dynid::tool
