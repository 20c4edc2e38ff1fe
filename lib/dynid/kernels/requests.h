#pragma once

namespace dynid {

/// How the frame of a body is placed in its parent's frame. Placements by right angles, the most
/// frequent ones in robots, have the fastest code: the child's z axis, about which it turns, is
/// then along an axis of the parent.
enum class BatchTurn : int {
  kPrismatic,     ///< prismatic
  kAnyAxis,       ///< revolute about `axis`
  kAnyPlacement,  ///< revolute about z; general rotation, given by `rotation`
  /// Revolute about z; placed by right angles, axis along the parent's z (others below alike)
  kAlongZ,
  kMinusZ,
  kAlongX,
  kMinusX,
  kAlongY,
  kMinusY
};

/// One body of a robot's tree as plain numbers for the batch kernels. It uses no inline functions
/// or templates (see pack.inc). The frames are those of batchFrame.
struct BatchBody {
  int parent_motion;  ///< slot of the parent's motion (0: the root link)
  int motion;         ///< slot of this body's motion
  int joint;          ///< column of q
  int first_pair;     ///< index of its first BatchPair
  /// Number of its pairs
  int num_pairs;
  BatchTurn turn;
  int quarter_turns;          ///< added to q_body of a body placed by right angles
  int nonzero;                ///< bit i is set if component i of `translation` is not zero
  double multiplier, offset;  ///< q_body = multiplier q + offset
  double axis[3];
  double translation[3];  ///< position of the joint's frame in the parent [m]
  double slide[3];        ///< prismatic: axis in the parent's frame
  /// R_PB = rotation[0] + cos(q_body) rotation[1] + sin(q_body) rotation[2], each row by row.
  /// Prismatic: rotation[0] only. Not used by placements with right angles.
  double rotation[3][9];
};

/// A body and a joint that moves it: the ten columns of this body in the row of this joint.
struct BatchPair {
  /// Slot of the same joint at the parent body; -1: the joint does not move the parent
  int parent_slot;
  int slot;      ///< slot of this pair
  int connects;  ///< 1: the joint connects this body to its parent
};

/// A robot's tree in the form that the batch kernels read (see TreePlan).
struct BatchPlan {
  const BatchBody* bodies;
  const BatchPair* pairs;
  int num_bodies;
  int num_motions, num_slots;  ///< numbers of slots: for motions (with the root link) and for pairs
  double base_acceleration[3];  ///< proper acceleration: minus gravity [m/s^2]
};

/// A matrix stored column by column.
struct BatchColumns {
  const double* data;
  long stride;  ///< distance between columns, in numbers
};

/// Samples to evaluate.
struct BatchRequest {
  BatchColumns q, dq, ddq;  ///< one column per joint
  long samples;
  /// Output. Without `inertial`: ten columns per pair, for the parameters of the body in its frame
  /// of the plan. A column that is not needed may point to any memory for `samples` numbers. If
  /// mass, third first moment and Iyy are not needed, all three may be nullptr, which saves their
  /// computation: usually they are not among the base parameters of a body that turns about its z
  /// axis. With `inertial`: one column per pair, the effort of the pair's joint. All pairs of a
  /// joint have the same column, in which their contributions are added.
  double* const* columns;
  /// Ten parameters per body in its frame of the plan; nullptr: the regressor columns are computed.
  const double* inertial;
  double* scratch;  ///< scratchPerLane(plan) numbers for each lane, 64-byte aligned
};

/// Working memory per lane, in numbers: per angle of a body, per motion slot, per pair slot.
inline constexpr int kScratchPerAngle = 2;
inline constexpr int kScratchPerMotion = 18;
inline constexpr int kScratchPerPair = 6;
constexpr long scratchPerLane(const BatchPlan& plan) {
  return static_cast<long>(kScratchPerAngle) * plan.num_bodies +
         static_cast<long>(kScratchPerMotion) * plan.num_motions +
         static_cast<long>(kScratchPerPair) * plan.num_slots;
}

/// Evaluates all samples of a request. The last group of lanes ends with the last sample and may
/// repeat samples of the group before.
/// @pre at least as many samples as lanes
using BatchKernel = void (*)(const BatchPlan&, const BatchRequest&);

/// Columns to filter forward and backward, in place. One second-order section is b0 b1 b2 a1 a2
/// (transposed direct form II, unit gain at 0 Hz). The columns are extended by odd reflection over
/// `pad` rows, and the first pass starts in the steady state of the extension's first value.
struct LowpassRequest {
  const double (*sections)[5];
  int num_sections;
  double* columns;
  long stride;  ///< distance between columns, in numbers
  long num_columns;
  long rows;
  long pad;       ///< at least 1, less than rows
  double* lanes;  ///< scratch: kFilterLanes (rows + 2 pad) numbers, 64-byte aligned
};

/// Most columns that are filtered at the same time.
inline constexpr int kFilterLanes = 16;

using LowpassKernel = void (*)(const LowpassRequest&);

/// Rows of a block, chosen to fit the cache. The number is an odd multiple of a cache line, so that
/// columns at this distance do not share cache sets, and a multiple of kGramTile.
inline constexpr long kGramRows = 264;
inline constexpr long kGramTile = 24;

/// Adds the Gram matrix of Z = X P U^-1, with a permutation P and an upper triangular U. The first
/// `plain` columns of U are those of the identity.
struct GramRequest {
  /// [num_columns] columns of X P. The kernel replaces the pointers of columns that are not plain
  /// by pointers to columns of Z.
  const double** columns;
  long num_columns;
  /// Number of leading columns that need no substitution.
  long plain;
  /// [num_columns x num_columns] column by column, with reciprocals on its diagonal
  const double* U;
  long rows;  ///< a multiple of kGramTile, at most kGramRows
  double* Z;  ///< scratch: kGramRows numbers per column that is not plain, 64-byte aligned
  /// The upper triangle of Z^T Z, column by column, lane by lane: entry (i, j) is the sum of the
  /// `lanes` numbers that start at lanes (j (j + 1) / 2 + i).
  double* sums;
};

using GramKernel = void (*)(const GramRequest&);

/// y[i] = tanh(by x[i]) or exp(by x[i]) for i < count. The ranges x and y must not overlap.
using FunctionKernel = void (*)(const double* x, double by, long count, double* y);

}  // namespace dynid
