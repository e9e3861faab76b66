// SPDX-License-Identifier: Apache-2.0
#include "rtl/base/trace_window.h"

#include <algorithm>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <sysc/tracing/sc_tracing_ids.h>

#include "rtl/base/output_file.h"

namespace heddle {

namespace {

/// "its blocks are a, b": the names that a user may ask for.
std::string its_blocks() {
  std::set<std::string> names;
  for (const Structure& row : inventory()) names.insert(row.block.substr(row.block.rfind('.') + 1));
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "its blocks are " : ", ") + name;
  return text.empty() ? "it has no block" : text;
}

}  // namespace

using sc_core::sc_start;
using sc_core::sc_time;
using sc_core::sc_time_stamp;

void trace_recorder::open() {
  const std::regex expression(window_.wanted);
  const PathFilter wanted = [&expression](const std::string& path) { return std::regex_match(path, expression); };
  const bool any = std::any_of(inventory().begin(), inventory().end(),
                               [&](const Structure& row) { return wanted(row.path) || wanted(row.path + "_0"); });
  if (!any) throw std::runtime_error("--trace: this machine has no " + window_.asked + "; " + its_blocks());
  sc_core::sc_report_handler::set_actions("tracing timescale unit set", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  file_ = sc_core::sc_create_vcd_trace_file(with_folder(window_.file).c_str());
  file_->set_time_unit(1, sc_core::SC_NS);
  sc_core::sc_trace(file_, cycle_, "cycle");
  for (const Structure& row : inventory()) row.trace(file_, wanted);
}

/// In steps of a cycle, so that the waveform has the number of each.
void trace_recorder::run_counting(const sc_time& until) {
  while (sc_time_stamp() < until) {
    cycle_ = static_cast<unsigned>(sc_time_stamp().value() / window_.cycle.value());
    sc_start(std::min(until, window_.cycle * (cycle_ + 1.0)) - sc_time_stamp());
  }
}

void trace_recorder::close() {
  if (file_ == nullptr) return;
  // A run may fail in the first cycle of its window: that there is no waveform is no second failure.
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_TRACING_CLOSE_EMPTY_FILE_, sc_core::SC_WARNING,
                                          sc_core::SC_DO_NOTHING);
  sc_core::sc_close_vcd_trace_file(file_);
  file_ = nullptr;
}

void trace_recorder::run(const sc_time& length) {
  const sc_time end = sc_time_stamp() + length;
  if (window_.file.empty() || window_.to <= sc_time_stamp() || window_.from >= end) {
    sc_start(length);
    return;
  }
  if (file_ == nullptr) {
    if (window_.from > sc_time_stamp()) sc_start(window_.from - sc_time_stamp());
    open();
  }
  const sc_time stop = std::min(window_.to, end);
  run_counting(stop);
  if (window_.to <= end) close();
  if (end > sc_time_stamp()) sc_start(end - sc_time_stamp());
}

}  // namespace heddle
