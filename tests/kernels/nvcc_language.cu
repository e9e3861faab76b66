// What CUDA programs use beside arithmetic, for nvcc and its headers: the math library (which brings slow paths with
// local memory, loops and calls), recursion, pointers to functions in a table, constants, a switch, shared memory sized
// at launch, shuffles. nvcc_language_test.cpp has the same on the host.

extern "C" __global__ void single(const float* in, float* out) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = in[thread];
  float* y = out + 16 * thread;
  int exponent = 0;
  y[0] = sinf(x);
  y[1] = cosf(x);
  y[2] = tanf(x);
  y[3] = expf(x * 0.125f);
  y[4] = logf(fabsf(x) + 2.0f);
  y[5] = powf(fabsf(x), 1.75f);
  y[6] = sqrtf(fabsf(x));
  y[7] = atan2f(x, 2.0f);
  y[8] = tanhf(x);
  y[9] = cbrtf(x);
  y[10] = erff(x);
  y[11] = fmodf(x, 3.0f);
  y[12] = floorf(x) + ceilf(x) + truncf(x) + rintf(x);
  y[13] = frexpf(x, &exponent) + static_cast<float>(exponent);
  y[14] = hypotf(x, 3.0f);
  y[15] = fmaf(x, x, 1.0f) / 3.0f;
}

extern "C" __global__ void twice(const double* in, double* out) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const double x = in[thread];
  double* y = out + 12 * thread;
  y[0] = sin(x);
  y[1] = cos(x);
  y[2] = exp(x * 0.125);
  y[3] = log(fabs(x) + 2);
  y[4] = pow(fabs(x), 1.75);
  y[5] = sqrt(fabs(x));
  y[6] = atan2(x, 2.0);
  y[7] = tanh(x);
  y[8] = x / 3;
  y[9] = fmod(x, 3.0);
  y[10] = erf(x);
  y[11] = cbrt(x);
}

extern "C" __global__ void whole(const int* in, long long* out) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int x = in[thread];
  const unsigned u = static_cast<unsigned>(x);
  const long long w = x * 0x123456789LL;
  const unsigned long long q = static_cast<unsigned long long>(w);
  long long* y = out + 8 * thread;
  y[0] = __popc(u) + __clz(x) + __ffs(x);
  y[1] = __popcll(q) + __clzll(w) + __ffsll(w);
  y[2] = __mulhi(x, 12345);
  y[3] = __mul64hi(w, 987654321LL);
  y[4] = w / 7 + w % 13;
  y[5] = static_cast<long long>(q / 11 + q % 17);
  y[6] = __byte_perm(u, 0x12345678, 0x5410);
  y[7] = static_cast<long long>(static_cast<float>(w));
}

struct Node {
  int key;
  const Node *left, *right;
};

__device__ int sum(const Node* node) {
  return node == nullptr ? 0 : node->key + sum(node->left) + sum(node->right);
}

__device__ __noinline__ int add(int a, int b) {
  return a + b;
}
__device__ __noinline__ int multiply(int a, int b) {
  return a * b;
}
using Operation = int (*)(int, int);
__device__ Operation operations[2] = {add, multiply};
__constant__ int weights[8] = {1, 2, 3, 4, 5, 6, 7, 8};

extern "C" __global__ void language(int* words) {
  extern __shared__ int tile[];
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  Node nodes[7];
  for (int k = 0; k < 7; ++k) {
    nodes[k].key = words[thread] + k;
    nodes[k].left = 2 * k + 1 < 7 ? &nodes[2 * k + 1] : nullptr;
    nodes[k].right = 2 * k + 2 < 7 ? &nodes[2 * k + 2] : nullptr;
  }
  int s = sum(&nodes[0]);
  s = operations[s & 1](s, weights[thread & 7]);
  tile[threadIdx.x] = s;
  __syncthreads();
  s += tile[(threadIdx.x + 1) % blockDim.x];
  switch (s & 7) {
    case 0:
      s += 5;
      break;
    case 1:
      s *= 3;
      break;
    case 2:
      s ^= thread;
      break;
    case 3:
      s -= 7;
      break;
    case 4:
      s /= 3;
      break;
    case 5:
      s += s;
      break;
    case 6:
      s = ~s;
      break;
    default:
      s = -s;
  }
  words[thread] = s + __shfl_xor_sync(0xffffffffU, s, 1) + __popc(__ballot_sync(0xffffffffU, s & 1));
}
// SPDX-License-Identifier: Apache-2.0
