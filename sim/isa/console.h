// SPDX-License-Identifier: Apache-2.0
// The host's end of printf and assert: what threads hand over, printed or raised as an error.
//
// The host reads no memory of the device. A thread hands over its arguments, and then the bytes that the host asks for,
// one after the other, which it gets by ordinary loads: so they are what the thread itself sees, in its order, under
// every mechanism. vprintf(format, values) is compiled to this loop, __assertfail to the same without a result:
//
//   Argument format; Argument values; address = Print
//   while (address != 0) { byte = load(address); address = Next byte }
//   count = Result
//
// Formats are CUDA's (Programming Guide, "Formatted Output"): flags, width, precision, `*`, h hh l ll z j t, and
// d i u o x X c s p e E f F g G a A; what is none of these is printed as it stands. Among the values each has 4 or 8
// bytes, at a multiple of its size.
#pragma once

#include <array>
#include <functional>
#include <map>

#include "sim/isa/execution_error.h"

namespace heddle::isa {

/// One printf or assertion of a thread, from its arguments to its text. It knows no device.
class HostCall {
 public:
  void add_argument(std::uint64_t value) { arguments_.push_back(value); }
  void begin(bool asserts);
  /// The address of the byte that is needed next; 0: none, the text is complete.
  std::uint64_t wanted() const;
  void take(std::uint8_t byte);

  bool asserts() const { return asserts_; }
  const std::string& text() const { return text_; }
  /// How many values the format asks for; -1 without a format.
  std::int32_t count() const { return count_; }

 private:
  struct Read {
    std::uint64_t address = 0;
    std::size_t most = 0;    // bytes
    bool is_string = false;  // ends at a NUL too
    bool is_complete = false;
    std::string found;
  };
  struct Value {
    std::size_t offset = 0, bytes = 0;
  };
  /// A part of the format: text, or a conversion.
  struct Piece {
    std::string text;          // of a conversion: flags, width and precision, as written
    std::string length;        // "ll"
    char conversion = 0;       // 0: plain text
    std::vector<Value> stars;  // width and precision that are values
    Value value;
    std::size_t string = 0;  // of %s: its read
  };

  void read_string(std::uint64_t address, std::size_t most);
  bool is_reading() const { return next_ < reads_.size(); }
  /// No read is under way: begins others, or makes the text.
  void go_on();
  void parse_format();
  Value add_value(std::size_t bytes);
  std::uint64_t bits_of(const Value& value) const;
  /// The conversion without its length, '%' and all, with values for its stars.
  std::string specification(const Piece& piece) const;
  std::size_t precision_of(const Piece& piece) const;
  std::string converted(const Piece& piece) const;

  enum class Stage : std::uint8_t { Format, Values, Strings, Assertion, Done };
  Stage stage_ = Stage::Format;
  bool asserts_ = false;
  std::vector<std::uint64_t> arguments_;
  std::vector<Read> reads_;
  std::size_t next_ = 0;  // the read that is under way
  std::vector<Piece> pieces_;
  std::size_t value_bytes_ = 0;
  std::string values_, text_;
  std::int32_t count_ = 0;
};

class Console {
 public:
  using Sink = std::function<void(const std::string&)>;

  /// \param sink  gets the text of each printf, whole
  explicit Console(Sink sink) : sink_(std::move(sink)) {}

  /// Before a launch: nobody is in the middle of a call.
  void start() { calls_.clear(); }
  /// What the thread at `site` gets back. \throws ExecutionError when it has told all of a failed assertion
  std::uint64_t call(HostOp op, std::uint64_t value, const FaultSite& site);

 private:
  std::uint64_t go_on(HostCall& call, const FaultSite& site);

  Sink sink_;
  std::map<std::array<unsigned, 6>, HostCall> calls_;  // by block and thread
};

}  // namespace heddle::isa
