// SPDX-License-Identifier: Apache-2.0
// Every target and initiator of tlm/ between standard ones (tlm_utils::simple_initiator_socket, simple_target_socket),
// which know nothing of Heddle. Targets are asked what IEEE 1666 says of the base protocol and the generic payload;
// initiators meet a target that answers in each of the ways that the standard allows, and with each of its errors. Which
// modules there are is read from the headers. All are elaborated before the first case (one elaboration a process).
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/tlm/questions.h"
#include "tests/tlm/standard_target.h"
#include "tlm/crossbar.h"
#include "tlm/dram.h"
#include "tlm/dram_channel.h"
#include "tlm/fixed_memory.h"
#include "tlm/instruction_cache.h"
#include "tlm/l1_cache.h"
#include "tlm/l2_cache.h"
#include "tlm/memory_hierarchy.h"
#include "tlm/memory_multiplexer.h"
#include "tlm/memory_subsystem.h"
#include "tlm/prefetch_buffer.h"
#include "tlm/protocol_monitor.h"
#include "tlm/traffic_recorder.h"
#include "tlm/traffic_replayer.h"

int sc_main(int, char**) {
  return 0;
}  // libsystemc asks for it; Boost.Test owns main

namespace {

using namespace heddle;
using heddle_test::standard_initiator;
using heddle_test::standard_target;
using heddle_test::Way;
using Bytes = std::vector<std::uint8_t>;

const sc_core::sc_time period(2, sc_core::SC_NS);
constexpr unsigned Line = standard_initiator::Line;
constexpr unsigned MemoryBytes = 64 * 1024;  // lines of their own for all questions

/// Errors that our modules report, by type; the protocol monitor complains of much that a standard initiator may do.
std::set<std::string> reported;
void note(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (report.get_severity() == sc_core::SC_ERROR && std::string(report.get_msg_type()).rfind("heddle/", 0) == 0)
    reported.insert(report.get_msg_type());
  else
    sc_core::sc_report_handler::default_handler(report, actions);
}

Bytes pattern() {
  Bytes bytes(MemoryBytes);
  for (unsigned i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 + (i >> 8) + 3);
  return bytes;
}

/// The modules of a case, and what they stand on.
struct Parts {
  BackingStore store;
  std::uint64_t base = 0;
  Bytes initial = pattern();
  std::vector<std::shared_ptr<void>> kept;

