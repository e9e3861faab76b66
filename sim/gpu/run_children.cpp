// SPDX-License-Identifier: Apache-2.0
// Runs in child processes, as many at once as one asks for; what they find comes back through a pipe.
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>

#include "sim/gpu/interrupts.h"
#include "sim/gpu/run.h"

namespace heddle::gpu {

namespace {

/// A result as bytes: its fixed part, the statistics of each SM, its text, the rest as JSON.
static_assert(std::is_trivially_copyable_v<Statistics>);
struct FixedPart {
  RunStatus status;
  ErrorCode error;
  bool equals_oracle;
  Statistics statistics;
  unsigned launches;
  std::uint64_t oracle_thread_instructions;
  double timed_cpu_seconds, oracle_cpu_seconds, oracle_launch_seconds, peak_rss_mb;
  std::size_t sms, message_bytes;
};

std::string pack(const RunResult& r) {
  FixedPart fixed;
  std::memset(static_cast<void*>(&fixed), 0, sizeof fixed);
  fixed = {r.status,
           r.error,
           r.equals_oracle,
           r.statistics,
           r.launches,
           r.oracle_thread_instructions,
           r.timed_cpu_seconds,
           r.oracle_cpu_seconds,
           r.oracle_launch_seconds,
           r.peak_rss_mb,
           r.sms.size(),
           r.message.size()};
  nlohmann::json rest{{"profiles", nlohmann::json::array()},
                      {"whole_kernels", nlohmann::json::array()},
                      {"timeline", to_json(r.timeline)}};
  for (const KernelProfile& profile : r.profiles) rest["profiles"].push_back(to_json(profile));
  for (const auto& [kernel, whole] : r.whole_kernels)
    rest["whole_kernels"].push_back({kernel, whole.reason, whole.launches});
  return std::string(reinterpret_cast<const char*>(&fixed), sizeof fixed) +
         std::string(reinterpret_cast<const char*>(r.sms.data()), r.sms.size() * sizeof(Statistics)) + r.message +
         rest.dump();
}

RunResult unpack(const std::string& bytes, int wait_status) {
  FixedPart fixed;
  RunResult r;
  r.error = ErrorCode::Internal;
  if (bytes.size() < sizeof fixed) {
    r.message = WIFSIGNALED(wait_status) ? fmt::format("the run was ended by signal {}", WTERMSIG(wait_status))
                                         : fmt::format("the run ended with code {}", WEXITSTATUS(wait_status));
    return r;
  }
  std::memcpy(static_cast<void*>(&fixed), bytes.data(), sizeof fixed);
  const std::size_t sms_bytes = fixed.sms * sizeof(Statistics);
  std::vector<Statistics> sms(fixed.sms);
  std::memcpy(static_cast<void*>(sms.data()), bytes.data() + sizeof fixed, sms_bytes);
  const nlohmann::json rest = nlohmann::json::parse(bytes.substr(sizeof fixed + sms_bytes + fixed.message_bytes));
  std::vector<KernelProfile> profiles;
  for (const nlohmann::json& one : rest.at("profiles")) profiles.push_back(kernel_profile(one));
  WholeKernels whole_kernels;
  for (const nlohmann::json& one : rest.at("whole_kernels")) whole_kernels[one.at(0)] = {one.at(1), one.at(2)};
  return {fixed.status,
          fixed.error,
          bytes.substr(sizeof fixed + sms_bytes, fixed.message_bytes),
          fixed.equals_oracle,
          fixed.statistics,
          sms,
          profiles,
          timeline(rest.at("timeline")),
          whole_kernels,
          fixed.launches,
          fixed.oracle_thread_instructions,
          fixed.timed_cpu_seconds,
          fixed.oracle_cpu_seconds,
          fixed.oracle_launch_seconds,
          fixed.peak_rss_mb};
}

struct Child {
  pid_t process = -1;
  int pipe = -1;
  std::size_t request = 0;
  std::string bytes;  ///< of its result, so far
};

/// In the child: tells its parent how far it is, and ends at an interrupt.
RunRequest watched(const RunRequest& request, ProgressPage& page) {
  RunRequest own = request;
  own.watch = [&page](RunStage stage, const isa::LaunchProgress& launch) {
    page.tell(stage, launch);
    return !is_interrupted();
  };
  own.watch(request.functional ? RunStage::Oracle : RunStage::Timed, {});
  return own;
}

Child spawn(const RunRequest& request, std::size_t index, ProgressPage& page) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error(fmt::format("pipe: {}", std::strerror(errno)));
  std::cout.flush();
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process < 0) throw std::runtime_error(fmt::format("fork: {}", std::strerror(errno)));
  if (process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // when nobody is left to read what it finds
    if (::getppid() != parent) ::_exit(3);
    ::close(ends[0]);
    note_every_interrupt();
    const std::string bytes = pack(run_here(watched(request, page)));
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t wrote = ::write(ends[1], bytes.data() + done, bytes.size() - done);
      if (wrote <= 0) ::_exit(3);
      done += static_cast<std::size_t>(wrote);
    }
    std::cout.flush();
    ::_exit(0);
  }
  ::close(ends[1]);
  return {process, ends[0], index, {}};
}

