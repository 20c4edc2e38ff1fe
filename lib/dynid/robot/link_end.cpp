#include "dynid/robot/link_end.h"

namespace dynid {

Eigen::Vector3d linkEnd(const Robot& robot, int body) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  int carried = 0;
  for (const Body& other : robot.bodies) {
    if (other.parent != body) continue;
    sum += other.X_PJ.p;
    ++carried;
  }
  return carried > 0 ? Eigen::Vector3d(sum / carried) : sum;
}

}  // namespace dynid
