#include "dynid/import/import.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/import/import_bag.h"

#include "commands.h"
#include "console.h"
#include "exit_status.h"
#include "expected_file.h"
#include "files.h"
#include "import_text.h"
#include "interrupt.h"
#include "options.h"
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace dynid::tool {
namespace {

/// The arguments of the command line.
struct ImportRequest {
  std::vector<std::string> inputs;
  std::string output, mapping, joints;
  std::vector<std::string> topics, wrenches, imus;
  bool list = false, skip_bad_rows = false, log_time = false;
  int compression = 4;
  double rate_hz = std::numeric_limits<double>::quiet_NaN();  // not given
};

/// Input files that are converted to one log.
struct Conversion {
  std::vector<std::filesystem::path> inputs;
  std::string output;
  bool is_bag = false;
};

void declareTopics(Options& options, ImportRequest& request) {
  options.texts("topic",
                request.topics,
                "NAME",
                "topic of the joint states in a ROS recording, where there are several");
  options.texts("wrench",
                request.wrenches,
                "TOPIC=LINK",
                "force-torque sensor in a ROS recording (geometry_msgs/WrenchStamped), at the "
                "origin of a link, in its axes; interpolated to the times of the joint states");
  options.texts("imu",
                request.imus,
                "TOPIC=LINK",
                "inertial sensor in a ROS recording (sensor_msgs/Imu), at the origin of a link, in "
                "its axes; interpolated likewise");
  options.flag("log-time",
               request.log_time,
               "use the times of recording of a ROS recording instead of its header stamps, where "
               "the stamps are wrong");
}

Options declareOptions(ImportRequest& request) {
  Options options(
      "import",
      "dynid import datasets/quickstart/recording.csv --mapping "
      "datasets/quickstart/recording_mapping.toml --output recording.h5\n"
      "dynid import run.mcap --output run.h5\n"
      "dynid import --list bag_folder",
      "Converts a recording to an HDF5 log in SI units. A recording is a CSV text of any column "
      "layout, or a ROS recording (MCAP, rosbag2 SQLite .db3, ROS 1 .bag; a folder; compressed "
      "with zstd, lz4 or bz2). The kind of a file is recognised by its content. A CSV needs no "
      "mapping file if its column names are common ones. Of a ROS recording sensor_msgs/JointState "
      "is read. A table shows which column was taken for what.");
  options.texts("input",
                request.inputs,
                "FILE|FOLDER",
                "recordings; several files of one split bag with one --output become one log");
  options.positional("input");
  options.text("mapping",
               request.mapping,
               "FILE.toml",
               "description of the columns of a CSV with unit, scale, sign and gear ratio, and of "
               "the text itself (separator, decimal comma); without columns: unit, scale, sign and "
               "gear ratio of what is recognised, also of a ROS recording");
  options.text("output",
               request.output,
               "FILE.h5",
               "the log to write; default: beside the input, with the ending .h5");
  options.text(
      "joints",
      request.joints,
      "a,b,c",
      "names of the joints of a CSV whose columns, or of a ROS recording whose messages have "
      "no names; otherwise the joints that are taken, in this order");
  options.number("rate",
                 request.rate_hz,
                 "Hz",
                 "rows per second of a CSV without a column of times",
                 "none: the times are read");
  options.flag("list",
               request.list,
               "print what a ROS recording holds (topics, types, counts, rates, joints), and stop");
  declareTopics(options, request);
  options.flag("skip-bad-rows",
               request.skip_bad_rows,
               "skip and count malformed lines, and read a bag whose checksum is wrong, instead of "
               "refusing the file");
  options.integer(
      "compression",
      request.compression,
      0,
      "compression of the log, 0 (fast) to 9 (small); ROS recordings: 0 unless it is given");
  return options;
}

std::vector<std::string> splitList(const std::string& text, const std::string& option) {
  std::vector<std::string> names;
  for (size_t begin = 0; begin <= text.size() && !text.empty();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string name(trim(std::string_view(text).substr(begin, end - begin)));
    if (name.empty())
      throw UsageError(fmt::format("{}: \"{}\" has an empty name; write a,b,c", option, text));
    if (std::find(names.begin(), names.end(), name) != names.end())
      throw UsageError(fmt::format("{}: {} occurs twice", option, name));
    names.push_back(name);
    begin = end + 1;
  }
  return names;
}

std::vector<BagSensor> sensorsOf(const std::vector<std::string>& texts, const std::string& option) {
  std::vector<BagSensor> sensors;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw UsageError(
          fmt::format("{}: \"{}\" is not TOPIC=LINK, as in /wrench=tool0", option, text));
    const std::string link = text.substr(equals + 1);
    if (link.find('/') != std::string::npos)
      throw UsageError(fmt::format("{}: \"{}\": the name of a link has no slash", option, text));
    if (link == ".")  // no name of a group of HDF5
      throw UsageError(
          fmt::format("{}: \"{}\": a link cannot be named \".\" in a log", option, text));
    sensors.push_back({text.substr(0, equals), link});
  }
  return sensors;
}

bool isBag(const std::string& input) {
  std::error_code ignored;
  return std::filesystem::is_directory(input, ignored) || recogniseBag(input).has_value();
}

/// Output name next to the input: "run.mcap.zstd" gives "run.h5", "folder/" gives "folder.h5".
std::string outputBeside(const std::string& input) {
  std::filesystem::path path(input);
  if (!path.has_filename()) path = path.parent_path();
  std::error_code ignored;
  // "." and ".." are not the name of the folder.
  if (path.filename() == "." || path.filename() == "..")
    path = std::filesystem::weakly_canonical(path, ignored);
  for (const char* ending : {".zstd", ".zst"})
    if (path.extension() == ending) path.replace_extension();
  if (std::filesystem::is_directory(input, ignored)) return path.string() + ".h5";
  return path.replace_extension(".h5").string();
}

std::vector<Conversion> conversionsOf(const ImportRequest& request) {
  std::vector<Conversion> conversions;
  for (const std::string& input : request.inputs)
    conversions.push_back({{input}, outputBeside(input), isBag(input)});
  if (request.output.empty()) return conversions;
  if (conversions.size() > 1 &&
      !std::all_of(
          conversions.begin(), conversions.end(), [](const Conversion& c) { return c.is_bag; }))
    throw UsageError(
        fmt::format("--output: names one log, but {} files are given; without it each file becomes "
                    "a log in its folder",
                    conversions.size()));
  Conversion one{{}, request.output, conversions.front().is_bag};
  one.inputs.assign(request.inputs.begin(), request.inputs.end());
  return {one};
}

BagImportOptions bagOptions(const ImportRequest& request, const Progress& progress) {
  BagImportOptions options;
  options.topics = request.topics;
  options.joints = splitList(request.joints, "--joints");
  options.wrenches = sensorsOf(request.wrenches, "--wrench");
  options.imus = sensorsOf(request.imus, "--imu");
  options.accept_wrong_checksums = request.skip_bad_rows;
  options.log_time = request.log_time;
  options.compression = request.compression;
  options.progress = progress;
  return options;
}

/// Refuses options that would have no effect.
void checkOptions(const ImportRequest& request,
                  const Options& options,
                  const std::vector<Conversion>& conversions) {
  const bool bags = std::any_of(
      conversions.begin(), conversions.end(), [](const Conversion& c) { return c.is_bag; });
  const bool texts = std::any_of(
      conversions.begin(), conversions.end(), [](const Conversion& c) { return !c.is_bag; });
  if (!bags)
    for (const char* option : {"list", "topic", "wrench", "imu", "log-time"})
      if (options.given(option))
        throw UsageError(
            fmt::format("--{}: is for ROS recordings; {} is none", option, request.inputs.front()));
  if (!texts && options.given("rate"))
    throw UsageError(
        fmt::format("--rate: is for CSV files; {} is a ROS recording, whose messages have times",
                    request.inputs.front()));
}

nlohmann::ordered_json list(const Conversion& conversion,
                            const Progress& progress,
                            bool as_json,
                            bool quiet) {
  const BagSurvey survey = surveyBags(conversion.inputs, progress);
  if (as_json) return toJson(survey);
  if (!quiet) printResult(render(survey));
  return {};
}

}  // namespace

