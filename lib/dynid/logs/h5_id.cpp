#include "dynid/logs/h5_id.h"

#include <hdf5.h>

#include <new>
#include <type_traits>

namespace dynid {
namespace {

static_assert(std::is_same_v<hid_t, std::int64_t> && std::is_same_v<herr_t, int>);

/// The cause of a failure.
struct Cause {
  std::string description;
  bool no_memory = false;
};

herr_t keepCause(unsigned depth, const H5E_error2_t* error, void* to) {
  // Upward walk: depth 0 is where the error occurred. The first entry with a description is the
  // cause.
  auto& cause = *static_cast<Cause*>(to);
  if (depth == 0 || cause.description.empty())
    cause.description = error->desc != nullptr ? error->desc : "";
  if (error->min_num == H5E_NOSPACE) cause.no_memory = true;
  return 0;
}

}  // namespace

void quietHdf5() {
  // Must be the first call of HDF5. Otherwise the library tries at exit to write what it could not
  // write before (a full disk) and crashes. All data that is kept has been closed by then.
  static const herr_t never_at_exit = H5dont_atexit();  // negative if it was called before
  static_cast<void>(never_at_exit);
  if (H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) < 0) throw std::bad_alloc();
  H5PLset_loading_state(0);
}

std::string takeHdf5Reason() {
  Cause cause;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keepCause, &cause);
  H5Eclear2(H5E_DEFAULT);
  if (cause.no_memory) throw std::bad_alloc();
  return cause.description;
}

}  // namespace dynid
