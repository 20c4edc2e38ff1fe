#include "dynid/spatial/transform.h"

namespace dynid {

Eigen::Matrix3d rotationFromRpy(const Eigen::Vector3d& rpy) {
  return rotationAbout(Eigen::Vector3d::UnitZ(), rpy.z()) *
         rotationAbout(Eigen::Vector3d::UnitY(), rpy.y()) *
         rotationAbout(Eigen::Vector3d::UnitX(), rpy.x());
}

}  // namespace dynid
