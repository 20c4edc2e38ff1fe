#include "dynid/robot/tree_document.h"

#include "dynid/core/text.h"
#include "dynid/robot/source_place.h"

#include <algorithm>
#include <map>

namespace dynid {
namespace {

template <typename Item>
int findNamed(const std::vector<Item>& items, const std::string& name) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
  return found == items.end() ? -1 : static_cast<int>(found - items.begin());
}

template <typename Item>
std::vector<std::string> namesOf(const std::vector<Item>& items) {
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const Item& item : items) names.push_back(item.name);
  return names;
}

}  // namespace

int TreeDocument::findLink(const std::string& link) const { return findNamed(links, link); }
int TreeDocument::findJoint(const std::string& joint) const { return findNamed(joints, joint); }
std::vector<std::string> TreeDocument::linkNames() const { return namesOf(links); }
std::vector<std::string> TreeDocument::jointNames() const { return namesOf(joints); }

void checkTree(TreeDocument& document) {
  std::map<std::string, size_t> index;
  for (size_t i = 0; i < document.links.size(); ++i) index.emplace(document.links[i].name, i);
  const auto link_of = [&](const TreeJoint& joint, const std::string& link, const char* end) {
    const auto found = index.find(link);
    if (found == index.end())
      failAt(document.file,
             joint.line,
             "joint \"" + joint.name + "\" names the " + end + " link \"" + link +
                 "\", which the file does not have" + didYouMean(link, document.linkNames()));
    return found->second;
  };
  std::vector<int> joint_above(document.links.size(), -1);
  for (size_t j = 0; j < document.joints.size(); ++j) {
    const TreeJoint& joint = document.joints[j];
    link_of(joint, joint.parent, "parent");
    int& above = joint_above[link_of(joint, joint.child, "child")];
    if (above >= 0)
      failAt(document.file,
             joint.line,
             "link \"" + joint.child + "\" has two parents, by joint \"" +
                 document.joints[above].name + "\" and by joint \"" + joint.name +
                 "\"; a URDF is a tree (describe a parallelogram by mimic joints)");
    above = static_cast<int>(j);
  }
  document.root = -1;
  for (size_t i = 0; i < document.links.size(); ++i) {
    if (joint_above[i] >= 0) continue;
    if (document.root >= 0)
      failAt(document.file,
             document.links[i].line,
             "links \"" + document.links[document.root].name + "\" and \"" +
                 document.links[i].name +
                 "\" both have no parent; join the parts by a joint, or remove what does not "
                 "belong to the robot");
    document.root = static_cast<int>(i);
  }
  // Every link except the root has one parent. If the root cannot be reached from a link through
  // its parents, the link is on a cycle or below one.
  std::vector<int> seen_from(document.links.size(), -1);
  for (size_t start = 0; start < document.links.size(); ++start) {
    size_t i = start;
    while (seen_from[i] < 0 && joint_above[i] >= 0) {
      seen_from[i] = static_cast<int>(start);
      i = index.at(document.joints[joint_above[i]].parent);
    }
    if (joint_above[i] >= 0 && seen_from[i] == static_cast<int>(start)) {
      const TreeJoint& joint = document.joints[joint_above[i]];
      failAt(document.file,
             joint.line,
             "joint \"" + joint.name + "\" closes a cycle at link \"" + joint.child +
                 "\"; a URDF is a tree (describe a parallelogram by mimic joints)");
    }
  }
}

}  // namespace dynid
