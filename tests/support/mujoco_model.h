#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <mujoco/mujoco.h>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace dynid {

/// A model compiled by libmujoco from MJCF text: an independent check of our reader.
class MujocoModel {
 public:
  /// @throws std::runtime_error with MuJoCo's message if it refuses the text
  explicit MujocoModel(const std::string& text) {
    mju_user_warning = [](const char*) {};
    std::string name = (std::filesystem::temp_directory_path() / "dynid-mujoco-XXXXXX").string();
    const std::filesystem::path folder = mkdtemp(name.data());
    std::ofstream(folder / "model.xml") << text;
    char error[1000] = "";
    model_.reset(mj_loadXML((folder / "model.xml").c_str(), nullptr, error, sizeof error));
    std::filesystem::remove_all(folder);
    if (!model_) throw std::runtime_error(error);
    model_->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_ACTUATION;
    data_.reset(mj_makeData(model_.get()));
  }

  mjModel& model() { return *model_; }
  mjData& data() { return *data_; }
  int id(mjtObj type, const std::string& name) const {
    return mj_name2id(model_.get(), type, name.c_str());
  }
  int jointId(const std::string& name) const { return id(mjOBJ_JOINT, name); }
  int bodyId(const std::string& name) const { return id(mjOBJ_BODY, name); }

 private:
  struct Delete {
    void operator()(mjModel* model) const { mj_deleteModel(model); }
    void operator()(mjData* data) const { mj_deleteData(data); }
  };
  std::unique_ptr<mjModel, Delete> model_;
  std::unique_ptr<mjData, Delete> data_;
};

}  // namespace dynid
