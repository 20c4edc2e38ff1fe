#pragma once

namespace dynid {

/// How a body's frame stands to its parent's. Right angles, the rule in robots, cost the least: the
/// child's z, its axis, is then one of the parent's.
enum class BatchTurn : int {
  kSlides,        ///< prismatic
  kAnyAxis,       ///< revolute about `axis`
  kAnyPlacement,  ///< revolute about z; rotation as below
  kAlongZ,        ///< revolute about z, placed by right angles, the axis along the parent's z ...
  kMinusZ,
  kAlongX,
  kMinusX,
  kAlongY,
  kMinusY
};

/// The tree of a robot as plain numbers for the batch kernels: nothing here may need a function
/// that a compiler could emit twice (see pack.inc). Frames are those of batchFrame.
struct BatchBody {
  int parent_motion;  ///< slot of the parent's motion (0: the root link's) ...
  int motion;         ///< ... and of its own
  int joint;          ///< its column of q
  int first_pair;     ///< of its pairs
  int num_pairs;
  BatchTurn turn;
  int quarter_turns;          ///< of a body placed by right angles, added to q_body
  int nonzero;                ///< bits of translation's components that are not zero
  double multiplier, offset;  ///< q_body = multiplier q + offset
  double axis[3];
  double translation[3];  ///< of the joint's frame in the parent
  double slide[3];        ///< prismatic: the axis in the parent's frame
  /// R_PB = rotation[0] + cos(q_body) rotation[1] + sin(q_body) rotation[2], row by row; prismatic:
  /// rotation[0]; not used by right angles.
  double rotation[3][9];
};

/// A body and a joint that moves it: ten columns of that joint's regressor.
struct BatchPair {
  int parent_slot;  ///< of the same joint at the parent body; -1: it does not move that
  int slot;
  int own;  ///< 1: the joint moves the body itself
};

struct BatchPlan {
  const BatchBody* bodies;
  const BatchPair* pairs;
  int num_bodies;
  int num_motions, num_slots;   ///< slots of motions, the root link's among them, and of pairs
  double base_acceleration[3];  ///< proper: minus gravity
};

/// Columns of equal length, each column's numbers next to each other.
struct BatchColumns {
  const double* data;
  long stride;  ///< from column to column
};

/// Samples to evaluate.
struct BatchRequest {
  BatchColumns q, dq, ddq;  ///< one a joint
  long samples;
  /// Ten a pair, of the body's parameters in its frame of the plan; a column that nobody wants may
  /// point to any place for as many numbers as there are samples. Where mass, third first moment
  /// and Iyy are not wanted all three may be nullptr, which leaves them out: as a rule they are not
  /// among the base parameters of a body that turns about its z. With `inertial` one a pair: its
  /// joint's efforts, which are their sum over the pairs.
  double* const* columns;
  /// Ten a body, in its frame of the plan; nullptr: the columns themselves.
  const double* inertial;
  double* scratch;  ///< scratchALane(plan) for each lane, 64-byte aligned
};

/// Numbers of scratch: a body's angle, a slot of a motion, a slot of a pair.
inline constexpr int kScratchPerAngle = 2;
inline constexpr int kScratchPerMotion = 18;
inline constexpr int kScratchPerPair = 6;
constexpr long scratchALane(const BatchPlan& plan) {
  return static_cast<long>(kScratchPerAngle) * plan.num_bodies +
         static_cast<long>(kScratchPerMotion) * plan.num_motions +
         static_cast<long>(kScratchPerPair) * plan.num_slots;
}

/// A kernel evaluates the first samples, as many as fill its lanes, and the last ones again in
/// lanes that end with the last sample; fewer samples than lanes are not its trade.
using BatchKernel = void (*)(const BatchPlan&, const BatchRequest&);

/// Columns to filter forward and backward, in place. One second-order section is b0 b1 b2 a1 a2
/// (transposed direct form II, unit gain at 0 Hz); the columns are extended by odd reflection over
/// `pad` rows, and the first pass begins settled on the extension's first value.
struct LowpassRequest {
  const double (*sections)[5];
  int num_sections;
  double* columns;
  long stride;  ///< from column to column
  long num_columns;
  long rows;
  long pad;       ///< at least 1, less than rows
  double* lanes;  ///< scratch: kFilterLanes (rows + 2 pad) numbers, 64-byte aligned
};

/// Columns that go through the filter together.
inline constexpr int kFilterLanes = 16;

using LowpassKernel = void (*)(const LowpassRequest&);

/// Rows of a block that stay in the cache together. An odd number of cache lines: columns that
/// stand so far apart do not share cache sets. A block is made of whole tiles.
inline constexpr long kGramRows = 264;
inline constexpr long kGramTile = 24;

/// Adds the Gram matrix of Z = X P U^-1 for a permutation P and an upper triangular U whose leading
/// columns, those of the plain columns of X P, are the identity's.
struct GramRequest {
  const double** columns;  ///< [num_columns] those of X P; the kernel lets those that are not plain
                           ///< point to the columns of Z
  long num_columns;
  long plain;
  const double* U;  ///< [num_columns x num_columns] column by column, reciprocals on its diagonal
  long rows;        ///< whole tiles, at most kGramRows
  double* Z;        ///< scratch: kGramRows numbers a column that is not plain, 64-byte aligned
  double* sums;  ///< the upper triangle of Z^T Z, column by column, lane by lane: entry (i, j) is
                 ///< the sum of the lanes from lanes (j (j + 1) / 2 + i) on
};

using GramKernel = void (*)(const GramRequest&);

/// y[i] = tanh(by x[i]); y is none of the numbers of x.
using TanhKernel = void (*)(const double* x, double by, long count, double* y);

}  // namespace dynid
