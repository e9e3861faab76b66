// SPDX-License-Identifier: Apache-2.0
// Kernels with their host drivers: the same driver runs on the oracle and on the timed device.
//
// A driver registers itself by one line at namespace scope, `const RegisterWorkload<Diverge> registered;`, in an object
// file that is linked in (an OBJECT library; a static library would drop it). sim/ knows no kernel by name.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/gpu/device.h"

namespace heddle::gpu {

enum class Size : std::uint8_t { Small, Medium, Large };

/// "small", "medium", "large", or their first letter; throws std::invalid_argument for another name.
Size parse_size(const std::string& name);
const char* name_of(Size size);

struct WorkloadOptions {
  Size size = Size::Small;
  unsigned warps = 0;            // how many warps the grid has; 0: what the kernel chooses for its size
  unsigned lanes = 32;           // threads a warp
  unsigned warps_per_block = 0;  // at most, because the machine holds no more; 0: what the kernel chooses
  unsigned block_threads = 0;    // a block, of kernels whose blocks may have any size; 0: what the kernel chooses
  unsigned coarsen = 0;          // work items a thread, of kernels that loop over them; 0: what the kernel chooses
  std::string input_file;        // of kernels that read one; empty: the kernel's own
  std::uint64_t seed = 1;
};

/// Whether the results equal the driver's CPU reference; the message says what was compared, or what differs.
struct Outcome {
  bool ok = false;
  std::string message;
};

/// The program of an entry in the workload's PTX. The reference stays valid while the workload runs.
using FindProgram = std::function<const isa::Program&(const std::string& entry)>;

class Workload {
 public:
  virtual ~Workload() = default;

  virtual std::string name() const = 0;  // also that of its PTX file: kernels/NAME.ptx
  virtual std::string summary() const = 0;
  virtual std::string branches() const = 0;  // which branches can be interleaved, and why; one line
  /// What small, medium and large are: "8, 64, 512 warps".
  virtual std::string sizes() const = 0;
  /// Whether a grid of any number of warps, of any number of lanes, makes sense. If not, the data set alone says how
  /// large the grid is, and a block needs the threads that the kernel was written for.
  virtual bool takes_any_warps() const { return true; }
  /// Whether a thread does one work item after the other, as many as the options say (SR sec. 3, thread coarsening).
  virtual bool takes_coarsen() const { return false; }
  /// Whether the results are the same bytes in every order of threads. If not (float atomics, slots handed out by an
  /// atomic), the driver's own check decides, and runs are not compared with the oracle byte by byte (DESIGN 2.2).
  virtual bool is_byte_exact() const { return true; }
  /// The kernel never ends on a reconvergence stack; it does on the oracle.
  virtual bool expects_deadlock() const { return false; }
  /// Allocates, copies, launches as often as needed, reads back and compares.
  virtual Outcome run(Device& device, const FindProgram& find_program, const WorkloadOptions& options) const = 0;
};

/// All workloads that are linked in, by name.
std::vector<const Workload*> all_workloads();
/// The workload of that name, or nullptr.
const Workload* find_workload(const std::string& name);
void register_workload(std::unique_ptr<Workload> workload);

template <class T>
struct RegisterWorkload {
  RegisterWorkload() { register_workload(std::make_unique<T>()); }
};

// ---- What drivers share ----

/// What a size stands for: about a second, ten seconds, a minute of CPU time on one SM of hpca13.
template <class T>
T by_size(const WorkloadOptions& options, T small, T medium, T large) {
  const T values[] = {small, medium, large};
  return values[static_cast<unsigned>(options.size)];
}

/// A quantity that grows with the size.
struct PerSize {
  unsigned small, medium, large;

  unsigned at(const WorkloadOptions& options) const { return by_size(options, small, medium, large); }
  /// "8, 64, 512 warps"
  std::string text(const std::string& what) const;
};

/// Blocks and threads so that the grid has exactly `warps` warps.
struct Shape {
  unsigned blocks = 1, threads = 32;
  unsigned total() const { return blocks * threads; }
};

/// At most `warps_per_block` warps a block, or as many as the options ask for; fewer if the number of warps is no
/// multiple of it.
Shape shape_for(const WorkloadOptions& options, unsigned default_warps, unsigned warps_per_block = 4);

/// Threads a block of a kernel whose grid is given, where `usual` does not stand against it: the largest number that
/// options and machine allow and that divides `total`.
unsigned block_threads(const WorkloadOptions& options, unsigned usual, unsigned total);

/// Work items a thread, of a kernel that takes as many as it is told.
unsigned items_of_thread(const WorkloadOptions& options, unsigned usual);

/// A small generator with the same numbers on every host (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>((next() >> 32) * limit >> 32); }
  /// Uniform in [low, high), in steps of 2^-24 of the interval.
  float between(float low, float high) {
    return low + (high - low) * (static_cast<float>(next() >> 40) / static_cast<float>(1U << 24));
  }

 private:
  std::uint64_t state_;
};

/// Says which element differs first, with both values.
Outcome compare_words(const std::vector<std::uint32_t>& found, const std::vector<std::uint32_t>& expected);
/// Bit by bit: for kernels whose every operation is correctly rounded, so that a CPU gets the same bits.
Outcome compare_exactly(const std::vector<float>& found, const std::vector<float>& expected);
/// |found - expected| <= relative * |expected| + absolute, and no NaN. The message has the largest error of both kinds.
Outcome compare_within(const std::vector<float>& found, const std::vector<float>& expected, double relative,
                       double absolute);

}  // namespace heddle::gpu
