// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/cuda_source.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>

#include "sim/cli/child.h"
#include "sim/cli/locations.h"

namespace heddle::cli {

std::string ptx_of(const std::string& option, const std::string& cuda, const std::string& compiler) {
  const Locations locations;
  const std::filesystem::path source(cuda), folder(locations.build + "/cuda");
  if (!std::filesystem::is_regular_file(source))
    throw CLI::ValidationError(option, fmt::format("{} is no file; expected CUDA C++, such as my.cu", cuda));
  const std::string ptx = (folder / source.stem()).string() + ".ptx";
  output_of({locations.source + "/scripts/ptx", cuda, "-o", ptx, "--compiler", compiler},
            fmt::format("{} {}", option, cuda));
  return ptx;
}

}  // namespace heddle::cli
