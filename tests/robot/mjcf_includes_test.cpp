#include "dynid/robot/mjcf_includes.h"

#include <gtest/gtest.h>

namespace dynid {
namespace {

TEST(MjcfIncludes, EveryByteOutsideOfTheIncludesIsKept) {
  const std::string scene =
      "<?xml version=\"1.0\"?>\n<!-- <include file=\"no.xml\"/> -->\n<mujoco model='s'>\n"
      "  <include file=\"arm.xml\"/>\n  <option  gravity=\"0 0 -1\"/>\n</mujoco>\n";
  const std::string arm =
      "<mujoco model=\"arm\">\n  <!-- kept -->\n  <compiler meshdir='m' angle=\"radian\"/>\n"
      "  <worldbody><include file='link.xml'></include></worldbody>\n</mujoco>\n";
  const MjcfIncludes includes = {
      {{"f/scene.xml", "arm.xml"}, {"f/arm.xml", arm}},
      {{"f/arm.xml", "link.xml"},
       {"f/link.xml", "<mujocoinclude>\n <body name=\"a\"/>\n</mujocoinclude>"}}};
  EXPECT_EQ(mergedMjcf(scene, "f/scene.xml", includes),
            "<?xml version=\"1.0\"?>\n<!-- <include file=\"no.xml\"/> -->\n<mujoco model='s'>\n"
            "  <!-- kept -->\n  <compiler meshdir='m' angle=\"radian\"/>\n"
            "  <worldbody><body name=\"a\"/></worldbody>\n  <option  gravity=\"0 0 -1\"/>\n"
            "</mujoco>\n");
}

TEST(MjcfIncludes, AnEmptyFileLeavesNothing) {
  EXPECT_EQ(mergedMjcf("<mujoco><include file=\"e.xml\"/></mujoco>",
                       "m.xml",
                       {{{"m.xml", "e.xml"}, {"e.xml", "<mujocoinclude/>"}}}),
            "<mujoco></mujoco>");
}

}  // namespace
}  // namespace dynid
