#include "dynid/logs/h5_chunks.h"

#include "dynid/core/errors.h"
#include "dynid/logs/h5_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "logs/test_files.h"
#include <cmath>
#include <fstream>
#include <numeric>
#include <random>
#include <utility>

namespace dynid {
namespace {

using testing::HasSubstr;

// Kinds of numbers that occur in logs: smooth, coarse, constant, and incompressible noise.
std::vector<double> numbers(std::int64_t rows, std::int64_t columns, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> all;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) {
      const double t = 0.01 * static_cast<double>(i);
      const double noise = 1e-18 * static_cast<double>(random());
      all.push_back(j % 4 == 0   ? std::sin(t)
                    : j % 4 == 1 ? std::round(100.0 * std::sin(t))
                    : j % 4 == 2 ? 0.0
                                 : noise);
    }
  return all;
}

struct Storage {
  std::vector<hsize_t> chunk;
  bool shuffle = false, deflate = false, fletcher = false;
  std::int64_t type = H5T_IEEE_F64LE;
};

hid_t propertiesOf(const Storage& storage) {
  const hid_t properties = chunked(storage.chunk);
  if (storage.shuffle) H5Pset_shuffle(properties);
  if (storage.deflate) H5Pset_deflate(properties, 4);
  if (storage.fletcher) H5Pset_fletcher32(properties);
  return properties;
}

// Rows of these columns, row by row; NaN where no chunk contains them.
std::vector<double> decoded(const StoredChunks& chunks,
                            std::int64_t first,
                            std::int64_t count,
                            const std::vector<size_t>& columns) {
  std::vector<double> rows(static_cast<size_t>(count) * columns.size(), std::nan(""));
  chunks.decode([&](const ChunkNumbers& chunk) {
    for (std::int64_t i = 0; i < chunk.rows; ++i)
      for (std::int64_t j = 0; j < chunk.columns; ++j)
        for (size_t c = 0; c < columns.size(); ++c) {
          const std::int64_t row = chunk.first_row + i - first;
          if (row < 0 || row >= count) continue;
          if (chunk.first_column + j != static_cast<std::int64_t>(columns[c])) continue;
          rows[static_cast<size_t>(row) * columns.size() + c] = chunk.numbers[i * chunk.stride + j];
        }
  });
  return rows;
}

TEST(H5Chunks, SayWhatHdf5SaysWhateverTheChunksAndFilters) {
  const TestDirectory directory;
  constexpr hsize_t kRows = 1000, kColumns = 5;
  int tried = 0;
  for (const std::vector<hsize_t>& chunk :
       std::vector<std::vector<hsize_t>>{{1, 5}, {7, 2}, {100, 5}, {333, 1}, {1000, 3}})
    for (int filters = 0; filters < 8; ++filters)
      for (const std::int64_t type : {H5T_IEEE_F64LE, H5T_IEEE_F32LE}) {
        const Storage storage{
            chunk, (filters & 1) != 0, (filters & 2) != 0, (filters & 4) != 0, type};
        const auto path = directory.file("chunks.h5");
        {
          RawH5 file(path);
          file.numbers("x",
                       {kRows, kColumns},
                       numbers(kRows, kColumns, static_cast<unsigned>(++tried)),
                       type,
                       propertiesOf(storage));
        }
        const H5Input input(path);
        const H5Numbers dataset = input.numbers("x");
        ASSERT_NE(dataset.chunks(), nullptr) << tried;
        for (const auto& [first, count] : {std::pair{0, 1000}, {3, 1}, {123, 456}, {999, 1}}) {
          std::vector<double> all, some;
          dataset.read(first, count, all);
          EXPECT_EQ(decoded(dataset.chunks()->read(first, count, {0, 1, 2, 3, 4}),
                            first,
                            count,
                            {0, 1, 2, 3, 4}),
                    all)
              << tried << ": " << first;
          for (size_t i = 3; i < all.size(); i += kColumns) {
            some.push_back(all[i]);
            some.push_back(all[i - 3]);
          }
          EXPECT_EQ(decoded(dataset.chunks()->read(first, count, {3, 0}), first, count, {3, 0}),
                    some)
              << tried << ": " << first;
        }
      }
}

TEST(H5Chunks, ChunksMayHaveSkippedAFilter) {
  const TestDirectory directory;
  const auto path = directory.file("skipped.h5");
  const std::vector<double> data = numbers(64, 1, 3);
  {
    RawH5 file(path);
    file.numbers("x", {64}, data, H5T_IEEE_F64LE, propertiesOf({{32}, true, true, false}));
    // The second chunk again, as plain numbers: neither shuffled nor compressed.
    const hid_t dataset = H5Dopen2(file.id, "x", H5P_DEFAULT);
    const hsize_t at = 32;
    ASSERT_GE(H5Dwrite_chunk(dataset, H5P_DEFAULT, 3, &at, 32 * sizeof(double), &data[32]), 0);
    H5Dclose(dataset);
  }
  const H5Numbers dataset = H5Input(path).numbers("x");
  EXPECT_EQ(decoded(dataset.chunks()->read(0, 64, {0}), 0, 64, {0}), data);
}

TEST(H5Chunks, LeaveOtherStorageToHdf5) {
  const TestDirectory directory;
  const auto path = directory.file("other.h5");
  {
    RawH5 file(path);
    const std::vector<double> data = numbers(40000, 1, 1);
    file.numbers("contiguous", {40000}, data, H5T_IEEE_F64LE, H5P_DEFAULT);
    file.numbers("integers", {40000}, data, H5T_STD_I32LE, chunked({100}));
    file.numbers("big_endian", {40000}, data, H5T_IEEE_F64BE, chunked({100}));
    file.numbers("long", {40000}, data, H5T_IEEE_F64LE, chunked({40000}));
    const hid_t odd = chunked({100});  // filters in another order than usual
    H5Pset_deflate(odd, 4);
    H5Pset_shuffle(odd);
    file.numbers("odd", {40000}, data, H5T_IEEE_F64LE, odd);
  }
  const H5Input input(path);
  for (const char* name : {"contiguous", "integers", "big_endian", "long", "odd"})
    EXPECT_EQ(input.numbers(name).chunks(), nullptr) << name;
}

TEST(H5Chunks, DamageIsSeenByEveryFilterThatCan) {
  const TestDirectory directory;
  for (const bool deflate : {false, true}) {
    const auto path = directory.file("damaged.h5");
    {
      RawH5 file(path);
      file.numbers("x",
                   {100, 4},
                   numbers(100, 4, 5),
                   H5T_IEEE_F64LE,
                   propertiesOf({{50, 4}, deflate, deflate, !deflate}));
    }
    haddr_t address = 0;
    {
      const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
      const hid_t dataset = H5Dopen2(file, "x", H5P_DEFAULT);
      const hsize_t at[] = {50, 0};
      hsize_t size = 0;
      unsigned skipped = 0;
      ASSERT_GE(H5Dget_chunk_info_by_coord(dataset, at, &skipped, &address, &size), 0);
      H5Dclose(dataset);
      H5Fclose(file);
    }
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(address) + 20);
    file.write("\x55\xAA\x55\xAA", 4);
    file.close();
    const H5Numbers dataset = H5Input(path).numbers("x");
    EXPECT_EQ(decoded(dataset.chunks()->read(0, 50, {0}), 0, 50, {0}).size(), 50U);
    const StoredChunks chunks = dataset.chunks()->read(0, 100, {0});
    EXPECT_THAT(messageOf<InputError>([&] { decoded(chunks, 0, 100, {0}); }),
                HasSubstr(":/x[50..99]: cannot be read, the file is damaged: "))
        << deflate;
  }
}

