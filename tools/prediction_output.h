#pragma once

#include "dynid/logs/prediction_writer.h"
#include "dynid/validation/validate.h"

#include <filesystem>
#include <memory>

namespace dynid::tool {

/// Writes the file of `validate --output`, in the channel of the log (effort or current) and on its
/// side of the transmission; does nothing without a file name.
class PredictionOutput {
 public:
  PredictionOutput(std::filesystem::path file, const Model& model, std::filesystem::path log);
  /// Function that receives the blocks; empty without a file. The file is created with the first
  /// block, because only for a log that can be predicted the channel is known. It must not be used
  /// after the end of this object.
  PredictionSink sink();
  /// Completes the file. @throws OutputError if it cannot be written
  void finish();

 private:
  PredictionWriter& writer();

  std::filesystem::path file_, log_;
  const Model& model_;
  std::unique_ptr<PredictionWriter> writer_;
};

}  // namespace dynid::tool
