// SPDX-License-Identifier: Apache-2.0
// The ports of a block, a line an edge: as they stood when the clock rose. What another simulator replays.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

#include "rtl/base/output_file.h"

namespace heddle::bench {

/// Writes to FOLDER/<name>.ports, where HEDDLE_PORTS names the folder; without it, nowhere.
class PortRecorder {
 public:
  /// \param ports  their names, in the first line of the file
  PortRecorder(const std::string& name, const char* ports) {
    const char* folder = std::getenv("HEDDLE_PORTS");
    if (folder == nullptr) return;
    const std::string path = std::string(folder) + '/' + name + ".ports";
    file_.reset(std::fopen(with_folder(path).c_str(), "w"));
    if (!file_) throw std::runtime_error("HEDDLE_PORTS: " + path + " cannot be written");
    std::fprintf(file_.get(), "%s\n", ports);
  }

  /// Ports of a Verilated model in that order, each in hexadecimal.
  template <class... Ports>
  void edge(const Ports&... ports) {
    if (!file_) return;
    (write(reinterpret_cast<const unsigned char*>(&ports), sizeof(Ports)), ...);
    std::fputc('\n', file_.get());
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  /// The host stores low bytes first.
  void write(const unsigned char* port, std::size_t bytes) {
    while (bytes-- > 0) std::fprintf(file_.get(), "%02x", port[bytes]);
    std::fputc(' ', file_.get());
  }

  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace heddle::bench
