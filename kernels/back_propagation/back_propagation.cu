// The two halves of training a layer of a neural network that belong on a GPU: the weighted sums of the inputs, and the
// correction of the weights. In the style of Rodinia's Back Propagation (DPE table 2).
//
// threadIdx.x is the hidden unit, threadIdx.y the input within the block's 16: weights lie [input][hidden unit]. The
// sum over a block's inputs is a tree in shared memory whose active rows thin out, so lanes of one warp, which holds
// two rows, part in its first step. The CPU adds up the blocks.
#include "../cuda_device.h"
#include "back_propagation.h"

using namespace heddle::kernels::back_propagation;

extern "C" __global__ void back_propagation_forward(const float* inputs, const float* weights, float* partial_sums) {
  __shared__ float input[BackTile];
  __shared__ float product[BackTile][BackTile];
  const unsigned hidden = threadIdx.x, y = threadIdx.y;
  if (hidden == 0) input[y] = inputs[blockIdx.x * BackTile + y];
  __syncthreads();
  product[y][hidden] = weights[(blockIdx.x * BackTile + y) * BackTile + hidden] * input[y];
  __syncthreads();
  HEDDLE_ROLLED_LOOP
  for (unsigned stride = 1; stride < BackTile; stride *= 2) {
    if (y % (2 * stride) == 0) product[y][hidden] += product[y + stride][hidden];
    __syncthreads();
  }
  if (y == 0) partial_sums[blockIdx.x * BackTile + hidden] = product[0][hidden];
}

extern "C" __global__ void back_propagation_adjust(const float* inputs, const float* deltas, float* weights,
                                                   float* last_changes, float rate, float momentum) {
  const unsigned hidden = threadIdx.x, input = blockIdx.x * BackTile + threadIdx.y;
  const unsigned index = input * BackTile + hidden;
  const float change = rate * deltas[hidden] * inputs[input] + momentum * last_changes[index];
  weights[index] += change;
  last_changes[index] = change;
}
// SPDX-License-Identifier: Apache-2.0
