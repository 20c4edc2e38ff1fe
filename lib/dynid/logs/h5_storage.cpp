#include "dynid/logs/h5_storage.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
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
                     "); only deflate, shuffle and fletcher32 are read: " +
                     (filter < H5Z_FILTER_RESERVED
                          ? "rewrite the file with `h5repack -f GZIP=4 old.h5 new.h5`"
                          : "write the log with gzip compression, or none, by the program that "
                            "wrote it (h5repack without this filter leaves the numbers out)"));
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
    throw InputError(
        place + ": only " + std::to_string(written) + " of " + toText(expected, 12) +
        " chunks were ever written; the rest holds no recorded numbers. Record it again, or "
        "cut the dataset to the rows that exist");
}

/// Bytes of an element in the file. In memory, a string of variable length is a pointer; in the
/// file it is a length, an address and an index.
std::size_t storedElementBytes(hid_t dataset) {
  const H5Id type(H5Dget_type(dataset), H5Tclose);
  if (H5Tis_variable_str(type.get()) <= 0) return H5Tget_size(type.get());
  const H5Id file(H5Iget_file_id(dataset), H5Fclose);
  const H5Id properties(H5Fget_create_plist(file.get()), H5Pclose);
  std::size_t address = 8, length = 8;
  H5Pget_sizes(properties.get(), &address, &length);
  return 4 + address + 4;
}

/// Decodes the chunk that starts at `at`. @returns nullptr, or a description of the error
const char* decodeChunk(hid_t dataset,
                        const std::vector<hsize_t>& at,
                        bool plain,
                        ChunkDecoder& decoder,
                        std::vector<unsigned char>& stored,
                        std::vector<unsigned char>& bytes) {
  hsize_t size = 0;
  stored.clear();
  if (H5Dget_chunk_storage_size(dataset, at.data(), &size) < 0) {
    takeHdf5Reason();
    return "its place in the file is unknown";
  }
  // Deflate may enlarge a chunk slightly; the checksum adds four bytes.
  if (size > bytes.size() + bytes.size() / 8 + 256) return "it has too many bytes";
  stored.resize(size);
  std::uint32_t skipped = 0;
  if (size == 0) return "it was never written";
  if (H5Dread_chunk(dataset, H5P_DEFAULT, at.data(), &skipped, stored.data()) < 0) {
    takeHdf5Reason();
    return "they are not all in the file";
  }
  return decoder.decode(stored, plain ? ~std::uint32_t{0} : skipped, bytes);
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

std::optional<std::vector<ChunkFilter>> chunkFilters(hid_t properties) {
  std::vector<ChunkFilter> filters;
  for (int i = 0; i < H5Pget_nfilters(properties); ++i) {
    std::size_t values = 0;
    unsigned flags = 0, config = 0;
    const H5Z_filter_t id = H5Pget_filter2(
        properties, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, &config);
    const ChunkFilter filter = id == H5Z_FILTER_SHUFFLE   ? ChunkFilter::kShuffle
                               : id == H5Z_FILTER_DEFLATE ? ChunkFilter::kDeflate
                                                          : ChunkFilter::kFletcher32;
    const bool known =
        id == H5Z_FILTER_SHUFFLE || id == H5Z_FILTER_DEFLATE || id == H5Z_FILTER_FLETCHER32;
    if (!known || (!filters.empty() && filter <= filters.back())) return std::nullopt;
    filters.push_back(filter);
  }
  return filters;
}

std::pair<std::int64_t, std::int64_t> checkChunkBytes(hid_t dataset,
                                                      std::int64_t first,
                                                      std::int64_t count,
                                                      const std::string& place) {
  const std::pair all(std::int64_t{0}, std::numeric_limits<std::int64_t>::max());
  const H5Id properties(H5Dget_create_plist(dataset), H5Pclose);
  if (H5Pget_layout(properties.get()) != H5D_CHUNKED) return all;
  unsigned options = 0;
  H5Pget_chunk_opts(properties.get(), &options);
  const std::optional<std::vector<ChunkFilter>> filters = chunkFilters(properties.get());
  const std::vector<std::int64_t> shape = shapeOf(dataset);
  if (!filters || product(shape) == 0.0) return all;
  std::vector<hsize_t> chunk(shape.size()), at(shape.size(), 0);
  if (H5Pget_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data()) !=
      static_cast<int>(chunk.size()))
    throw InputError(place +
                     ": its chunks have another rank than its numbers, the file is damaged");
  const std::size_t element = storedElementBytes(dataset);
  const bool plain_edges = (options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) != 0;
  ChunkDecoder decoder(*filters, element);
  std::vector<unsigned char> stored, bytes(static_cast<std::size_t>(product(chunk)) * element);
  const hsize_t begin = static_cast<hsize_t>(first) / chunk[0] * chunk[0];
  at[0] = begin;
  const hsize_t end = static_cast<hsize_t>(first) + static_cast<hsize_t>(count);
  while (at[0] < end) {
    bool partial = false;
    for (std::size_t i = 0; i < at.size(); ++i)
      partial |= at[i] + chunk[i] > static_cast<hsize_t>(shape[i]);
    const char* wrong = decodeChunk(dataset, at, plain_edges && partial, decoder, stored, bytes);
    if (wrong != nullptr)
      throw InputError(place + "[" + std::to_string(at[0]) +
                       "..]: cannot be read, the file is damaged: a chunk is stored in " +
                       std::to_string(stored.size()) + " bytes: " + wrong);
    std::size_t i = shape.size() - 1;  // the next chunk, the last dimension first
    for (; i > 0 && at[i] + chunk[i] >= static_cast<hsize_t>(shape[i]); --i) at[i] = 0;
    at[i] += chunk[i];
  }
  return {static_cast<std::int64_t>(begin), static_cast<std::int64_t>(at[0])};
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
