#pragma once

#include "dynid/logs/h5_id.h"

#include <hdf5.h>

#include <cstdint>
#include <string>
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

/// HDF5 1.10 reads out of bounds where a chunk is shorter than the checksum behind its bytes.
/// @throws InputError if one with rows [first, first + count) is
void checkChecksums(hid_t dataset,
                    std::int64_t first,
                    std::int64_t count,
                    const std::string& place);

/// Opens the dataset again with a cache for one band of chunks across all columns, so that reading
/// it in consecutive blocks of rows decompresses each chunk once.
H5Id openWithCache(hid_t file, const std::string& name, hid_t dataset);

}  // namespace dynid
