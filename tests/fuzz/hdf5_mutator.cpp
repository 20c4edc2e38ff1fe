#include "fuzz/hdf5_mutator.h"

#include "dynid/core/errors.h"
#include "dynid/logs/h5_id.h"
#include "dynid/logs/h5_storage.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <random>
#include <string_view>
#include <utility>

namespace dynid::fuzz {
namespace {

using Random = std::mt19937;

constexpr hsize_t kMostNumbers = 100000;

/// An HDF5 file in memory: opened from bytes, or new if there are none.
class Image {
 public:
  Image(const std::uint8_t* data, std::size_t size)
      : access_(H5Pcreate(H5P_FILE_ACCESS), H5Pclose) {
    quietHdf5();
    H5Pset_fapl_core(access_.get(), 1 << 14, false);
    if (size > 0) {
      H5Pset_file_image(access_.get(), const_cast<std::uint8_t*>(data), size);
      file_ = H5Id(H5Fopen("image", H5F_ACC_RDWR, access_.get()), H5Fclose);
    } else {
      file_ = H5Id(H5Fcreate("image", H5F_ACC_TRUNC, H5P_DEFAULT, access_.get()), H5Fclose);
    }
  }
  hid_t id() const { return file_.get(); }
  explicit operator bool() const { return static_cast<bool>(file_); }

  std::vector<std::uint8_t> bytes() const {
    H5Fflush(id(), H5F_SCOPE_GLOBAL);
    const ssize_t size = H5Fget_file_image(id(), nullptr, 0);
    std::vector<std::uint8_t> bytes(std::max<ssize_t>(size, 0));
    if (!bytes.empty()) H5Fget_file_image(id(), bytes.data(), bytes.size());
    return bytes;
  }

 private:
  H5Id access_, file_;
};

/// Groups on the way to a new object are made too.
const H5Id kWithGroups = [] {
  H5Id links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links.get(), 1);
  return links;
}();

struct Objects {
  std::vector<std::string> all, datasets;
};

Objects objectsOf(hid_t file) {
  Objects objects;
  const auto add = [](hid_t, const char* name, const H5O_info_t* info, void* list) -> herr_t {
    auto& found = *static_cast<Objects*>(list);
    found.all.emplace_back(name);
    if (info->type == H5O_TYPE_DATASET) found.datasets.emplace_back(name);
    return 0;
  };
  H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, add, &objects);
  return objects;
}

template <typename List>
const auto& oneOf(const List& list, Random& random) {
  return list[random() % std::size(list)];
}

double changedNumber(double number, const std::vector<double>& others, Random& random) {
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
      return oneOf(others, random);
    default:
      return oneOf(hostile, random);
  }
}

/// Changes an element of a dataset or an attribute that holds numbers.
template <typename Read, typename Write>
void changeNumber(hsize_t count, Random& random, const Read& read, const Write& write) {
  if (count == 0 || count > kMostNumbers) return;
  std::vector<double> values(count);
  if (read(values.data()) < 0) return;
  double& value = values[random() % count];
  value = changedNumber(value, values, random);
  write(values.data());
}

hsize_t pointsOf(hid_t space) {
  return static_cast<hsize_t>(std::max<hssize_t>(H5Sget_simple_extent_npoints(space), 0));
}

H5Id variableText() {
  H5Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  return type;
}

