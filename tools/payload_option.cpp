#include "payload_option.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"

#include <optional>

namespace dynid::tool {

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
    if (log.path == name) of_path.push_back(&log);
    if (log.path.filename() == name) of_file_name.push_back(&log);
  }
  const std::vector<LogInput*>& meant = of_path.empty() ? of_file_name : of_path;
  if (meant.empty())
    throw UsageError("--payload: \"" + name + "\" is none of the logs" + didYouMean(name, paths));
  if (of_path.empty() && meant.size() > 1)
    throw UsageError("--payload: \"" + name + "\" is the file name of several logs (\"" +
                     meant[0]->path.string() + "\", \"" + meant[1]->path.string() +
                     "\"); give the whole path");
  for (LogInput* log : meant) log->payload = text.substr(equals + 1);
}

}  // namespace dynid::tool
