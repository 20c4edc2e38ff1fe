// links: statistics hdf5::hdf5
// libfuzzer: -detect_leaks=0 -malloc_limit_mb=1000000 -max_len=200000
// HDF5 leaks memory when it refuses damaged files, and allocates as much as a file asks for.
#include "dynid/logs/h5_id.h"
#include "dynid/robot/load_robot.h"
#include "dynid/statistics/statistics_file.h"
#include "dynid/statistics/statistics_pool.h"

#include <hdf5.h>

#include "fuzz/input.h"
#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

// The robot of corpus/statistics/two_joints.h5.
constexpr const char* kUrdf = R"(<robot name="r"><link name="base"/>
<link name="a"><inertial><origin xyz="0.1 0 0"/><mass value="2"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>
<link name="b"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
<joint name="j1" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/>
<limit lower="-2" upper="2" effort="50" velocity="3"/></joint>
<joint name="j2" type="revolute"><origin xyz="0.3 0 0"/><parent link="a"/><child link="b"/>
<axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="50" velocity="3"/></joint></robot>)";
constexpr const char* kDescription = R"(urdf = "robot.urdf"
[joint.j2]
position_effects = [{ type = "spring" }, { type = "fourier", harmonics = 1 }]
)";

/// An HDF5 file in memory.
class Image {
 public:
  Image(const std::uint8_t* data, std::size_t size)
      : access_(H5Pcreate(H5P_FILE_ACCESS), H5Pclose) {
    dynid::quietHdf5();
    H5Pset_fapl_core(access_.get(), 1 << 16, false);
    if (size > 0) H5Pset_file_image(access_.get(), const_cast<std::uint8_t*>(data), size);
    file_ = dynid::H5Id(H5Fopen("image", H5F_ACC_RDWR, access_.get()), H5Fclose);
  }
  hid_t id() const { return file_.get(); }
  explicit operator bool() const { return static_cast<bool>(file_); }

  std::vector<std::uint8_t> bytes() const {
    H5Fflush(id(), H5F_SCOPE_GLOBAL);
    const ssize_t size = H5Fget_file_image(id(), nullptr, 0);
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    if (!bytes.empty()) H5Fget_file_image(id(), bytes.data(), bytes.size());
    return bytes;
  }

 private:
  dynid::H5Id access_, file_;
};

std::vector<std::string> datasets(hid_t file) {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5O_info_t* info, void* list) -> herr_t {
    if (info->type == H5O_TYPE_DATASET)
      static_cast<std::vector<std::string>*>(list)->push_back(name);
    return 0;
  };
  H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, add, &names);
  return names;
}

double changedNumber(double number, const std::vector<double>& others, std::mt19937& random) {
  static const std::vector<double> hostile{0.0,
                                           1.0,
                                           -1.0,
                                           2.0,
                                           0.5,
                                           1e308,
                                           -1e308,
                                           1e-308,
                                           5e-324,
                                           1e16,
                                           1e6,
                                           2147483647,
                                           -2147483648.0,
                                           std::numeric_limits<double>::quiet_NaN(),
                                           std::numeric_limits<double>::infinity()};
  switch (random() % 6) {
    case 0:
      return number + 1.0;
    case 1:
      return number - 1.0;
    case 2:
      return -number;
    case 3:
      return number * 1e3;
    case 4:
      return others[random() % others.size()];
    default:
      return hostile[random() % hostile.size()];
  }
}

/// Changes an element of a dataset or an attribute that holds numbers.
template <typename Read, typename Write>
void changeNumber(hsize_t count, std::mt19937& random, const Read& read, const Write& write) {
  if (count == 0 || count > 100000) return;
  std::vector<double> values(count);
  if (read(values.data()) < 0) return;
  double& value = values[random() % count];
  value = changedNumber(value, values, random);
  write(values.data());
}

void changeAttribute(hid_t file, std::mt19937& random) {
  static const std::vector<const char*> names{"block_s", "currents", "filter_order", "gravity"};
  const dynid::H5Id attribute(H5Aopen(file, names[random() % names.size()], H5P_DEFAULT), H5Aclose);
  if (!attribute) return;
  const dynid::H5Id space(H5Aget_space(attribute.get()), H5Sclose);
  changeNumber(
      static_cast<hsize_t>(std::max<hssize_t>(H5Sget_simple_extent_npoints(space.get()), 0)),
      random,
      [&](double* values) { return H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, values); },
      [&](double* values) { return H5Awrite(attribute.get(), H5T_NATIVE_DOUBLE, values); });
}

