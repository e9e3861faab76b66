// SPDX-License-Identifier: Apache-2.0
// What a barrier or a fence orders, as a compiler sees it: variables in shared memory whose address nobody takes, which a
// compiler may keep in a register unless it knows that another thread has its turn. system_shared_order_test runs the
// first two, kernels_memory_order_test traces all.

// One thread writes a word, all read it behind the barrier: all 64 write 7.
extern "C" __global__ void shared_flag(int* out, int limit) {
  __shared__ int stop;
  int t = threadIdx.x;
  if (t == 0) stop = 0;
  __syncthreads();
  if (t == 0 && limit > 3) stop = 7;
  __syncthreads();
  out[t] = stop;
}

// The level loop of a breadth-first search in one block, with a shared word that says "go on".
extern "C" __global__ void level_loop(int* dist, const int* next, int n) {
  __shared__ int more;
  int t = threadIdx.x, level = 0;
  if (t == 0) more = 1;
  __syncthreads();
  while (more) {
    __syncthreads();
    if (t == 0) more = 0;
    __syncthreads();
    if (dist[t] == level) {
      int d = next[t];
      if (d < n && dist[d] < 0) {
        dist[d] = level + 1;
        more = 1;
      }
    }
    level++;
    __syncthreads();
  }
}

// The first one with each function that orders memory.
#define FLAG_BY(name, order)                             \
  extern "C" __global__ void name(int* out, int limit) { \
    __shared__ int stop;                                 \
    int t = threadIdx.x;                                 \
    if (t == 0) stop = 0;                                \
    order;                                               \
    if (t == 0 && limit > 3) stop = 7;                   \
    order;                                               \
    out[t] = stop;                                       \
  }

static __device__ __noinline__ void meet() {
  __syncthreads();
}

FLAG_BY(by_function, meet())
FLAG_BY(by_count, __syncthreads_count(t & 1))
FLAG_BY(by_and, __syncthreads_and(t & 1))
FLAG_BY(by_or, __syncthreads_or(t & 1))
FLAG_BY(by_warp, __syncwarp())
FLAG_BY(by_fence, __threadfence())
FLAG_BY(by_block_fence, __threadfence_block())
FLAG_BY(by_system_fence, __threadfence_system())
FLAG_BY(by_named_barrier, barrier_sync(1, 64))

// The first half of the block arrives, the other one waits and reads.
extern "C" __global__ void by_arrival(int* out, int limit) {
  __shared__ int stop;
  int t = threadIdx.x;
  if (t == 0) stop = 0;
  barrier_sync(1, 64);
  if (t < 32) {
    if (t == 0 && limit > 3) stop = 7;
    barrier_arrive(2, 64);
    out[t] = 7;
  } else {
    barrier_sync(2, 64);
    out[t] = stop;
  }
}
// SPDX-License-Identifier: Apache-2.0
