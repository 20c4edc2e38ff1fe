#include "dynid/robot/kinematic_tree.h"

#include "dynid/core/text.h"
#include "dynid/robot/urdf.h"

#include <Eigen/Geometry>
#include <gmock/gmock.h>

#include "test_texts.h"
#include <map>
#include <random>

namespace dynid {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string mimic(const std::string& master, double multiplier, double offset) {
  return "<mimic joint=\"" + master + "\" multiplier=\"" + toText(multiplier, 17) + "\" offset=\"" +
         toText(offset, 17) + "\"/>";
}

std::string inertialOf(double mass, const Eigen::Vector3d& com) {
  return "<inertial><origin xyz=\"" + toText(com.x(), 17) + " " + toText(com.y(), 17) + " " +
         toText(com.z(), 17) + "\" rpy=\"0.1 0.2 0.3\"/><mass value=\"" + toText(mass, 17) +
         "\"/><inertia ixx=\"0.3\" ixy=\"0.01\" ixz=\"0.02\" iyy=\"0.4\" iyz=\"0.03\" "
         "izz=\"0.5\"/></inertial>";
}

TEST(KinematicTree, MimicsOfMimicsCompose) {
  const std::string text = urdf(link("base") + link("a") + link("b") + link("c") +
                                joint("j3", "revolute", "b", "c", mimic("j2", 2.0, 0.5)) +
                                joint("j2", "revolute", "a", "b", mimic("j1", -3.0, 0.25)) +
                                joint("j1", "revolute", "base", "a"));
  const Robot robot = parseRobot("", text);
  ASSERT_THAT(robot.jointNames(), ElementsAre("j1"));
  ASSERT_EQ(robot.numBodies(), 3);
  EXPECT_EQ(robot.bodies[2].joint_name, "j3");
  EXPECT_EQ(robot.bodies[2].joint, 0);
  EXPECT_EQ(robot.bodies[2].multiplier, -6.0);
  EXPECT_EQ(robot.bodies[2].offset, 2.0 * 0.25 + 0.5);
}

TEST(KinematicTree, MastersMayComeLaterInTheTree) {
  const std::string text = urdf(link("base") + link("a") + link("b") +
                                joint("j1", "revolute", "base", "a", mimic("j2", 1.0, 0.0)) +
                                joint("j2", "revolute", "a", "b"));
  const Robot robot = parseRobot("", text);
  EXPECT_THAT(robot.jointNames(), ElementsAre("j2"));
  EXPECT_EQ(robot.bodies[0].joint, 0);
  EXPECT_EQ(robot.joints[0].body, 1);
}

TEST(KinematicTree, BrokenMimicsAreRefused) {
  const auto chain = [](const std::string& first, const std::string& second) {
    return urdf(link("base") + link("a") + link("b") + joint("j1", "revolute", "base", "a", first) +
                joint("j2", "revolute", "a", "b", second));
  };
  EXPECT_EQ(urdfError(chain("", "<mimic joint=\"j3\"/>")),
            "robot.urdf:6: joint \"j2\" mimics \"j3\", which the file does not have");
  EXPECT_THAT(urdfError(chain(mimic("j2", 1, 0), mimic("j1", 1, 0))),
              HasSubstr("mimics itself in a cycle"));
  EXPECT_THAT(urdfError(chain("", mimic("j2", 1, 0))),
              HasSubstr("joint \"j2\" mimics itself in a cycle"));
}

TEST(KinematicTree, IgnoredJointsAreHeldAndTheirMimicsWithThem) {
  const std::string text = urdf(
      link("base") + link("a") + link("b") + link("c") +
      joint("j1", "revolute", "base", "a", "<axis xyz=\"0 0 1\"/>") +
      joint("grip", "prismatic", "a", "b", "<axis xyz=\"0 1 0\"/><origin xyz=\"1 0 0\"/>") +
      joint("twin", "prismatic", "a", "c", "<axis xyz=\"0 1 0\"/>" + mimic("grip", -2.0, 0.5)));
  const Robot robot = parseRobot("[ignore]\ngrip = 0.02\n", text);
  ASSERT_EQ(robot.numBodies(), 1);
  ASSERT_THAT(robot.jointNames(), ElementsAre("j1"));
  EXPECT_EQ(robot.findLink("b").second.p, Eigen::Vector3d(1, 0.02, 0));
  EXPECT_EQ(robot.findLink("c").second.p, Eigen::Vector3d(0, 0.46, 0));
}

TEST(KinematicTree, ExcludedJointsAreHeldAtZeroOrAtTheDescriptionsValue) {
  const std::string text =
      urdf(link("base") + link("a") + link("b") + joint("j1", "revolute", "base", "a") +
           joint("j2", "prismatic", "a", "b"));
  RobotOptions options;
  options.exclude_joints = {"j2"};
  EXPECT_EQ(parseRobot("", text, options).findLink("b").second.p, Eigen::Vector3d(0, 0, 0));
  EXPECT_EQ(parseRobot("ignore = { j2 = 0.3 }", text, options).findLink("b").second.p,
            Eigen::Vector3d(0.3, 0, 0));
  options.exclude_joints = {"j2=-0.2"};
  EXPECT_EQ(parseRobot("ignore = { j2 = 0.3 }", text, options).findLink("b").second.p,
            Eigen::Vector3d(-0.2, 0, 0));
  const std::map<std::string, double> held{{"j2", 0.1 + 0.2}};
  EXPECT_EQ(parseRobot("", text, holding(held)).ignored_joints, held) << "to the last bit";
  options.exclude_joints = {"j2=far"};
  EXPECT_THAT(
      [&] { parseRobot("", text, options); },
      testing::ThrowsMessage<UsageError>(HasSubstr("the position of j2 is \"far\"; expected")));
  options.exclude_joints = {"j3"};
  try {
    parseRobot("", text, options);
    FAIL() << "an unknown joint was excluded";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("`exclude_joints`: \"j3\" is not a joint of robot.urdf"));
  }
  options.exclude_joints = {"j1,j2"};
  EXPECT_THAT(
      [&] { parseRobot("", text, options); },
      testing::ThrowsMessage<UsageError>(HasSubstr("repeat `exclude_joints` for every joint")));
}

