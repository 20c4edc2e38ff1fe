#pragma once

#include "dynid/logs/chunk_filters.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// The part of a chunk that is inside the dataset, row by row; `stride` is the distance between
/// rows, in numbers.
struct ChunkNumbers {
  std::int64_t first_row = 0, rows = 0;
  std::int64_t first_column = 0, columns = 0;
  const double* numbers = nullptr;
  std::int64_t stride = 0;
};

/// Storage of a chunked dataset [rows] or [rows x columns].
struct ChunkLayout {
  std::string place;  ///< "path:/name", for messages
  std::int64_t rows = 0, columns = 1;
  std::int64_t chunk_rows = 0, chunk_columns = 1;
  std::vector<ChunkFilter> filters;
  bool single = false;  ///< true: float32, false: float64
  std::size_t elementBytes() const { return single ? 4 : 8; }
  std::size_t chunkBytes() const {
    return static_cast<std::size_t>(chunk_rows * chunk_columns) * elementBytes();
  }
};

/// Rows of a dataset as stored in the file. Any thread may decode them.
class StoredChunks {
 public:
  bool any() const { return !chunks_.empty(); }
  /// Decodes the chunks and calls `take` for each of them in order. @throws InputError if one is
  /// damaged
  void decode(const std::function<void(const ChunkNumbers&)>& take) const;

 private:
  friend class ChunkReader;
  struct Chunk {
    std::int64_t first_row = 0, first_column = 0;
    std::uint32_t skipped = 0;
    std::size_t begin = 0, size = 0;  // position in bytes_
  };
  std::shared_ptr<const ChunkLayout> layout_;
  std::unique_ptr<unsigned char[]> bytes_;
  std::vector<Chunk> chunks_;
};

/// Reads the chunks of a dataset without HDF5's filters and cache, which only one thread may use at
/// a time.
class ChunkReader {
 public:
  /// @returns empty if HDF5 itself has to read the dataset: for other storage, number types or
  ///     filters than the ones above, and for chunks so long that windows of a log would decode
  ///     them several times
  static std::optional<ChunkReader> of(std::int64_t dataset, const std::string& place);

  /// The chunks with rows [first, first + count) of these columns (ascending). Not thread-safe.
  /// @throws InputError if they cannot be read
  StoredChunks read(std::int64_t first,
                    std::int64_t count,
                    const std::vector<std::size_t>& columns) const;

 private:
  std::int64_t dataset_ = -1;  // not owned
  std::shared_ptr<const ChunkLayout> layout_;
};

}  // namespace dynid
