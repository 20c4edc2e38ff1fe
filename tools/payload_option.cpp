#include "payload_option.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/logs/log_reader.h"

#include <cmath>
#include <filesystem>
#include <optional>
#include <system_error>

namespace dynid::tool {
namespace {

/// Whether two paths are the same after links, `.` and `..` are resolved; files may be missing.
bool isSameFile(const std::filesystem::path& a, const std::filesystem::path& b) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path first = fs::weakly_canonical(fs::absolute(a), failed);
  if (failed) return a == b;
  return first == fs::weakly_canonical(fs::absolute(b), failed) && !failed;
}

}  // namespace

PayloadNote parsePayload(const std::string& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0)
    throw UsageError("--payload: \"" + text + "\" is not LINK:MASS, as in tool0:2.5");
  const std::optional<double> mass = parseFinite(text.substr(colon + 1));
  if (!mass || *mass <= 0.0)
    throw UsageError("--payload: \"" + text.substr(colon + 1) + "\" is not a positive mass [kg]");
  PayloadNote payload;
  payload.link = text.substr(0, colon);
  payload.mass = *mass;
  return payload;
}

void declarePayloads(Options& options, std::vector<std::string>& payloads) {
  options.texts("payload",
                payloads,
                "LOG=LINK:MASS",
                "payload [kg] that the robot carried in this log, fixed to this link");
}

std::vector<LogInput> withPayloads(const std::vector<std::string>& logs,
                                   const std::vector<std::string>& payloads) {
  std::vector<LogInput> inputs;
  for (const std::string& log : logs) inputs.push_back({log});
  for (const std::string& payload : payloads) assignPayload(payload, inputs);
  return inputs;
}

void assignPayload(const std::string& text, std::vector<LogInput>& logs) {
  const size_t equals = text.rfind('=');
  if (equals == std::string::npos)
    throw UsageError("--payload: \"" + text + "\" is not LOG=LINK:MASS, as in run3.h5=tool0:2.5");
  const std::string name = text.substr(0, equals);
  parsePayload(text.substr(equals + 1));
  std::vector<std::string> paths;
  std::vector<LogInput*> of_path, of_file_name;
  for (LogInput& log : logs) {
    paths.push_back(log.path.string());
    if (isSameFile(log.path, name)) of_path.push_back(&log);
    if (log.path.filename() == name) of_file_name.push_back(&log);
  }
  const std::vector<LogInput*>& meant = of_path.empty() ? of_file_name : of_path;
  if (meant.empty())
    throw UsageError("--payload: \"" + name + "\" is none of the logs" + didYouMean(name, paths));
  if (of_path.empty() && meant.size() > 1)
    throw UsageError("--payload: \"" + name + "\" is the file name of several logs (\"" +
                     meant[0]->path.string() + "\", \"" + meant[1]->path.string() +
                     "\"); give the whole path");
  const std::string payload = text.substr(equals + 1);
  for (LogInput* log : meant) {
    if (!log->payload.empty() && log->payload != payload)
      throw UsageError("--payload: \"" + log->path.string() + "\" has two payloads, \"" +
                       log->payload + "\" and \"" + payload + "\"; give one of them");
    log->payload = payload;
  }
}

std::vector<std::string> replacedPayloads(const std::vector<LogInput>& logs) {
  std::vector<std::string> notes;
  for (const LogInput& log : logs) {
    if (log.payload.empty()) continue;
    std::optional<PayloadNote> own;
    try {
      own = readLogInfo(log.path).payload;
    } catch (const InputError&) {
      continue;  // reported by whoever reads the log
    }
    if (!own) continue;
    std::string what = std::isfinite(own->mass) ? toText(own->mass) + " kg" : "an unknown mass";
    if (!own->link.empty()) what += " at " + own->link;
    notes.push_back(log.path.string() + ": states a payload itself (" + what +
                    "); --payload takes its place: " + log.payload + ", centre of mass and " +
                    "inertia unknown");
  }
  return notes;
}

}  // namespace dynid::tool