TEST(KinematicTree, SomethingMustMove) {
  const std::string text = urdf(link("base") + link("a") + joint("j1", "revolute", "base", "a"));
  EXPECT_THAT(urdfError(urdf(link("base"))),
              HasSubstr("robot.urdf: no joint moves; a robot needs"));
  EXPECT_THAT(inputError([&] { parseRobot("ignore = [\"j1\"]", text); }),
              HasSubstr("no joint moves once the ignored and excluded ones are held"));
}

// Ten columns per link and a row per joint would fill the memory.
TEST(KinematicTree, MoreJointsThanAnyRobotHasAreRefused) {
  std::string chain = link("l0");
  for (int i = 1; i <= 1001; ++i) {
    const std::string child = "l" + std::to_string(i);
    chain += link(child) + joint("j" + child, "revolute", "l" + std::to_string(i - 1), child);
  }
  EXPECT_THAT(urdfError(urdf(chain)), HasSubstr("1001 joints move; at most 1000 are read"));
}

TEST(KinematicTree, ThreeFixedLinksAreOneBodyWithTheSummedPrior) {
  const std::string text =
      urdf(link("base") + link("a", inertialOf(1.0, {0.1, 0.2, 0.3})) +
           link("b", inertialOf(2.0, {0, 0.1, 0})) + link("c", inertialOf(0.5, {0.3, 0, 0})) +
           joint("j", "revolute", "base", "a") +
           joint("f1", "fixed", "a", "b", "<origin xyz=\"0.5 0 0\" rpy=\"0 0.4 0\"/>") +
           joint("f2", "fixed", "b", "c", "<origin xyz=\"0 0.7 0\" rpy=\"1 0 0\"/>"));
  const Robot robot = parseRobot("", text);
  ASSERT_EQ(robot.numBodies(), 1);
  const Body& body = robot.bodies[0];
  ASSERT_EQ(body.links.size(), 3u);
  const Transform X_ab{rotationFromRpy({0, 0.4, 0}), {0.5, 0, 0}},
      X_bc{rotationFromRpy({1, 0, 0}), {0, 0.7, 0}};
  EXPECT_LT((body.links[2].X_BL.p - (X_ab * X_bc).p).norm(), 1e-15);
  const InertialParameters expected = *body.links[0].inertial +
                                      transformed(X_ab, *body.links[1].inertial) +
                                      transformed(X_ab * X_bc, *body.links[2].inertial);
  ASSERT_TRUE(body.prior.has_value());
  EXPECT_LT((*body.prior - expected).norm(), 1e-14);
  EXPECT_DOUBLE_EQ((*body.prior)(0), 3.5);
}

