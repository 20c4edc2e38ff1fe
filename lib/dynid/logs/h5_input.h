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

/// A dataset of numbers that passed the checks of `H5Input::numbers`.
class H5Numbers {
 public:
  /// "path:/name", for messages.
  const std::string& place() const { return place_; }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  std::int64_t rows() const { return shape_.empty() ? 1 : shape_[0]; }
  /// Numbers a row: the product of the other dimensions.
  std::int64_t columns() const;

  /// Rows [first, first + count), all columns, row by row, as doubles, into `out` (resized).
  /// @throws InputError when they cannot be read (checksum, truncation).
  void read(std::int64_t first, std::int64_t count, std::vector<double>& out) const;
  std::vector<double> readAll() const;
  /// Its chunks, where they can be read as they stand in the file; nullptr elsewhere.
  const ChunkReader* chunks() const { return chunks_ ? &*chunks_ : nullptr; }

 private:
  friend class H5Input;
  H5Id id_;
  std::optional<ChunkReader> chunks_;
  std::string place_;
  std::vector<std::int64_t> shape_;
};

/// An HDF5 file of unknown origin, read by name only: nothing is visited or iterated, links that
/// leave the file or the name are not followed, and storage that could mislead is refused
/// (external, virtual, never written, bombs, filters other than deflate, shuffle, fletcher32).
class H5Input {
 public:
  /// @throws InputError "path: ..." when it is missing, not a regular file, not HDF5, truncated, or
  /// being written.
  explicit H5Input(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  /// "path:/name".
  std::string place(std::string_view name) const;

  /// Whether the name leads to an object through hard links. @throws InputError on a soft or
  /// external link.
  bool has(const std::string& name) const;
  bool hasGroup(const std::string& name) const;
  /// How many things a group holds (their names are not looked at); 0 where there is none.
  std::int64_t groupSize(const std::string& name) const;

  /// A dataset of numbers. @throws InputError when it is missing, not of numbers, or stored in a
  /// way that is refused.
  H5Numbers numbers(const std::string& name) const;
  /// A dataset of strings, of rank 0 or 1, fixed or variable length. @throws InputError as
  /// `numbers`.
  std::vector<std::string> texts(const std::string& name) const;

  /// Whether an attribute of `object` ("/" is the root) is of strings; nothing when there is none.
  std::optional<bool> attributeIsText(const std::string& object, const char* attribute) const;
  /// An attribute; empty when there is none.
  /// @throws InputError when it is not of strings / numbers.
  std::vector<std::string> textAttribute(const std::string& object, const char* attribute) const;
  std::vector<double> numberAttribute(const std::string& object, const char* attribute) const;

 private:
  H5Id openDataset(const std::string& name) const;
  H5Id openAttribute(const std::string& object, const char* attribute) const;

  std::filesystem::path path_;
  H5Id file_;
};

/// Whether the file starts as HDF5 does (at 0, 512, 1024, ...: a user block may precede).
/// @throws InputError when it is missing or not a regular file.
bool looksLikeHdf5(const std::filesystem::path& path);

}  // namespace dynid
