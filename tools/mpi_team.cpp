#include "mpi_team.h"

#ifdef DYNID_MPI

#include "failure.h"
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <mpi.h>
#include <thread>

namespace dynid::tool {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 24;  // numbers per message: MPI counts are ints

class MpiTeam : public Team {
 public:
  MpiTeam() {
    int provided = 0;
    // The profiling names are used because Ipopt contains a sequential MUMPS, whose replacements
    // for some MPI functions (every process is rank 0) would be linked first.
    PMPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    PMPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiTeam() override { PMPI_Finalize(); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(const std::vector<double>& numbers) override {
    const std::uint64_t size = numbers.size();
    PMPI_Send(&size, 1, MPI_UINT64_T, 0, 0, MPI_COMM_WORLD);
    for (std::size_t at = 0; at < numbers.size(); at += kPiece)
      PMPI_Send(numbers.data() + at, piece(numbers, at), MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
  }

  std::vector<double> receive(int other) override {
    std::uint64_t size = 0;
    PMPI_Recv(&size, 1, MPI_UINT64_T, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::vector<double> numbers(size);
    for (std::size_t at = 0; at < numbers.size(); at += kPiece)
      PMPI_Recv(numbers.data() + at,
                piece(numbers, at),
                MPI_DOUBLE,
                other,
                1,
                MPI_COMM_WORLD,
                MPI_STATUS_IGNORE);
    return numbers;
  }

  void broadcast(std::vector<double>& numbers) override {
    std::uint64_t size = numbers.size();
    PMPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    numbers.resize(size);
    for (std::size_t at = 0; at < numbers.size(); at += kPiece)
      PMPI_Bcast(numbers.data() + at, piece(numbers, at), MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }

 private:
  static int piece(const std::vector<double>& numbers, std::size_t at) {
    return static_cast<int>(std::min(kPiece, numbers.size() - at));
  }

  int rank_ = 0, size_ = 1;
};

// Set by the launchers of Open MPI, MPICH and Slurm. A program started without them does not
// initialise MPI.
bool startedByMpi() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"})
    if (std::getenv(variable) != nullptr) return true;
  return false;
}

}  // namespace

std::unique_ptr<Team> mpiTeam() {
  if (!startedByMpi()) return nullptr;
  return std::make_unique<MpiTeam>();
}

int runInTeam(const Team* team, const std::string& who, const std::function<int()>& work) {
  if (team == nullptr) return work();
  try {
    return work();
  } catch (...) {
    if (team->rank() != 0) std::this_thread::sleep_for(std::chrono::seconds(1));
    PMPI_Abort(MPI_COMM_WORLD, reportFailure(who));
    throw;
  }
}

}  // namespace dynid::tool

#else

namespace dynid::tool {

std::unique_ptr<Team> mpiTeam() { return nullptr; }
int runInTeam(const Team* /*team*/, const std::string& /*who*/, const std::function<int()>& work) {
  return work();
}

}  // namespace dynid::tool

#endif