TEST(KinematicTree, APriorNeedsTheInertiaOfEveryLinkBehindAMovingJoint) {
  const std::string known = inertialOf(1.0, {0, 0, 0});
  const auto prior_of = [&](const std::string& a, const std::string& b, const std::string& type) {
    return parseRobot(
               "",
               urdf(link("base") + link("a", a) + link("b", b) +
                    joint("j", "revolute", "base", "a") + joint("k", type, "a", "b")),
               {type == "fixed" ? std::vector<std::string>{} : std::vector<std::string>{"k"}})
        .bodies[0]
        .prior;
  };
  EXPECT_TRUE(prior_of(known, known, "fixed").has_value());
  EXPECT_TRUE(prior_of(known, "", "fixed").has_value());  // a frame without mass
  EXPECT_FALSE(prior_of("", known, "fixed").has_value());
  EXPECT_TRUE(prior_of(known, known, "revolute").has_value());
  EXPECT_FALSE(prior_of(known, "", "revolute").has_value());  // beyond a joint that is held fixed
}

// A link without geometry is a frame in files that give geometry to other links.
TEST(KinematicTree, FramesHaveNoMass) {
  const std::string shape = "<visual><geometry><sphere radius=\"0.1\"/></geometry></visual>";
  const auto prior_of = [&](const std::string& flange, const std::string& hand) {
    return parseRobot("",
                      urdf(link("base", shape) + link("flange", flange) + link("hand", hand) +
                           joint("j", "revolute", "base", "flange") +
                           joint("f", "fixed", "flange", "hand")))
        .bodies[0]
        .prior;
  };
  const std::string known = inertialOf(3.0, {0, 0, 0});
  ASSERT_TRUE(prior_of("", known).has_value());
  EXPECT_DOUBLE_EQ((*prior_of("", known))(0), 3.0);
  EXPECT_FALSE(prior_of(shape, known).has_value());
  EXPECT_FALSE(prior_of("", "").has_value());
  const Robot floating = parseRobot(
      "base = \"floating\"",
      urdf(link("base") + link("torso", known + shape) + link("leg", known + shape) +
           joint("f", "fixed", "base", "torso") + joint("j", "revolute", "torso", "leg")));
  ASSERT_TRUE(floating.root_prior.has_value());
  EXPECT_DOUBLE_EQ((*floating.root_prior)(0), 3.0);
}

// Between its two joints the body "b" has a frame without mass, which joins the body of the joint
// that still moves.
TEST(KinematicTree, AFrameOfAHeldJointDoesNotMakeItsBodyMassless) {
  const auto robot = [](const std::string& held) {
    const std::string inertial = "<inertial pos=\"0 0 0.1\" mass=\"2\" diaginertia=\"1 1 1\"/>";
    return parseRobot("ignore = [\"" + held + "\"]",
                      "<mujoco><worldbody><body name=\"a\">" + inertial +
                          "<joint name=\"j\"/><body name=\"b\">" + inertial +
                          "<joint name=\"k\"/><joint name=\"l\" axis=\"1 0 0\"/>"
                          "</body></body></worldbody></mujoco>");
  };
  for (const char* held : {"k", "l"}) {
    const Robot one_held = robot(held);
    ASSERT_EQ(one_held.numBodies(), 2);
    for (const Body& body : one_held.bodies) {
      EXPECT_FALSE(body.massless) << body.name;
      ASSERT_TRUE(body.prior.has_value()) << body.name;
      EXPECT_DOUBLE_EQ((*body.prior)(0), 2.0) << body.name;
    }
  }
  EXPECT_TRUE(robot("j").bodies[0].massless);
}

