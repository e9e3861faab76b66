// SPDX-License-Identifier: Apache-2.0
// What the host makes of a printf and of an assertion, from bytes that it asks for one by one: against the host's own
// printf.
#include "sim/isa/console.h"

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <limits>

namespace isa = heddle::isa;
using isa::HostOp;

namespace {

/// A device's memory: strings and blocks of values, far apart.
class Memory {
 public:
  std::uint64_t add(const std::string& bytes) {
    blocks_.push_back(bytes);
    return 0x7f0000000000 + 0x10000 * blocks_.size();
  }
  std::uint64_t add_string(const char* text) { return text == nullptr ? 0 : add(std::string(text) + '\0'); }
  std::uint8_t at(std::uint64_t address) const {
    const std::uint64_t offset = address - 0x7f0000000000;
    return static_cast<std::uint8_t>(blocks_.at(offset / 0x10000 - 1).at(offset % 0x10000));
  }

 private:
  std::vector<std::string> blocks_;
};

/// Values as a caller of vprintf lays them out.
class Values {
 public:
  explicit Values(Memory& memory) : memory_(memory) {}
  template <class T>
  void add(T from) {
    std::conditional_t<(sizeof(T) < sizeof(int)), int, T> value = from;  // as C passes it
    bytes_.resize((bytes_.size() + sizeof value - 1) / sizeof value * sizeof value);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void add(const char* value) { add(memory_.add_string(value)); }
  std::uint64_t place() { return bytes_.empty() ? 0 : memory_.add(bytes_); }

 private:
  Memory& memory_;
  std::string bytes_;
};

/// What is printed, and what the thread gets back.
struct Printed {
  std::string text;
  std::int32_t count = 0;
};

Printed run(isa::Console& console, const Memory& memory, const std::string& text, std::uint64_t format,
            std::uint64_t values) {
  const isa::FaultSite site;
  console.call(HostOp::Argument, format, site);
  console.call(HostOp::Argument, values, site);
  std::uint64_t address = console.call(HostOp::Print, 0, site);
  while (address != 0) address = console.call(HostOp::Next, memory.at(address), site);
  return {text, static_cast<std::int32_t>(console.call(HostOp::Result, 0, site))};
}

template <class... T>
Printed printed(const char* format, T... values) {
  Memory memory;
  Values block(memory);
  (block.add(values), ...);
  std::string text;
  isa::Console console([&](const std::string& part) { text += part; });
  Printed result = run(console, memory, text, memory.add_string(format), block.place());
  result.text = text;
  return result;
}

// The compiler checks the format, as it does for any printf.
#define CHECK_PRINTF(...)                                  \
  do {                                                     \
    char expected[400];                                    \
    std::snprintf(expected, sizeof expected, __VA_ARGS__); \
    BOOST_TEST(printed(__VA_ARGS__).text == expected);     \
  } while (false)

}  // namespace

BOOST_AUTO_TEST_CASE(integers) {
  CHECK_PRINTF("%d %i %u\n", -5, 7, 4000000000U);
  CHECK_PRINTF("%x %X %o %#x %#o\n", 0xbeefU, 0xbeefU, 8U, 255U, 8U);
  CHECK_PRINTF("[%5d] [%-5d] [%05d] [%+d] [% d]", 42, 42, 42, 42, 42);
  CHECK_PRINTF("[%.3d] [%8.3d] [%-8.3d]", 7, 7, 7);
  CHECK_PRINTF("%ld %lu %lld %llu %llx", -5L, 5UL, std::numeric_limits<long long>::min(), ~0ULL, 0x123456789abcdefULL);
  CHECK_PRINTF("%d %lld %d %lld", 1, 2LL, 3, 4LL);  // padding between them
  CHECK_PRINTF("%hd %hu %hhd %hhu", static_cast<short>(-3), static_cast<unsigned short>(65535),
               static_cast<signed char>(-3), static_cast<unsigned char>(255));
  CHECK_PRINTF("%zu %jd %td", std::size_t{7}, std::intmax_t{-7}, std::ptrdiff_t{-8});
  CHECK_PRINTF("%c%c%c", 'a', 'b', '\n');
}

BOOST_AUTO_TEST_CASE(floats) {
  CHECK_PRINTF("%f %e %g %E %G", 1.5, 12345.678, 1e-10, 0.00012, 1e20);
  CHECK_PRINTF("[%8.3f] [%-8.3f] [%08.3f] [%+.1e] [%.0f] [%#.0f]", 3.14159, 3.14159, -3.14159, 3.14159, 2.5, 2.0);
  CHECK_PRINTF("%f %f %F %g", std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
               std::numeric_limits<double>::infinity(), -0.0);
  CHECK_PRINTF("%d %f %d %.17g", 1, 0.1, 2, 0.1);
  CHECK_PRINTF("%a", 1.5);
}

BOOST_AUTO_TEST_CASE(strings_and_pointers) {
  CHECK_PRINTF("%s and %s", "one", "another");
  CHECK_PRINTF("[%10s] [%-10s] [%.2s] [%5.1s] [%.0s]", "text", "text", "text", "text", "text");
  CHECK_PRINTF("%p", reinterpret_cast<void*>(0x7f0000001234));
  BOOST_TEST(printed("%s", static_cast<const char*>(nullptr)).text == "(null)");
  BOOST_TEST(printed("[%8p]", static_cast<void*>(nullptr)).text == "[   (nil)]");
}

BOOST_AUTO_TEST_CASE(widths_that_are_values) {
  CHECK_PRINTF("[%*d] [%-*d] [%.*f] [%*.*f]", 6, 42, 6, 42, 2, 3.14159, 8, 3, 2.71828);
  CHECK_PRINTF("[%*d] [%.*f] [%.*s]", -6, 42, -1, 0.5, 3, "letters");
}

BOOST_AUTO_TEST_CASE(what_is_no_conversion_is_printed_as_it_stands) {
  CHECK_PRINTF("100%% of %d", 7);
  CHECK_PRINTF("plain text\n");
  BOOST_TEST(printed("%y %d%", 5).text == "%y 5%");
  BOOST_TEST(printed("%d", 5).count == 1);
  BOOST_TEST(printed("%d %s %*d", 5, "x", 3, 4).count == 4);
  BOOST_TEST(printed("nothing").count == 0);
  BOOST_TEST(printed("").text == "");
  BOOST_TEST(printed("%d without values").text == "%d without values");
  BOOST_TEST(printed(nullptr).count == -1);
}

// Two threads talk to the host at once, byte by byte.
BOOST_AUTO_TEST_CASE(threads_do_not_mix) {
  Memory memory;
  const std::uint64_t formats[] = {memory.add_string("first %d\n"), memory.add_string("second %d\n")};
  const std::uint64_t values[] = {memory.add(std::string("\1\0\0\0", 4)), memory.add(std::string("\2\0\0\0", 4))};
  std::string text;
  isa::Console console([&](const std::string& part) { text += part; });
  isa::FaultSite sites[2];
  sites[1].thread.x = 1;
  std::uint64_t wanted[2];
  for (unsigned i = 0; i < 2; ++i) {
    console.call(HostOp::Argument, formats[i], sites[i]);
    console.call(HostOp::Argument, values[i], sites[i]);
  }
  for (unsigned i = 0; i < 2; ++i) wanted[i] = console.call(HostOp::Print, 0, sites[i]);
  while (wanted[0] != 0 || wanted[1] != 0)
    for (unsigned i = 0; i < 2; ++i)
      if (wanted[i] != 0) wanted[i] = console.call(HostOp::Next, memory.at(wanted[i]), sites[i]);
  BOOST_TEST(text == "first 1\nsecond 2\n");
}

BOOST_AUTO_TEST_CASE(an_assertion_is_an_error_with_its_place) {
  Memory memory;
  isa::Program program;
  program.name = "k";
  program.file = "file.ptx";
  program.code.resize(1);
  isa::FaultSite site;
  site.program = &program;
  isa::Console console([](const std::string&) { BOOST_ERROR("nothing is printed"); });
  for (const std::uint64_t argument : {memory.add_string("a < b"), memory.add_string("file.cu"), std::uint64_t{12},
                                       memory.add_string("void f()"), std::uint64_t{1}})
    console.call(HostOp::Argument, argument, site);
  std::uint64_t address = console.call(HostOp::Assert, 0, site);
  try {
    while (address != 0) address = console.call(HostOp::Next, memory.at(address), site);
    BOOST_ERROR("no error");
  } catch (const isa::ExecutionError& error) {
    BOOST_TEST((error.code() == isa::ErrorCode::Assert));
    const std::string expected = "cudaErrorAssert: file.cu:12: void f(): assertion `a < b' failed: kernel k, file.ptx:";
    BOOST_TEST(std::string(error.what()).substr(0, expected.size()) == expected);
  }
}
