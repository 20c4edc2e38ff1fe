#include "dynid/model/urdf_rewrite.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/robot/load_robot.h"
#include "dynid/robot/urdf.h"
#include "dynid/robot/xml_offsets.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <functional>
#include <random>
#include <stdexcept>

namespace dynid {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Mass 2 at (0, 0.5, 0), moments 1 2 2.5 about the centre of mass: short texts.
InertialParameters simple() {
  return inertialFromCenterOfMass(2.0, {0, 0.5, 0}, Eigen::Vector3d(1, 2, 2.5).asDiagonal());
}
constexpr const char* kOrigin = "<origin xyz=\"0 0.5 0\" rpy=\"0 0 0\"/>";
constexpr const char* kMass = "<mass value=\"2\"/>";
constexpr const char* kInertia =
    "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"2\" iyz=\"0\" izz=\"2.5\"/>";

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "(nothing was refused)";
}

/// A physically possible body: point masses around its origin.
InertialParameters randomBody(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-0.3, 0.3);
  InertialParameters pi = InertialParameters::Zero();
  for (int i = 0; i < 6; ++i) {
    const double x = uniform(random), y = uniform(random), z = uniform(random);
    pi += inertialFromCenterOfMass(uniform(random) + 0.5, {x, y, z}, Eigen::Matrix3d::Zero());
  }
  return pi;
}

constexpr const char* kAwkward =
    "\xEF\xBB\xBF<?xml version='1.0'  encoding=\"utf-8\"?>\r\n"
    "<!-- <link name=\"arm\"><inertial/></link> -->\r\n"
    "<robot   name='r'\txmlns:xacro=\"http://x\">\r\n"
    "\t<gazebo>\r\n\t\t<link name=\"arm\"><inertial><mass "
    "value=\"7\"/></inertial></link>\r\n\t</gazebo>\r\n"
    "\t<![CDATA[ <link name=\"arm\"/> ]]>\r\n"
    "\t<link\tname = 'base'  />\r\n"
    "\t<link name=\"arm\"><!-- <inertial/> -->\r\n"
    "\t\t<visual> <geometry><box size=\"1 1 1\"/></geometry> </visual>   \r\n"
    "\t\t<inertial>\r\n\t\t   <inertia izz=\"1\" iyy=\"1\" ixx=\"1\"/><mass "
    "value=\"1\"/>\r\n\t\t</inertial> <!-- kept -->\r\n"
    "\t</link>\r\n"
    "\t<link name=\"a &amp; b\"></link>\r\n"
    "\t<joint type=\"revolute\" name=\"j\"><parent link=\"base\"/><child link=\"arm\"/>\r\n"
    "\t\t<dynamics   friction = '0.5'\tspring_stiffness=\"3\"/>\r\n"
    "\t</joint>\r\n"
    "\t<joint name=\"k\" type=\"revolute\">\r\n\t\t<parent link=\"arm\"/>\r\n\t\t<child link=\"a "
    "&amp; b\"/>\r\n\t</joint>\r\n"
    "</robot>\r\n<!-- end > -->";

TEST(UrdfRewrite, ReplacesInPlaceAndNothingElse) {
  const std::string text =
      "<robot name=\"r\">\n  <!-- mine -->\n  <link name=\"a\">\n    <visual/>\n    <inertial>\n"
      "      <mass value=\"9\"/>\n    </inertial>\n    <collision/>\n  </link>\n</robot>\n";
  EXPECT_EQ(rewriteUrdf(text, {{"a", simple()}}, {}),
            std::string("<robot name=\"r\">\n  <!-- mine -->\n  <link name=\"a\">\n    <visual/>\n "
                        "   <inertial>\n      ") +
                kOrigin + "\n      " + kMass + "\n      " + kInertia +
                "\n    </inertial>\n    <collision/>\n  </link>\n</robot>\n");
}

TEST(UrdfRewrite, InsertsAsFirstChildWithTheFilesIndentation) {
  EXPECT_EQ(
      rewriteUrdf("<robot name=\"r\">\n\t<link name=\"a\">\n\t\t<visual/>\n\t</link>\n</robot>",
                  {{"a", simple()}},
                  {}),
      std::string("<robot name=\"r\">\n\t<link name=\"a\">\n\t\t<inertial>\n\t\t\t") + kOrigin +
          "\n\t\t\t" + kMass + "\n\t\t\t" + kInertia +
          "\n\t\t</inertial>\n\t\t<visual/>\n\t</link>\n</robot>");
}

