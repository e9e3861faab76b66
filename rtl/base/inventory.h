// SPDX-License-Identifier: Apache-2.0
// The storage inventory: every flop and memory of the elaborated design, declared beside the state itself.
//
// declare() in a block's constructor, once for each structure, gives its row in the storage tables (entries, bits a
// field, kind, source) and its waveform. probe() shows a wire that stores nothing. Nobody counts bits by hand; Yosys
// must find the same sum in the twin.
//
// A field is `paper` when the paper's own count has it, and `ours` otherwise (valid and replacement bits, pointers,
// output registers): papers' tables are compared with the first, the hardware with the sum.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rtl/base/record.h"

namespace heddle {

/// What a structure would be built from.
enum class Storage { Wire, Flop, Ram, Cam };

/// Which fields of a structure the paper counts.
struct PaperFields {
  bool all = false;
  std::string names;  ///< comma-separated, when not all; `field:8` is a field of which the paper counts 8 bits

  bool has(const std::string& field) const { return share(field, 1) != 0; }
  /// How many of the bits of this field the paper counts.
  unsigned share(const std::string& field, unsigned bits) const;
};

inline PaperFields paper_all() {
  return {true, ""};
}
inline PaperFields paper_none() {
  return {};
}
inline PaperFields paper_fields(const std::string& names) {
  return {false, names};
}

struct FieldRow {
  std::string name;  ///< empty for a structure of plain values
  unsigned bits;
  bool paper;
};

/// Whether a waveform shows the structure or entry with this path.
using PathFilter = std::function<bool(const std::string&)>;

struct Structure {
  std::string path;   ///< block instance, a dot, the structure
  std::string block;  ///< block instance, as the elaborated design names it
  std::string name;
  Storage storage;
  unsigned entries;
  std::vector<FieldRow> fields;
  std::string ports;   ///< of a memory: such as `1R1W, read first` (DESIGN 4); without first, it is read at once
  std::string source;  ///< section of the paper or of the design that asks for it
  std::function<void(sc_core::sc_trace_file*, const PathFilter&)> trace;

  unsigned bits_per_entry() const { return paper_bits_per_entry() + ours_bits_per_entry(); }
  unsigned paper_bits_per_entry() const;
  unsigned ours_bits_per_entry() const;
  /// Stored bits: a wire has none.
  unsigned long bits() const { return storage == Storage::Wire ? 0 : 1UL * entries * bits_per_entry(); }
  unsigned long paper_bits() const { return storage == Storage::Wire ? 0 : 1UL * entries * paper_bits_per_entry(); }
  unsigned long ours_bits() const { return bits() - paper_bits(); }
};

/// Every structure of the elaborated design. Not a member of the blocks: a synthesis tool would take it for hardware.
std::vector<Structure>& inventory();

// ---- what a structure holds, through ports, signals and arrays ----
template <class T>
struct held {
  using type = T;
  static constexpr bool is_vector = false;
};
template <class T>
struct held<sc_core::sc_in<T>> : held<T> {};
template <class T>
struct held<sc_core::sc_out<T>> : held<T> {};
template <class T, sc_core::sc_writer_policy Writers>
struct held<sc_core::sc_signal<T, Writers>> : held<T> {};
template <class T>
struct held<sc_core::sc_vector<T>> {
  using type = typename held<T>::type;
  static constexpr bool is_vector = true;
};

template <class State>
unsigned entries_of(const State& state) {
  if constexpr (held<State>::is_vector) {
    return static_cast<unsigned>(state.size());
  } else if constexpr (std::is_array_v<State>) {
    return static_cast<unsigned>(std::extent_v<State>) * entries_of(state[0]);
  } else {
    return 1;
  }
}

template <class State>
void trace_entries(sc_core::sc_trace_file* file, const State& state, const std::string& path,
                   const PathFilter& wanted) {
  if constexpr (std::is_array_v<State> || held<State>::is_vector) {
    unsigned i = 0;
    for (const auto& entry : state) trace_entries(file, entry, path + '_' + std::to_string(i++), wanted);
  } else if (wanted(path)) {
    sc_trace(file, state, path);
  }
}

/// What a declaration says beside the state itself.
struct Declared {
  Storage storage;
  PaperFields paper;
  const char* source;
  const char* ports = "";
  const char* wired = "";  ///< fields that are constant here, comma-separated: shown in waveforms, not stored
};

/// What declare() finds out about the state, whatever its type.
struct DeclaredState {
  unsigned entries;
  FieldList fields;
  const void* state;
  void (*trace)(sc_core::sc_trace_file* file, const void* state, const std::string& path, const PathFilter& wanted);
};
void add_to_inventory(const sc_core::sc_module& block, const char* name, const DeclaredState& found,
                      const Declared& as);

template <class State>
void trace_state(sc_core::sc_trace_file* file, const void* state, const std::string& path, const PathFilter& wanted) {
  trace_entries(file, *static_cast<const State*>(state), path, wanted);
}

/// In the constructor, once for each structure: a member, a signal or a registered output, or an array of them.
template <class State>
void declare(const sc_core::sc_module& block, const char* name, const State& state, const Declared& as) {
  using Element = typename held<std::remove_all_extents_t<State>>::type;
  add_to_inventory(block, name, {entries_of(state), field_list<Element>(), &state, trace_state<State>}, as);
}

/// The same for a wire (an input, a combinational output): in the waveforms, not in the cost.
template <class Wire>
void probe(const sc_core::sc_module& block, const char* name, const Wire& wire) {
  declare(block, name, wire, {Storage::Wire, paper_none(), ""});
}

}  // namespace heddle
