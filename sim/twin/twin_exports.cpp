// SPDX-License-Identifier: Apache-2.0
// The C functions of a twin's library, around its Verilated model. scripts/twin compiles this once for each library:
// twin_model.h, which it writes, includes the model and names it heddle_twin_model and lists its ports:
//   HEDDLE_TWIN_PORT(name, width, is_output)
// and twin_labels.h lists its assertions:
//   HEDDLE_TWIN_LABEL(file, line, label)
#include <exception>
#include <string>
#include <vector>

#include "sim/twin/twin_interface.h"
#include "twin_labels.h"
#include "twin_model.h"

namespace {

/// An assertion of the twin, with its file and line.
struct TwinStopped : std::exception {
  explicit TwinStopped(std::string what) : text(std::move(what)) {}
  const char* what() const noexcept override { return text.c_str(); }
  std::string text;
};

struct Model : heddle_twin {
  VerilatedContext context;
  heddle_twin_model model;
  std::vector<heddle_twin_port> all;
  std::string stopped;

  /// The seed counts before the model is made: its state is initialised there.
  static VerilatedContext* seeded(VerilatedContext& context, unsigned seed) {
    context.randReset(seed == 0 ? 0 : 2);
    context.randSeed(static_cast<int>(seed));
    return &context;
  }

  explicit Model(unsigned seed) : heddle_twin{}, model(seeded(context, seed), "twin") {
#define HEDDLE_TWIN_PORT(port, width, is_output) all.push_back({#port, &model.port, width, is_output});
    HEDDLE_TWIN_PORTS
#undef HEDDLE_TWIN_PORT
    ports = all.data();
    port_count = static_cast<unsigned>(all.size());
  }
};

struct Label {
  const char* file;  // without folders
  int line;
  const char* label;
};

#define HEDDLE_TWIN_LABEL(file, line, label) {file, line, label},
constexpr Label Labels[] = {HEDDLE_TWIN_LABELS{nullptr, 0, nullptr}};
#undef HEDDLE_TWIN_LABEL

/// The label of the assertion in this line, such as overflow. Verilator does not give it.
std::string label_at(const char* file, int line) {
  const std::string path = file, name = path.substr(path.rfind('/') + 1);
  for (const Label& one : Labels)
    if (one.label != nullptr && one.line == line && name == one.file) return one.label;
  return "assertion";
}

}  // namespace

/// In place of Verilator's own, which ends the program.
void vl_stop(const char* file, int line, const char*) noexcept(false) {
  throw TwinStopped(label_at(file, line) + ": " + file + ':' + std::to_string(line) +
                    ": an assertion of the twin failed");
}

extern "C" {

__attribute__((visibility("default"))) heddle_twin* heddle_twin_create(unsigned seed) {
  return new Model(seed);
}

__attribute__((visibility("default"))) const char* heddle_twin_evaluate(heddle_twin* twin) {
  auto* const model = static_cast<Model*>(twin);
  try {
    model->model.eval();
  } catch (const TwinStopped& stopped) {
    model->stopped = stopped.text;
    return model->stopped.c_str();
  }
  return nullptr;
}

__attribute__((visibility("default"))) void heddle_twin_destroy(heddle_twin* twin) {
  auto* const model = static_cast<Model*>(twin);
  // Scopes leave the context that the thread used last, which may be that of a model that is gone.
  Verilated::threadContextp(&model->context);
  delete model;
}
}