/// Copies a string of a dataset onto another, or changes one of its bytes.
void changeText(hid_t dataset, hsize_t count, std::mt19937& random) {
  const dynid::H5Id type(H5Dget_type(dataset), H5Tclose);
  const std::size_t size = H5Tget_size(type.get());
  if (H5Tis_variable_str(type.get()) > 0 || count == 0 || size * count > 100000) return;
  std::vector<char> bytes(size * count);
  if (H5Dread(dataset, type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0) return;
  if (random() % 2 == 0)
    std::memmove(&bytes[size * (random() % count)], &bytes[size * (random() % count)], size);
  else
    bytes[random() % bytes.size()] = static_cast<char>(random());
  H5Dwrite(dataset, type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
}

/// Replaces a dataset of numbers by one with a row more or less.
void changeRows(hid_t file, const std::string& name, std::vector<hsize_t> shape, bool more) {
  const hsize_t row = shape.size() == 2 ? shape[1] : 1;
  const hsize_t rows = more ? shape[0] + 1 : shape[0] - 1;
  std::vector<double> values(std::max(rows, shape[0]) * row, 1.0);
  {
    const dynid::H5Id old(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    H5Dread(old.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  }
  H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  shape[0] = rows;
  const dynid::H5Id space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                          H5Sclose);
  const dynid::H5Id created(
      H5Dcreate2(
          file, name.c_str(), H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  H5Dwrite(created.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

/// One change of the content, after which the file is still well-formed HDF5.
void changeContent(hid_t file, std::mt19937& random) {
  const std::vector<std::string> names = datasets(file);
  if (names.empty() || random() % 16 == 0) return changeAttribute(file, random);
  // Half of the changes are in the table of columns.
  std::string name = random() % 2 ? "columns/numbers" : names[random() % names.size()];
  if (std::find(names.begin(), names.end(), name) == names.end()) name = names.front();
  dynid::H5Id dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  const dynid::H5Id space(H5Dget_space(dataset.get()), H5Sclose);
  const dynid::H5Id type(H5Dget_type(dataset.get()), H5Tclose);
  std::vector<hsize_t> shape(
      static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space.get()), 0)));
  if (shape.empty() || shape.size() > 2) return;
  H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr);
  const hsize_t count = shape[0] * (shape.size() == 2 ? shape[1] : 1);
  if (H5Tget_class(type.get()) == H5T_STRING) return changeText(dataset.get(), count, random);
  const unsigned kind = random() % 32;
  if (kind == 0) {
    dataset.reset();
    H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  } else if (kind <= 2 && shape[0] > 0 && count < 100000) {
    dataset.reset();
    changeRows(file, name, shape, kind == 1);
  } else {
    changeNumber(
        count,
        random,
        [&](double* values) {
          return H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
        },
        [&](double* values) {
          return H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
        });
  }
}

}  // namespace

/// Changes numbers, strings and shapes and leaves the file well-formed: on damaged files HDF5
/// itself reads out of bounds, which the trial process of the program is for (fuzz_log).
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data,
                                               std::size_t size,
                                               std::size_t max_size,
                                               unsigned int seed) {
  std::mt19937 random(seed);
  const Image image(data, size);
  if (!image) return size;
  for (unsigned changes = 1 + random() % 3; changes > 0; --changes)
    changeContent(image.id(), random);
  const std::vector<std::uint8_t> bytes = image.bytes();
  if (bytes.empty() || bytes.size() > max_size) return size;
  std::copy(bytes.begin(), bytes.end(), data);
  return bytes.size();
}

/// Reads the file alone, as `inspect` does, and for a robot as far as the pools of `identify`.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto robot =
      std::make_shared<const dynid::Robot>(dynid::parseRobot(kDescription, kUrdf));
  const std::filesystem::path file = dynid::fuzz::asFile(data, size, "statistics.h5");
  dynid::fuzz::readOrRefuse([&] { dynid::readStatistics(file); });
  return dynid::fuzz::readOrRefuse([&] {
    dynid::GatheredStatistics recording = dynid::readRecording(file, *robot);
    std::vector<int> first, count;
    int blocks = 0;
    for (const double duration : recording.stretch_durations) {
      first.push_back(blocks);
      count.push_back(dynid::blocksOf(duration, recording.block_s));
      blocks += count.back();
    }
    const double block_s = recording.block_s;
    dynid::pooled(
        robot, {{file, std::move(recording), std::move(first), std::move(count)}}, block_s);
  });
}