/// Takes what the child has written. \return whether it has ended
bool read_some(Child& child) {
  std::array<char, 65536> buffer;
  const ssize_t got = ::read(child.pipe, buffer.data(), buffer.size());
  if (got > 0) child.bytes.append(buffer.data(), static_cast<std::size_t>(got));
  return got == 0 || (got < 0 && errno != EINTR);
}

RunResult finish(Child& child) {
  ::close(child.pipe);
  int status = 0;
  while (::waitpid(child.process, &status, 0) < 0 && errno == EINTR) {}
  // A child that ends in another way than it should is not believed, though it has told its result.
  return unpack(status == 0 ? child.bytes : std::string(), status);
}

/// Until one of the children has written something or ended, or so many milliseconds have gone by, or an interrupt.
std::vector<pollfd> wait_for_news(const std::vector<Child>& running, int milliseconds) {
  std::vector<pollfd> pipes;
  for (const Child& child : running) pipes.push_back({child.pipe, POLLIN, 0});
  if (::poll(pipes.data(), pipes.size(), milliseconds) <= 0)
    for (pollfd& pipe : pipes) pipe.revents = 0;
  return pipes;
}

RunResult not_begun() {
  RunResult result;
  result.status = RunStatus::Interrupted;
  result.message = "interrupted before it began";
  return result;
}

constexpr int BetweenLooks = 200;  // milliseconds

}  // namespace

std::vector<RunResult> run_in_children(const std::vector<RunRequest>& requests, unsigned jobs,
                                       const std::function<void(const std::vector<RunProgress>&)>& progress) {
  std::vector<RunResult> results(requests.size(), not_begun());
  std::vector<std::shared_ptr<ProgressPage>> pages;
  for (std::size_t i = 0; i < requests.size(); ++i) pages.push_back(ProgressPage::make());
  std::vector<Child> running;
  bool are_told = false;
  for (std::size_t next = 0;;) {
    for (; next < requests.size() && running.size() < std::max(1U, jobs) && !is_interrupted(); ++next)
      running.push_back(spawn(requests[next], next, *pages[next]));
    if (running.empty()) return results;
    const std::vector<pollfd> pipes = wait_for_news(running, BetweenLooks);
    if (is_interrupted() && !are_told)
      for (const Child& child : running) ::kill(child.process, SIGINT);
    are_told = is_interrupted();
    for (std::size_t i = running.size(); i-- > 0;) {
      if (pipes[i].revents == 0 || !read_some(running[i])) continue;
      pages[running[i].request]->end();
      results[running[i].request] = finish(running[i]);
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (!progress) continue;
    std::vector<RunProgress> now;
    for (const auto& page : pages) now.push_back(page->now());
    progress(now);
  }
}

}  // namespace heddle::gpu
