#include "dynid/dynamics/batch_plan.h"

#include "dynid/dynamics/batch_body.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace dynid {
namespace {

// Allocates slots of the kernel's working memory. Freed slots are reused, so that the memory stays
// small enough for the cache.
class Places {
 public:
  int take() {
    if (free_.empty()) return count_++;
    const int place = free_.back();
    free_.pop_back();
    return place;
  }
  void giveBack(int place) { free_.push_back(place); }
  int count() const { return count_; }

 private:
  std::vector<int> free_;
  int count_ = 0;
};

/// The bodies that a wanted coordinate moves, and all between them and the root link.
std::vector<bool> neededBodies(const Robot& robot, const std::vector<bool>& wanted) {
  std::vector<bool> moved(robot.bodies.size(), false);
  for (size_t k = 0; k < moved.size(); ++k) {
    const Body& body = robot.bodies[k];
    moved[k] = (body.joint >= 0 && wanted[body.joint]) || (body.parent >= 0 && moved[body.parent]);
  }
  std::vector<bool> needed = moved;
  for (size_t k = moved.size(); k-- > 0;)
    if (needed[k] && robot.bodies[k].parent >= 0) needed[robot.bodies[k].parent] = true;
  return needed;
}

// Adds bodies in their order, parents first. The last child of a body reuses the slots of its
// parent.
class Planner {
 public:
  Planner(const Robot& robot, std::vector<bool> wanted)
      : robot_(robot),
        wanted_(std::move(wanted)),
        needed_(neededBodies(robot, wanted_)),
        last_child_(robot.bodies.size(), -1),
        place_(robot.bodies.size(), 0) {
    for (int k = 0; k < std::ssize(robot.bodies); ++k)
      if (needed_[k] && robot.bodies[k].parent >= 0) last_child_[robot.bodies[k].parent] = k;
    plan_.moved.resize(robot.numTreeJoints());
    root_ = motions_.take();
  }

  TreePlan make() && {
    for (size_t k = 0; k < robot_.bodies.size(); ++k) {
      frames_.push_back(batchFrame(robot_.bodies[k]));
      joints_.emplace_back();
      if (needed_[k]) add(k);
    }
    plan_.num_motions = motions_.count();
    plan_.num_slots = slots_.count();
    for (size_t i = 0; i < 3; ++i) plan_.base_acceleration[i] = -robot_.gravity(i);
    return std::move(plan_);
  }

 private:
  std::span<const BatchPair> pairsOf(const BatchBody& body) const {
    return {plan_.pairs.data() + body.first_pair, static_cast<size_t>(body.num_pairs)};
  }

  void add(size_t k) {
    const Body& body = robot_.bodies[k];
    const auto parent = static_cast<size_t>(body.parent);
    const BatchBody* above = body.parent < 0 ? nullptr : &plan_.bodies[place_[parent]];
    const bool last = above != nullptr && last_child_[parent] == static_cast<int>(k);
    BatchBody batch =
        batchBody(body, frames_.back(), above == nullptr ? BatchFrame{} : frames_[parent]);
    batch.parent_motion = above == nullptr ? root_ : above->motion;
    batch.motion = last ? above->motion : motions_.take();
    batch.first_pair = static_cast<int>(plan_.pairs.size());
    // The body is moved by the joints that move its parent and by its own joint.
    std::vector<int> parent_slots(plan_.moved.size(), -1);
    if (above != nullptr)
      for (size_t i = 0; i < joints_[parent].size(); ++i)
        parent_slots[joints_[parent][i]] = pairsOf(*above)[i].slot;
    for (int j = 0; j < std::ssize(plan_.moved); ++j) {
      const bool connects = body.joint == j;
      if (!wanted_[j] || (!connects && parent_slots[j] < 0)) continue;
      addPair(k,
              j,
              {parent_slots[j],
               last && parent_slots[j] >= 0 ? parent_slots[j] : slots_.take(),
               connects ? 1 : 0});
    }
    batch.num_pairs = static_cast<int>(joints_[k].size());
    place_[k] = plan_.bodies.size();
    plan_.bodies.push_back(batch);
    if (last_child_[k] >= 0) return;
    motions_.giveBack(batch.motion);
    for (const BatchPair& pair : pairsOf(batch)) slots_.giveBack(pair.slot);
  }

  void addPair(size_t body, size_t joint, const BatchPair& pair) {
    joints_[body].push_back(static_cast<int>(joint));
    plan_.pairs.push_back(pair);
    std::vector<int>& moved = plan_.moved[joint];
    for (int component : frames_[body].components())
      plan_.columns.emplace_back(static_cast<int>(joint),
                                 static_cast<int>(10 * moved.size()) + component);
    moved.push_back(static_cast<int>(body));
  }

  const Robot& robot_;
  std::vector<bool> wanted_;              // per tree coordinate
  std::vector<bool> needed_;              // per body
  std::vector<int> last_child_;           // per body, of those needed; -1: none
  std::vector<size_t> place_;             // per body that is needed: its index in plan_.bodies
  std::vector<BatchFrame> frames_;        // per body
  std::vector<std::vector<int>> joints_;  // per body: the joints of its pairs, in the same order
  Places motions_, slots_;
  int root_ = 0;  // slot of the root link's motion
  TreePlan plan_;
};

}  // namespace

BatchPlan TreePlan::view() const {
  return {bodies.data(),
          pairs.data(),
          static_cast<int>(bodies.size()),
          num_motions,
          num_slots,
          {base_acceleration[0], base_acceleration[1], base_acceleration[2]}};
}

TreePlan treePlan(const Robot& robot) {
  return treePlan(robot, std::vector<bool>(robot.numTreeJoints(), true));
}

TreePlan treePlan(const Robot& robot, const std::vector<bool>& wanted) {
  return Planner(robot, wanted).make();
}

}  // namespace dynid
