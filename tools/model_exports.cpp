#include "model_exports.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/model/exports.h"
#include "dynid/model/json_text.h"

#include <cstdint>
#include <filesystem>
#include <fstream>

namespace dynid::tool {
namespace {

std::string headerOf(const std::string& source) {
  return std::filesystem::path(source).replace_extension(".h").string();
}

struct PendingFile {
  std::string path, text;
};

/// @throws UsageError if the file is the description from which the model was identified
void refuseToReplaceDescription(const Model& model, const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return;
  const Robot& robot = *model.robot;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size == 0 || (size != robot.urdf_text.size() && size != robot.mjcf_text.size()))
    return;
  std::string text(size, '\0');
  // Not readTextFile, which would make the file an input of this run.
  if (!std::ifstream(path, std::ios::binary).read(text.data(), static_cast<std::streamsize>(size)))
    throw InputError(path +
                     ": cannot be read, to see whether it is the description of the robot; choose "
                     "another name, or remove the file");
  if (text == robot.urdf_text || text == robot.mjcf_text)
    throw UsageError(path +
                     " is the robot description from which the model was identified, and would be "
                     "replaced; choose another name");
}

nlohmann::ordered_json costJson(const Model& model, const ExportCost& cost) {
  if (cost.points == 0) return nullptr;
  nlohmann::ordered_json json = {{"operating_points", cost.points},
                                 {"relative_error_model", jsonNumber(cost.model_error)},
                                 {"relative_error_file", jsonNumber(cost.file_error)}};
  nlohmann::ordered_json losses = nlohmann::ordered_json::array();
  for (const ExportCost::Loss& loss : cost.losses)
    losses.push_back({{"what", loss.what}, {"relative_error", jsonNumber(loss.error)}});
  json["losses"] = losses;
  for (Eigen::Index j = 0; j < cost.file_error_per_joint.size(); ++j)
    json["per_joint"][model.robot->joints[j].name] = {
        {"relative_error_model", jsonNumber(cost.model_error_per_joint(j))},
        {"relative_error_file", jsonNumber(cost.file_error_per_joint(j))}};
  return json;
}

ExportReport report(const Model& model,
                    const std::string& output,
                    const std::vector<std::string>& dropped,
                    double disagreement,
                    const ExportCost& cost) {
  return {output,
          dropped,
          {{"output", output},
           {"dropped", dropped},
           {"max_relative_disagreement", disagreement},
           {"cost", costJson(model, cost)}}};
}

}  // namespace

std::vector<std::string> ExportFiles::outputs() const {
  if (!c.empty() && std::filesystem::path(c).extension() != ".c")
    throw UsageError("--c is \"" + c + "\"; expected a name that ends in .c (the header gets .h)");
  if (armature && urdf.empty() && sdf.empty())
    throw UsageError(
        "--armature: belongs to --urdf or --sdf; MJCF and C files always contain the drive "
        "inertia");
  return {urdf, mjcf, sdf, c, c.empty() ? "" : headerOf(c)};
}

void declareExports(Options& options, ExportFiles& files) {
  options.text("urdf",
               files.urdf,
               "FILE.urdf",
               "write the URDF of the robot with the identified <inertial> and the <dynamics> that "
               "fit the friction best; all else is unchanged");
  options.text("mjcf",
               files.mjcf,
               "FILE.xml",
               "write an MJCF for MuJoCo: the MJCF of the robot with the identified <inertial>, "
               "damping, frictionloss, armature and springs, all else unchanged; or a new one "
               "without geometry if a URDF describes the robot");
  options.text("sdf", files.sdf, "FILE.sdf", "write an SDF 1.9 file for Gazebo");
  options.flag("armature",
               files.armature,
               "with --urdf and --sdf: also write the drive inertia as drake:rotor_inertia (in a "
               "URDF in the <transmission>). Drake reads it; Gazebo has no element for it. MJCF "
               "and C always contain it");
  options.text("c",
               files.c,
               "FILE.c",
               "write C99 source and header (FILE.h): inverse dynamics, mass matrix, Coriolis, "
               "gravity, friction");
}

std::vector<ExportReport> writeExports(const Model& model,
                                       const ExportFiles& files,
                                       Outputs& outputs) {
  std::vector<ExportReport> reports;
  std::vector<PendingFile> pending;
  const DriveInertia drives = files.armature ? DriveInertia::kRotorInertia : DriveInertia::kLeftOut;
  const auto add = [&](const std::string& path, const auto& make) {
    if (path.empty()) return;
    refuseToReplaceDescription(model, path);
    ExportedModel made = make();
    reports.push_back(report(model, path, made.dropped, made.max_relative_disagreement, made.cost));
    pending.push_back({path, std::move(made.text)});
  };
  add(files.urdf, [&] { return exportUrdf(model, drives); });
  add(files.mjcf, [&] { return exportMjcf(model); });
  add(files.sdf, [&] { return exportSdf(model, drives); });
  if (!files.c.empty()) {
    ExportedCode made = exportC(model, std::filesystem::path(files.c).stem().string());
    reports.push_back(
        report(model, files.c, made.dropped, made.files.max_relative_disagreement, made.cost));
    pending.push_back({files.c, std::move(made.files.source)});
    pending.push_back({headerOf(files.c), std::move(made.files.header)});
  }
  for (const PendingFile& file : pending)
    outputs.write(file.path, [&](const auto& path) { writeTextFile(path, file.text); });
  return reports;
}

}  // namespace dynid::tool
