#include "dynid/logs/h5_id.h"

#include <hdf5.h>

#include <type_traits>

namespace dynid {
namespace {

static_assert(std::is_same_v<hid_t, std::int64_t> && std::is_same_v<herr_t, int>);

herr_t keepDescription(unsigned depth, const H5E_error2_t* error, void* text) {
  // Upward walk: depth 0 is where the error occurred. The first entry with a description is the
  // cause.
  auto& reason = *static_cast<std::string*>(text);
  if (depth == 0 || reason.empty()) reason = error->desc != nullptr ? error->desc : "";
  return 0;
}

}  // namespace

void quietHdf5() {
  // Must come first. Otherwise the library tries at exit to write what it could not write before (a
  // full disk) and crashes. All data that is kept has been closed by then.
  static const herr_t never_at_exit = H5dont_atexit();
  static_cast<void>(never_at_exit);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5PLset_loading_state(0);
}

std::string takeHdf5Reason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keepDescription, &reason);
  H5Eclear2(H5E_DEFAULT);
  return reason;
}

}  // namespace dynid