TEST(KinematicTree, FixedLinksOfTheBaseAreKeptAside) {
  const Robot robot =
      parseRobot("",
                 urdf(link("world") + link("base", inertialOf(4.0, {0, 0, 0})) + link("a") +
                      joint("f", "fixed", "world", "base", "<origin xyz=\"0 0 1\"/>") +
                      joint("j", "revolute", "base", "a")));
  EXPECT_EQ(robot.root_link, "world");
  ASSERT_EQ(robot.root_links.size(), 2u);
  EXPECT_EQ(robot.root_links[1].name, "base");
  EXPECT_EQ(robot.bodies[0].X_PJ.p, Eigen::Vector3d(0, 0, 1));
  EXPECT_EQ(robot.bodies[0].parent, -1);
}

TEST(KinematicTree, AFloatingJointBelowTheRootFreesTheBase) {
  const std::string text =
      urdf(link("world") + link("pelvis") + link("leg") +
           joint("free", "floating", "world", "pelvis", "<origin xyz=\"0 0 1\"/>") +
           joint("hip", "revolute", "pelvis", "leg"));
  const Robot floating = parseRobot("", text);
  EXPECT_TRUE(floating.floating_base);
  EXPECT_EQ(floating.root_link, "pelvis");
  EXPECT_EQ(floating.bodies[0].X_PJ.p, Eigen::Vector3d(0, 0, 0));
  const Robot bolted = parseRobot("base = \"fixed\"", text);
  EXPECT_FALSE(bolted.floating_base);
  EXPECT_EQ(bolted.root_link, "world");
  EXPECT_EQ(bolted.bodies[0].X_PJ.p, Eigen::Vector3d(0, 0, 1));
  EXPECT_TRUE(parseRobot("base = \"floating\"", threeJoints()).floating_base);
}

TEST(KinematicTree, OtherFloatingJointsAreRefused) {
  EXPECT_THAT(urdfError(urdf(link("w") + link("a") + link("b") + joint("j", "revolute", "w", "a") +
                             joint("free", "floating", "a", "b"))),
              HasSubstr("robot.urdf:6: floating joint \"free\" is not attached to the root link "
                        "\"w\"; only the base may float"));
  EXPECT_THAT(urdfError(urdf(link("w") + link("a") + link("b") + joint("j", "revolute", "w", "a") +
                             joint("free", "floating", "w", "b"))),
              HasSubstr("other children besides the floating joint"));
}

// By the power of the forces: the mimic joint moves three times as fast as its master.
TEST(KinematicTree, MastersMoveAgainstTheFrictionOfTheirMimics) {
  const Robot robot = parseRobot(
      "",
      urdf(
          link("base") + link("a") + link("b") +
          joint("j", "revolute", "base", "a", "<dynamics damping=\"2\" friction=\"0.5\"/>") +
          joint("k",
                "revolute",
                "base",
                "b",
                "<mimic joint=\"j\" multiplier=\"-3\"/><dynamics damping=\"1\" friction=\"4\"/>")));
  EXPECT_DOUBLE_EQ(robot.joints[0].damping, 2.0 + 9.0);
  EXPECT_DOUBLE_EQ(robot.joints[0].friction, 0.5 + 12.0);
}

TEST(KinematicTree, LimitsOfMimicsMapToTheirMaster) {
  const std::string text =
      urdf(link("base") + link("a") + link("b") +
           joint("j1",
                 "revolute",
                 "base",
                 "a",
                 "<limit lower=\"-2\" upper=\"2\" effort=\"1\" velocity=\"3\"/>") +
           joint("j2",
                 "revolute",
                 "a",
                 "b",
                 "<limit lower=\"-1\" upper=\"0.5\" velocity=\"4\"/>" + mimic("j1", -2.0, 0.1)));
  const JointLimits limits = parseRobot("", text).joints[0].limits;
  EXPECT_DOUBLE_EQ(limits.lower, -0.2);  // (0.5 - 0.1)/-2
  EXPECT_DOUBLE_EQ(limits.upper, 0.55);  // (-1 - 0.1)/-2
  EXPECT_DOUBLE_EQ(limits.velocity, 2.0);
  EXPECT_EQ(limits.effort, 1.0);
}

