// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/run_copies.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/sm/links/clock_gate.h"

namespace heddle::gpu {

namespace {

constexpr std::uint64_t BetweenCopies = 200'000;  // cycles; what a woken copy repeats is at most twice that

std::uint64_t cycles(const sc_core::sc_time& time) {
  return time.value() / core_cycles(1).value();
}

/// What a copy is told when it is woken.
struct Order {
  std::uint64_t from, to;  // in the simulator's resolution
  std::array<char, 1000> file, wanted;
};

/// Whatever the run has open belongs to the run: what a copy writes there is lost. The numbers stay taken.
void let_go_of_files(int pipe) {
  constexpr int MostFiles = 1024;
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int file = 0; file < MostFiles; ++file)
    if (file != pipe && file != nowhere && ::fcntl(file, F_GETFD) != -1) ::dup2(nowhere, file);
}

}  // namespace

RunCopies::~RunCopies() {
  if (is_copy_) end_copy();
  for (const Copy& copy : copies_) end(copy);
}

void RunCopies::end(const Copy& copy) {
  ::close(copy.pipe);
  ::waitpid(copy.process, nullptr, 0);
}

void RunCopies::end_copy() {
  recorder_.close();
  ::_exit(0);
}

void RunCopies::keep() {
  if (!are_wanted_ || is_copy_) return;
  const std::uint64_t now = cycles(sc_core::sc_time_stamp());
  if (!copies_.empty() && now - copies_.back().cycle < BetweenCopies) return;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;  // then there is no waveform of this stretch
  const pid_t parent = ::getpid(), process = ::fork();
  if (process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(0);
    ::close(ends[1]);
    return sleep(ends[0]);
  }
  ::close(ends[0]);
  if (process < 0) {
    ::close(ends[1]);
    return;
  }
  copies_.push_back({process, ends[1], now});
  if (copies_.size() <= 2) return;
  end(copies_.front());
  copies_.pop_front();
}

/// Returns when it is woken: to the simulation, as the run did.
void RunCopies::sleep(int pipe) {
  is_copy_ = true;
  let_go_of_files(pipe);
  Order order;
  if (::read(pipe, &order, sizeof order) != sizeof order) ::_exit(0);  // nobody needs it
  TraceWindow window;
  window.file = order.file.data();
  window.wanted = order.wanted.data();
  window.asked = "such block";
  window.from = sc_core::sc_time::from_value(order.from);
  window.to = sc_core::sc_time::from_value(order.to);
  window.cycle = core_cycles(1);
  recorder_.show(window);
}

void RunCopies::wake(const TraceWindow& window) {
  if (copies_.empty() || is_copy_) return;
  const auto early = std::find_if(copies_.rbegin(), copies_.rend(),
                                  [&](const Copy& copy) { return copy.cycle <= cycles(window.from); });
  const Copy& chosen = early == copies_.rend() ? copies_.front() : *early;
  Order order{window.from.value(), window.to.value(), {}, {}};
  std::strncpy(order.file.data(), window.file.c_str(), order.file.size() - 1);
  std::strncpy(order.wanted.data(), window.wanted.c_str(), order.wanted.size() - 1);
  const auto otherwise = std::signal(SIGPIPE, SIG_IGN);
  // One that is gone leaves no waveform, and what the run says is not to be lost for it.
  [[maybe_unused]] const ssize_t told = ::write(chosen.pipe, &order, sizeof order);
  std::signal(SIGPIPE, otherwise);
}

}  // namespace heddle::gpu
