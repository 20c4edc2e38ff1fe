#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <unistd.h>
#include <vector>

namespace dynid {

/// A temporary directory of one test, removed at its end.
class TestDirectory {
 public:
  TestDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "dynid-logs-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TestDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestDirectory(const TestDirectory&) = delete;
  TestDirectory& operator=(const TestDirectory&) = delete;
  std::filesystem::path file(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  size_t files() const {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(path_),
                                             std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path_;
};

inline void writeText(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// The message of the `Error` that `action` throws.
template <typename Error>
std::string messageOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "(nothing was thrown)";
}

/// An HDF5 file written through the C API, without the library under test.
class RawH5 {
 public:
  explicit RawH5(const std::filesystem::path& path, hsize_t user_block = 0) {
    const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    if (user_block > 0) H5Pset_userblock(creation, user_block);
    id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT);
    H5Pclose(creation);
  }
  ~RawH5() {
    if (id >= 0) H5Fclose(id);
  }
  RawH5(const RawH5&) = delete;
  RawH5& operator=(const RawH5&) = delete;

  /// A dataset of doubles stored as `type`; `properties` is closed.
  void numbers(const std::string& name,
               const std::vector<hsize_t>& shape,
               const std::vector<double>& data,
               hid_t type = H5T_IEEE_F64LE,
               hid_t properties = H5P_DEFAULT,
               bool write = true) {
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t set =
        H5Dcreate2(id, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    if (write && !data.empty())
      H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data());
    if (properties != H5P_DEFAULT) H5Pclose(properties);
    H5Dclose(set);
    H5Sclose(space);
  }
  void names(const std::vector<std::string>& names, bool variable = true, int rank = 1) {
    const hsize_t shape[] = {names.size(), 1};
    const hid_t space = H5Screate_simple(rank, shape, nullptr);
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, variable ? H5T_VARIABLE : 24);
    if (variable) H5Tset_cset(type, H5T_CSET_UTF8);
    if (!variable) H5Tset_strpad(type, H5T_STR_SPACEPAD);
    const hid_t set =
        H5Dcreate2(id, "joint_names", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    std::vector<const char*> pointers;
    std::string fixed;
    for (const std::string& name : names) {
      pointers.push_back(name.c_str());
      fixed += name + std::string(24 - name.size(), ' ');
    }
    const void* data = variable ? static_cast<const void*>(pointers.data()) : fixed.data();
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    H5Dclose(set);
    H5Tclose(type);
    H5Sclose(space);
  }
  void text(const std::string& object,
            const std::string& attribute,
            const std::vector<std::string>& texts) {
    const hid_t owner = H5Oopen(id, object.c_str(), H5P_DEFAULT);
    const hsize_t count = texts.size();
    const hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr);
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    std::vector<const char*> pointers;
    for (const std::string& one : texts) pointers.push_back(one.c_str());
    const hid_t created =
        H5Acreate2(owner, attribute.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(created, type, pointers.data());
    H5Aclose(created);
    H5Tclose(type);
    H5Sclose(space);
    H5Oclose(owner);
  }
  void number(const std::string& attribute, double value) {
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t created =
        H5Acreate2(id, attribute.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(created, H5T_NATIVE_DOUBLE, &value);
    H5Aclose(created);
    H5Sclose(space);
  }
  void remove(const std::string& name) { H5Ldelete(id, name.c_str(), H5P_DEFAULT); }

  hid_t id = -1;
};

/// `count` numbers, all different: offset + i.
inline std::vector<double> ramp(size_t count, double offset = 0.0) {
  std::vector<double> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = offset + static_cast<double>(i);
  return values;
}

/// Chunked properties, to be closed by RawH5::numbers.
inline hid_t chunked(const std::vector<hsize_t>& chunk) {
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
  return properties;
}

/// A plain log of `rows` rows and the joints a, b: time, position, effort, with units.
inline void plainLog(RawH5& file, hsize_t rows = 8) {
  file.names({"a", "b"});
  file.numbers("time", {rows}, ramp(rows));
  file.numbers("position", {rows, 2}, ramp(2 * rows, 100.0));
  file.numbers("effort", {rows, 2}, ramp(2 * rows, 200.0));
  file.text("time", "unit", {"s"});
  file.text("position", "unit", {"rad"});
  file.text("effort", "unit", {"N m"});
}

}  // namespace dynid
