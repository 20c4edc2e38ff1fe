#include "dynid/logs/h5_storage.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace dynid {
namespace {

constexpr double kMaxChunkBytes = 64.0 * 1024 * 1024;
constexpr double kMaxBytesPerStoredByte = 1100.0;
constexpr size_t kMaxCacheBytes = size_t{256} << 20;

std::vector<std::int64_t> shapeOf(hid_t dataset) {
  const H5Id space(H5Dget_space(dataset), H5Sclose);
  return extent(space.get());
}

double product(const auto& shape) {
  double all = 1.0;
  for (const auto length : shape) all *= static_cast<double>(length);
  return all;
}

double elementBytes(hid_t dataset) {
  const H5Id type(H5Dget_type(dataset), H5Tclose);
  return static_cast<double>(H5Tget_size(type.get()));
}

void checkFilters(hid_t properties, const std::string& place) {
  const int count = H5Pget_nfilters(properties);
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0;
    unsigned config = 0;
    size_t values = 0;
    std::array<char, 64> name{};
    const H5Z_filter_t filter = H5Pget_filter2(properties,
                                               static_cast<unsigned>(i),
                                               &flags,
                                               &values,
                                               nullptr,
                                               name.size(),
                                               name.data(),
                                               &config);
    if (filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE ||
        filter == H5Z_FILTER_FLETCHER32)
      continue;
    name.back() = '\0';
    throw InputError(place + ": is stored with filter " + std::to_string(filter) + " (" +
                     std::string(name.data()) +
                     "); only deflate, shuffle and fletcher32 are read: "
                     "rewrite the file with `h5repack -f GZIP=4 old.h5 new.h5`");
  }
}

void checkChunks(hid_t dataset, hid_t properties, const std::string& place) {
  const std::vector<std::int64_t> shape = shapeOf(dataset);
  std::vector<hsize_t> chunk(shape.size());
  H5Pget_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
  const double chunk_bytes = product(chunk) * elementBytes(dataset);
  if (chunk_bytes > kMaxChunkBytes)
    throw InputError(place + ": has chunks of " + toText(chunk_bytes / 1048576.0, 4) +
                     " MiB; at most 64 MiB are read: rewrite it with smaller chunks (h5repack -l)");
  const double stored = static_cast<double>(H5Dget_storage_size(dataset));
  const double points = product(shape) * elementBytes(dataset);
  if (points > kMaxBytesPerStoredByte * stored)
    throw InputError(place + ": declares " + toText(points, 6) + " bytes of numbers in " +
                     toText(stored, 6) +
                     " stored bytes; this is not a recording (most of it was never written)");
  double expected = 1.0;
  for (size_t i = 0; i < shape.size(); ++i)
    expected *= std::ceil(static_cast<double>(shape[i]) / static_cast<double>(chunk[i]));
  hsize_t written = 0;
  const H5Id space(H5Dget_space(dataset), H5Sclose);  // HDF5 1.10 does not accept H5S_ALL here
  if (H5Dget_num_chunks(dataset, space.get(), &written) < 0)
    throw InputError(place + ": its chunk index cannot be read: " + takeHdf5Reason());
  if (static_cast<double>(written) < expected)
    throw InputError(place + ": only " + std::to_string(written) + " of " + toText(expected, 12) +
                     " chunks were ever written; the rest would read as zeros. Record it again, or "
                     "cut the dataset to the rows that exist");
}

}  // namespace

std::vector<std::int64_t> extent(hid_t space) {
  const int rank = H5Sget_simple_extent_ndims(space);
  std::vector<hsize_t> shape(std::max(rank, 0));
  if (rank > 0) H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  return {shape.begin(), shape.end()};
}

void checkStorage(hid_t dataset, const std::string& place) {
  const H5Id properties(H5Dget_create_plist(dataset), H5Pclose);
  const H5D_layout_t layout = H5Pget_layout(properties.get());
  if (layout == H5D_VIRTUAL)
    throw InputError(place +
                     ": is a virtual dataset (its numbers live in other files, and a missing one "
                     "reads as zeros); copy the data into one file");
  if (H5Pget_external_count(properties.get()) > 0)
    throw InputError(place + ": keeps its numbers in an external file; copy them into this one");
  checkFilters(properties.get(), place);
  const std::vector<std::int64_t> shape = shapeOf(dataset);
  if (product(shape) == 0.0) return;
  if (H5Dget_storage_size(dataset) == 0)
    throw InputError(place + ": was created but never written: all its numbers would be zero");
  if (layout == H5D_CHUNKED) checkChunks(dataset, properties.get(), place);
}

void checkChecksums(hid_t dataset,
                    std::int64_t first,
                    std::int64_t count,
                    const std::string& place) {
  constexpr hsize_t kChecksumBytes = 4;
  const H5Id properties(H5Dget_create_plist(dataset), H5Pclose);
  if (H5Pget_layout(properties.get()) != H5D_CHUNKED) return;
  unsigned flags = 0, config = 0;
  size_t values = 0;
  if (H5Pget_filter_by_id2(
          properties.get(), H5Z_FILTER_FLETCHER32, &flags, &values, nullptr, 0, nullptr, &config) <
      0) {
    takeHdf5Reason();
    return;
  }
  const std::vector<std::int64_t> shape = shapeOf(dataset);
  std::vector<hsize_t> chunk(shape.size()), at(shape.size(), 0);
  H5Pget_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data());
  at[0] = static_cast<hsize_t>(first) / chunk[0] * chunk[0];
  const hsize_t end = static_cast<hsize_t>(first) + static_cast<hsize_t>(count);
  while (at[0] < end) {
    hsize_t size = 0;
    if (H5Dget_chunk_storage_size(dataset, at.data(), &size) < 0 || size < kChecksumBytes)
      throw InputError(place + "[" + std::to_string(at[0]) +
                       "..]: cannot be read, the file is damaged: a chunk is stored in " +
                       std::to_string(size) + " bytes, less than its checksum");
    size_t i = shape.size() - 1;  // the next chunk, the last dimension first
    for (; i > 0 && at[i] + chunk[i] >= static_cast<hsize_t>(shape[i]); --i) at[i] = 0;
    at[i] += chunk[i];
  }
}

H5Id openWithCache(hid_t file, const std::string& name, hid_t dataset) {
  const H5Id properties(H5Dget_create_plist(dataset), H5Pclose);
  const H5Id access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  if (H5Pget_layout(properties.get()) == H5D_CHUNKED) {
    const std::vector<std::int64_t> shape = shapeOf(dataset);
    std::vector<hsize_t> chunk(shape.size());
    H5Pget_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data());
    double band = elementBytes(dataset) * static_cast<double>(chunk[0]);
    for (size_t i = 1; i < shape.size(); ++i)
      band *= std::ceil(static_cast<double>(shape[i]) / static_cast<double>(chunk[i])) *
              static_cast<double>(chunk[i]);
    const double wanted = std::clamp(2.0 * band, 1048576.0, static_cast<double>(kMaxCacheBytes));
    H5Pset_chunk_cache(
        access.get(), H5D_CHUNK_CACHE_NSLOTS_DEFAULT, static_cast<size_t>(wanted), 1.0);
  }
  return {H5Dopen2(file, name.c_str(), access.get()), H5Dclose};
}

}  // namespace dynid