TEST(KinematicTree, LimitsOfMimicsThatLeaveTheirMasterNoRangeAreSaid) {
  const auto fingers = [](const std::string& of_mimic) {
    return parseRobot(
        "",
        urdf(link("base") + link("a") + link("b") +
             joint("j1", "prismatic", "base", "a", "<limit lower=\"0\" upper=\"0.04\"/>") +
             joint("j2", "prismatic", "base", "b", of_mimic + mimic("j1", 1.0, 0.0))));
  };
  const Robot wrong = fingers("<limit lower=\"-0.04\" upper=\"0\"/>");
  EXPECT_EQ(wrong.joints[0].limits.upper, 0.04);
  EXPECT_THAT(
      wrong.warnings,
      ::testing::ElementsAre("position limits that leave the joint to be followed no range are "
                             "ignored: joints with <mimic> j2"));
  const Robot right = fingers("<limit lower=\"0\" upper=\"0.03\"/>");
  EXPECT_EQ(right.joints[0].limits.upper, 0.03);
  EXPECT_TRUE(right.warnings.empty());
}

TEST(KinematicTree, ALongChainDoesNotExhaustTheStack) {
  std::string text = link("l0");
  for (int i = 1; i <= 20000; ++i) {
    const std::string parent = "l" + std::to_string(i - 1), child = "l" + std::to_string(i);
    text +=
        link(child) + joint("j" + std::to_string(i), i == 1 ? "revolute" : "fixed", parent, child);
  }
  EXPECT_EQ(parseRobot("", urdf(text)).bodies[0].links.size(), 20000u);
}

// ---- Random trees: an independent interpretation of the same tree, link by link, must give the
// same poses and inertia. ----

struct RandomJoint {
  std::string type;
  int parent = 0;
  Transform X_PC;
  Eigen::Vector3d axis;
  int master = -1;  ///< index of the joint whose position it mimics
  double multiplier = 1.0, offset = 0.0;
  double held = std::nan("");
  double mass = 0.0;
  Eigen::Vector3d com;
};

class RandomTree {
 public:
  explicit RandomTree(unsigned seed) : random_(seed) {
    const int n = 2 + static_cast<int>(random_() % 12);
    text_ = link("l0");
    for (int i = 1; i <= n; ++i) add(i);
    text_ = urdf(text_);
  }
  const std::string& text() const { return text_; }
  const std::string& description() const { return description_; }

  /// Position of every URDF joint, given those of the robot's joints.
  std::vector<double> positions(const std::map<std::string, double>& q) const {
    std::vector<double> all(joints_.size() + 1, 0.0);
    for (size_t i = 1; i <= joints_.size(); ++i) all[i] = position(static_cast<int>(i), q);
    return all;
  }
  Transform poseOf(int link, const std::vector<double>& positions) const {
    if (link == 0) return {};
    const RandomJoint& j = joints_[link - 1];
    const double q = positions[link];
    Transform X_motion;
    if (j.type == "prismatic") X_motion.p = q * j.axis;
    if (j.type == "revolute" || j.type == "continuous")
      X_motion.R = Eigen::AngleAxisd(q, j.axis).toRotationMatrix();
    return poseOf(j.parent, positions) * j.X_PC * X_motion;
  }
  int size() const { return static_cast<int>(joints_.size()); }
  const RandomJoint& joint(int link) const { return joints_[link - 1]; }

