// The little of CUDA that our kernels need, from clang's builtins: no CUDA SDK.
//
// Compile with clang-14 -x cuda --cuda-device-only -nocudainc -nocudalib.
#pragma once

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
