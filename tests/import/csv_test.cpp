#include "dynid/import/csv.h"

#include "dynid/core/errors.h"

#include <gmock/gmock.h>

#include "logs/test_files.h"
#include <cmath>

namespace dynid {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> fieldsOf(std::string_view line, char delimiter) {
  std::vector<std::string_view> fields;
  splitFields(line, delimiter, fields);
  return {fields.begin(), fields.end()};
}

TEST(Csv, FieldsOfALine) {
  EXPECT_THAT(fieldsOf("1, 2 ,3,", ','), ElementsAre("1", "2", "3", ""));
  EXPECT_THAT(fieldsOf("  1 \t 2   3 ", ' '), ElementsAre("1", "2", "3"));
  EXPECT_THAT(fieldsOf("\"a, b\";\"c\"", ';'), ElementsAre("a, b", "c"));
  EXPECT_THAT(fieldsOf("\"a b\" c", ' '), ElementsAre("a b", "c"));
  EXPECT_THAT(fieldsOf("\"a,b\",c", ','), ElementsAre("a,b", "c"));
}

TEST(Csv, Numbers) {
  EXPECT_EQ(parseLogNumber(" -1.5e3 ", false), -1500.0);
  EXPECT_EQ(parseLogNumber("+2", false), 2.0);
  EXPECT_EQ(parseLogNumber("1,5", true), 1.5);
  EXPECT_EQ(parseLogNumber("-1.5D+03", false), -1500.0);  // Fortran
  EXPECT_EQ(parseLogNumber("1,5d-2", true), 0.015);
  EXPECT_EQ(parseLogNumber("1.5D", false), std::nullopt);
  EXPECT_EQ(parseLogNumber("d3", false), std::nullopt);
  EXPECT_TRUE(std::isnan(*parseLogNumber("-1.#IND", false)));
  EXPECT_TRUE(std::isnan(*parseLogNumber("NaN", false)));
  EXPECT_EQ(parseLogNumber("-Inf", false), -INFINITY);
  for (const char* wrong : {"1,5", "1.5abc", "0x10", "", "--1", "1e400"})
    EXPECT_FALSE(parseLogNumber(wrong, false)) << wrong;
  EXPECT_FALSE(parseLogNumber("1,000,5", true));
}

TEST(Csv, MissingValues) {
  for (const char* missing : {"", " ", "-", "NA", "n/a", "#N/A", "null", "NULL", "None"})
    EXPECT_TRUE(isMissingValue(missing)) << missing;
  for (const char* present : {"0", "-1", "nan", "x", "nothing", "--"})
    EXPECT_FALSE(isMissingValue(present)) << present;
}

class CsvFile : public ::testing::Test {
 protected:
  CsvReader open(const std::string& text, CsvFormat format = {}) const {
    writeText(path(), text);
    return CsvReader(path(), std::move(format));
  }
  std::filesystem::path path() const { return directory_.file("log.csv"); }
  static std::vector<std::vector<std::string>> rows(CsvReader& reader) {
    std::vector<std::vector<std::string>> all;
    std::vector<std::string_view> fields;
    while (reader.next(fields)) all.emplace_back(fields.begin(), fields.end());
    return all;
  }
  TestDirectory directory_;
};

TEST_F(CsvFile, FindsDelimiterDecimalsAndHeader) {
  const std::tuple<const char*, char, bool, bool> cases[] = {
      {"t,q\n0.5,1\n1.5,2\n", ',', false, true},
      {"t;q\n0,5;1,25\n1,5;2,5\n", ';', true, true},
      {"0,5 1,25\n1,5 2,5\n", ' ', true, false},
      {"timestamp actual_q_0\n0.5 1\n1.5 2\n", ' ', false, true},
      {"t\tq 1\n0\t1\n1\t2\n", '\t', false, true},
      {"0.5, 1,2\n1.5,2, 3\n", ',', false, false},
      {"\"t\",\"q\"\n\"0,5\",\"1,25\"\n\"1,5\",\"2,5\"\n", ',', true, true},
      {"\"t\",\"q\"\n\"1\",\"2\"\n\"2\",\"3\"\n", ',', false, true},
      {"t,q,state\n0,1,running\n1,2,running\n", ',', false, true}};
  for (const auto& [text, delimiter, comma, header] : cases) {
    CsvReader reader = open(text);
    EXPECT_EQ(reader.format().delimiter, delimiter) << text;
    EXPECT_EQ(reader.format().decimal_comma, comma) << text;
    EXPECT_EQ(reader.format().header, header) << text;
    EXPECT_EQ(rows(reader).size(), 2U) << text;
  }
}

TEST_F(CsvFile, CommentsBlankLinesLineEndsAndByteOrderMark) {
  CsvReader reader = open("\xef\xbb\xbf# a comment\r\n\r\nt,q\r\n0,1\r\n\r\n# another\r\n1,2");
  EXPECT_THAT(reader.names(), ElementsAre("t", "q"));
  EXPECT_THAT(rows(reader), ElementsAre(ElementsAre("0", "1"), ElementsAre("1", "2")));
  EXPECT_EQ(reader.line(), 7);
}

TEST_F(CsvFile, HeaderInACommentAndLinesToSkip) {
  CsvReader reader = open("# t q0 q1\n0 1 2\n1 2 3\n");
  EXPECT_THAT(reader.names(), ElementsAre("t", "q0", "q1"));
  EXPECT_EQ(rows(reader).size(), 2U);
  CsvFormat format;
  format.skip_rows = 2;
  CsvReader skipping = open("Recorder 3000, firmware 2\nmade, by, a, person\n1,2\n3,4\n", format);
  EXPECT_THAT(skipping.names(), IsEmpty());
  EXPECT_EQ(skipping.columns(), 2U);
  EXPECT_EQ(rows(skipping).size(), 2U);
}

TEST_F(CsvFile, LinesOfTextAboveTheHeader) {
  for (const char* above : {"sep=,\n",
                            "\"sep=,\"\n",
                            "% recorded by Matlab\n% on Monday, at noon\n",
                            "// recorded by a PLC\n"}) {
    CsvReader reader = open(std::string(above) + "t,q\n0,1\n% later\n// too\n1,2\n");
    EXPECT_THAT(reader.names(), ElementsAre("t", "q")) << above;
    EXPECT_THAT(rows(reader), ElementsAre(ElementsAre("0", "1"), ElementsAre("1", "2"))) << above;
    CsvReader again(path(), reader.format());
    EXPECT_EQ(rows(again).size(), 2U) << above;
  }
  EXPECT_THAT(open("sep=;\nt;q\n0,5;1\n1,5;2\n").format().decimal_comma, true);
  EXPECT_THAT(open("%time,field.q0\n0,1\n1,2\n").names(), ElementsAre("%time", "field.q0"));
  EXPECT_THAT(open("% t q0\n0 1\n1 2\n").names(), ElementsAre("t", "q0"));
  CsvReader plain = open("% made by a person\n0,1\n1,2\n");
  EXPECT_THAT(plain.names(), IsEmpty());
  EXPECT_EQ(rows(plain).size(), 2U);
}

// Name of the robot, date and the like, as controllers write them.
TEST_F(CsvFile, LinesOfOtherLengthAboveTheHeader) {
  for (const char* above : {"Trace 3\n",
                            "Robot,Z1\nStart,2024-05-01 12:00,UTC,winter\n\nOperator\n",
                            "Recorder 3000; firmware 2\n"}) {
    for (const char* units : {"", "s,rad,Nm\n"}) {
      CsvReader reader = open(std::string(above) + "t,q,tau\n" + units + "0,1,2\n1,2,3\n2,3,4\n");
      EXPECT_THAT(reader.names(), ElementsAre("t", "q", "tau")) << above;
      EXPECT_EQ(rows(reader).size(), 3U) << above;
      CsvReader again(path(), reader.format());
      EXPECT_EQ(rows(again).size(), 3U) << above;
    }
  }
  // Numbers are rows, not text above a header.
  CsvReader numbers = open("0,1\n0,1,2\nt,q,tau\n0,1,2\n1,2,3\n");
  EXPECT_THAT(numbers.names(), IsEmpty());
}

TEST_F(CsvFile, ARowOfUnits) {
  CsvReader reader = open("t,q,state,tau\n[s],deg,,Nm\n0,1,2,3\n1,2,3,4\n");
  EXPECT_THAT(reader.units(), ElementsAre("s", "deg", "", "Nm"));
  EXPECT_EQ(rows(reader).size(), 2U);
  EXPECT_THAT(open("t,q\n0,1\n1,2\n").units(), IsEmpty());
  EXPECT_THAT(open("t,q,state\n0,1,m\n1,2,m\n").units(), IsEmpty());
}

TEST_F(CsvFile, NamesInLatin1) {
  EXPECT_THAT(open("t,q [\xb0]\n0,1\n1,2\n").names(), ElementsAre("t", "q [°]"));
}

TEST_F(CsvFile, LongFilesComeWhole) {
  std::string text = "t,q\n";
  for (int i = 0; i < 60000; ++i) text += std::to_string(i) + "," + std::to_string(2 * i) + "\n";
  CsvReader reader = open(text);
  std::vector<std::string_view> fields;
  int i = 0;
  for (; reader.next(fields); ++i) ASSERT_EQ(fields[1], std::to_string(2 * i));
  EXPECT_EQ(i, 60000);
}

// Formats of numbers that are not text, by their first bytes.
TEST_F(CsvFile, BinaryFormatsAreNamedWithTheConversion) {
  const auto complaint = [&](const std::string& start) {
    const std::string message =
        messageOf<InputError>([&] { open(start + std::string(200, '\0')); });
    return message.substr(std::min(path().string().size(), message.size()));
  };
  const std::string table =
      ", not a table of text; write a table: numpy.savetxt(\"log.csv\", numpy.column_stack((t, q, "
      "dq, tau)), "
      "delimiter=\",\"), and name the joints (`joints` a,b,c)";
  const std::string zip = std::string("PK\x03\x04") + std::string(26, '\x01');
  EXPECT_EQ(complaint("\x93NUMPY\x01"), ": is a NumPy array (.npy)" + table);
  EXPECT_EQ(complaint(zip + "time.npy"), ": is an archive of NumPy (.npz)" + table);
  EXPECT_EQ(complaint(zip + "[Content_Types].xml"),
            ": is a ZIP archive or a spreadsheet (.xlsx, .ods), not a table of text; unpack it, or "
            "save the "
            "sheet as CSV");
  EXPECT_EQ(complaint("PK\x03\x04"),
            ": is a ZIP archive or a spreadsheet (.xlsx, .ods), not a table of text; unpack it, or "
            "save the "
            "sheet as CSV");
  for (const char* version : {"5.0", "7.3"})
    EXPECT_EQ(complaint("MATLAB " + std::string(version) + " MAT-file, Platform: GLNXA64"),
              ": is a MAT-file of MATLAB, not a table of text; write a table: writematrix([t, q, "
              "dq, tau], "
              "'log.csv') in MATLAB, with one row per sample, and name the joints (`joints` "
              "a,b,c)");
  EXPECT_THAT(complaint("\x89HDF\r\n\x1a\n"),
              ::testing::HasSubstr(
                  ": is an HDF5 file, not a table of text; a log of dynid needs no import"));
  for (const char* json : {"{\"t\": 0.0, \"q\": [0.0, 1.0]}\n", "[{\"t\": 0.0}]"})
    EXPECT_THAT(complaint(json),
                ::testing::HasSubstr(": is JSON, not a table of text; write a table with"));
}

TEST_F(CsvFile, ASettingThatDoesNotDivideTheRows) {
  const auto complaint = [&](const std::string& text, const CsvFormat& format) {
    return messageOf<InputError>([&] { open(text, format); });
  };
  CsvFormat semicolon, comma;
  semicolon.delimiter = ';';
  comma.decimal_comma = true;
  const std::string table = "t,q\n0.5,1\n1.5,2\n", name = path().string();
  EXPECT_EQ(complaint(table, semicolon),
            name +
                ":1: with delimiter = \"semicolon\" the rows have one column; they fit delimiter = "
                "\"comma\" and decimal_comma = false: correct the mapping file (or the line `sep=` "
                "above the table)");
  EXPECT_EQ(complaint(table, comma),
            name +
                ":1: with decimal_comma = true the rows have one column; they fit delimiter = "
                "\"comma\" and decimal_comma = false: correct the mapping file (or the line `sep=` "
                "above the table)");
  EXPECT_EQ(open("0.5\n1.5\n", semicolon).columns(), 1U) << "one column without delimiters";
  EXPECT_EQ(open("sep=|\nt|q\n0,5|1\n", {}).columns(), 2U);
}

TEST_F(CsvFile, Refusals) {
  const auto complaint = [&](const std::string& text) {
    return messageOf<InputError>([&] {
      CsvReader reader = open(text);
      rows(reader);
    });
  };
  const std::string name = path().string();
  EXPECT_EQ(complaint(""), name + ": has no rows");
  EXPECT_EQ(complaint("# only words\n\n"), name + ": has no rows");
  EXPECT_EQ(complaint("t,q\r1,2\r"),
            name +
                ": its lines end with CR, as old programs write them; convert it: tr '\\r' '\\n' "
                "< log.csv > new.csv");
  EXPECT_EQ(complaint("\xff\xfet"), name + ": is UTF-16 text; save it as UTF-8");
  for (const size_t first : {size_t{0}, size_t{1}}) {
    std::string wide;
    for (const char c : std::string("time,q0\n0,1\n"))
      wide += first == 0 ? std::string{c, '\0'} : std::string{'\0', c};
    EXPECT_EQ(complaint(wide), name + ": is UTF-16 text; save it as UTF-8") << "no mark in front";
  }
  EXPECT_EQ(complaint(std::string("t,q\n1,2\n\0,3\n", 12)),
            name + ":3: holds a NUL byte; this is not text");
  EXPECT_EQ(complaint("t,q\n" + std::string(size_t{3} << 20, '1')),
            name + ":2: a line longer than 1 MiB; this is not a table of numbers");
  EXPECT_EQ(complaint("hello\nworld\n"),
            name +
                ":1: no delimiter (comma, semicolon, tab, blanks) divides the rows into columns; "
                "give it in a mapping file, or skip lines of text above the table with skip_rows");
  std::filesystem::remove(path());
  EXPECT_EQ(messageOf<InputError>([&] { CsvReader(path(), {}); }),
            name + ": cannot be read: No such file or directory");
  EXPECT_EQ(messageOf<InputError>([] { CsvReader("/proc/self/mem", {}); }),
            "/proc/self/mem:1: cannot be read on: Input/output error");
}

}  // namespace
}  // namespace dynid