 private:
  double uniform() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); }
  Eigen::Vector3d vector() {
    const double x = uniform(), y = uniform(), z = uniform();
    return {x, y, z};
  }
  static std::string text3(const Eigen::Vector3d& v) {
    return toText(v.x(), 17) + " " + toText(v.y(), 17) + " " + toText(v.z(), 17);
  }

  double position(int i, const std::map<std::string, double>& q) const {
    const RandomJoint& j = joints_[i - 1];
    if (j.type == "fixed") return 0.0;
    if (!std::isnan(j.held)) return j.held;
    if (j.master > 0) return j.multiplier * position(j.master, q) + j.offset;
    return q.at("j" + std::to_string(i));
  }

  void add(int i) {
    static const char* const types[] = {"revolute", "continuous", "prismatic", "fixed"};
    RandomJoint j;
    j.type = i == 1 ? "revolute" : types[random_() % 4];
    j.parent = static_cast<int>(random_() % static_cast<unsigned>(i));
    const Eigen::Vector3d rpy = 3.0 * vector();
    j.X_PC = {rotationFromRpy(rpy), vector()};
    j.axis = vector().normalized();
    j.mass = 1.0 + uniform() * 0.5;
    j.com = vector();
    std::string more = "<origin xyz=\"" + text3(j.X_PC.p) + "\" rpy=\"" + text3(rpy) +
                       "\"/><axis xyz=\"" + text3(j.axis) + "\"/>";
    if (i > 1 && random_() % 4 == 0 && j.type != "fixed") {
      j.master = 1 + static_cast<int>(random_() % static_cast<unsigned>(i - 1));
      j.multiplier = uniform() + 1.5;
      j.offset = uniform();
      more += mimic("j" + std::to_string(j.master), j.multiplier, j.offset);
    } else if (i > 1 && random_() % 5 == 0 && j.type != "fixed") {
      j.held = uniform();
      description_ += (description_.empty() ? "[ignore]\n" : "") + std::string("j") +
                      std::to_string(i) + " = " + toText(j.held, 17) + "\n";
    }
    const std::string name = std::to_string(i);
    text_ += link("l" + name, inertialOf(j.mass, j.com)) +
             dynid::joint("j" + name, j.type, "l" + std::to_string(j.parent), "l" + name, more);
    joints_.push_back(j);
  }

  std::mt19937 random_;
  std::vector<RandomJoint> joints_;
  std::string text_, description_;
};

/// Pose of every body of the robot at q.
std::vector<Transform> posesOf(const Robot& robot, const Eigen::VectorXd& q) {
  std::vector<Transform> poses;
  for (const Body& body : robot.bodies) {
    const double qb = body.multiplier * q(body.joint) + body.offset;
    const Transform X_motion =
        body.prismatic ? Transform{Eigen::Matrix3d::Identity(), qb * body.axis}
                       : Transform{rotationAbout(body.axis, qb), Eigen::Vector3d::Zero()};
    const Transform X_WP = body.parent < 0 ? Transform{} : poses[body.parent];
    poses.push_back(X_WP * body.X_PJ * X_motion);
  }
  return poses;
}

TEST(KinematicTree, RandomTreesKeepEveryLinkInPlaceAndAllInertia) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomTree tree(seed);
    const Robot robot = parseRobot(tree.description(), tree.text());
    std::mt19937 random(seed);
    std::map<std::string, double> by_name;
    Eigen::VectorXd q(robot.numJoints());
    for (int j = 0; j < robot.numJoints(); ++j) {
      q(j) = std::uniform_real_distribution<double>(-2.0, 2.0)(random);
      by_name[robot.joints[j].name] = q(j);
    }
    const std::vector<double> positions = tree.positions(by_name);
    const std::vector<Transform> poses = posesOf(robot, q);
    InertialParameters expected = InertialParameters::Zero(), sum = InertialParameters::Zero();
    size_t links = robot.root_links.size();
    for (int i = 1; i <= tree.size(); ++i) {
      const Transform X_WL = tree.poseOf(i, positions);
      const std::string name = "l" + std::to_string(i);
      Transform X;
      bool found = false;
      for (const Body::FixedLink& fixed : robot.root_links)
        if (fixed.name == name) {
          X = fixed.X_BL;
          found = true;
        }
      if (!found) {
        const auto [body, X_BL] = robot.findLink(name);
        X = poses[body] * X_BL;
        expected += transformed(X_WL, *parseUrdf(tree.text(), "x").links[i].inertial);
      }
      EXPECT_LT((X.p - X_WL.p).norm() + (X.R - X_WL.R).norm(), 1e-12) << name;
    }
    for (int k = 0; k < robot.numBodies(); ++k) {
      const Body& body = robot.bodies[k];
      ASSERT_TRUE(body.prior.has_value());
      ASSERT_LT(body.parent, k);
      links += body.links.size();
      sum += transformed(poses[k], *body.prior);
    }
    EXPECT_EQ(links, static_cast<size_t>(tree.size() + 1));
    EXPECT_LT((sum - expected).norm(), 1e-11 * (1.0 + expected.norm()));
    for (int j = 0; j < robot.numJoints(); ++j) {
      const Joint& moving = robot.joints[j];
      EXPECT_EQ(robot.bodies[moving.body].joint, j);
      EXPECT_EQ(robot.bodies[moving.body].joint_name, moving.name);
    }
  }
}

}  // namespace
}  // namespace dynid