int runImport(const Arguments& arguments) {
  ImportRequest request;
  Options options = declareOptions(request);
  if (!options.parse(arguments)) return kDone;
  options.require("input", "the recording to convert");
  if (request.compression > 9)
    throw UsageError(fmt::format("--compression: {} is above 9", request.compression));
  const std::vector<Conversion> conversions = conversionsOf(request);
  checkOptions(request, options, conversions);
  const Progress progress = progressLine("import", options.quiet(), options.verbose());
  ImportOptions csv_options;
  if (!request.mapping.empty()) csv_options.mapping = request.mapping;
  if (options.given("rate")) csv_options.rate_hz = request.rate_hz;
  csv_options.joints = splitList(request.joints, "--joints");
  csv_options.skip_bad_rows = request.skip_bad_rows;
  csv_options.compression = request.compression;
  BagImportOptions bag_options = bagOptions(request, progress);
  bag_options.mapping = csv_options.mapping;
  // Compression would take five times as long as the rest of the import.
  if (!options.given("compression")) bag_options.compression = 0;
  expectKind(request.inputs, Expected::kImported);
  if (!request.list) {
    std::vector<std::string> outputs, inputs = request.inputs;
    for (const Conversion& conversion : conversions) outputs.push_back(conversion.output);
    inputs.push_back(request.mapping);
    checkOutputs(outputs, inputs);
  }

  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Conversion& conversion : conversions) {
    throwIfInterrupted();
    if (request.list) {
      json.push_back(list(conversion, progress, options.json(), options.quiet()));
      continue;
    }
    const ImportResult result =
        conversion.is_bag ? importBag(conversion.inputs, conversion.output, bag_options)
                          : importCsv(conversion.inputs.front(), conversion.output, csv_options);
    noteCompleted(conversion.output);
    if (options.json())
      json.push_back(toJson(result, conversion.output));
    else if (!options.quiet())
      printResult(render(result, conversion.output));
  }
  if (options.json())
    printResult((json.size() == 1 ? json.front() : json)
                    .dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
                "\n");
  return kDone;
}

}  // namespace dynid::tool
