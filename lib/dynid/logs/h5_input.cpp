#include "dynid/logs/h5_input.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/core/read_files.h"
#include "dynid/core/text.h"
#include "dynid/logs/h5_storage.h"

#include <hdf5.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <numeric>

namespace dynid {
namespace {

constexpr std::int64_t kMaxTexts = 4096;
constexpr size_t kMaxTextBytes = 65536;
constexpr std::int64_t kMaxAttributeNumbers = 65536;

std::string advice(const std::string& reason) {
  if (reason.find("truncated") != std::string::npos)
    return ": the file is truncated (" + reason +
           "); copy it again, or recover what is there with `h5clear --increment` and h5repack";
  if (reason.find("already open for write") != std::string::npos)
    return ": a program is still writing it, or was killed while writing; wait for it, or run "
           "`h5clear -s` on a copy";
  if (reason.find("lock") != std::string::npos)
    return ": another program holds a lock on it (" + reason + "); close that program first";
  return ": cannot be opened as HDF5, the file is damaged: " + reason;
}

H5Id openFile(const std::filesystem::path& path) {
  quietHdf5();
  const std::int64_t size = requireRegularFile(path);
  if (!looksLikeHdf5(path)) {
    const char* why = size == 0 ? ": is empty; it is not an HDF5 file"
                                : ": is not an HDF5 file; CSV text is converted by `dynid import`";
    throw InputError(path.string() + why);
  }
  noteReadFile(path);
  H5Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file) throw InputError(path.string() + advice(takeHdf5Reason()));
  return file;
}

std::int64_t countOf(const std::vector<std::int64_t>& shape, std::int64_t limit) {
  std::int64_t count = 1;
  for (const std::int64_t n : shape) {
    if (n < 0 || (n > 0 && count > limit / n)) return limit + 1;
    count *= n;
  }
  return count;
}

bool isNumber(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  return (kind == H5T_FLOAT || kind == H5T_INTEGER) && H5Tget_size(type) <= 8;
}

std::string trimmed(const char* text, size_t size) {
  const std::string_view whole(text, strnlen(text, size));
  return std::string(trim(whole));
}

/// Strings of a dataset or attribute; `read` is H5Dread or H5Aread for a memory type and a buffer.
template <typename Read>
std::vector<std::string> readTexts(hid_t type,
                                   hid_t space,
                                   const std::string& place,
                                   const Read& read) {
  if (H5Tget_class(type) != H5T_STRING) throw InputError(place + ": is not text");
  if (H5Sget_simple_extent_type(space) == H5S_NULL) return {};
  const std::vector<std::int64_t> shape = extent(space);
  const std::int64_t count = countOf(shape, kMaxTexts);
  // MATLAB writes a row of strings as [n, 1].
  const auto lengths = std::count_if(shape.begin(), shape.end(), [](auto n) { return n != 1; });
  if (lengths > 1 || count > kMaxTexts)
    throw InputError(place + ": must be a list of at most " + std::to_string(kMaxTexts) +
                     " strings");
  const H5Id memory(H5Tcopy(type), H5Tclose);
  std::vector<std::string> texts;
  if (H5Tis_variable_str(type) > 0) {
    std::vector<char*> pointers(count, nullptr);
    if (count > 0 && read(memory.get(), pointers.data()) < 0)
      throw InputError(place + ": cannot be read: " + takeHdf5Reason());
    for (const char* pointer : pointers)
      texts.push_back(pointer == nullptr ? "" : trimmed(pointer, kMaxTextBytes));
    if (count > 0) H5Dvlen_reclaim(memory.get(), space, H5P_DEFAULT, pointers.data());
    return texts;
  }
  const size_t size = H5Tget_size(type);
  if (size > kMaxTextBytes) throw InputError(place + ": has strings longer than 65536 bytes");
  std::vector<char> bytes(size * static_cast<size_t>(count));
  if (count > 0 && read(memory.get(), bytes.data()) < 0)
    throw InputError(place + ": cannot be read: " + takeHdf5Reason());
  for (size_t i = 0; i < static_cast<size_t>(count); ++i)
    texts.push_back(trimmed(bytes.data() + i * size, size));
  return texts;
}

}  // namespace

