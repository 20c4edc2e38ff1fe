#include "dynid/logs/h5_output.h"

#include "dynid/core/errors.h"

#include <hdf5.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <new>
#include <unistd.h>

namespace dynid {
namespace {

constexpr hsize_t kChunkRows = 1024;

H5Id simpleSpace(const std::vector<hsize_t>& shape) {
  return {H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose};
}

H5Id variableText() {
  H5Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

/// Strings of fixed length: they need no heap in the file, and a checksum can cover them.
H5Id fixedText(const std::vector<std::string>& texts, std::vector<char>& bytes) {
  size_t size = 1;
  for (const std::string& text : texts) size = std::max(size, text.size());
  bytes.assign(size * texts.size(), '\0');
  for (size_t i = 0; i < texts.size(); ++i)
    std::copy(texts[i].begin(), texts[i].end(), bytes.begin() + static_cast<long>(i * size));
  H5Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), size);
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

/// No time stamps, so that the same content gives the same file.
H5Id datasetProperties() {
  H5Id properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(properties.get(), false);
  return properties;
}

/// A dataset of doubles in the group `parent`; empty if it cannot be created.
H5Id createNumbers(hid_t parent,
                   const std::string& name,
                   const H5Id& space,
                   const H5Id& properties) {
  return {H5Dcreate2(parent,
                     name.c_str(),
                     H5T_IEEE_F64LE,
                     space.get(),
                     H5P_DEFAULT,
                     properties.get(),
                     H5P_DEFAULT),
          H5Dclose};
}

}  // namespace

H5Output::H5Output(const std::filesystem::path& path) : file_(path) {
  quietHdf5();
  const H5Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
  id_ = H5Id(H5Fcreate(file_.temporary().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()),
             H5Fclose);
  require(static_cast<bool>(id_));
}

H5Output::~H5Output() {
  if (id_) abandon();
}

void H5Output::require(bool done) {
  if (!done) fail();
}

void H5Output::fail() {
  if (errno == ENOMEM) throw std::bad_alloc();  // HDF5 may give another reason
  std::string reason = takeHdf5Reason();
  constexpr std::string_view kMessage = "error message = '";
  if (const size_t at = reason.find(kMessage); at != std::string::npos) {
    reason.erase(0, at + kMessage.size());
    reason.erase(std::min(reason.find('\''), reason.size()));
  }
  abandon();
  throw OutputError(path().string() + ": cannot be written: " + reason +
                    "; nothing was changed there");
}

// On a full disk HDF5 would fail again at every close and crash at exit. Its cached data is
// therefore redirected to /dev/null.
void H5Output::abandon() noexcept {
  int* descriptor = nullptr;
  if (id_ &&
      H5Fget_vfd_handle(id_.get(), H5P_DEFAULT, reinterpret_cast<void**>(&descriptor)) >= 0 &&
      descriptor != nullptr) {
    const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null >= 0) {
      dup2(null, *descriptor);
      close(null);
    }
  }
  growing_.clear();
  id_.reset();
}

void H5Output::writeAttribute(const std::string& object,
                              const char* attribute,
                              std::int64_t type,
                              std::int64_t space,
                              const void* data) {
  const H5Id owner(H5Oopen(id_.get(), object.c_str(), H5P_DEFAULT), H5Oclose);
  require(static_cast<bool>(owner));
  const H5Id created(H5Acreate2(owner.get(), attribute, type, space, H5P_DEFAULT, H5P_DEFAULT),
                     H5Aclose);
  require(created && H5Awrite(created.get(), type, data) >= 0);
}

void H5Output::setText(const std::string& object, const char* attribute, const std::string& text) {
  const H5Id space(H5Screate(H5S_SCALAR), H5Sclose);
  const char* pointer = text.c_str();
  writeAttribute(
      object, attribute, variableText().get(), space.get(), static_cast<void*>(&pointer));
}

void H5Output::setTexts(const std::string& object,
                        const char* attribute,
                        const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  pointers.reserve(texts.size());
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  const H5Id space = simpleSpace({texts.size()});
  writeAttribute(
      object, attribute, variableText().get(), space.get(), static_cast<void*>(pointers.data()));
}

void H5Output::setNumber(const std::string& object, const char* attribute, double number) {
  const H5Id space(H5Screate(H5S_SCALAR), H5Sclose);
  writeAttribute(object, attribute, H5T_NATIVE_DOUBLE, space.get(), &number);
}

void H5Output::setNumbers(const std::string& object,
                          const char* attribute,
                          const std::vector<double>& numbers) {
  const H5Id space = simpleSpace({numbers.size()});
  writeAttribute(object, attribute, H5T_NATIVE_DOUBLE, space.get(), numbers.data());
}

