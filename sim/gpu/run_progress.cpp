// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/run_progress.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <new>
#include <stdexcept>
#include <sys/mman.h>

namespace heddle::gpu {

namespace {

ProgressPage::Clock::rep now_in_ticks() {
  return ProgressPage::Clock::now().time_since_epoch().count();
}

double seconds_since(ProgressPage::Clock::rep ticks) {
  return std::chrono::duration<double>(ProgressPage::Clock::duration(now_in_ticks() - ticks)).count();
}

}  // namespace

std::shared_ptr<ProgressPage> ProgressPage::make() {
  void* const page = ::mmap(nullptr, sizeof(ProgressPage), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw std::runtime_error(fmt::format("mmap: {}", std::strerror(errno)));
  return {new (page) ProgressPage, [](ProgressPage* its) { ::munmap(its, sizeof *its); }};
}

void ProgressPage::tell(RunStage stage, const isa::LaunchProgress& launch) {
  if (stage_ != stage) {
    for (auto* number : {&number_, &launch_, &ended_, &blocks_, &count_, &before_}) *number = 0;
    stage_began_ = now_in_ticks();
    stage_ = stage;
  }
  if (launch_ != launch.launch) {
    before_ += count_;
    launch_ = launch.launch;
    launch_began_ = number_ == 0 ? stage_began_.load() : now_in_ticks();
    ++number_;
  }
  ended_ = launch.ended;
  blocks_ = launch.blocks;
  count_ = launch.count;
}

RunProgress ProgressPage::now() const {
  RunProgress progress;
  progress.stage = stage_;
  if (progress.stage == RunStage::Waiting) return progress;
  progress.launch = {number_, ended_, blocks_, count_};
  progress.count = before_ + count_;
  progress.launch_seconds = seconds_since(launch_began_);
  progress.stage_seconds = seconds_since(stage_began_);
  return progress;
}

}  // namespace heddle::gpu
