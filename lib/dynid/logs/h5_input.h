#pragma once

#include "dynid/logs/h5_chunks.h"
#include "dynid/logs/h5_id.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dynid {

/// A numeric dataset that passed the checks of `H5Input::numbers`.
class H5Numbers {
 public:
  /// "path:/name", for messages.
  const std::string& place() const { return place_; }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  std::int64_t rows() const { return shape_.empty() ? 1 : shape_[0]; }
  /// Numbers per row: the product of the other dimensions.
  std::int64_t columns() const;

  /// Reads rows [first, first + count), all columns, row by row, as doubles, into `out` (resized).
  /// @throws InputError if they cannot be read (checksum, truncation)
  void read(std::int64_t first, std::int64_t count, std::vector<double>& out) const;
  std::vector<double> readAll() const;
  /// Its chunks, if they can be read as stored in the file; otherwise nullptr.
  const ChunkReader* chunks() const { return chunks_ ? &*chunks_ : nullptr; }

 private:
  friend class H5Input;
  H5Id id_;
  std::optional<ChunkReader> chunks_;
  std::string place_;
  std::vector<std::int64_t> shape_;
  /// Rows [begin, end) whose chunks HDF5 may read (checkChunkBytes).
  mutable std::pair<std::int64_t, std::int64_t> checked_{0, 0};
};

/// An HDF5 file of unknown origin. Objects are only accessed by name: nothing is visited or
/// iterated, and soft and external links are not followed. Storage that could give wrong numbers or
/// exhaust memory is refused: external, virtual or unwritten data, extreme compression ratios, and
/// filters other than deflate, shuffle and fletcher32.
class H5Input {
 public:
  /// @throws InputError "path: ..." if the file is missing, not a regular file, not HDF5,
  ///     truncated, or being written
  explicit H5Input(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  /// "path:/name".
  std::string place(std::string_view name) const;

  /// Whether the name leads to an object through hard links.
  /// @throws InputError for a soft or external link
  bool has(const std::string& name) const;
  bool hasGroup(const std::string& name) const;
  /// Number of members of a group (their names are not read); 0 if there is no such group.
  std::int64_t groupSize(const std::string& name) const;

  /// A numeric dataset.
  /// @throws InputError if it is missing, not numeric, or stored in a refused way
  H5Numbers numbers(const std::string& name) const;
  /// A dataset of strings in one row or column, of fixed or variable length. @throws InputError as
  /// `numbers`
  std::vector<std::string> texts(const std::string& name) const;

  /// Whether an attribute of `object` ("/" is the root) has string type; empty if there is no such
  /// attribute.
  std::optional<bool> attributeIsText(const std::string& object, const char* attribute) const;
  /// The values of an attribute; empty if there is no such attribute.
  /// @throws InputError if its type is not string or number, respectively
  std::vector<std::string> textAttribute(const std::string& object, const char* attribute) const;
  std::vector<double> numberAttribute(const std::string& object, const char* attribute) const;

 private:
  H5Id openDataset(const std::string& name) const;
  /// "path:/object: attribute 'name'", for messages.
  std::string attributePlace(const std::string& object, const char* attribute) const;
  H5Id openAttribute(const std::string& object, const char* attribute) const;

  std::filesystem::path path_;
  H5Id file_;
};

/// Whether the file has the HDF5 signature (at offset 0, 512, 1024, ...: a user block may precede
/// it).
/// @throws InputError if the file is missing or not a regular file
bool looksLikeHdf5(const std::filesystem::path& path);

}  // namespace dynid
