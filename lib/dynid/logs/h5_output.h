#pragma once

#include "dynid/core/atomic_file.h"
#include "dynid/logs/h5_id.h"

#include <Eigen/Core>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace dynid {

/// Writes an HDF5 file in the earliest file format to a temporary name; `finish()` renames it. All
/// functions throw OutputError "path: cannot be written: ..." if the disk is full; the temporary
/// file is then removed.
class H5Output {
 public:
  /// @throws OutputError if the directory is missing or not writable
  explicit H5Output(const std::filesystem::path& path);
  ~H5Output();
  H5Output(const H5Output&) = delete;
  H5Output& operator=(const H5Output&) = delete;

  /// Attributes of `object` ("/" is the root).
  void setText(const std::string& object, const char* attribute, const std::string& text);
  void setTexts(const std::string& object,
                const char* attribute,
                const std::vector<std::string>& texts);
  void setNumber(const std::string& object, const char* attribute, double number);
  void setNumbers(const std::string& object,
                  const char* attribute,
                  const std::vector<double>& numbers);

  void createGroup(const std::string& name);
  void writeText(const std::string& name, const std::string& text);
  void writeTexts(const std::string& name, const std::vector<std::string>& texts);
  void writeNumber(const std::string& name, double number);
  /// [size]
  void writeVector(const std::string& name, const Eigen::Ref<const Eigen::VectorXd>& vector);
  /// [rows, cols]
  void writeMatrix(const std::string& name, const Eigen::Ref<const Eigen::MatrixXd>& matrix);

  /// Creates a dataset [rows, columns] (columns = 0: [rows]) to which rows can be appended, in
  /// chunks with checksums.
  /// @param compression  0: none, 1 to 9: shuffle and deflate
  /// @returns its index for `append`
  size_t createGrowing(const std::string& name, std::int64_t columns, int compression);
  void append(size_t growing, const Eigen::Ref<const Eigen::MatrixXd>& rows);

  /// Flushes, closes and renames the file.
  void finish();
  const std::filesystem::path& path() const { return file_.path(); }

 private:
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  void writeArray(const std::string& name,
                  const std::vector<std::int64_t>& shape,
                  const double* data);
  void writeAttribute(const std::string& object,
                      const char* attribute,
                      std::int64_t type,
                      std::int64_t space,
                      const void* data);
  void require(bool done);
  [[noreturn]] void fail();
  void abandon() noexcept;

  struct Growing {
    H5Id id;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
  };

  AtomicFile file_;
  H5Id id_;
  std::vector<Growing> growing_;
  RowMajor buffer_;
};

}  // namespace dynid
