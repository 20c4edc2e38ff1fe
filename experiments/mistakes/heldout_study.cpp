// Damaged held-out logs: heldout_study [--small] MODEL LOG [MODEL LOG ...]. Every log that can hold
// the mistake is damaged, written to a temporary file and validated with the default thresholds.
#include "dynid/core/text.h"
#include "dynid/diagnosis/read_diagnosed_log.h"
#include "dynid/logs/log_writer.h"
#include "dynid/model/json.h"
#include "dynid/validation/validate.h"
#include "dynid/validation/verdict.h"

#include "damages.h"
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <unistd.h>

namespace dynid::mistakes {
namespace {

struct Totals {
  int logs = 0, failed = 0, failed_without = 0, named = 0;
};

void writeLog(const std::filesystem::path& path, const Robot& robot, const DiagnosedLog& log) {
  const RawSignals& first = log.windows.front();
  LogHeader header;
  header.joint_names = robot.logColumnNames();
  for (const Joint& joint : robot.joints) header.prismatic.push_back(joint.prismatic);
  header.has_velocity = first.velocity.size() > 0;
  header.has_acceleration = first.acceleration.size() > 0;
  header.effort_kind = log.currents ? EffortKind::kCurrent : EffortKind::kEffort;
  LogWriter writer(path, header);
  for (const RawSignals& window : log.windows) {
    RawBlock block;
    static_cast<RawSignals&>(block) = window;
    writer.append(block);
  }
  writer.finish();
}

/// "elbow 5.3", the joint whose error is most times that of the training logs.
std::string worstJoint(const ValidationResult& result) {
  const JointVerdict* worst = nullptr;
  for (const JointVerdict& joint : result.joints)
    if (joint.outcome != JointVerdict::Outcome::kNotJudged &&
        (worst == nullptr || !(joint.error_over_training <= worst->error_over_training)))
      worst = &joint;
  return worst == nullptr ? "-"
                          : fmt::format("{} {:.2f}", worst->joint, worst->error_over_training);
}

/// Would the log pass if it were not compared with the training logs?
bool passesWithout(const Model& model, ValidationResult result) {
  ValidationThresholds thresholds;
  thresholds.max_error_over_training = std::numeric_limits<double>::infinity();
  result.notes.clear();
  result.training_error = std::numeric_limits<double>::quiet_NaN();
  judge(model, thresholds, result);
  return result.passed;
}

void printRow(const Model& model,
              const Damaged& damaged,
              const std::filesystem::path& file,
              std::map<std::string, Totals>& totals) {
  Totals& sums = totals[damaged.name];
  ++sums.logs;
  std::string verdict, reason, worst = "-";
  try {
    writeLog(file, *model.robot, damaged.log);
    const ValidationResult result = validate(model, {file}, {}, {}, {});
    const bool named = anyRefused(result.diagnosis);
    sums.failed += !result.passed;
    const bool without = passesWithout(model, result);
    sums.failed_without += !without;
    sums.named += named;
    verdict = result.passed ? "PASSED" : named ? "failed, log named" : "failed";
    if (without && !result.passed) verdict += " (passes without training logs)";
    reason = result.passed ? join(result.notes, "; ") : result.reasons.front();
    worst = worstJoint(result);
  } catch (const std::exception& error) {
    ++sums.failed;
    ++sums.failed_without;
    verdict = "refused";
    reason = error.what();
  }
  fmt::print("| {} | {} | {} | {} | {} |\n",
             model.robot->name,
             damaged.name,
             verdict,
             worst,
             reason.substr(0, 300));
  std::fflush(stdout);
}

int run(std::vector<std::string> arguments) {
  const bool small_only = std::erase(arguments, "--small") > 0;
  std::map<std::string, Totals> totals;
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("dynid_heldout_study_{}.h5", ::getpid());
  fmt::print("| robot | mistake | verdict | worst joint | first reason |\n|---|---|---|---|---|\n");
  for (size_t i = 0; i + 1 < arguments.size(); i += 2) {
    const Model model = loadModel(arguments[i]);
    const DiagnosedLog log = readDiagnosedLog(*model.robot, arguments[i + 1]);
    std::vector<Damaged> all = smallMistakes(model.robot, log);
    if (!small_only) {
      for (Damaged& everyday : everydayMistakes(model.robot, log))
        all.push_back(std::move(everyday));
      for (Damaged& further : furtherMistakes(model.robot, log))
        if (further.robot == model.robot) all.push_back(std::move(further));
    }
    for (const Damaged& damaged : all) printRow(model, damaged, file, totals);
  }
  std::filesystem::remove(file);
  fmt::print(
      "\n| mistake | logs | failed | without training logs | log named |\n"
      "|---|---|---|---|---|\n");
  for (const auto& [name, sums] : totals)
    fmt::print("| {} | {} | {} | {} | {} |\n",
               name,
               sums.logs,
               sums.failed,
               sums.failed_without,
               sums.named);
  return 0;
}

}  // namespace
}  // namespace dynid::mistakes

int main(int argc, char** argv) {
  return dynid::mistakes::run(std::vector<std::string>(argv + 1, argv + argc));
}
