// SPDX-License-Identifier: Apache-2.0
#include "tlm/instruction_cache.h"

#include <algorithm>
#include <string>

namespace heddle {

namespace {

std::uint64_t sets_minus_one(const InstructionCacheParameters& parameters) {
  const std::uint64_t way_bytes = std::uint64_t{parameters.ways} * parameters.line_bytes;
  const std::uint64_t sets = way_bytes == 0 ? 0 : parameters.bytes / way_bytes;
  if (sets == 0 || (sets & (sets - 1)) != 0 || sets * way_bytes != parameters.bytes)
    SC_REPORT_FATAL("heddle/instruction_cache", "bytes / (ways * line_bytes) must be a power of two");
  return sets - 1;
}

}  // namespace

instruction_cache::instruction_cache(const sc_core::sc_module_name& name, const InstructionCacheParameters& parameters)
    : sc_module(name),
      memory_socket("memory_socket", *this),
      parameters_(parameters),
      set_mask_(sets_minus_one(parameters)),
      pool_(parameters.line_bytes),
      lines_(parameters.bytes / parameters.line_bytes),
      mshrs_(parameters.mshrs, no_line) {
  if (parameters.mshrs == 0) SC_REPORT_FATAL("heddle/instruction_cache", "mshrs must be at least 1");
}

instruction_cache::Line* instruction_cache::set_of(std::uint64_t address) {
  return &lines_[(address / parameters_.line_bytes & set_mask_) * parameters_.ways];
}

instruction_cache::Line* instruction_cache::find(std::uint64_t address) {
  Line* const set = set_of(address);
  Line* const end = set + parameters_.ways;
  Line* const line = std::find_if(set, end, [address](const Line& one) { return one.address == address; });
  return line == end ? nullptr : line;
}

instruction_cache::Look instruction_cache::look(std::uint64_t address) {
  sc_assert(address % parameters_.line_bytes == 0);
  if (Line* line = find(address)) {
    line->used = ++use_clock_;
    ++counters_.accesses;
    return Look::Hit;
  }
  if (std::find(mshrs_.begin(), mshrs_.end(), address) == mshrs_.end()) {
    const auto mshr = std::find(mshrs_.begin(), mshrs_.end(), no_line);
    if (mshr == mshrs_.end()) {
      ++counters_.full;
      return Look::Full;
    }
    *mshr = address;
    ++under_way_;
    ++counters_.fills;
    to_memory_.push(*pool_.read(address));
    drain_to_memory();
  }
  ++counters_.accesses;
  ++counters_.misses;
  return find(address) != nullptr ? Look::Hit : Look::Missed;  // an ideal memory has brought it
}

void instruction_cache::drain_to_memory() {
  to_memory_.drain(memory_socket, [this](tlm::tlm_generic_payload& payload) { arrived(payload); });
}

tlm::tlm_sync_enum instruction_cache::nb_transport_bw(unsigned, tlm::tlm_generic_payload& payload,
                                                      tlm::tlm_phase& phase) {
  const bool ends_request = to_memory_.ends(payload);
  const bool responds = phase == tlm::BEGIN_RESP;
  if (responds) arrived(payload);
  if (ends_request) drain_to_memory();
  return responds ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

void instruction_cache::arrived(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  if (!payload.is_response_ok())
    SC_REPORT_ERROR("heddle/instruction_cache/fill",
                    (std::string(name()) + ": memory answers " + payload.get_response_string()).c_str());
  Line* const set = set_of(address);
  *std::min_element(set, set + parameters_.ways, [](const Line& a, const Line& b) { return a.used < b.used; }) = {
      address, ++use_clock_};
  *std::find(mshrs_.begin(), mshrs_.end(), address) = no_line;
  --under_way_;
  ++arrivals_;
  payload.release();
  for (const Listener& heard : listeners_) heard(address);
  arrival_event_.notify();
}

}  // namespace heddle