/// A new attribute: a text, or one to four numbers.
void addAttribute(hid_t object,
                  const std::string& name,
                  const Hdf5Vocabulary& vocabulary,
                  Random& random) {
  const hsize_t count = 1 + random() % 4;
  const H5Id space(random() % 2 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr),
                   H5Sclose);
  const bool text = random() % 2;
  const H5Id type = text ? variableText() : H5Id(H5Tcopy(H5T_IEEE_F64LE), H5Tclose);
  const H5Id created(
      H5Acreate2(object, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  if (!created) return;
  std::array<const char*, 4> texts{};
  for (const char*& each : texts) each = oneOf(vocabulary.texts, random).c_str();
  const std::vector<double> numbers{0.0, 0.0, -9.81, 100.0};
  std::array<double, 4> values{};
  for (double& each : values) each = changedNumber(1.0, numbers, random);
  H5Awrite(created.get(),
           type.get(),
           text ? static_cast<const void*>(texts.data()) : static_cast<const void*>(values.data()));
}

void changeAttribute(hid_t file,
                     const std::string& object_name,
                     const Hdf5Vocabulary& vocabulary,
                     Random& random) {
  const H5Id object(H5Oopen(file, object_name.c_str(), H5P_DEFAULT), H5Oclose);
  H5O_info_t info{};
  if (!object || H5Oget_info(object.get(), &info) < 0) return;
  if (info.num_attrs == 0 || random() % 4 == 0) {
    const std::string& name = oneOf(vocabulary.attributes, random);
    if (H5Aexists(object.get(), name.c_str()) > 0) H5Adelete(object.get(), name.c_str());
    return addAttribute(object.get(), name, vocabulary, random);
  }
  const H5Id attribute(H5Aopen_by_idx(object.get(),
                                      ".",
                                      H5_INDEX_NAME,
                                      H5_ITER_INC,
                                      random() % info.num_attrs,
                                      H5P_DEFAULT,
                                      H5P_DEFAULT),
                       H5Aclose);
  if (!attribute) return;
  const H5Id type(H5Aget_type(attribute.get()), H5Tclose);
  if (random() % 4 == 0 || H5Tget_class(type.get()) == H5T_STRING) {
    std::array<char, 64> name{};
    H5Aget_name(attribute.get(), name.size(), name.data());
    H5Adelete(object.get(), name.data());
    if (random() % 4 != 0) addAttribute(object.get(), name.data(), vocabulary, random);
    return;
  }
  const H5Id space(H5Aget_space(attribute.get()), H5Sclose);
  changeNumber(
      pointsOf(space.get()),
      random,
      [&](double* values) { return H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, values); },
      [&](double* values) { return H5Awrite(attribute.get(), H5T_NATIVE_DOUBLE, values); });
}

