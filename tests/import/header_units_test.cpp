#include "dynid/import/header_units.h"

#include "import/imported_csv.h"
#include <numbers>

namespace dynid {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A mapping file that names columns whose units are in the header.
class HeaderUnits : public Import {};

TEST_F(HeaderUnits, ColumnsOfAMappingHaveTheUnitsOfTheHeader) {
  const std::string mapping =
      "[time]\ncolumn = 1\n[position]\ncolumns = [2]\n[velocity]\ncolumns = [3]\n"
      "[effort]\ncolumns = [4]\n";
  for (const std::string header : {"Zeit [ms],Achse [°],Tempo [rpm],Moment [mNm]\n",
                                   "t_ms,q_deg,qd_rpm,tau_mNm\n",
                                   "t_ms,Achse_A1_deg,Tempo_A1_rpm,Moment_A1_mNm\n",
                                   "time,q,qd,tau\nms,deg,rpm,mNm\n"}) {
    const ImportResult result = import(header + "0,180,30,500\n10,180,30,500\n", mapping);
    EXPECT_EQ(imported().time[1], 0.01) << header;
    EXPECT_DOUBLE_EQ(imported().position(0, 0), std::numbers::pi) << header;
    EXPECT_DOUBLE_EQ(imported().velocity(0, 0), std::numbers::pi) << header;
    EXPECT_DOUBLE_EQ(imported().effort(0, 0), 0.5) << header;
    EXPECT_EQ(takenAs(result, result.taken.back().source), "effort joint_1 x 0.001 = N m");
    EXPECT_THAT(result.warnings, IsEmpty());
  }
}

TEST_F(HeaderUnits, AUnitOrScaleOfTheMappingTakesPrecedence) {
  const std::string text = "t [ms],q [deg],tau [mNm]\n0,1,2\n1,3,4\n";
  import(text,
         "[time]\ncolumn = 1\nunit = \"s\"\n[position]\ncolumns = 2\nunit = \"rad\"\n"
         "[effort]\ncolumns = 3\nscale = 0.01\n");
  EXPECT_EQ(imported().time[1], 1.0);
  EXPECT_EQ(imported().position(0, 0), 1.0);
  EXPECT_EQ(imported().effort(0, 0), 0.02);
  import(text, "[time]\ncolumn = 1\n[position]\ncolumns = 2\nsign = -1\n[effort]\ncolumns = 3\n");
  EXPECT_DOUBLE_EQ(imported().position(0, 0), -std::numbers::pi / 180.0);
}

TEST_F(HeaderUnits, UnknownUnitsAreAWarning) {
  const std::string mapping =
      "[time]\ncolumn = 1\n[position]\ncolumns = 2\n[effort]\ncolumns = 3\n";
  const ImportResult result = import("t,q,load [%]\n0,1,2\n1,3,4\n", mapping);
  EXPECT_EQ(imported().effort(0, 0), 2.0);
  EXPECT_THAT(result.warnings,
              Contains("effort: the unit '%' of 'load' in the header is not known, and the mapping "
                       "has none: taken as SI; give `unit`, and `scale` where one is needed, under "
                       "[effort]"));
  EXPECT_THAT(result.notes, Contains("position: no unit in the mapping, taken as SI"));
  EXPECT_EQ(takenAs(import("t,q_m,tau_n\n0,1,2\n1,3,4\n", mapping), "q_m"),
            "position joint_1 rad (assumed)")
      << "one letter is no unit";
}

TEST_F(HeaderUnits, SlidingJoints) {
  const std::string mapping = "[time]\ncolumn = 1\n[position]\ncolumns = 2\n";
  EXPECT_EQ(takenAs(import("t,rail [mm]\n0,1\n1,3\n", mapping), "rail [mm]"),
            "position joint_1 x 0.001 = m");
  EXPECT_EQ(complaint("t,rail [deg]\n0,1\n1,3\n",
                      "joints = [\"rail\"]\nprismatic = [\"rail\"]\n" + mapping),
            "log.csv: 'rail' is prismatic in the mapping file, but the unit of column 'rail [deg]' "
            "is that of an angle; correct one of them");
}

}  // namespace
}  // namespace dynid
