#include "dynid/core/printable.h"

#include <gtest/gtest.h>

namespace dynid {
namespace {

TEST(Printable, OrdinaryTextStaysAsItIs) {
  const std::string text = "Gelenk \xc3\xa4, \xe2\x80\xa6 \xf0\x9f\xa4\x96\n\tsecond line";
  EXPECT_EQ(printable(text), text);
}

TEST(Printable, ControlCharactersBecomeVisible) {
  EXPECT_EQ(printable("a\x1b[31mred\x07\x7f\r"), "a\\u001b[31mred\\u0007\\u007f\\u000d");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\u0000b");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m");
  EXPECT_EQ(printable("x\xe2\x80\xaey"), "x\\u202ey");
}

TEST(Printable, BytesThatAreNotUtf8BecomeVisible) {
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\\x9b31m");
  EXPECT_EQ(printable("\xc3"), "\\xc3");
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b") << "an overlong form of a control character";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half of a surrogate pair";
  EXPECT_EQ(printable("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");
}

}  // namespace
}  // namespace dynid
