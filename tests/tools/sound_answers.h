#pragma once

#include "tools/child_process.h"
#include <string>

namespace dynid {

/// Runs `inspect`, `identify` and `validate` on a log of the quickstart arm. Each must end with a
/// documented exit status. A log that `inspect` accepts can be identified and scored; one that it
/// refuses cannot be identified. (`validate` may predict a log that `identify` refuses.)
/// `model` is one whose effort channel is of the same kind as that of the log.
void expectSoundAnswers(const TemporaryDirectory& desk,
                        const std::string& log,
                        const std::string& model = "datasets/quickstart/model.json");

}  // namespace dynid
