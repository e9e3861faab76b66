// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/questions.h"

#include <algorithm>

namespace heddle_test {

namespace {

using Asker = standard_initiator;
using Access = Asker::Access;
using Bytes = Asker::Bytes;
using End = Asker::End;
using tlm::TLM_IGNORE_COMMAND;
using tlm::TLM_READ_COMMAND;
using tlm::TLM_WRITE_COMMAND;
constexpr unsigned Line = Asker::Line;
constexpr std::uint8_t On = TLM_BYTE_ENABLED, Off = TLM_BYTE_DISABLED;

DECLARE_EXTENDED_PHASE(phase_of_another_protocol);

std::string name_of(tlm::tlm_response_status status) {
  tlm::tlm_generic_payload payload;
  payload.set_response_status(status);
  return payload.get_response_string();
}

std::string expect(const Access& made, tlm::tlm_response_status status) {
  if (!made.answered) return "no answer";
  return made.status == status ? "" : name_of(made.status) + " instead of " + name_of(status);
}

std::string expect(const Bytes& found, const Bytes& wanted) {
  if (found.size() != wanted.size()) return std::to_string(found.size()) + " bytes";
  const auto wrong = std::mismatch(found.begin(), found.end(), wanted.begin()).first - found.begin();
  return found == wanted ? "" : "byte " + std::to_string(wrong) + " is wrong";
}

std::string first_of(std::initializer_list<std::string> faults) {
  for (const std::string& fault : faults)
    if (!fault.empty()) return fault;
  return "";
}

/// `bytes` where a write of 1, 2, 3, ... with these enables has been.
Bytes written(Bytes bytes, const Bytes& enables) {
  for (unsigned i = 0; i < bytes.size(); ++i)
    if (enables.empty() || enables[i % enables.size()] == On) bytes[i] = static_cast<std::uint8_t>(i + 1);
  return bytes;
}

/// A refused write must change nothing.
std::string refused(Asker& a, const Access& made, tlm::tlm_response_status status) {
  return first_of({expect(made, status), expect(a.debug(a.address(0), Line), a.initial(0))});
}

std::string writes(Asker& a, const Bytes& enables) {
  Access& made = a.transport(a.access(TLM_WRITE_COMMAND, a.address(0), Line, enables));
  return first_of({expect(made, tlm::TLM_OK_RESPONSE),
                   expect(a.debug(a.address(0), Line), written(a.initial(0), enables)),
                   expect(a.debug(a.address(1), Line), a.initial(1))});
}

/// The response of a second read waits until that of the first one is ended.
std::string ends(Asker& a, End end) {
  Access& first = a.access(TLM_READ_COMMAND, a.address(0));
  Access& second = a.access(TLM_READ_COMMAND, a.address(1));
  first.end = end;
  a.send(first);
  a.send(second);
  a.await(first);
  a.await(second);
  const std::string wrong = first_of({expect(first, tlm::TLM_OK_RESPONSE), expect(second, tlm::TLM_OK_RESPONSE),
                                      expect(first.data, a.initial(0)), expect(second.data, a.initial(1))});
  if (!wrong.empty()) return wrong;
  // What completes in the call of its request has no response phases.
  const bool in_order = second.at >= first.ended || second.at == second.sent || first.at == first.sent;
  return in_order ? "" : "the second response begins before the first one ends";
}

std::string without_memory_manager(Asker& a) {
  tlm::tlm_generic_payload payload;
  Bytes data(Line);
  payload.set_read();
  payload.set_address(a.address(0));
  payload.set_data_ptr(data.data());
  payload.set_data_length(Line);
  payload.set_streaming_width(Line);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum status = a.socket->nb_transport_fw(payload, phase, delay);
  if (status != tlm::TLM_COMPLETED) return "not refused in the call";
  return payload.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE ? "" : payload.get_response_string();
}

std::string annotated_request(Asker& a) {
  const Access& plain = a.transport(a.access(TLM_READ_COMMAND, a.address(0)));
  a.pause(1000);
  const sc_core::sc_time delay(10, sc_core::SC_US), slack(100, sc_core::SC_NS);
  const Access& later = a.transport(a.access(TLM_READ_COMMAND, a.address(1)), delay);
  const std::string wrong = first_of(
      {expect(plain, tlm::TLM_OK_RESPONSE), expect(later, tlm::TLM_OK_RESPONSE), expect(later.data, a.initial(1))});
  if (!wrong.empty()) return wrong;
  const sc_core::sc_time took = later.at - later.sent, takes = plain.at - plain.sent;
  if (took + slack < takes + delay) return "the delay is dropped: " + took.to_string();
  return took > takes + delay + slack ? "the delay counts twice: " + took.to_string() : "";
}

std::string other_phase(Asker& a) {
  Access& made = a.access(TLM_READ_COMMAND, a.address(0));
  tlm::tlm_phase phase = phase_of_another_protocol;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  if (a.socket->nb_transport_fw(*made.payload, phase, delay) != tlm::TLM_ACCEPTED) return "not ignored";
  a.transport(made);
  return first_of({expect(made, tlm::TLM_OK_RESPONSE), expect(made.data, a.initial(0))});
}

std::string blocking_read(Asker& a) {
  sc_core::sc_time delay(70, sc_core::SC_NS);
  const Access& made = a.blocking(a.access(TLM_READ_COMMAND, a.address(0) + 20, 4), delay);
  if (delay < sc_core::sc_time(70, sc_core::SC_NS)) return "the delay is dropped: " + delay.to_string();
  return first_of({expect(made, tlm::TLM_OK_RESPONSE), expect(made.data, a.initial(0, 20, 4))});
}

std::string blocking_write(Asker& a) {
  a.transport(a.access(TLM_READ_COMMAND, a.address(0)));  // a cache has it
  a.pause(1000);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const Access& made = a.blocking(a.access(TLM_WRITE_COMMAND, a.address(0) + 4, 6, {On, Off}), delay);
  const Access& read = a.transport(a.access(TLM_READ_COMMAND, a.address(0)));
  const Bytes part = written(a.initial(0, 4, 6), {On, Off});
  Bytes wanted = a.initial(0);
  std::copy(part.begin(), part.end(), wanted.begin() + 4);
  return first_of({expect(made, tlm::TLM_OK_RESPONSE), expect(a.debug(a.address(0), Line), wanted),
                   expect(read, tlm::TLM_OK_RESPONSE), expect(read.data, wanted)});
}

std::string blocking_write_to_a_line_under_way(Asker& a) {
  Access& read = a.access(TLM_READ_COMMAND, a.address(0));
  a.send(read);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const Access& made = a.blocking(a.access(TLM_WRITE_COMMAND, a.address(0), 4), delay);
  a.await(read);
  const bool refuses = made.status == tlm::TLM_GENERIC_ERROR_RESPONSE;
  Bytes wanted = a.initial(0, 0, 4);
  if (!refuses) wanted = written(wanted, {});
  return first_of({refuses ? "" : expect(made, tlm::TLM_OK_RESPONSE), expect(read, tlm::TLM_OK_RESPONSE),
                   expect(a.debug(a.address(0), 4), wanted)});
}

std::string refused_blocking(Asker& a, Access& made, tlm::tlm_response_status status) {
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  return refused(a, a.blocking(made, delay), status);
}

std::string no_direct_memory(Asker& a) {
  Access& made = a.access(TLM_READ_COMMAND, a.address(0));
  tlm::tlm_dmi region;
  if (a.socket->get_direct_mem_ptr(*made.payload, region)) return "granted, and caches stand before the bytes";
  a.transport(made);
  return made.payload->is_dmi_allowed() ? "hinted at" : "";
}

std::string read_with_enables(Asker& a) {
  const Bytes enables{Off, On, On, Off};
  const Access& made = a.transport(a.access(TLM_READ_COMMAND, a.address(0), Line, enables));
  Bytes wanted = a.initial(0);
  for (unsigned i = 0; i < Line; ++i)
    if (enables[i % 4] == Off) wanted[i] = 0x5a;
  return first_of({expect(made, tlm::TLM_OK_RESPONSE), expect(made.data, wanted)});
}

std::string streams(Asker& a, bool blocking) {
  Access& made = a.access(TLM_WRITE_COMMAND, a.address(0));
  made.payload->set_streaming_width(4);
  if (blocking) return refused_blocking(a, made, tlm::TLM_BURST_ERROR_RESPONSE);
  return refused(a, a.transport(made), tlm::TLM_BURST_ERROR_RESPONSE);
}

}  // namespace

std::vector<std::pair<const char*, Asker::Question>> questions_to_targets() {
  return {
      {"read, not blocking",
       [](Asker& a) {
         const Access& made = a.transport(a.access(TLM_READ_COMMAND, a.address(0)));
         return first_of({expect(made, tlm::TLM_OK_RESPONSE), expect(made.data, a.initial(0))});
       }},
      {"write without byte enables", [](Asker& a) { return writes(a, {}); }},
      {"write with four byte enables",
       [](Asker& a) {
         return writes(a, {On, Off, On, Off});
       }},
      {"write with three byte enables",
       [](Asker& a) {
         return writes(a, {Off, Off, On});
       }},
      {"write with an enable for each byte",
       [](Asker& a) {
         Bytes enables(Line, On);
         enables[0] = enables[Line - 1] = Off;
         return writes(a, enables);
       }},
      {"read with byte enables", read_with_enables},
      {"streaming", [](Asker& a) { return streams(a, false); }},
      {"four bytes",
       [](Asker& a) {
         return refused(a, a.transport(a.access(TLM_WRITE_COMMAND, a.address(0), 4)), tlm::TLM_BURST_ERROR_RESPONSE);
       }},
      {"half a line further",
       [](Asker& a) {
         return refused(a, a.transport(a.access(TLM_WRITE_COMMAND, a.address(0) + Line / 2)),
                        tlm::TLM_ADDRESS_ERROR_RESPONSE);
       }},
      {"read from nowhere",
       [](Asker& a) {
         return expect(a.transport(a.access(TLM_READ_COMMAND, 1 << 20)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
       }},
      {"write to nowhere",
       [](Asker& a) {
         return expect(a.transport(a.access(TLM_WRITE_COMMAND, 1 << 20)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
       }},
      {"command to ignore",
       [](Asker& a) {
         return refused(a, a.transport(a.access(TLM_IGNORE_COMMAND, a.address(0))), tlm::TLM_COMMAND_ERROR_RESPONSE);
       }},
      {"byte enable 0x0f",
       [](Asker& a) {
         return refused(a, a.transport(a.access(TLM_WRITE_COMMAND, a.address(0), Line, {On, 0x0f})),
                        tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
       }},
      {"no byte enable at the pointer",
       [](Asker& a) {
         Access& made = a.access(TLM_WRITE_COMMAND, a.address(0), Line, {On});
         made.payload->set_byte_enable_length(0);
         return refused(a, a.transport(made), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
       }},
      {"no data pointer",
       [](Asker& a) {
         Access& made = a.access(TLM_READ_COMMAND, a.address(0));
         made.payload->set_data_ptr(nullptr);
         return expect(a.transport(made), tlm::TLM_GENERIC_ERROR_RESPONSE);
       }},
      {"no memory manager", without_memory_manager},
      {"annotated request", annotated_request},
      {"response ended later", [](Asker& a) { return ends(a, End::Later); }},
      {"response ended by return with a delay", [](Asker& a) { return ends(a, End::Returned); }},
      {"response ended by a call with a delay", [](Asker& a) { return ends(a, End::Annotated); }},
      {"phase of another protocol", other_phase},
      {"blocking read of four bytes", blocking_read},
      {"blocking write, then a read", blocking_write},
      {"blocking write to a line under way", blocking_write_to_a_line_under_way},
      {"blocking, streaming", [](Asker& a) { return streams(a, true); }},
      {"blocking, nowhere",
       [](Asker& a) {
         return refused_blocking(a, a.access(TLM_WRITE_COMMAND, 1 << 20), tlm::TLM_ADDRESS_ERROR_RESPONSE);
       }},
      {"blocking, command to ignore",
       [](Asker& a) {
         return refused_blocking(a, a.access(TLM_IGNORE_COMMAND, a.address(0)), tlm::TLM_COMMAND_ERROR_RESPONSE);
       }},
      {"blocking, byte enable 0x0f",
       [](Asker& a) {
         return refused_blocking(a, a.access(TLM_WRITE_COMMAND, a.address(0), Line, {0x0f}),
                                 tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
       }},
      {"blocking, no bytes",
       [](Asker& a) {
         return refused_blocking(a, a.access(TLM_WRITE_COMMAND, a.address(0), 0), tlm::TLM_BURST_ERROR_RESPONSE);
       }},
      {"debug, nowhere", [](Asker& a) { return a.debug(1 << 20, 4).empty() ? "" : "bytes that are not there"; }},
      {"debug, command to ignore",
       [](Asker& a) {
         Access& made = a.access(TLM_IGNORE_COMMAND, a.address(0));
         return a.socket->transport_dbg(*made.payload) == 0 ? "" : "bytes are said to have moved";
       }},
      {"direct memory interface", no_direct_memory},
  };
}

}  // namespace heddle_test