void H5Output::createGroup(const std::string& name) {
  const H5Id properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  H5Pset_obj_track_times(properties.get(), false);
  const H5Id group(H5Gcreate2(id_.get(), name.c_str(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                   H5Gclose);
  require(static_cast<bool>(group));
}

void H5Output::writeText(const std::string& name, const std::string& text) {
  std::vector<char> bytes;
  const H5Id type = fixedText({text}, bytes);
  const H5Id space(H5Screate(H5S_SCALAR), H5Sclose);
  const H5Id dataset(H5Dcreate2(id_.get(),
                                name.c_str(),
                                type.get(),
                                space.get(),
                                H5P_DEFAULT,
                                datasetProperties().get(),
                                H5P_DEFAULT),
                     H5Dclose);
  require(dataset &&
          H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0);
}

void H5Output::writeTexts(const std::string& name, const std::vector<std::string>& texts) {
  std::vector<char> bytes;
  const H5Id type = fixedText(texts, bytes);
  const H5Id space = simpleSpace({texts.size()});
  const H5Id properties = datasetProperties();
  if (!texts.empty()) {
    const hsize_t chunk = texts.size();
    H5Pset_chunk(properties.get(), 1, &chunk);
    H5Pset_fletcher32(properties.get());
  }
  const H5Id dataset(H5Dcreate2(id_.get(),
                                name.c_str(),
                                type.get(),
                                space.get(),
                                H5P_DEFAULT,
                                properties.get(),
                                H5P_DEFAULT),
                     H5Dclose);
  require(dataset &&
          H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0);
}

void H5Output::writeArray(const std::string& name,
                          const std::vector<std::int64_t>& shape,
                          const double* data) {
  const std::vector<hsize_t> extent(shape.begin(), shape.end());
  const H5Id space = extent.empty() ? H5Id(H5Screate(H5S_SCALAR), H5Sclose) : simpleSpace(extent);
  const H5Id properties = datasetProperties();
  const bool has_points = std::find(extent.begin(), extent.end(), 0U) == extent.end();
  if (!extent.empty() && has_points) {
    std::vector<hsize_t> chunk = extent;
    chunk[0] = std::min(chunk[0], kChunkRows);
    H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data());
    H5Pset_fletcher32(properties.get());
  }
  const H5Id dataset = createNumbers(id_.get(), name, space, properties);
  require(static_cast<bool>(dataset));
  if (has_points)
    require(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
}

void H5Output::writeNumber(const std::string& name, double number) {
  writeArray(name, {}, &number);
}

void H5Output::writeVector(const std::string& name,
                           const Eigen::Ref<const Eigen::VectorXd>& vector) {
  writeArray(name, {vector.size()}, vector.data());
}

void H5Output::writeMatrix(const std::string& name,
                           const Eigen::Ref<const Eigen::MatrixXd>& matrix) {
  buffer_ = matrix;
  writeArray(name, {matrix.rows(), matrix.cols()}, buffer_.data());
}

size_t H5Output::createGrowing(const std::string& name, std::int64_t columns, int compression) {
  std::vector<hsize_t> start{0};
  std::vector<hsize_t> most{H5S_UNLIMITED};
  std::vector<hsize_t> chunk{kChunkRows};
  if (columns > 0) {
    for (std::vector<hsize_t>* shape : {&start, &most, &chunk})
      shape->push_back(static_cast<hsize_t>(columns));
  }
  const H5Id space(H5Screate_simple(static_cast<int>(start.size()), start.data(), most.data()),
                   H5Sclose);
  const H5Id properties = datasetProperties();
  H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data());
  if (compression > 0) {
    H5Pset_shuffle(properties.get());
    H5Pset_deflate(properties.get(), static_cast<unsigned>(compression));
  }
  H5Pset_fletcher32(properties.get());
  H5Id dataset = createNumbers(id_.get(), name, space, properties);
  require(static_cast<bool>(dataset));
  growing_.push_back({std::move(dataset), 0, columns});
  return growing_.size() - 1;
}

void H5Output::append(size_t growing, const Eigen::Ref<const Eigen::MatrixXd>& rows) {
  if (rows.rows() == 0) return;
  quietHdf5();
  Growing& dataset = growing_.at(growing);
  buffer_ = rows;
  std::vector<hsize_t> start{static_cast<hsize_t>(dataset.rows)};
  std::vector<hsize_t> size{static_cast<hsize_t>(rows.rows())};
  std::vector<hsize_t> total{start[0] + size[0]};
  if (dataset.columns > 0) {
    start.push_back(0);
    size.push_back(static_cast<hsize_t>(dataset.columns));
    total.push_back(size.back());
  }
  require(H5Dset_extent(dataset.id.get(), total.data()) >= 0);
  const H5Id memory_space = simpleSpace(size);
  const H5Id file_space(H5Dget_space(dataset.id.get()), H5Sclose);
  H5Sselect_hyperslab(
      file_space.get(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr);
  require(H5Dwrite(dataset.id.get(),
                   H5T_NATIVE_DOUBLE,
                   memory_space.get(),
                   file_space.get(),
                   H5P_DEFAULT,
                   buffer_.data()) >= 0);
  dataset.rows += rows.rows();
}

void H5Output::finish() {
  quietHdf5();
  for (Growing& dataset : growing_) require(dataset.id.reset());
  require(H5Fflush(id_.get(), H5F_SCOPE_GLOBAL) >= 0);
  require(id_.reset());
  file_.commit();
}

}  // namespace dynid
