#pragma once

#include "dynid/logs/chunk_filters.h"
#include "dynid/logs/h5_id.h"

#include <hdf5.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dynid {

/// The lengths of a dataspace's dimensions.
std::vector<std::int64_t> extent(hid_t space);

/// Refuses storage that could give wrong numbers or exhaust memory: external and virtual storage,
/// datasets that were never or only partly written, chunks over 64 MiB, more than 1100 bytes of
/// values per stored byte (deflate reaches 1032), and filters other than deflate, shuffle and
/// fletcher32.
/// @throws InputError starting with `place`
void checkStorage(hid_t dataset, const std::string& place);

/// The filters of a dataset's chunks if they are in the order of ChunkFilter, each at most once;
/// otherwise empty.
std::optional<std::vector<ChunkFilter>> chunkFilters(hid_t properties);

/// HDF5 1.10 reads out of bounds where the filters of a chunk, reversed, give fewer bytes than its
/// elements have, and where a chunk is shorter than its checksum. This function decodes the chunks
/// without HDF5 (filters in another order than `chunkFilters` tells are left to HDF5).
/// @param dataset  accepted by checkStorage
/// @returns rows [begin, end) of the checked chunks: at least [first, first + count)
/// @throws InputError starting with `place` if a chunk cannot be decoded
std::pair<std::int64_t, std::int64_t> checkChunkBytes(hid_t dataset,
                                                      std::int64_t first,
                                                      std::int64_t count,
                                                      const std::string& place);

/// Opens the dataset again with a cache for one band of chunks across all columns, so that reading
/// it in consecutive blocks of rows decompresses each chunk once.
H5Id openWithCache(hid_t file, const std::string& name, hid_t dataset);

}  // namespace dynid
