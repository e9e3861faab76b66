// SPDX-License-Identifier: Apache-2.0
// Runs of a program under every mechanism, for whole-system tests.
#pragma once

#include <string>
#include <vector>

#include "sim/gpu/run.h"

namespace heddle::tests {

/// Single and dual path, each with baseline and shadow scoreboard, and every other stack at which sides meet again.
std::vector<Mechanism> stack_mechanisms();
/// Every control flow unit once, by its first mechanism that is no variant.
std::vector<Mechanism> one_of_each_unit();
/// Warp subdivision at two thresholds, each with another scoreboard.
std::vector<Mechanism> split_mechanisms();
/// Convergence barriers, under each picker.
std::vector<Mechanism> barrier_mechanisms();
/// The optimistic scoreboard beside each kind of control flow unit.
std::vector<Mechanism> optimistic_mechanisms();
/// Barrel processing beside each kind of control flow unit.
std::vector<Mechanism> barrel_mechanisms();
/// Dynamic warp formation: each policy once, and each register file.
std::vector<Mechanism> formation_mechanisms();
/// Dynamic warp formation, each policy on each register file.
std::vector<Mechanism> every_formation();
/// A scalar pipeline a lane.
std::vector<Mechanism> mimd_mechanisms();
/// Decoupled affine computation under both stacks: as in the paper, with batches of what is free, with looser enqueues.
std::vector<Mechanism> affine_mechanisms();
/// One of each kind, and decoupled affine computation under both stacks: with outcomes from the warps and without.
std::vector<Mechanism> exit_mechanisms();
std::string name_of(const Mechanism& mechanism);

/// At hpca13, beside the oracle.
gpu::RunRequest request_of(const Mechanism& mechanism, const gpu::HostProgram& program);

/// A kernel of ours in warps and blocks of this point, beside the oracle. ptx_directory: HEDDLE_PTX_DIR
gpu::RunRequest request_of(const gpu::Workload& workload, const DesignPoint& point, const Mechanism& mechanism,
                           const std::string& ptx_directory);

}  // namespace heddle::tests
