// Tables as pandas, MATLAB and spreadsheets write them.
#include "dynid/import/import.h"

#include "import/imported_csv.h"
#include <string>

namespace dynid {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class TablesOfPrograms : public Import {};

TEST_F(TablesOfPrograms, HeadersThatAreOnlyNumbers) {
  const std::string rows = "0.0,1,2,3,4,5.5,6\n0.1,1,2,3,4,5.5,6\n";
  for (const std::string header :
       {"0,1,2,3,4,5,6\n", "Var1,Var2,Var3,Var4,Var5,Var6,Var7\n", "V1,V2,V3,V4,V5,V6,V7\n"}) {
    EXPECT_THAT(complaint(header + rows), HasSubstr("there is no header that says")) << header;
    ImportOptions options;
    options.joints = {"pan", "lift"};
    EXPECT_EQ(importCsv(csv(), log(), options).rows, 2) << header;
    EXPECT_EQ(imported().effort.row(0), Eigen::RowVector2d(5.5, 6)) << header;
    EXPECT_EQ(imported().time, Eigen::Vector2d(0.0, 0.1)) << header;
  }
  writeText(csv(), "0,1,2\n1,1,2\n");
  ImportOptions options;
  options.joints = {"pan", "lift"};
  EXPECT_EQ(importCsv(csv(), log(), options).rows, 2) << "a row of whole numbers";
  import("Var1,Var2\n0.5,1\n1.5,2\n",
         "[time]\ncolumn = \"Var1\"\n[position]\ncolumns = \"Var2\"\n");
  EXPECT_EQ(imported().time, Eigen::Vector2d(0.5, 1.5));
}

TEST_F(TablesOfPrograms, DurationsOfMatlab) {
  import("Time,q0,tau0\n0 sec,1,2\n0.01 sec,1,2\n");
  EXPECT_EQ(imported().time, Eigen::Vector2d(0.0, 0.01));
}

// 10 ms in days, as spreadsheets and MATLAB count.
TEST_F(TablesOfPrograms, TimesInDays) {
  const std::string text =
      "time,q0\n45000.500000000,1\n45000.500000116,2\n45000.500000231,3\n45000.500000347,4\n";
  EXPECT_THAT(
      import(text).warnings,
      ElementsAre(HasSubstr("the times begin with 45000.5 and go in steps of 1.16e-07 s: if "
                            "they are days"),
                  HasSubstr("no effort or current")));
  EXPECT_THAT(import(text, "[time]\nunit = \"d\"\n").warnings, SizeIs(1));
  EXPECT_NEAR(imported().time[1] - imported().time[0], 0.01, 1e-4);
}

}  // namespace
}  // namespace dynid