/// Replaces a string of a dataset by another or by a word, or changes one of its bytes.
void changeText(hid_t dataset, hsize_t count, const Hdf5Vocabulary& vocabulary, Random& random) {
  const H5Id type(H5Dget_type(dataset), H5Tclose);
  const std::size_t size = H5Tget_size(type.get());
  if (H5Tis_variable_str(type.get()) > 0 || count == 0 || size * count > kMostNumbers) return;
  std::vector<char> bytes(size * count);
  if (H5Dread(dataset, type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0) return;
  char* const element = &bytes[size * (random() % count)];
  switch (random() % 3) {
    case 0:
      std::memmove(element, &bytes[size * (random() % count)], size);
      break;
    case 1:
      std::strncpy(element, oneOf(vocabulary.texts, random).c_str(), size);
      break;
    default:
      element[random() % size] = static_cast<char>(random());
  }
  H5Dwrite(dataset, type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
}

/// Contiguous, or chunked with some filters.
H5Id randomStorage(const std::vector<hsize_t>& shape, Random& random) {
  H5Id properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (shape.empty() || std::count(shape.begin(), shape.end(), 0U) > 0 || random() % 3 == 0)
    return properties;
  std::vector<hsize_t> chunk = shape;
  for (hsize_t& length : chunk)
    if (random() % 2) length = 1 + random() % (length + 2);
  H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data());
  if (random() % 2) H5Pset_shuffle(properties.get());
  if (random() % 2) H5Pset_deflate(properties.get(), 1);
  if (random() % 2) H5Pset_fletcher32(properties.get());
  return properties;
}

/// Texts of the length of the longest.
void createTexts(hid_t file,
                 const std::string& name,
                 const std::vector<hsize_t>& shape,
                 const std::vector<std::string>& texts) {
  std::size_t size = 1;
  for (const std::string& text : texts) size = std::max(size, text.size());
  std::vector<char> bytes(size * texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i)
    std::copy(
        texts[i].begin(), texts[i].end(), bytes.begin() + static_cast<std::ptrdiff_t>(i * size));
  const H5Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), size);
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  const H5Id space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                   H5Sclose);
  const H5Id created(
      H5Dcreate2(
          file, name.c_str(), type.get(), space.get(), kWithGroups.get(), H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  if (created) H5Dwrite(created.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
}

void createNumbers(hid_t file,
                   const std::string& name,
                   const std::vector<hsize_t>& shape,
                   const std::vector<double>& values,
                   Random& random) {
  const std::array<hid_t, 6> types{
      H5T_IEEE_F64LE, H5T_IEEE_F64LE, H5T_IEEE_F32LE, H5T_IEEE_F64BE, H5T_STD_I32LE, H5T_STD_U8LE};
  const H5Id storage = randomStorage(shape, random);
  const std::vector<hsize_t> most(shape.size(), H5S_UNLIMITED);
  const bool grows = H5Pget_layout(storage.get()) == H5D_CHUNKED && random() % 2;
  const H5Id space(shape.empty() ? H5Screate(H5S_SCALAR)
                                 : H5Screate_simple(static_cast<int>(shape.size()),
                                                    shape.data(),
                                                    grows ? most.data() : nullptr),
                   H5Sclose);
  const H5Id created(H5Dcreate2(file,
                                name.c_str(),
                                oneOf(types, random),
                                space.get(),
                                kWithGroups.get(),
                                storage.get(),
                                H5P_DEFAULT),
                     H5Dclose);
  if (created)
    H5Dwrite(created.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

hsize_t productOf(const std::vector<hsize_t>& shape) {
  hsize_t product = 1;
  for (const hsize_t length : shape) product *= length;
  return product;
}

/// Replaces a dataset of numbers by one of another shape, type or storage, or by texts.
void remake(hid_t file,
            const std::string& name,
            std::vector<hsize_t> shape,
            const Hdf5Vocabulary& vocabulary,
            Random& random) {
  std::vector<double> values(productOf(shape));
  {
    const H5Id old(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    H5Dread(old.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  }
  switch (random() % 8) {
    case 0:
      shape.resize(random() % 4, 1);
      break;
    case 1:
    case 2:
      if (!shape.empty()) ++shape[random() % shape.size()];
      break;
    case 3:
      if (!shape.empty())
        if (hsize_t& length = shape[random() % shape.size()]; length > 0) --length;
      break;
    case 4:
      if (!shape.empty()) shape[random() % shape.size()] = random() % 4;
      break;
    default:
      break;  // only type and storage
  }
  if (productOf(shape) > kMostNumbers) return;
  values.resize(productOf(shape), 1.0);
  H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  if (random() % 8 != 0 || shape.empty()) return createNumbers(file, name, shape, values, random);
  std::vector<std::string> texts(values.size());
  for (std::string& text : texts) text = oneOf(vocabulary.texts, random);
  createTexts(file, name, shape, texts);
}

/// Other stored bytes of the first chunk, or a mark that some filters were not applied to it.
void changeChunk(hid_t dataset, int rank, Random& random) {
  const H5Id properties(H5Dget_create_plist(dataset), H5Pclose);
  if (H5Pget_layout(properties.get()) != H5D_CHUNKED) return;
  const std::array<hsize_t, 3> first{};
  hsize_t size = 0;
  if (H5Pget_chunk(properties.get(), 0, nullptr) != rank) return;
  if (rank > 3 || H5Dget_chunk_storage_size(dataset, first.data(), &size) < 0) return;
  if (size == 0 || size > kMostNumbers) return;
  std::vector<unsigned char> bytes(size);
  std::uint32_t skipped = 0;
  if (H5Dread_chunk(dataset, H5P_DEFAULT, first.data(), &skipped, bytes.data()) < 0) return;
  if (random() % 3 == 0) skipped ^= 1U << random() % 3;
  if (random() % 3 == 0) bytes.resize(1 + random() % (2 * size));
  bytes[random() % bytes.size()] ^= static_cast<unsigned char>(1U << random() % 8);
  H5Dwrite_chunk(dataset, H5P_DEFAULT, skipped, first.data(), bytes.size(), bytes.data());
}

/// Deletes, moves, copies or links.
void changePlace(hid_t file,
                 const std::string& name,
                 const Hdf5Vocabulary& vocabulary,
                 Random& random) {
  const std::string& to = oneOf(vocabulary.items, random).path;
  const unsigned kind = random() % 6;
  if (kind != 0 && to != name) H5Ldelete(file, to.c_str(), H5P_DEFAULT);
  if (kind == 0)
    H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  else if (kind == 1)
    H5Lmove(file, name.c_str(), file, to.c_str(), kWithGroups.get(), H5P_DEFAULT);
  else if (kind <= 3)
    H5Ocopy(file, name.c_str(), file, to.c_str(), H5P_DEFAULT, kWithGroups.get());
  else if (kind == 4)
    H5Lcreate_hard(file, name.c_str(), file, to.c_str(), kWithGroups.get(), H5P_DEFAULT);
  else
    H5Lcreate_soft(("/" + name).c_str(), file, to.c_str(), kWithGroups.get(), H5P_DEFAULT);
}

/// Whether HDF5 may read and write the elements: on damaged chunks it reads out of bounds, and it
/// allocates memory without end if the chunks have another rank than the dataset.
bool isIntact(hid_t dataset, const std::vector<hsize_t>& shape) {
  try {
    checkStorage(dataset, "");
    if (!shape.empty()) checkChunkBytes(dataset, 0, static_cast<std::int64_t>(shape[0]), "");
    return true;
  } catch (const InputError&) {
    return false;
  }
}

void changeDataset(hid_t file,
                   const std::string& name,
                   const Hdf5Vocabulary& vocabulary,
                   Random& random) {
  H5Id dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset) return;
  const H5Id space(H5Dget_space(dataset.get()), H5Sclose);
  const H5Id type(H5Dget_type(dataset.get()), H5Tclose);
  const int rank = std::max(H5Sget_simple_extent_ndims(space.get()), 0);
  std::vector<hsize_t> shape(rank);
  H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr);
  const hsize_t count = pointsOf(space.get());
  const unsigned kind = random() % 32;
  if (kind < 2) {
    dataset.reset();
    changePlace(file, name, vocabulary, random);
  } else if (kind < 5) {
    changeChunk(dataset.get(), rank, random);
  } else if (!isIntact(dataset.get(), shape)) {
    return;
  } else if (H5Tget_class(type.get()) == H5T_STRING) {
    changeText(dataset.get(), count, vocabulary, random);
  } else if (kind < 10 && count < kMostNumbers) {
    dataset.reset();
    remake(file, name, shape, vocabulary, random);
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

void changeContent(hid_t file, const Hdf5Vocabulary& vocabulary, Random& random) {
  const Objects objects = objectsOf(file);
  const auto& names = objects.datasets;
  if (names.empty() || random() % 8 == 0)
    return changeAttribute(file,
                           random() % 2 || objects.all.empty() ? "/" : oneOf(objects.all, random),
                           vocabulary,
                           random);
  const std::string& main = vocabulary.main_dataset;
  const bool use_main = random() % 2 && std::find(names.begin(), names.end(), main) != names.end();
  changeDataset(file, use_main ? main : oneOf(names, random), vocabulary, random);
}

/// A file with everything that this kind of file may contain.
void fill(hid_t file, const Hdf5Vocabulary& vocabulary, Random& random) {
  for (const Hdf5Item& item : vocabulary.items) {
    const std::vector<hsize_t> shape(item.shape.begin(), item.shape.end());
    if (!item.texts.empty()) {
      createTexts(file, item.path, shape, item.texts);
      continue;
    }
    std::vector<double> values(productOf(shape));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = .01 * static_cast<double>(i);
    createNumbers(file, item.path, shape, values, random);
  }
}

}  // namespace

std::size_t mutateHdf5(std::uint8_t* data,
                       std::size_t size,
                       std::size_t max_size,
                       unsigned seed,
                       const Hdf5Vocabulary& vocabulary) {
  Random random(seed);
  constexpr std::string_view kSignature("\x89HDF\r\n\x1a\n", 8);
  const bool is_hdf5 =
      std::string_view(reinterpret_cast<const char*>(data), size).starts_with(kSignature);
  const Image image(data, is_hdf5 ? size : 0);
  if (!image) return size;
  if (!is_hdf5) fill(image.id(), vocabulary, random);
  for (unsigned changes = 1 + random() % 3; changes > 0; --changes)
    changeContent(image.id(), vocabulary, random);
  const std::vector<std::uint8_t> bytes = image.bytes();
  if (bytes.empty() || bytes.size() > max_size) return size;
  std::copy(bytes.begin(), bytes.end(), data);
  return bytes.size();
}

}  // namespace dynid::fuzz