bool looksLikeHdf5(const std::filesystem::path& path) {
  constexpr std::string_view kSignature("\x89HDF\r\n\x1a\n", 8);
  const std::int64_t size = requireRegularFile(path);
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(path.string() + ": cannot be read: " + std::strerror(errno));
  std::string bytes(kSignature.size(), '\0');
  for (std::int64_t at = 0; at + 8 <= size; at = at == 0 ? 512 : 2 * at) {
    in.seekg(at);
    if (!in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) return false;
    if (bytes == kSignature) return true;
  }
  return false;
}

std::int64_t H5Numbers::columns() const {
  if (shape_.size() < 2) return 1;
  return std::accumulate(
      shape_.begin() + 1, shape_.end(), std::int64_t{1}, std::multiplies<std::int64_t>());
}

void H5Numbers::read(std::int64_t first, std::int64_t count, std::vector<double>& out) const {
  out.resize(count * columns());
  if (out.empty()) return;
  quietHdf5();
  const H5Id file_space(H5Dget_space(id_.get()), H5Sclose);
  H5Id memory_space(H5Screate(H5S_SCALAR), H5Sclose);
  if (!shape_.empty()) {
    std::vector<hsize_t> start(shape_.size(), 0);
    std::vector<hsize_t> size(shape_.begin(), shape_.end());
    start[0] = static_cast<hsize_t>(first);
    size[0] = static_cast<hsize_t>(count);
    if (first < checked_.first || first + count > checked_.second)
      checked_ = checkChunkBytes(id_.get(), first, count, place_);
    H5Sselect_hyperslab(
        file_space.get(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr);
    memory_space =
        H5Id(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose);
  }
  if (H5Dread(id_.get(),
              H5T_NATIVE_DOUBLE,
              memory_space.get(),
              file_space.get(),
              H5P_DEFAULT,
              out.data()) < 0)
    throw InputError(place_ + "[" + std::to_string(first) + ".." +
                     std::to_string(first + count - 1) +
                     "]: cannot be read, the file is damaged: " + takeHdf5Reason());
}

std::vector<double> H5Numbers::readAll() const {
  std::vector<double> out;
  read(0, rows(), out);
  return out;
}

H5Input::H5Input(std::filesystem::path path) : path_(std::move(path)), file_(openFile(path_)) {}

std::string H5Input::place(std::string_view name) const {
  return path_.string() + ":/" + std::string(name);
}

bool H5Input::has(const std::string& name) const {
  if (name.empty() || name == "/") return true;
  for (size_t end = name.find('/');; end = name.find('/', end + 1)) {
    const std::string prefix = name.substr(0, end);
    if (H5Lexists(file_.get(), prefix.c_str(), H5P_DEFAULT) <= 0) {
      takeHdf5Reason();
      return false;
    }
    H5L_info_t link{};
    if (H5Lget_info(file_.get(), prefix.c_str(), &link, H5P_DEFAULT) < 0)
      throw InputError(place(prefix) + ": its link cannot be read: " + takeHdf5Reason());
    if (link.type != H5L_TYPE_HARD) {
      const char* kind = link.type == H5L_TYPE_SOFT       ? "a soft link"
                         : link.type == H5L_TYPE_EXTERNAL ? "an external link"
                                                          : "a user-defined link";
      throw InputError(place(prefix) + ": is " + kind +
                       ", which is not followed; copy the data into the file under this name");
    }
    if (end == std::string::npos) return true;
    const H5Id object(H5Oopen(file_.get(), prefix.c_str(), H5P_DEFAULT), H5Oclose);
    if (!object || H5Iget_type(object.get()) != H5I_GROUP) return false;
  }
}

bool H5Input::hasGroup(const std::string& name) const {
  if (!has(name)) return false;
  const H5Id object(H5Oopen(file_.get(), name.c_str(), H5P_DEFAULT), H5Oclose);
  return object && H5Iget_type(object.get()) == H5I_GROUP;
}

std::int64_t H5Input::groupSize(const std::string& name) const {
  if (!hasGroup(name)) return 0;
  H5G_info_t info;
  if (H5Gget_info_by_name(file_.get(), name.c_str(), &info, H5P_DEFAULT) < 0) return 0;
  return static_cast<std::int64_t>(info.nlinks);
}

H5Id H5Input::openDataset(const std::string& name) const {
  quietHdf5();
  if (!has(name)) throw InputError(place(name) + ": is missing");
  H5Id object(H5Oopen(file_.get(), name.c_str(), H5P_DEFAULT), H5Oclose);
  if (!object) throw InputError(place(name) + ": cannot be opened: " + takeHdf5Reason());
  if (H5Iget_type(object.get()) != H5I_DATASET)
    throw InputError(place(name) + ": is not a dataset");
  checkStorage(object.get(), place(name));
  return object;
}

H5Numbers H5Input::numbers(const std::string& name) const {
  const H5Id plain = openDataset(name);
  const H5Id type(H5Dget_type(plain.get()), H5Tclose);
  if (!isNumber(type.get()))
    throw InputError(place(name) +
                     ": does not hold numbers; float64, float32 or integers are expected");
  const H5Id space(H5Dget_space(plain.get()), H5Sclose);
  H5Numbers numbers;
  numbers.place_ = place(name);
  numbers.shape_ = extent(space.get());
  if (H5Sget_simple_extent_type(space.get()) == H5S_NULL) numbers.shape_ = {0};
  numbers.id_ = openWithCache(file_.get(), name, plain.get());
  if (!numbers.id_) throw InputError(place(name) + ": cannot be opened: " + takeHdf5Reason());
  numbers.chunks_ = ChunkReader::of(numbers.id_.get(), numbers.place_);
  return numbers;
}

std::vector<std::string> H5Input::texts(const std::string& name) const {
  const H5Id dataset = openDataset(name);
  const H5Id type(H5Dget_type(dataset.get()), H5Tclose);
  const H5Id space(H5Dget_space(dataset.get()), H5Sclose);
  const std::vector<std::int64_t> shape = extent(space.get());
  return readTexts(type.get(), space.get(), place(name), [&](hid_t memory, void* buffer) {
    if (!shape.empty()) checkChunkBytes(dataset.get(), 0, shape[0], place(name));
    return H5Dread(dataset.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer);
  });
}

std::string H5Input::attributePlace(const std::string& object, const char* attribute) const {
  return place(object == "/" ? "" : object) + ": attribute '" + attribute + "'";
}

H5Id H5Input::openAttribute(const std::string& object, const char* attribute) const {
  quietHdf5();
  if (!has(object)) return {};
  const H5Id owner(H5Oopen(file_.get(), object.empty() ? "/" : object.c_str(), H5P_DEFAULT),
                   H5Oclose);
  if (!owner || H5Aexists(owner.get(), attribute) <= 0) {
    takeHdf5Reason();
    return {};
  }
  H5Id id(H5Aopen(owner.get(), attribute, H5P_DEFAULT), H5Aclose);
  if (!id)
    throw InputError(attributePlace(object, attribute) + " cannot be opened: " + takeHdf5Reason());
  return id;
}

std::optional<bool> H5Input::attributeIsText(const std::string& object,
                                             const char* attribute) const {
  const H5Id id = openAttribute(object, attribute);
  if (!id) return std::nullopt;
  const H5Id type(H5Aget_type(id.get()), H5Tclose);
  return H5Tget_class(type.get()) == H5T_STRING;
}

std::vector<std::string> H5Input::textAttribute(const std::string& object,
                                                const char* attribute) const {
  const H5Id id = openAttribute(object, attribute);
  if (!id) return {};
  const std::string where = attributePlace(object, attribute);
  const H5Id type(H5Aget_type(id.get()), H5Tclose);
  const H5Id space(H5Aget_space(id.get()), H5Sclose);
  return readTexts(type.get(), space.get(), where, [&](hid_t memory, void* buffer) {
    return H5Aread(id.get(), memory, buffer);
  });
}

std::vector<double> H5Input::numberAttribute(const std::string& object,
                                             const char* attribute) const {
  const H5Id id = openAttribute(object, attribute);
  if (!id) return {};
  const std::string where = attributePlace(object, attribute);
  const H5Id type(H5Aget_type(id.get()), H5Tclose);
  const H5Id space(H5Aget_space(id.get()), H5Sclose);
  if (!isNumber(type.get())) throw InputError(where + ": is not a number");
  if (H5Sget_simple_extent_type(space.get()) == H5S_NULL) return {};
  const std::int64_t count = countOf(extent(space.get()), kMaxAttributeNumbers);
  if (count > kMaxAttributeNumbers) throw InputError(where + ": has too many numbers");
  std::vector<double> values(count);
  if (count > 0 && H5Aread(id.get(), H5T_NATIVE_DOUBLE, values.data()) < 0)
    throw InputError(where + ": cannot be read: " + takeHdf5Reason());
  return values;
}

}  // namespace dynid