  Parts() {
    base = store.allocate(MemoryBytes);
    store.write(base, initial.data(), initial.size());
  }
  template <class Part, class... Arguments>
  Part& make(Arguments&&... arguments) {
    auto made = std::make_shared<Part>(std::forward<Arguments>(arguments)...);
    kept.push_back(made);
    return *made;
  }
  dram& below(const char* name = "dram", bool ideal = false) {
    DramParameters parameters;
    parameters.ideal = ideal;
    return make<dram>(name, parameters, period, store);
  }
  /// A socket that is not used must be bound, too.
  void idle_initiator(tlm::tlm_target_socket<>& target, const char* name) {
    make<standard_initiator>(name, base, initial, std::vector<std::pair<const char*, standard_initiator::Question>>{})
        .socket.bind(target);
  }
  std::string scratch(const std::string& name) {
    const auto path = std::filesystem::temp_directory_path() / ("heddle_standard_sockets_" + name);
    kept.push_back(std::shared_ptr<void>(nullptr, [path](void*) { std::filesystem::remove(path); }));
    return path.string();
  }
};

using Socket = tlm::tlm_initiator_socket<>;

L1Parameters small_l1() {
  L1Parameters l1;
  l1.bytes = 2048;
  l1.ways = 2;
  return l1;
}
HierarchyParameters small_hierarchy() {
  HierarchyParameters p;
  p.channels = 2;
  p.l2.bytes = 4096;
  p.l2.ways = 2;
  return p;
}
BesideL1 all_beside() {
  BesideL1 beside;
  beside.code = true;
  beside.constants = small_l1();
  beside.prefetches.bytes = 2048;
  beside.prefetches.ways = 2;
  return beside;
}
DramChannelParameters channel() {
  DramChannelParameters p;
  p.latency = 100;
  return p;
}

std::unique_ptr<MemoryBelow> fixed(Parts& p, unsigned sms = 1) {
  return std::make_unique<fixed_memory>("fixed", sms, DramParameters{}, period, p.store);
}

/// Binds the initiator to a target of tlm/. `module`: whose it is.
struct TargetCase {
  const char* module;
  const char* what;
  std::function<void(Parts&, Socket&)> bind;
};
const std::vector<TargetCase>& target_cases() {
  static const std::vector<TargetCase> cases{
      {"dram", "", [](Parts& p, Socket& s) { s.bind(p.below().socket); }},
      {"dram", "ideal", [](Parts& p, Socket& s) { s.bind(p.below("dram", true).socket); }},
      {"dram_channel", "",
       [](Parts& p, Socket& s) { s.bind(p.make<dram_channel>("channel", channel(), period, p.store).socket); }},
      {"l1_cache", "",
       [](Parts& p, Socket& s) {
         auto& l1 = p.make<l1_cache>("l1", small_l1(), period);
         l1.memory_socket.bind(p.below().socket);
         s.bind(l1.socket);
       }},
      {"l2_cache", "",
       [](Parts& p, Socket& s) {
         L2Parameters parameters;
         parameters.bytes = 4096;
         parameters.ways = 2;
         auto& l2 = p.make<l2_cache>("l2", parameters, period);
         l2.memory_socket.bind(p.below().socket);
         s.bind(l2.socket);
       }},
      {"prefetch_buffer", "",
       [](Parts& p, Socket& s) {
         auto& buffer = p.make<prefetch_buffer>("buffer", all_beside().prefetches, period);
         buffer.memory_socket.bind(p.below().socket);
         s.bind(buffer.socket);
       }},
      {"memory_multiplexer", "",
       [](Parts& p, Socket& s) {
         auto& multiplexer = p.make<memory_multiplexer>("multiplexer", 2);
         multiplexer.memory_socket.bind(p.below().socket);
         p.idle_initiator(multiplexer.port(0), "other");
         s.bind(multiplexer.port(1));
       }},
      {"crossbar", "",
       [](Parts& p, Socket& s) {
         CrossbarParameters parameters;
         parameters.partitions = 2;
         auto& bar = p.make<crossbar>("crossbar", parameters, period);
         bar.partition(0).bind(p.below("dram0").socket);
         bar.partition(1).bind(p.below("dram1").socket);
         s.bind(bar.port(0));
       }},
      {"protocol_monitor", "",
       [](Parts& p, Socket& s) {
         auto& monitor = p.make<protocol_monitor>("monitor");
         monitor.memory_socket.bind(p.below().socket);
         s.bind(monitor.socket);
       }},
      {"traffic_recorder", "",
       [](Parts& p, Socket& s) {
         auto& writer = p.make<TrafficWriter>(p.scratch("recorder"), 1, Line);
         auto& recorder = p.make<traffic_recorder>("recorder", 0, period, writer);
         recorder.memory_socket.bind(p.below().socket);
         s.bind(recorder.socket);
       }},
      {"recorded_memory", "",
       [](Parts& p, Socket& s) {
         p.make<recorded_memory>(p.scratch("recorded"), 1, Line, period, fixed(p)).bind(0, s);
       }},
      {"fixed_memory", "",
       [](Parts& p, Socket& s) { p.make<fixed_memory>("fixed", 1, DramParameters{}, period, p.store).bind(0, s); }},
      {"memory_hierarchy", "",
       [](Parts& p, Socket& s) {
         p.make<memory_hierarchy>("hierarchy", 1, small_hierarchy(), period, p.store).bind(0, s);
       }},
      {"memory_hierarchy", "without L2",
       [](Parts& p, Socket& s) {
         HierarchyParameters parameters = small_hierarchy();
         parameters.l2.bytes = 0;
         p.make<memory_hierarchy>("hierarchy", 1, parameters, period, p.store).bind(0, s);
       }},
      {"memory_subsystem", "",
       [](Parts& p, Socket& s) {
         s.bind(p.make<memory_subsystem>("memory", 1, small_l1(), period, fixed(p)).socket(0));
       }},
      {"memory_subsystem", "all beside the L1, all below",
       [](Parts& p, Socket& s) {
         auto& memory = p.make<memory_subsystem>(
             "memory", 1, small_l1(), period,
             std::make_unique<memory_hierarchy>("hierarchy", 1, small_hierarchy(), period, p.store), all_beside());
         p.idle_initiator(memory.code_socket(0), "code");
         p.idle_initiator(memory.constant_socket(0), "constants");
         s.bind(memory.socket(0));
       }},
  };
  return cases;
}

/// A module of tlm/ as initiator of a standard target: what a standard initiator above reads through it, or what it reads
/// of its own accord.
struct InitiatorCase {
  const char* module;
  /// Binds both sides; `above` is unused, and its socket is bound to nothing, for what has no target socket.
  std::function<void(Parts&, Socket& above, tlm::tlm_target_socket<>& below)> bind;
};
const std::vector<InitiatorCase>& initiator_cases() {
  static const std::vector<InitiatorCase> cases{
      {"l1_cache",
       [](Parts& p, Socket& above, tlm::tlm_target_socket<>& below) {
         auto& l1 = p.make<l1_cache>("l1", small_l1(), period);
         l1.memory_socket.bind(below);
         above.bind(l1.socket);
       }},
      {"l2_cache",
       [](Parts& p, Socket& above, tlm::tlm_target_socket<>& below) {
         L2Parameters parameters;
         parameters.bytes = 4096;
         parameters.ways = 2;
         auto& l2 = p.make<l2_cache>("l2", parameters, period);
         l2.memory_socket.bind(below);
         above.bind(l2.socket);
       }},
      {"prefetch_buffer",
       [](Parts& p, Socket& above, tlm::tlm_target_socket<>& below) {
         auto& buffer = p.make<prefetch_buffer>("buffer", all_beside().prefetches, period);
         buffer.memory_socket.bind(below);
         above.bind(buffer.socket);
       }},
      {"memory_multiplexer",
       [](Parts& p, Socket& above, tlm::tlm_target_socket<>& below) {
         auto& multiplexer = p.make<memory_multiplexer>("multiplexer", 1);
         multiplexer.memory_socket.bind(below);
         above.bind(multiplexer.port(0));
       }},
      {"crossbar",
       [](Parts& p, Socket& above, tlm::tlm_target_socket<>& below) {
         auto& bar = p.make<crossbar>("crossbar", CrossbarParameters{}, period);
         bar.partition(0).bind(below);
         above.bind(bar.port(0));
       }},
      {"protocol_monitor",
       [](Parts& p, Socket& above, tlm::tlm_target_socket<>& below) {
         auto& monitor = p.make<protocol_monitor>("monitor");
         monitor.memory_socket.bind(below);
         above.bind(monitor.socket);
       }},
      {"traffic_recorder",
       [](Parts& p, Socket& above, tlm::tlm_target_socket<>& below) {
         auto& writer = p.make<TrafficWriter>(p.scratch("below_recorder"), 1, Line);
         auto& recorder = p.make<traffic_recorder>("recorder", 0, period, writer);
         recorder.memory_socket.bind(below);
         above.bind(recorder.socket);
       }},
  };
  return cases;
}

/// Three loads one behind the other, a store, and a load of what was stored.
std::vector<std::pair<const char*, standard_initiator::Question>> questions_through(Way way,
                                                                                    tlm::tlm_response_status status) {
  const auto at_once = way == Way::Completes || way == Way::ReturnsResponse;
  return {{"three loads and a store", [=](standard_initiator& a) -> std::string {
             standard_initiator::Access* loads[3];
             for (unsigned i = 0; i < 3; ++i) a.send(*(loads[i] = &a.access(tlm::TLM_READ_COMMAND, a.address(i))));
             for (const auto* load : loads) a.await(*load);
             for (unsigned i = 0; i < 3; ++i) {
               if (!loads[i]->answered) return "no answer to load " + std::to_string(i);
               if (loads[i]->status != status) return loads[i]->payload->get_response_string();
               if (status == tlm::TLM_OK_RESPONSE && loads[i]->data != a.initial(i)) return "other bytes";
               if (!at_once && loads[i]->at - loads[i]->sent < standard_target::latency())
                 return "answered after " + (loads[i]->at - loads[i]->sent).to_string();
             }
             const auto& store = a.transport(a.access(tlm::TLM_WRITE_COMMAND, a.address(3), Line));
             if (!store.answered) return "no answer to the store";
             if (store.status != status) return store.payload->get_response_string();
             if (status != tlm::TLM_OK_RESPONSE) return "";
             const auto& back = a.transport(a.access(tlm::TLM_READ_COMMAND, a.address(3)));
             return back.answered && back.data == store.data ? "" : "the store is not seen";
           }}};
}

/// Looks for four lines of code, and notes what came when.
class code_reader : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(code_reader);
  code_reader(const sc_core::sc_module_name& name, instruction_cache& cache, std::uint64_t base)
      : sc_module(name), cache_(cache), base_(base) {
    SC_THREAD(read);
  }
  sc_core::sc_time first;  // arrival of a line
  bool done = false;