TEST(H5Chunks, AChunkWithTooFewBytesIsRefusedBeforeHdf5ReadsIt) {
  // HDF5 would read behind the end of the chunk: integers, long chunks and texts are left to it.
  const TestDirectory directory;
  const auto path = directory.file("short.h5");
  {
    RawH5 file(path);
    const std::vector<double> data = numbers(100, 1, 1);
    for (const auto& [name, type] :
         {std::pair{"integers", H5T_STD_I32LE}, {"big_endian", H5T_IEEE_F64BE}}) {
      file.numbers(name, {100}, data, type, propertiesOf({{50}, false, true, false}));
      const hid_t dataset = H5Dopen2(file.id, name, H5P_DEFAULT);
      const hsize_t at = 50;
      ASSERT_GE(H5Dwrite_chunk(dataset, H5P_DEFAULT, 1, &at, 8, data.data()), 0);
      H5Dclose(dataset);
    }
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, 16);
    const hsize_t count = 2;
    const hid_t space = H5Screate_simple(1, &count, nullptr);
    const hid_t properties = propertiesOf({{2}, false, true, false});
    const hid_t dataset =
        H5Dcreate2(file.id, "texts", text, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    const hsize_t at = 0;
    ASSERT_GE(H5Dwrite_chunk(dataset, H5P_DEFAULT, 1, &at, 3, "abc"), 0);
    H5Dclose(dataset);
    H5Pclose(properties);
    H5Sclose(space);
    H5Tclose(text);
  }
  const H5Input input(path);
  std::vector<double> rows;
  for (const char* name : {"integers", "big_endian"}) {
    const H5Numbers dataset = input.numbers(name);
    EXPECT_NO_THROW(dataset.read(0, 50, rows));
    EXPECT_THAT(messageOf<InputError>([&] { dataset.read(40, 20, rows); }),
                HasSubstr("[50..]: cannot be read, the file is damaged: a chunk is stored in 8 "
                          "bytes: it has too few or too many bytes"))
        << name;
  }
  EXPECT_THAT(messageOf<InputError>([&] { input.texts("texts"); }),
              HasSubstr("a chunk is stored in 3 bytes: it has too few or too many bytes"));
}

TEST(H5Chunks, ChecksumsAreThoseOfHdf5) {
  // Lengths around the block size of the sum, and bytes whose sums are multiples of 65535.
  EXPECT_EQ(fletcher32({}), 0U);
  for (const unsigned char byte : {0x00, 0x01, 0xFF})
    for (const size_t size : {1, 2, 15, 16, 17, 2048, 2050, 100001}) {
      const std::vector<unsigned char> bytes(size, byte);
      std::uint64_t first = 0, second = 0;  // by the definition, with carries added as in HDF5
      const auto fold = [](std::uint64_t sum) {
        while (sum > 0xFFFF) sum = (sum & 0xFFFF) + (sum >> 16);
        return sum;
      };
      for (size_t i = 0; i < size; i += 2) {
        const std::uint64_t low = i + 1 < size ? bytes[i + 1] : 0;
        first = fold(first + (std::uint64_t{bytes[i]} << 8 | low));
        second = fold(second + first);
      }
      EXPECT_EQ(fletcher32(bytes), second << 16 | first) << int{byte} << " " << size;
    }
}

}  // namespace
}  // namespace dynid
