#pragma once

#include "dynid/logs/prediction_writer.h"
#include "dynid/validation/validate.h"

#include <memory>
#include <string>

namespace dynid::tool {

/// The file of `validate --output`, on the log's own side and in its own channel (effort or
/// current); nothing where no name is given.
class PredictionOutput {
 public:
  /// @throws OutputError
  PredictionOutput(const std::string& file, const Model& model, const std::string& log);
  /// Where the blocks go; empty without a file. Must not outlive this object.
  PredictionSink sink();
  /// Completes the file. @throws OutputError
  void finish();

 private:
  std::unique_ptr<PredictionWriter> writer_;
};

}  // namespace dynid::tool