 private:
  void read() {
    wait(1000, sc_core::SC_NS);
    const sc_core::sc_time sent = sc_core::sc_time_stamp();
    for (unsigned i = 0; i < 4; ++i) {
      const std::uint64_t arrivals = cache_.arrivals();
      cache_.look(base_ + i * Line);
      if (cache_.arrivals() == arrivals) wait(sc_core::sc_time(20, sc_core::SC_US), cache_.arrival_event());
      if (i == 0) first = sc_core::sc_time_stamp() - sent;
    }
    done = cache_.arrivals() == 4 && cache_.idle();
  }
  instruction_cache& cache_;
  const std::uint64_t base_;
};

/// A recording of three loads and a store, of which each waits for the answer of the one before.
void record(const std::string& file, std::uint64_t base) {
  TrafficWriter writer(file, 1, Line);
  for (unsigned i = 0; i < 4; ++i) {
    TrafficEvent event;
    event.kind = i == 3 ? TrafficEvent::Write : TrafficEvent::Read;
    event.cycle = 100 + 4 * i;
    event.address = base + i * Line;
    event.detail.fill(0xff);
    writer.write(event);
    event.kind = TrafficEvent::Answer;
    event.cycle += 2;
    event.request = i;
    writer.write(event);
  }
}

/// Modules that are elaborated within one of its name.
struct Bench : sc_core::sc_module {
  std::string shown;
  Parts parts;
  std::unique_ptr<standard_initiator> initiator;
  std::unique_ptr<standard_target> target;
  code_reader* code = nullptr;
  traffic_replayer* replayer = nullptr;
  bool at_once = false, fails = false;