TEST(UrdfRewrite, OpensSelfClosingAndEmptyLinks) {
  const std::string inertial = std::string("    <inertial>\n      ") + kOrigin + "\n      " +
                               kMass + "\n      " + kInertia + "\n    </inertial>\n";
  EXPECT_EQ(
      rewriteUrdf("<robot name=\"r\">\n  <link name=\"a\"/>\n</robot>", {{"a", simple()}}, {}),
      "<robot name=\"r\">\n  <link name=\"a\">\n" + inertial + "  </link>\n</robot>");
  EXPECT_EQ(rewriteUrdf(
                "<robot name=\"r\">\n  <link name=\"a\"></link>\n</robot>", {{"a", simple()}}, {}),
            "<robot name=\"r\">\n  <link name=\"a\">\n" + inertial + "  </link>\n</robot>");
}

TEST(UrdfRewrite, AFileOfOneLineStaysOneLine) {
  EXPECT_EQ(
      rewriteUrdf("<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><inertial/></link></robot>",
                  {{"a", simple()}, {"b", simple()}},
                  {}),
      std::string("<robot name=\"r\"><link name=\"a\"><inertial>") + kOrigin + kMass + kInertia +
          "</inertial></link><link name=\"b\"><inertial>" + kOrigin + kMass + kInertia +
          "</inertial></link></robot>");
}

TEST(UrdfRewrite, DampingAndFrictionChangeInTheirOwnAttributes) {
  const std::string text =
      "<robot name=\"r\">\n <joint name=\"j\"><dynamics  friction='1' damping = \"2\" "
      "other=\"3\"/></joint>\n"
      " <joint name=\"k\"><dynamics/></joint>\n <joint name=\"l\">\n  <axis/>\n </joint>\n</robot>";
  EXPECT_EQ(
      rewriteUrdf(text, {}, {{"j", {0.25, 0.5}}, {"k", {4, 8}}, {"l", {1, 2}}}),
      "<robot name=\"r\">\n <joint name=\"j\"><dynamics  friction='0.5' damping = \"0.25\" "
      "other=\"3\"/></joint>\n"
      " <joint name=\"k\"><dynamics damping=\"4\" friction=\"8\"/></joint>\n <joint name=\"l\">\n"
      "  <dynamics damping=\"1\" friction=\"2\"/>\n  <axis/>\n </joint>\n</robot>");
}

TEST(UrdfRewrite, LumpedLinksLoseTheirInertialWithItsLine) {
  const std::string text =
      "<robot name=\"r\">\r\n  <link name=\"a\">\r\n    <inertial>\r\n    </inertial>\r\n    "
      "<visual/>\r\n  </link>\r\n"
      "  <link name=\"b\"><inertial/><visual/></link>\r\n  <link name=\"c\"/>\r\n</robot>";
  EXPECT_EQ(rewriteUrdf(text, {}, {}, {"a", "b", "c"}),
            "<robot name=\"r\">\r\n  <link name=\"a\">\r\n    <visual/>\r\n  </link>\r\n  <link "
            "name=\"b\"><visual/></link>\r\n"
            "  <link name=\"c\"/>\r\n</robot>");
}

TEST(UrdfRewrite, NothingToChangeChangesNothing) {
  EXPECT_EQ(rewriteUrdf(kAwkward, {}, {}), kAwkward);
}

TEST(UrdfRewrite, CommentsCdataAndForeignBlocksStayUntouched) {
  const std::string out = rewriteUrdf(kAwkward,
                                      {{"arm", simple()}, {"base", simple()}, {"a & b", simple()}},
                                      {{"j", {0.25, 0.75}}, {"k", {1, 2}}});
  // Parts that must be kept, in order, byte by byte.
  const std::vector<std::string> kept = {
      ("\xEF\xBB\xBF<?xml version='1.0'  encoding=\"utf-8\"?>\r\n<!-- <link "
       "name=\"arm\"><inertial/></link> -->\r\n"
       "<robot   name='r'\txmlns:xacro=\"http://x\">\r\n\t<gazebo>\r\n\t\t<link "
       "name=\"arm\"><inertial><mass value=\"7\"/>"
       "</inertial></link>\r\n\t</gazebo>\r\n\t<![CDATA[ <link name=\"arm\"/> ]]>\r\n\t<link\tname "
       "= 'base'  >\r\n\t\t<inertial>"),
      ("\r\n\t</link>\r\n\t<link name=\"arm\"><!-- <inertial/> -->\r\n\t\t<visual> <geometry><box "
       "size=\"1 1 1\"/></geometry> "
       "</visual>   \r\n\t\t<inertial>\r\n\t\t   <origin"),
      ("\r\n\t\t</inertial> <!-- kept -->\r\n\t</link>\r\n\t<link name=\"a &amp; "
       "b\">\r\n\t\t<inertial>"),
      ("<dynamics   friction = '0.75'\tspring_stiffness=\"3\" "
       "damping=\"0.25\"/>\r\n\t</joint>\r\n\t<joint name=\"k\" "
       "type=\"revolute\">\r\n\t\t<dynamics damping=\"1\" friction=\"2\"/>\r\n\t\t<parent "
       "link=\"arm\"/>\r\n"),
      "\t</joint>\r\n</robot>\r\n<!-- end > -->"};
  size_t at = 0;
  for (const std::string& piece : kept) {
    const size_t found = out.find(piece, at);
    ASSERT_NE(found, std::string::npos) << piece << "\n---- in ----\n" << out;
    at = found + piece.size();
  }
  EXPECT_EQ(out.find('\n'), out.find("\r\n") + 1);
  EXPECT_THAT(out, Not(HasSubstr("<mass value=\"1\"/>")));
  for (size_t i = 0; i < out.size(); ++i)
    if (out[i] == '\n') {
      EXPECT_EQ(out[i - 1], '\r') << "a bare line end at byte " << i;
    }
}

