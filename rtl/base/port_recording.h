// SPDX-License-Identifier: Apache-2.0
// What a block's ports showed in a run, edge by edge, in a compact file: a kernel's stimulus for the block, to be replayed
// (scripts/tb BLOCK --replay FILE), and what the block answered.
//
// A file is gzip of a head in text, a line each, and edges in bytes:
//   heddle ports 1
//   block NAME | point NAME [KEY=VALUE...] | parameters [NAME=VALUE...] | run NAME     what it is of
//   input|output NAME WIDTH COUNT                                 a port: COUNT elements (1: no array) of WIDTH bits
//   edges
// and for each rising edge: how many cycles after the last one, how many elements have another value than at the last one,
// and for each of them how far behind the one before it, and its bits, low byte first. Counts are LEB128; elements are
// numbered through all ports. All are 0 before the first edge.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "rtl/base/port_bits.h"
#include "rtl/base/recorded_block.h"

namespace heddle {

/// \param width  of a value
constexpr unsigned recorded_bytes(unsigned width) {
  return (width + 7) / 8;
}

class RecordingWriter {
 public:
  /// \throws std::runtime_error if the file cannot be written
  RecordingWriter(const std::string& file, const RecordedBlock& of);
  ~RecordingWriter();

  /// The element has another value from this edge on. Elements come in their order.
  template <class Value>
  void change(unsigned element, const Value& value) {
    std::array<unsigned char, recorded_bytes(bits_of<Value>)> bytes;
    PortBits bits(bits_of<Value>);
    bits.put(0, value);
    bits.copy_to(bytes.data(), bytes.size());
    change(element, bytes.data(), bytes.size());
  }
  /// After the changes of an edge. \throws std::runtime_error if the file takes no more
  void edge(std::uint64_t cycle);

 private:
  void change(unsigned element, const unsigned char* bytes, std::size_t size);

  struct File;
  std::unique_ptr<File> file_;
  std::vector<unsigned char> changes_;  // of this edge
  unsigned changed_ = 0, last_ = 0;
  std::uint64_t cycle_ = 0;
};

class RecordingReader {
 public:
  /// \throws std::runtime_error, naming the file, if it is no recording or ends too early; so does next()
  explicit RecordingReader(const std::string& file);
  ~RecordingReader();

  const RecordedBlock& of() const { return of_; }

  /// To the next edge; false: there is none.
  bool next();
  std::uint64_t cycle() const { return cycle_; }

  /// A port's elements, at the edge. \throws std::runtime_error if it has not this width or there is none
  template <class Value>
  Value get(const std::string& name, unsigned element = 0) const {
    const StoredElement its = bits(name, bits_of<Value>, element);
    return PortBits::of_bytes(its.bytes, its.size).template get<Value>(0);
  }

  /// Elements of a port, one above the other, as its twin has them. \param port  of of().ports
  PortBits port(unsigned port) const;

 private:
  struct StoredElement {
    const unsigned char* bytes;
    std::size_t size;
  };
  StoredElement bits(const std::string& name, unsigned width, unsigned element) const;
  void read_head();
  [[noreturn]] void refuse(const std::string& why) const;

  struct File;
  std::string name_;
  std::unique_ptr<File> file_;
  RecordedBlock of_;
  std::vector<std::size_t> first_;                          // element of each port
  std::vector<std::pair<std::size_t, unsigned>> elements_;  // where in values_, bytes
  std::vector<unsigned char> values_;
  std::uint64_t cycle_ = 0;
};

}  // namespace heddle