  /// A target before a standard initiator.
  Bench(const sc_core::sc_module_name& name, const TargetCase& made)
      : sc_module(name), shown(std::string(made.module) + (*made.what == 0 ? "" : ", ") + made.what) {
    initiator = std::make_unique<standard_initiator>("initiator", parts.base, parts.initial,
                                                     heddle_test::questions_to_targets());
    made.bind(parts, initiator->socket);
  }
  /// An initiator before a standard target that answers so.
  Bench(const sc_core::sc_module_name& name, const std::string& module, const char* how, Way way,
        tlm::tlm_response_status status)
      : sc_module(name),
        shown(module + ", " + how),
        at_once(way == Way::Completes || way == Way::ReturnsResponse),
        fails(status != tlm::TLM_OK_RESPONSE) {
    target = std::make_unique<standard_target>("target", way, parts.base, parts.initial, status);
    if (module == "instruction_cache") {
      auto& cache = parts.make<instruction_cache>("cache", InstructionCacheParameters{});
      cache.memory_socket.bind(target->socket);
      code = &parts.make<code_reader>("reader", cache, parts.base);
    } else if (module == "traffic_replayer") {
      const std::string file = parts.scratch(basename());
      record(file, parts.base);
      replayer = &parts.make<traffic_replayer>("replayer", file, 0, period);
      replayer->socket.bind(target->socket);
    } else {
      initiator =
          std::make_unique<standard_initiator>("initiator", parts.base, parts.initial, questions_through(way, status));
      const auto& cases = initiator_cases();
      std::find_if(cases.begin(), cases.end(), [&](const auto& made) {
        return made.module == module;
      })->bind(parts, initiator->socket, target->socket);
    }
  }
};

constexpr tlm::tlm_response_status errors[] = {tlm::TLM_GENERIC_ERROR_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE,
                                               tlm::TLM_COMMAND_ERROR_RESPONSE, tlm::TLM_BURST_ERROR_RESPONSE,
                                               tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE};

std::vector<std::string> initiators() {
  std::vector<std::string> names{"instruction_cache", "traffic_replayer"};
  for (const InitiatorCase& made : initiator_cases()) names.push_back(made.module);
  return names;
}

struct Benches {
  std::vector<std::unique_ptr<Bench>> of_targets, of_initiators;

  Benches() {
    sockets_are_monitored() = false;  // a monitor is a case of its own
    sc_core::sc_report_handler::set_handler(note);
    for (const TargetCase& made : target_cases())
      of_targets.push_back(std::make_unique<Bench>(("target" + std::to_string(of_targets.size())).c_str(), made));
    const auto add = [&](const std::string& module, const char* how, Way way, tlm::tlm_response_status status) {
      const std::string name = "initiator" + std::to_string(of_initiators.size());
      of_initiators.push_back(std::make_unique<Bench>(name.c_str(), module, how, way, status));
    };
    for (const std::string& module : initiators()) {
      for (const auto& way : heddle_test::ways) add(module, way.name, way.way, tlm::TLM_OK_RESPONSE);
      for (const tlm::tlm_response_status status : errors) {
        tlm::tlm_generic_payload payload;
        payload.set_response_status(status);
        add(module, payload.get_response_string().c_str(), Way::FourPhases, status);
      }
    }
    sc_core::sc_start(2, sc_core::SC_MS);
  }
};