TEST(UrdfRewrite, ReloadedInertialsAreTheGivenOnes) {
  std::mt19937 random(7);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const InertialParameters arm = randomBody(random), last = randomBody(random);
    const std::string out =
        rewriteUrdf(kAwkward, {{"arm", arm}, {"a & b", last}}, {{"k", {0.1, 1.0 / 3.0}}});
    const Robot robot = parseRobot("", out);
    ASSERT_EQ(robot.numBodies(), 2);
    for (const auto& [body, pi] : {std::pair{0, arm}, std::pair{1, last}})
      // converted to the centre of mass and back: rounding errors only
      for (int i = 0; i < 10; ++i)
        EXPECT_NEAR((*robot.bodies[body].prior)(i), pi(i), 4e-16 * pi.norm());
    EXPECT_EQ(robot.joints[1].damping, 0.1);
    EXPECT_EQ(robot.joints[1].friction, 1.0 / 3.0);
    EXPECT_EQ(robot.joints[0].friction, 0.5);
    // Writing the same numbers again changes no byte: 17 digits represent every number.
    EXPECT_EQ(rewriteUrdf(out, {}, {{"k", {0.1, 1.0 / 3.0}}}), out);
  }
}

TEST(UrdfRewrite, AllZeroIsWrittenAsZeros) {
  const std::string out =
      rewriteUrdf("<robot><link name=\"a\"/></robot>", {{"a", InertialParameters::Zero()}}, {});
  EXPECT_THAT(out, HasSubstr("<origin xyz=\"0 0 0\" rpy=\"0 0 0\"/><mass value=\"0\"/>"));
  EXPECT_FALSE(parseUrdf(out, "x").links[0].inertial.has_value());
}

TEST(UrdfRewrite, WhatCannotBeWrittenIsRefused) {
  const std::string text = "<robot><link name=\"arm\"/><joint name=\"j\"/></robot>";
  EXPECT_EQ(refusal([&] {
              rewriteUrdf(text, {{"arn", simple()}}, {});
            }),
            "the URDF has no link \"arn\"; did you mean \"arm\"?");
  EXPECT_EQ(refusal([&] {
              rewriteUrdf(text, {}, {{"arm", {}}});
            }),
            "the URDF has no joint \"arm\"");
  EXPECT_EQ(refusal([&] { rewriteUrdf(text, {}, {}, {"x"}); }), "the URDF has no link \"x\"");
  InertialParameters massless = simple();
  massless(0) = 0.0;
  EXPECT_THAT(refusal([&] {
                rewriteUrdf(text, {{"arm", massless}}, {});
              }),
              HasSubstr("got the mass 0 kg; a positive mass"));
  massless(0) = std::nan("");
  EXPECT_THAT(refusal([&] {
                rewriteUrdf(text, {{"arm", massless}}, {});
              }),
              HasSubstr("a parameter of link \"arm\" is not finite"));
  EXPECT_THAT(refusal([&] {
                rewriteUrdf(text, {}, {{"j", {std::nan(""), 0}}});
              }),
              HasSubstr("is not finite"));
  EXPECT_THAT(refusal([&] {
                rewriteUrdf(text, {{"arm", simple()}}, {}, {"arm"});
              }),
              HasSubstr("listed as massless"));
}

TEST(XmlOffsets, GivesThePlaceOfEverything) {
  const std::string text = "<!DOCTYPE r><r a='1 &gt; &#x41;&#228;'> <s/>text<t>x</t ></r>";
  const XmlSpan root = locateElements(text);
  EXPECT_EQ(text.substr(root.begin, root.end - root.begin), text.substr(12));
  EXPECT_EQ(root.attributes[0].value, "1 > A\xC3\xA4");
  EXPECT_EQ(text.substr(root.attributes[0].value_begin, 4), "1 &g");
  ASSERT_EQ(root.children.size(), 2u);
  EXPECT_TRUE(root.child("s")->self_closing);
  const XmlSpan& t = *root.child("t");
  EXPECT_EQ(text.substr(t.content_begin, t.content_end - t.content_begin), "x");
  EXPECT_EQ(text.substr(t.begin, t.end - t.begin), "<t>x</t >");
  EXPECT_EQ(root.child("u"), nullptr);
}

