#include "dynid/core/file_digests.h"

#include "dynid/core/files.h"

#include <utility>

namespace dynid {

FileDigests::FileDigests(std::vector<std::filesystem::path> paths, bool beside)
    : digests_(std::async(beside ? std::launch::async : std::launch::deferred,
                          [this, paths = std::move(paths)] {
                            std::vector<std::string> digests;
                            for (const std::filesystem::path& path : paths)
                              digests.push_back(sha256OfFile(path, &stop_));
                            return digests;
                          })) {}

FileDigests::~FileDigests() { stop_ = true; }  // the destructor of the future waits for the thread

const std::string& FileDigests::of(std::size_t file) { return digests_.get()[file]; }

}  // namespace dynid