const Benches& benches() {
  static const Benches all;
  return all;
}

std::string joined(const std::vector<std::string>& faults) {
  std::string text;
  for (const std::string& fault : faults) text += "\n    " + fault;
  return text;
}

/// Modules whose class has sockets of a kind, or is a memory below L1s: by their headers.
std::set<std::string> modules_with(const std::string& kind) {
  const std::regex is_class("\n(?:class|struct) (\\w+)[^;{]*(sc_module|MemoryBelow)[^{]*\\{([^]*?)\n\\};");
  const std::regex has_socket("\\n *(?:tlm_utils::)?\\w*_" + kind + "_socket(?:<[^\\n]*>|_tagged<[^\\n]*>)?&? \\w+" +
                              "|\\n *tlm::tlm_" + kind + "_socket<>&? \\w+");
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_SOURCE_DIR "/tlm")) {
    if (entry.path().extension() != ".h") continue;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const std::string all = text.str();
    for (std::sregex_iterator at(all.begin(), all.end(), is_class), end; at != end; ++at) {
      const std::string head = at->str().substr(0, at->str().find('{')), body = at->str(3);
      const bool is_memory = kind == "target" && head.find("MemoryBelow") != std::string::npos;
      if (is_memory || std::regex_search(body, has_socket)) found.insert(at->str(1));
    }
  }
  return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_module_is_here) {
  std::set<std::string> targets;
  for (const TargetCase& made : target_cases()) targets.insert(made.module);
  const std::vector<std::string> names = initiators();
  BOOST_TEST(modules_with("target") == targets, boost::test_tools::per_element());
  BOOST_TEST(modules_with("initiator") == std::set<std::string>(names.begin(), names.end()),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(targets_answer_a_standard_initiator) {
  const std::size_t questions = heddle_test::questions_to_targets().size();
  BOOST_TEST(questions >= 20U);
  for (const auto& bench : benches().of_targets) {
    BOOST_TEST(bench->initiator->done, bench->shown << ": " << bench->initiator->asked << " questions answered");
    BOOST_TEST(bench->initiator->faults.empty(), bench->shown << joined(bench->initiator->faults));
  }
  std::printf("%zu targets, %zu questions each\n", benches().of_targets.size(), questions);
}

BOOST_AUTO_TEST_CASE(initiators_understand_a_standard_target) {
  for (const auto& bench : benches().of_initiators) {
    BOOST_TEST(bench->target->requests > 0U, bench->shown);
    BOOST_TEST(bench->target->idle(), bench->shown << ": something is left open at the target");
    BOOST_TEST(bench->target->faults.empty(), bench->shown << joined(bench->target->faults));
    if (bench->initiator) {
      BOOST_TEST(bench->initiator->done, bench->shown);
      BOOST_TEST(bench->initiator->faults.empty(), bench->shown << joined(bench->initiator->faults));
    }
    if (bench->code != nullptr) {
      BOOST_TEST(bench->code->done, bench->shown);
      if (!bench->at_once) BOOST_TEST((bench->code->first >= standard_target::latency()), bench->shown);
    }
    if (bench->replayer != nullptr) {
      BOOST_TEST(bench->replayer->done(), bench->shown);
      if (!bench->at_once)
        BOOST_TEST(bench->replayer->last_cycle() >= 4 * (standard_target::latency() / period), bench->shown);
    }
  }
  std::printf("%zu initiators, %zu ways and %zu errors of a target each\n", initiators().size(),
              std::size(heddle_test::ways), std::size(errors));
}

BOOST_AUTO_TEST_CASE(who_has_no_one_to_answer_reports_an_error) {
  benches();
  BOOST_TEST(reported.count("heddle/instruction_cache/fill") == 1U);
  BOOST_TEST(reported.count("heddle/traffic_replayer/answer") == 1U);
  for (const std::string& type : reported) {
    const bool known = type == "heddle/instruction_cache/fill" || type == "heddle/traffic_replayer/answer" ||
                       type.rfind("heddle/protocol_monitor/", 0) == 0;
    BOOST_TEST(known, type);
  }
}
