// Takes the place of h5_output.cpp and atomic_file.cpp in targets of libFuzzer that read a
// recording and write what they have read: the writing would take most of the time of an input.
#include "dynid/core/atomic_file.h"
#include "dynid/logs/h5_output.h"

namespace dynid {

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)) {}
AtomicFile::~AtomicFile() = default;
void AtomicFile::flush() const {}
void AtomicFile::replace() {}
void AtomicFile::commit() {}
void removeUnfinishedFiles() noexcept {}
ReplacementInProgress::ReplacementInProgress() noexcept = default;
ReplacementInProgress::~ReplacementInProgress() = default;
bool replacementInProgress() noexcept { return false; }

H5Output::H5Output(const std::filesystem::path& path) : file_(path) {}
H5Output::~H5Output() = default;
void H5Output::setText(const std::string&, const char*, const std::string&) {}
void H5Output::setTexts(const std::string&, const char*, const std::vector<std::string>&) {}
void H5Output::setNumber(const std::string&, const char*, double) {}
void H5Output::setNumbers(const std::string&, const char*, const std::vector<double>&) {}
void H5Output::createGroup(const std::string&) {}
void H5Output::writeText(const std::string&, const std::string&) {}
void H5Output::writeTexts(const std::string&, const std::vector<std::string>&) {}
void H5Output::writeNumber(const std::string&, double) {}
void H5Output::writeVector(const std::string&, const Eigen::Ref<const Eigen::VectorXd>&) {}
void H5Output::writeMatrix(const std::string&, const Eigen::Ref<const Eigen::MatrixXd>&) {}
size_t H5Output::createGrowing(const std::string&, std::int64_t, int) { return 0; }
void H5Output::append(size_t, const Eigen::Ref<const Eigen::MatrixXd>&) {}
void H5Output::finish() {}

}  // namespace dynid
