// SPDX-License-Identifier: Apache-2.0
#include "rtl/base/port_recording.h"

#include <algorithm>
#include <sstream>
#include <zlib.h>

#include "rtl/base/output_file.h"

namespace heddle {

namespace {

constexpr const char* Magic = "heddle ports 1";

void put_count(std::vector<unsigned char>& bytes, std::uint64_t count) {
  for (; count >= 128; count >>= 7) bytes.push_back(static_cast<unsigned char>(count | 128));
  bytes.push_back(static_cast<unsigned char>(count));
}

}  // namespace

struct RecordingWriter::File {
  gzFile gz;
};

RecordingWriter::RecordingWriter(const std::string& file, const RecordedBlock& of)
    : file_(std::make_unique<File>(File{gzopen(with_folder(file).c_str(), "wb")})) {
  if (file_->gz == nullptr) throw std::runtime_error("the recording " + file + " cannot be written");
  std::ostringstream head;
  head << Magic << "\nblock " << of.block << "\npoint " << of.point << "\nparameters " << of.parameters << "\nrun "
       << of.run << '\n';
  for (const RecordedPort& port : of.ports)
    head << (port.is_output ? "output " : "input ") << port.name << ' ' << port.width << ' ' << port.count << '\n';
  head << "edges\n";
  gzputs(file_->gz, head.str().c_str());
}

RecordingWriter::~RecordingWriter() {
  gzclose(file_->gz);
}

void RecordingWriter::change(unsigned element, const unsigned char* bytes, std::size_t size) {
  put_count(changes_, element - last_);
  last_ = element;
  ++changed_;
  changes_.insert(changes_.end(), bytes, bytes + size);
}

void RecordingWriter::edge(std::uint64_t cycle) {
  std::vector<unsigned char> counts;
  put_count(counts, cycle - cycle_);
  put_count(counts, changed_);
  counts.insert(counts.end(), changes_.begin(), changes_.end());
  if (gzwrite(file_->gz, counts.data(), static_cast<unsigned>(counts.size())) == 0)
    throw std::runtime_error("the recording cannot be written to its end: is the disk full?");
  changes_.clear();
  changed_ = last_ = 0;
  cycle_ = cycle;
}

struct RecordingReader::File {
  const gzFile gz;
  explicit File(const std::string& name) : gz(gzopen(name.c_str(), "rb")) {}
  File(const File&) = delete;
  ~File() {
    if (gz != nullptr) gzclose(gz);
  }
  std::string line() {
    std::string text;
    for (int c = gzgetc(gz); c != '\n' && c != -1; c = gzgetc(gz)) text.push_back(static_cast<char>(c));
    return text;
  }
  bool is_whole() const {
    int error = Z_OK;
    gzerror(gz, &error);
    return error == Z_OK || error == Z_STREAM_END;
  }
  /// A count; false at the end of the file.
  bool count(std::uint64_t& value) {
    value = 0;
    for (unsigned at = 0; at < 64; at += 7) {
      const int byte = gzgetc(gz);
      if (byte == -1) return false;
      value |= static_cast<std::uint64_t>(byte & 127) << at;
      if (byte < 128) return true;
    }
    return false;
  }
};

RecordingReader::RecordingReader(const std::string& file) : name_(file), file_(std::make_unique<File>(file)) {
  if (file_->gz == nullptr) refuse("it cannot be read");
  read_head();
  for (const RecordedPort& port : of_.ports) {
    first_.push_back(elements_.size());
    for (unsigned i = 0; i < port.count; ++i) {
      elements_.emplace_back(values_.size(), recorded_bytes(port.width));
      values_.resize(values_.size() + recorded_bytes(port.width));
    }
  }
}

RecordingReader::~RecordingReader() = default;

void RecordingReader::refuse(const std::string& why) const {
  throw std::runtime_error(name_ + ": " + why + "; expected a file of heddle run --record BLOCK=FILE");
}

void RecordingReader::read_head() {
  if (file_->line() != Magic) refuse("its first line is not '" + std::string(Magic) + "'");
  for (std::string line = file_->line(); line != "edges"; line = file_->line()) {
    std::istringstream words(line);
    std::string key, rest;
    words >> key;
    std::getline(words >> std::ws, rest);
    std::string* const text = key == "block"        ? &of_.block
                              : key == "point"      ? &of_.point
                              : key == "parameters" ? &of_.parameters
                              : key == "run"        ? &of_.run
                                                    : nullptr;
    if (text != nullptr) {
      *text = rest;
      continue;
    }
    RecordedPort port{{}, 0, 0, key == "output"};
    std::istringstream(rest) >> port.name >> port.width >> port.count;
    if ((key != "input" && key != "output") || port.width == 0 || port.count == 0) refuse("'" + line + "' in its head");
    of_.ports.push_back(port);
  }
}

bool RecordingReader::next() {
  std::uint64_t cycles = 0, changes = 0, step = 0;
  if (!file_->count(cycles)) {
    if (!file_->is_whole()) refuse("it ends too early, after cycle " + std::to_string(cycle_));
    return false;
  }
  const auto ends = [this] { refuse("it ends in the middle of an edge, after cycle " + std::to_string(cycle_)); };
  if (!file_->count(changes)) ends();
  cycle_ += cycles;
  for (std::uint64_t element = 0; changes > 0; --changes) {
    if (!file_->count(step)) ends();
    element += step;
    if (element >= elements_.size()) refuse("element " + std::to_string(element) + " changes, which no port has");
    const auto [at, size] = elements_[element];
    if (gzread(file_->gz, &values_[at], size) != static_cast<int>(size)) ends();
  }
  return true;
}

RecordingReader::StoredElement RecordingReader::bits(const std::string& name, unsigned width, unsigned element) const {
  const auto port =
      std::find_if(of_.ports.begin(), of_.ports.end(), [&](const RecordedPort& its) { return its.name == name; });
  if (port == of_.ports.end()) refuse("it has no port " + name);
  if (port->width != width || element >= port->count)
    refuse("its port " + name + " has " + std::to_string(port->count) + " elements of " + std::to_string(port->width) +
           " bits, this block more than " + std::to_string(element) + " of " + std::to_string(width));
  const auto [at, size] = elements_[first_[static_cast<std::size_t>(port - of_.ports.begin())] + element];
  return {&values_[at], size};
}

PortBits RecordingReader::port(unsigned port) const {
  const RecordedPort& its = of_.ports[port];
  PortBits all(its.width * its.count);
  for (unsigned i = 0; i < its.count; ++i) {
    const auto [at, size] = elements_[first_[port] + i];
    all.put_bytes(i * its.width, &values_[at], its.width);
  }
  return all;
}

}  // namespace heddle
