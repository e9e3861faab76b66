// SPDX-License-Identifier: Apache-2.0
// The compiled entries of one PTX file, each compiled once, when first asked for. They share the file's variables.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "sim/compiler/compile.h"

namespace heddle::gpu {

class ProgramLibrary {
 public:
  /// Reads and parses the file; throws as ptx::parse_file does.
  explicit ProgramLibrary(const std::string& ptx_path, const compiler::CompileOptions& options = {});

  /// Throws as compiler::compile does. The reference stays valid as long as the library.
  /// \param machine  what the device that runs it wants to be told
  const isa::Program& find(const std::string& entry, const compiler::MachineOptions& machine = {});

 private:
  ptx::Module module_;
  compiler::CompileOptions options_;
  std::shared_ptr<const isa::GlobalData> globals_;
  std::map<
      std::tuple<std::string, unsigned, bool, unsigned, bool, bool, unsigned, unsigned, unsigned, unsigned, unsigned>,
      isa::Program>
      programs_;
};

}  // namespace heddle::gpu
