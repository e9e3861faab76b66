// The little of CUDA that our kernels need, from clang's builtins: no CUDA SDK.
//
// Compile with clang-14 -x cuda --cuda-device-only -nocudainc -nocudalib. Under nvcc, whose own headers have all of it,
// this file only adds what is ours.
#pragma once

#ifdef __NVCC__

#define HEDDLE_DEVICE __device__
#define HEDDLE_ROLLED_LOOP _Pragma("unroll 1")

static __device__ __forceinline__ unsigned global_thread() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

#else

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __forceinline__ __attribute__((always_inline)) inline

// For code that device and CPU reference share.
#define HEDDLE_DEVICE __device__ __attribute__((always_inline))
// Before a loop whose branch is the point of the kernel.
#define HEDDLE_ROLLED_LOOP _Pragma("clang loop unroll(disable)")

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

/// The thread's index in a one-dimensional grid.
static __device__ __forceinline__ unsigned global_thread() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

// __syncthreads() is a builtin of clang.
static __device__ __forceinline__ void __threadfence() {
  __nvvm_membar_gl();
}

static __device__ __forceinline__ int atomicCAS(int* address, int compare, int value) {
  return __nvvm_atom_cas_gen_i(address, compare, value);
}
static __device__ __forceinline__ int atomicExch(int* address, int value) {
  return __nvvm_atom_xchg_gen_i(address, value);
}
static __device__ __forceinline__ int atomicAdd(int* address, int value) {
  return __nvvm_atom_add_gen_i(address, value);
}

static __device__ __forceinline__ int atomicMin(int* address, int value) {
  return __nvvm_atom_min_gen_i(address, value);
}
static __device__ __forceinline__ int atomicMax(int* address, int value) {
  return __nvvm_atom_max_gen_i(address, value);
}
static __device__ __forceinline__ unsigned atomicAdd(unsigned* address, unsigned value) {
  return static_cast<unsigned>(__nvvm_atom_add_gen_i(reinterpret_cast<int*>(address), static_cast<int>(value)));
}

// ---- Floats. Correctly rounded: + - * / and the ones below up to fmaf. The others have the error of the PTX manual. ----

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
static __device__ __forceinline__ unsigned __brev(unsigned x) {
  return __builtin_bitreverse32(x);
}

// ---- Memory of a module and of a launch ----
//   __constant__ float table[4] = {...};   read by the kernels; written by the host before a launch
//   __device__ unsigned counter;           keeps its value from launch to launch
//   extern __shared__ unsigned words[];    as large as the launch says (gpu::SharedBytes, --shared)
// The host reaches the first two by the names that they have in PTX: gpu::Device::address_of(program, "counter").
#define __constant__ __attribute__((constant))

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

#endif  // __NVCC__
