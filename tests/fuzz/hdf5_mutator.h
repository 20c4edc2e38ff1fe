#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dynid::fuzz {

/// A dataset, with a number for each element if `texts` is empty.
struct Hdf5Item {
  std::string path;
  std::vector<std::uint64_t> shape;
  std::vector<std::string> texts = {};
};

/// What the files of one reader contain.
struct Hdf5Vocabulary {
  /// An input that is not HDF5 is replaced by a file with all of these; datasets are also copied
  /// and moved to their paths.
  std::vector<Hdf5Item> items;
  std::vector<std::string> attributes;  ///< names that are added to objects
  std::vector<std::string> texts;       ///< values of attributes and elements of datasets of text
  std::string main_dataset;             ///< changed half of the time; "": none
};

/// Changes numbers, texts, shapes, types, storage and names of an HDF5 file in memory, one to three
/// at a time, and leaves the file well-formed: on damaged files HDF5 itself reads out of bounds,
/// which the trial process of the program is for. Chunks may hold other bytes than their filters
/// expect: the readers decode those without HDF5, and so does this function before HDF5 reads them.
/// @returns the new size
std::size_t mutateHdf5(std::uint8_t* data,
                       std::size_t size,
                       std::size_t max_size,
                       unsigned seed,
                       const Hdf5Vocabulary& vocabulary);

}  // namespace dynid::fuzz
