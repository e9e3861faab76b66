#include "sim/gpu/flight_recorder.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <regex>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/sm/clock_gate.h"

namespace heddle::gpu {

namespace {

constexpr std::uint64_t BetweenCopies = 200'000;  // cycles; what a woken copy repeats is at most twice that
constexpr std::uint64_t Behind = 20;              // cycles that are shown after the last edge of an SM that is stuck

std::uint64_t cycle_now() {
  return sc_core::sc_time_stamp().value() / core_cycles(1).value();
}

/// What a copy is told when it is woken.
struct Order {
  std::uint64_t from, to;
  std::array<char, 1000> wanted;
};

/// A path of a block, as blocks name themselves in errors: "sm0.slice0.scoreboard".
std::string block_in(const std::string& what) {
  std::smatch found;
  return std::regex_search(what, found, std::regex("\\bsm\\d+(\\.\\w+)+")) ? found[0].str() : "";
}

/// Paths of the ports of an SM's blocks, and of the state of the one that failed.
std::string paths(unsigned sm, const std::string& block) {
  const std::string ports = fmt::format("sm{}\\..*_[io](_\\d+)*", sm);
  if (block.empty()) return ports;
  return ports + '|' + std::regex_replace(block, std::regex("\\."), "\\.") + "\\.[a-z_]+(_\\d+)*";
}

/// Whatever the run has open belongs to the run: what a copy writes there is lost. The numbers stay taken.
void let_go_of_files(int pipe) {
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int file = 0; file < static_cast<int>(::sysconf(_SC_OPEN_MAX)) && file < 1024; ++file)
    if (file != pipe && file != nowhere && ::fcntl(file, F_GETFD) != -1) ::dup2(nowhere, file);
}

}  // namespace

FlightRecorder::FlightRecorder(const FlightParameters& parameters, trace_recorder& recorder)
    : parameters_(parameters), recorder_(recorder) {}

FlightRecorder::~FlightRecorder() {
  if (is_copy_) {  // the run fails in a way that nobody told
    recorder_.close();
    ::_exit(0);
  }
  for (const Copy& copy : copies_) end(copy);
}

void FlightRecorder::end(const Copy& copy) {
  ::close(copy.pipe);
  ::waitpid(copy.process, nullptr, 0);
}

void FlightRecorder::keep() {
  if (parameters_.file.empty() || is_copy_) return;
  const std::uint64_t now = cycle_now();
  if (!copies_.empty() && now - copies_.back().cycle < BetweenCopies) return;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;  // then there is none of this stretch
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
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
void FlightRecorder::sleep(int pipe) {
  is_copy_ = true;
  let_go_of_files(pipe);
  Order order;
  if (::read(pipe, &order, sizeof order) != sizeof order) ::_exit(0);  // nobody needs it
  TraceWindow window;
  window.file = parameters_.file;
  window.wanted = order.wanted.data();
  window.asked = "blocks";
  window.from = core_cycles(double(order.from));
  window.to = core_cycles(double(order.to));
  window.cycle = core_cycles(1);
  recorder_.show(window);
}

void FlightRecorder::write(const std::string& what, unsigned sm, std::uint64_t last) {
  if (is_copy_) {
    recorder_.close();
    ::_exit(0);
  }
  const std::uint64_t now = cycle_now(), end = std::min(now, last + Behind) + 1,
                      from = end - std::min(end, parameters_.cycles);
  const auto early =
      std::find_if(copies_.rbegin(), copies_.rend(), [&](const Copy& copy) { return copy.cycle <= from; });
  if (copies_.empty()) return;
  const Copy& chosen = early == copies_.rend() ? copies_.front() : *early;
  Order order{from, end, {}};
  std::strncpy(order.wanted.data(), paths(sm, block_in(what)).c_str(), order.wanted.size() - 1);
  const auto broken_pipe = std::signal(SIGPIPE, SIG_IGN);
  if (::write(chosen.pipe, &order, sizeof order) != sizeof order) {}  // it is gone: no waveform
  std::signal(SIGPIPE, broken_pipe);
}

}  // namespace heddle::gpu
