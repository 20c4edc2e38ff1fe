#include "dynid/logs/h5_chunks.h"

#include "dynid/core/errors.h"
#include "dynid/logs/h5_id.h"
#include "dynid/logs/h5_storage.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace dynid {
namespace {

constexpr std::int64_t kMostChunkRows = 32768;  // about the rows of a window of a log

[[noreturn]] void refuse(const ChunkLayout& layout, std::int64_t row, const std::string& why) {
  const std::int64_t last = std::min(row + layout.chunk_rows, layout.rows) - 1;
  throw InputError(layout.place + "[" + std::to_string(row) + ".." + std::to_string(last) +
                   "]: cannot be read, the file is damaged: " + why);
}

}  // namespace

std::optional<ChunkReader> ChunkReader::of(std::int64_t dataset, const std::string& place) {
  if constexpr (std::endian::native != std::endian::little) return std::nullopt;
  const H5Id properties(H5Dget_create_plist(dataset), H5Pclose);
  if (H5Pget_layout(properties.get()) != H5D_CHUNKED) return std::nullopt;
  unsigned options = 0;  // chunks at the edges may be stored unfiltered
  if (H5Pget_chunk_opts(properties.get(), &options) < 0 || options != 0) return std::nullopt;
  const H5Id space(H5Dget_space(dataset), H5Sclose);
  const std::vector<std::int64_t> shape = extent(space.get());
  if (shape.empty() || shape.size() > 2) return std::nullopt;
  const H5Id type(H5Dget_type(dataset), H5Tclose);
  const bool whole = H5Tequal(type.get(), H5T_IEEE_F64LE) > 0;
  const bool single = H5Tequal(type.get(), H5T_IEEE_F32LE) > 0;
  const std::optional<std::vector<ChunkFilter>> filters = chunkFilters(properties.get());
  if (!(whole || single) || !filters) return std::nullopt;
  std::array<hsize_t, 2> chunk{1, 1};
  if (H5Pget_chunk(properties.get(), static_cast<int>(shape.size()), chunk.data()) < 0)
    return std::nullopt;
  if (chunk[0] > kMostChunkRows) return std::nullopt;
  auto layout = std::make_shared<ChunkLayout>();
  layout->place = place;
  layout->rows = shape[0];
  layout->columns = shape.size() > 1 ? shape[1] : 1;
  layout->chunk_rows = static_cast<std::int64_t>(chunk[0]);
  layout->chunk_columns = static_cast<std::int64_t>(chunk[1]);
  layout->filters = *filters;
  layout->single = single;
  ChunkReader reader;
  reader.dataset_ = dataset;
  reader.layout_ = std::move(layout);
  return reader;
}

StoredChunks ChunkReader::read(std::int64_t first,
                               std::int64_t count,
                               const std::vector<std::size_t>& columns) const {
  quietHdf5();
  StoredChunks stored;
  stored.layout_ = layout_;
  const ChunkLayout& layout = *layout_;
  std::vector<std::int64_t> bands;  // first columns of the chunks that contain some of the columns
  for (const std::size_t column : columns) {
    const std::int64_t band =
        static_cast<std::int64_t>(column) / layout.chunk_columns * layout.chunk_columns;
    if (std::find(bands.begin(), bands.end(), band) == bands.end()) bands.push_back(band);
  }
  // Deflate may enlarge a chunk slightly; the checksum adds four bytes.
  const std::size_t most = layout.chunkBytes() + layout.chunkBytes() / 8 + 256;
  std::size_t bytes = 0;
  for (std::int64_t row = first / layout.chunk_rows * layout.chunk_rows; row < first + count;
       row += layout.chunk_rows) {
    for (const std::int64_t band : bands) {
      const std::array<hsize_t, 2> at{static_cast<hsize_t>(row), static_cast<hsize_t>(band)};
      hsize_t size = 0;
      if (H5Dget_chunk_storage_size(dataset_, at.data(), &size) < 0)
        refuse(layout, row, takeHdf5Reason());
      if (size == 0 || size > most)
        refuse(layout, row, "it is stored in " + std::to_string(size) + " bytes");
      stored.chunks_.push_back({row, band, 0, bytes, size});
      bytes += size;
    }
  }
  stored.bytes_ = std::make_unique_for_overwrite<unsigned char[]>(bytes);
  for (StoredChunks::Chunk& chunk : stored.chunks_) {
    const std::array<hsize_t, 2> at{static_cast<hsize_t>(chunk.first_row),
                                    static_cast<hsize_t>(chunk.first_column)};
    unsigned char* to = stored.bytes_.get() + chunk.begin;
    if (H5Dread_chunk(dataset_, H5P_DEFAULT, at.data(), &chunk.skipped, to) < 0)
      refuse(layout, chunk.first_row, takeHdf5Reason());
  }
  return stored;
}

void StoredChunks::decode(const std::function<void(const ChunkNumbers&)>& take) const {
  const ChunkLayout& layout = *layout_;
  ChunkDecoder decoder(layout.filters, layout.elementBytes());
  std::vector<double> numbers(layout.chunk_rows * layout.chunk_columns);
  std::vector<float> singles(layout.single ? numbers.size() : 0);
  unsigned char* raw = layout.single ? reinterpret_cast<unsigned char*>(singles.data())
                                     : reinterpret_cast<unsigned char*>(numbers.data());
  for (const Chunk& chunk : chunks_) {
    const char* wrong = decoder.decode(
        {bytes_.get() + chunk.begin, chunk.size}, chunk.skipped, {raw, layout.chunkBytes()});
    if (wrong != nullptr) refuse(layout, chunk.first_row, wrong);
    if (layout.single) std::copy(singles.begin(), singles.end(), numbers.begin());
    take({chunk.first_row,
          std::min(layout.chunk_rows, layout.rows - chunk.first_row),
          chunk.first_column,
          std::min(layout.chunk_columns, layout.columns - chunk.first_column),
          numbers.data(),
          layout.chunk_columns});
  }
}

}  // namespace dynid