TEST(XmlOffsets, BrokenTextsAreRefused) {
  for (const char* broken : {"",
                             "no tags",
                             "<a>",
                             "<a></b>",
                             "<a b></a>",
                             "<a b=c></a>",
                             "<a b=\"c></a>",
                             "<a",
                             "<!-- <a/>",
                             "<a><![CDATA[ </a>"})
    EXPECT_THROW(locateElements(broken), InputError) << broken;
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  EXPECT_THROW(locateElements(deep), InputError);
}

/// On real descriptions: only the inertias in the text change; without them the bytes are equal.
TEST(UrdfRewrite, RealDescriptionsKeepEveryOtherByte) {
  const std::filesystem::path folder = DYNID_DATASETS_DIR;
  std::mt19937 random(11);
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".urdf") continue;
    ++files;
    const std::string text = readTextFile(entry.path());
    const Robot before = parseRobot("", text);
    std::map<std::string, InertialParameters> inertials;
    std::set<std::string> links;
    for (const Body& body : before.bodies) {
      inertials[body.name] = randomBody(random);
      links.insert(body.name);
    }
    const std::string out = rewriteUrdf(text, inertials, {});
    const Robot after = parseRobot("", out);
    for (const Body& body : after.bodies) {
      ASSERT_TRUE(body.prior.has_value()) << body.name;
      EXPECT_LT((*body.prior - inertials.at(body.name)).norm(),
                1e-15 * inertials.at(body.name).norm());
    }
    // Links expanded to elements with content stay so; compare with a text whose links were
    // expanded by hand.
    std::string opened = text;
    for (const std::string& link : links) {
      const std::string closed = "<link name=\"" + link + "\"/>";
      const size_t at = opened.find(closed);
      if (at != std::string::npos)
        opened.replace(at, closed.size(), "<link name=\"" + link + "\">\n  </link>");
    }
    EXPECT_EQ(rewriteUrdf(out, {}, {}, links), rewriteUrdf(opened, {}, {}, links)) << entry.path();
  }
  EXPECT_GE(files, 9);
}

TEST(UrdfRewrite, DriveInertiaGoesIntoTheTransmission) {
  const std::string text =
      "<robot name=\"r\">\n<link name=\"b\"/><link name=\"a\"/>"
      "<joint name=\"j\" type=\"continuous\"><parent link=\"b\"/><child link=\"a\"/></joint>\n"
      "<transmission name=\"t\"><joint name=\"j\"/><actuator name=\"m\">"
      "<drake:gear_ratio value=\"10\"/></actuator></transmission>\n"
      "<transmission name=\"two\"><joint name=\"k\"/><joint name=\"l\"/><actuator name=\"n\"/>"
      "</transmission>\n</robot>\n";
  EXPECT_EQ(jointsWithTransmission(text), std::set<std::string>{"j"});
  std::string expected = text;
  const std::string out = rewriteUrdf(text, {}, {}, {}, {{"j", 2.0}});
  expected.insert(expected.find("<robot name=\"r\"") + 15, " xmlns:drake=\"http://drake.mit.edu\"");
  expected.insert(expected.find("<drake:gear_ratio"), "<drake:rotor_inertia value=\"0.02\"/>");
  EXPECT_EQ(out, expected);
  EXPECT_EQ(rewriteUrdf(out, {}, {}, {}, {{"j", 2.0}}), out);  // written twice, it is the same
  EXPECT_THROW(rewriteUrdf(text, {}, {}, {}, {{"k", 1.0}}), std::invalid_argument);
}

TEST(UrdfRewrite, ABlankBehindTheOpeningBracketIsAcceptedAsByTheReader) {
  const std::string text =
      "<robot name=\"r\"><link name=\"base\"/>< link name=\"a\"/>\n"
      "<joint name=\"j\" type=\"revolute\"><parent link=\"base\"/><child link=\"a\"/>\n"
      " <   limit lower=\"-1\" upper=\"1\"/>< dynamics/></joint>< /robot>\n";
  const std::string out =
      rewriteUrdf(text,
                  {{"a", inertialFromCenterOfMass(1.0, {0, 0, 0}, Eigen::Matrix3d::Identity())}},
                  {{"j", {2.0, 3.0}}});
  const Robot robot = parseRobot("", out);
  EXPECT_EQ(robot.joints[0].damping, 2.0);
  EXPECT_EQ(robot.joints[0].limits.upper, 1.0);
  ASSERT_TRUE(robot.bodies[0].prior.has_value());
}

}  // namespace
}  // namespace dynid
