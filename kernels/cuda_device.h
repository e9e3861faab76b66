// The little of CUDA that our kernels need, from clang's builtins: no CUDA SDK. In this order: indices, blocks, warps,
// atomics, floats, other instructions, memory; at the end what is ours, for every compiler.
//
// Compile with clang-14 -x cuda --cuda-device-only -nocudainc -nocudalib. nvcc has all of CUDA in its own headers.
#pragma once

#ifdef __NVCC__

#define HEDDLE_DEVICE __device__
#define HEDDLE_ROLLED_LOOP _Pragma("unroll 1")

#else

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ __attribute__((always_inline)) inline
#define __noinline__ __attribute__((noinline))

// For code that device and CPU reference share.
#define HEDDLE_DEVICE __device__ __attribute__((always_inline))
// Before a loop whose branch is the point of the kernel.
#define HEDDLE_ROLLED_LOOP _Pragma("clang loop unroll(disable)")

// ---- Indices ----

// threadIdx.x is a property: reading it calls the getter, and there is no object behind the name.
#define HEDDLE_INDEX(name, sreg)                                                                     \
  struct name##_t {                                                                                  \
    __declspec(property(get = get_x)) unsigned x;                                                    \
    __declspec(property(get = get_y)) unsigned y;                                                    \
    __declspec(property(get = get_z)) unsigned z;                                                    \
    static __device__ __forceinline__ unsigned get_x() { return __nvvm_read_ptx_sreg_##sreg##_x(); } \
    static __device__ __forceinline__ unsigned get_y() { return __nvvm_read_ptx_sreg_##sreg##_y(); } \
    static __device__ __forceinline__ unsigned get_z() { return __nvvm_read_ptx_sreg_##sreg##_z(); } \
  };                                                                                                 \
  extern const __device__ name##_t name

HEDDLE_INDEX(threadIdx, tid);
HEDDLE_INDEX(blockIdx, ctaid);
HEDDLE_INDEX(blockDim, ntid);
HEDDLE_INDEX(gridDim, nctaid);

#undef HEDDLE_INDEX

// ---- Order. clang's builtins of barriers do not say that other threads write memory meanwhile: it would keep a
// __shared__ variable whose address is taken nowhere in a register, or read it too soon. What synchronises stands between
// two of these. Shuffles, votes, matches and reductions of a warp order no memory (CUDA Programming Guide). ----

/// No access to memory crosses this place in the compiler; it is no instruction.
static __device__ __forceinline__ void heddle_keep_order() {
  asm volatile("" : : : "memory");
}

// ---- Blocks ----

// Instead of clang's builtin. A macro, so that profiles show the line of the program that calls it.
#define __syncthreads() __extension__({ asm volatile("bar.sync 0;" : : : "memory"); })

#define HEDDLE_BLOCK_REDUCTION(name, operation)               \
  static __device__ __forceinline__ int name(int predicate) { \
    heddle_keep_order();                                      \
    const int result = __nvvm_bar0_##operation(predicate);    \
    heddle_keep_order();                                      \
    return result;                                            \
  }

HEDDLE_BLOCK_REDUCTION(__syncthreads_count, popc)
HEDDLE_BLOCK_REDUCTION(__syncthreads_and, and)
HEDDLE_BLOCK_REDUCTION(__syncthreads_or, or)

#undef HEDDLE_BLOCK_REDUCTION

// ---- Warps. A shuffle's last argument is the width of a segment; the ones without _sync are gone since sm_70. ----

#define HEDDLE_SHUFFLE(name, mode, clamp)                                                                      \
  static __device__ __forceinline__ int name(unsigned mask, int value, int lane, int width = 32) {             \
    return __nvvm_shfl_sync_##mode##_i32(mask, value, lane, (32 - width) << 8 | clamp);                        \
  }                                                                                                            \
  static __device__ __forceinline__ unsigned name(unsigned mask, unsigned value, int lane, int width = 32) {   \
    return static_cast<unsigned>(name(mask, static_cast<int>(value), lane, width));                            \
  }                                                                                                            \
  static __device__ __forceinline__ float name(unsigned mask, float value, int lane, int width = 32) {         \
    return __nvvm_shfl_sync_##mode##_f32(mask, value, lane, (32 - width) << 8 | clamp);                        \
  }                                                                                                            \
  static __device__ __forceinline__ unsigned long long name(unsigned mask, unsigned long long value, int lane, \
                                                            int width = 32) {                                  \
    const unsigned low = name(mask, static_cast<unsigned>(value), lane, width);                                \
    const unsigned high = name(mask, static_cast<unsigned>(value >> 32), lane, width);                         \
    return static_cast<unsigned long long>(high) << 32 | low;                                                  \
  }                                                                                                            \
  static __device__ __forceinline__ long long name(unsigned mask, long long value, int lane, int width = 32) { \
    return static_cast<long long>(name(mask, static_cast<unsigned long long>(value), lane, width));            \
  }                                                                                                            \
  static __device__ __forceinline__ double name(unsigned mask, double value, int lane, int width = 32) {       \
    return __builtin_bit_cast(double, name(mask, __builtin_bit_cast(unsigned long long, value), lane, width)); \
  }

HEDDLE_SHUFFLE(__shfl_sync, idx, 0x1f)
HEDDLE_SHUFFLE(__shfl_up_sync, up, 0)
HEDDLE_SHUFFLE(__shfl_down_sync, down, 0x1f)
HEDDLE_SHUFFLE(__shfl_xor_sync, bfly, 0x1f)

#undef HEDDLE_SHUFFLE

static __device__ __forceinline__ unsigned __ballot_sync(unsigned mask, int predicate) {
  return static_cast<unsigned>(__nvvm_vote_ballot_sync(mask, predicate));
}
static __device__ __forceinline__ int __any_sync(unsigned mask, int predicate) {
  return __nvvm_vote_any_sync(mask, predicate);
}
static __device__ __forceinline__ int __all_sync(unsigned mask, int predicate) {
  return __nvvm_vote_all_sync(mask, predicate);
}
static __device__ __forceinline__ void __syncwarp(unsigned mask = 0xffffffffU) {
  heddle_keep_order();
  __nvvm_bar_warp_sync(mask);
  heddle_keep_order();
}
static __device__ __forceinline__ unsigned __activemask() {
  unsigned mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}
// By assembly: clang has builtins for these only where the target is sm_70 or sm_80.
static __device__ __forceinline__ unsigned __match_any_sync(unsigned mask, unsigned value) {
  unsigned result;
  asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));
  return result;
}
static __device__ __forceinline__ unsigned __match_any_sync(unsigned mask, unsigned long long value) {
  unsigned result;
  asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(result) : "l"(value), "r"(mask));
  return result;
}
static __device__ __forceinline__ unsigned __match_all_sync(unsigned mask, unsigned value, int* all) {
  unsigned result;
  asm volatile("match.all.sync.b32 %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));
  *all = result != 0;
  return result;
}

#define HEDDLE_REDUCE(name, operation, type)                                                     \
  static __device__ __forceinline__ type name(unsigned mask, type value) {                       \
    type result;                                                                                 \
    asm volatile("redux.sync." operation " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask)); \
    return result;                                                                               \
  }

HEDDLE_REDUCE(__reduce_add_sync, "add.u32", unsigned)
HEDDLE_REDUCE(__reduce_add_sync, "add.s32", int)
HEDDLE_REDUCE(__reduce_min_sync, "min.u32", unsigned)
HEDDLE_REDUCE(__reduce_min_sync, "min.s32", int)
HEDDLE_REDUCE(__reduce_max_sync, "max.u32", unsigned)
HEDDLE_REDUCE(__reduce_max_sync, "max.s32", int)
HEDDLE_REDUCE(__reduce_and_sync, "and.b32", unsigned)
HEDDLE_REDUCE(__reduce_or_sync, "or.b32", unsigned)
HEDDLE_REDUCE(__reduce_xor_sync, "xor.b32", unsigned)

#undef HEDDLE_REDUCE

// ---- Atomics ----

static __device__ __forceinline__ int atomicAdd(int* address, int value) {
  return __nvvm_atom_add_gen_i(address, value);
}
static __device__ __forceinline__ unsigned atomicAdd(unsigned* address, unsigned value) {
  return static_cast<unsigned>(__nvvm_atom_add_gen_i(reinterpret_cast<int*>(address), static_cast<int>(value)));
}
static __device__ __forceinline__ unsigned long long atomicAdd(unsigned long long* address, unsigned long long value) {
  return static_cast<unsigned long long>(
      __nvvm_atom_add_gen_ll(reinterpret_cast<long long*>(address), static_cast<long long>(value)));
}
static __device__ __forceinline__ float atomicAdd(float* address, float value) {
  return __nvvm_atom_add_gen_f(address, value);
}
static __device__ __forceinline__ double atomicAdd(double* address, double value) {
  return __nvvm_atom_add_gen_d(address, value);
}
static __device__ __forceinline__ int atomicSub(int* address, int value) {
  return atomicAdd(address, -value);
}
static __device__ __forceinline__ unsigned atomicSub(unsigned* address, unsigned value) {
  return atomicAdd(address, 0U - value);
}

static __device__ __forceinline__ int atomicMin(int* address, int value) {
  return __nvvm_atom_min_gen_i(address, value);
}
static __device__ __forceinline__ int atomicMax(int* address, int value) {
  return __nvvm_atom_max_gen_i(address, value);
}
static __device__ __forceinline__ int atomicExch(int* address, int value) {
  return __nvvm_atom_xchg_gen_i(address, value);
}

#define HEDDLE_UNSIGNED_ATOMIC(name, operation, signed_type, type)                                         \
  static __device__ __forceinline__ type name(type* address, type value) {                                 \
    heddle_keep_order();                                                                                   \
    const signed_type before =                                                                             \
        __nvvm_atom_##operation(reinterpret_cast<signed_type*>(address), static_cast<signed_type>(value)); \
    heddle_keep_order();                                                                                   \
    return static_cast<type>(before);                                                                      \
  }

HEDDLE_UNSIGNED_ATOMIC(atomicAnd, and_gen_i, int, unsigned)
HEDDLE_UNSIGNED_ATOMIC(atomicOr, or_gen_i, int, unsigned)
HEDDLE_UNSIGNED_ATOMIC(atomicXor, xor_gen_i, int, unsigned)
HEDDLE_UNSIGNED_ATOMIC(atomicExch, xchg_gen_i, int, unsigned)
HEDDLE_UNSIGNED_ATOMIC(atomicMin, min_gen_ui, unsigned, unsigned)
HEDDLE_UNSIGNED_ATOMIC(atomicMax, max_gen_ui, unsigned, unsigned)
// By clang these two order nothing, the others everything. Here all do, as with nvcc.
HEDDLE_UNSIGNED_ATOMIC(atomicInc, inc_gen_ui, unsigned, unsigned)
HEDDLE_UNSIGNED_ATOMIC(atomicDec, dec_gen_ui, unsigned, unsigned)
HEDDLE_UNSIGNED_ATOMIC(atomicOr, or_gen_ll, long long, unsigned long long)
HEDDLE_UNSIGNED_ATOMIC(atomicExch, xchg_gen_ll, long long, unsigned long long)
HEDDLE_UNSIGNED_ATOMIC(atomicMin, min_gen_ull, unsigned long long, unsigned long long)
HEDDLE_UNSIGNED_ATOMIC(atomicMax, max_gen_ull, unsigned long long, unsigned long long)

#undef HEDDLE_UNSIGNED_ATOMIC

static __device__ __forceinline__ int atomicCAS(int* address, int compare, int value) {
  return __nvvm_atom_cas_gen_i(address, compare, value);
}
static __device__ __forceinline__ unsigned atomicCAS(unsigned* address, unsigned compare, unsigned value) {
  return static_cast<unsigned>(
      atomicCAS(reinterpret_cast<int*>(address), static_cast<int>(compare), static_cast<int>(value)));
}
static __device__ __forceinline__ unsigned long long atomicCAS(unsigned long long* address, unsigned long long compare,
                                                               unsigned long long value) {
  return static_cast<unsigned long long>(__nvvm_atom_cas_gen_ll(
      reinterpret_cast<long long*>(address), static_cast<long long>(compare), static_cast<long long>(value)));
}

// ---- Floats. Correctly rounded: + - * / and those up to fmaf. The others have the errors of the PTX manual. ----

static __device__ __forceinline__ float sqrtf(float x) {
  return __nvvm_sqrt_rn_f(x);
}
static __device__ __forceinline__ float fabsf(float x) {
  return __builtin_fabsf(x);
}
static __device__ __forceinline__ float fminf(float x, float y) {
  return __builtin_fminf(x, y);
}
static __device__ __forceinline__ float fmaxf(float x, float y) {
  return __builtin_fmaxf(x, y);
}
static __device__ __forceinline__ float floorf(float x) {
  return __nvvm_floor_f(x);
}
static __device__ __forceinline__ float fmaf(float x, float y, float z) {
  return __nvvm_fma_rn_f(x, y, z);
}
static __device__ __forceinline__ float rsqrtf(float x) {
  return __nvvm_rsqrt_approx_f(x);
}
static __device__ __forceinline__ float __log2f(float x) {
  return __nvvm_lg2_approx_f(x);
}
static __device__ __forceinline__ float __expf(float x) {
  return __nvvm_ex2_approx_f(x * 1.4426950408889634F);
}
static __device__ __forceinline__ float __logf(float x) {
  return __nvvm_lg2_approx_f(x) * 0.6931471805599453F;
}
static __device__ __forceinline__ float __sinf(float x) {
  return __nvvm_sin_approx_f(x);
}
static __device__ __forceinline__ float __cosf(float x) {
  return __nvvm_cos_approx_f(x);
}

// ---- Other instructions ----

static __device__ __forceinline__ unsigned __brev(unsigned x) {
  return __builtin_bitreverse32(x);
}
/// Cycles of the SM's clock. What a kernel stores must not depend on it, or its driver says so (is_byte_exact).
static __device__ __forceinline__ unsigned clock() {
  return static_cast<unsigned>(__nvvm_read_ptx_sreg_clock());
}
static __device__ __forceinline__ unsigned long long clock64() {
  return static_cast<unsigned long long>(__nvvm_read_ptx_sreg_clock64());
}
/// Ends the launch with cudaErrorLaunchFailure.
static __device__ __forceinline__ void __trap() {
  __builtin_trap();
}

// ---- Memory of a module and of a launch ----
//   __constant__ float table[4] = {...};   read by the kernels; written by the host before a launch
//   __device__ unsigned counter;           keeps its value from launch to launch
//   extern __shared__ unsigned words[];    as large as the launch says (gpu::SharedBytes, --shared)
// The host reaches the first two by the names that they have in PTX: gpu::Device::address_of(program, "counter").

static __device__ __forceinline__ void __threadfence_block() {
  asm volatile("membar.cta;" : : : "memory");
}
static __device__ __forceinline__ void __threadfence() {
  asm volatile("membar.gl;" : : : "memory");
}
static __device__ __forceinline__ void __threadfence_system() {
  asm volatile("membar.sys;" : : : "memory");
}

#endif  // __NVCC__

// ---- Ours ----

/// The thread's index in a one-dimensional grid.
static __device__ __forceinline__ unsigned global_thread() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
/// A barrier of one's own, 1 to 15, for so many threads (whole warps). The first waits, the second only arrives.
static __device__ __forceinline__ void barrier_sync(unsigned barrier, unsigned threads) {
  asm volatile("barrier.sync %0, %1;" : : "r"(barrier), "r"(threads) : "memory");
}
static __device__ __forceinline__ void barrier_arrive(unsigned barrier, unsigned threads) {
  asm volatile("barrier.arrive %0, %1;" : : "r"(barrier), "r"(threads) : "memory");
}
// SPDX-License-Identifier: Apache-2.0
