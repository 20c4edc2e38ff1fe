#pragma once

namespace dynid::tool {

/// The number of arenas (separate heaps of the allocator, each with a lock of its own) that the
/// threads of the program share: one for every four processors, and two where there are two or more
/// processors. One thread cannot use what another has freed in another arena: an arena per thread
/// needs more memory if there are many threads. With one arena, two threads wait for its lock so
/// often that `identify` with 32 joints takes an eighth more processor time.
int numArenas();

/// Freed memory stays with the process up to a limit, since nearly all of it is needed again soon:
/// page faults would take a third and more of the processor time of `identify`. Blocks above the
/// other limit are returned at once, so that they leave no gaps. Both limits are fixed. The C
/// library would otherwise adapt them, and the peak memory would vary from log to log.
/// Threads share numArenas() arenas. To be called before threads start.
void limitKeptMemory();

/// Lets the C library's allocator ask for huge pages, which take a tenth (seven joints) to a
/// quarter (32 joints) of the processor time from `identify`: fewer page faults. The C library
/// reads this setting from its environment when a program starts, and only there (GLIBC_TUNABLES,
/// glibc.malloc.hugetlb), therefore the program starts itself again. Does nothing if GLIBC_TUNABLES
/// is set already, also to nothing, or if Linux does not give huge pages on request
/// (/sys/kernel/mm/transparent_hugepage/enabled other than "madvise"). Where the new start fails,
/// the program goes on without huge pages. For the first line of main().
/// @param argv  as main() gets it
void useHugePages(char** argv);

}  // namespace dynid::tool
