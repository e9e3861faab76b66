// Brute-force reversal of MD5: a thread has several digests, and for each a key of which all but the last characters
// are known; it tries one ending after the other until the digest is right. In the style of MeiyaMD5, which SR sec. 5.4
// describes as a load-imbalanced, compute-heavy inner loop: how many tries a key takes is a matter of luck.
#include "../cuda_device.h"
#include "../include/heddle.h"
#include "md5_search.h"

using namespace heddle::kernels::md5_search;

/// floor(2^32 |sin(i + 1)|), RFC 1321 sec. 3.4. The loop over steps is unrolled, so that these become immediates.
static __device__ constexpr unsigned Sines[64] = {
    0xd76aa478U, 0xe8c7b756U, 0x242070dbU, 0xc1bdceeeU, 0xf57c0fafU, 0x4787c62aU, 0xa8304613U, 0xfd469501U,
    0x698098d8U, 0x8b44f7afU, 0xffff5bb1U, 0x895cd7beU, 0x6b901122U, 0xfd987193U, 0xa679438eU, 0x49b40821U,
    0xf61e2562U, 0xc040b340U, 0x265e5a51U, 0xe9b6c7aaU, 0xd62f105dU, 0x02441453U, 0xd8a1e681U, 0xe7d3fbc8U,
    0x21e1cde6U, 0xc33707d6U, 0xf4d50d87U, 0x455a14edU, 0xa9e3e905U, 0xfcefa3f8U, 0x676f02d9U, 0x8d2a4c8aU,
    0xfffa3942U, 0x8771f681U, 0x6d9d6122U, 0xfde5380cU, 0xa4beea44U, 0x4bdecfa9U, 0xf6bb4b60U, 0xbebfbc70U,
    0x289b7ec6U, 0xeaa127faU, 0xd4ef3085U, 0x04881d05U, 0xd9d4d039U, 0xe6db99e5U, 0x1fa27cf8U, 0xc4ac5665U,
    0xf4292244U, 0x432aff97U, 0xab9423a7U, 0xfc93a039U, 0x655b59c3U, 0x8f0ccc92U, 0xffeff47dU, 0x85845dd1U,
    0x6fa87e4fU, 0xfe2ce6e0U, 0xa3014314U, 0x4e0811a1U, 0xf7537e82U, 0xbd3af235U, 0x2ad7d2bbU, 0xeb86d391U};

static __device__ __forceinline__ unsigned rotated(unsigned value, unsigned bits) {
  return value << bits | value >> (32 - bits);
}

/// Which step rotates by how many bits: four amounts a round, in turn.
static constexpr unsigned rotation(unsigned step) {
  constexpr unsigned char Amounts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  return Amounts[step / 16][step % 4];
}

/// Of a key of KeyLength characters, given as words: one block with padding and length.
static __device__ __forceinline__ Md5Digest md5(unsigned first, unsigned second) {
  const unsigned block[16] = {first, second, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8 * KeyLength, 0};
  unsigned a = 0x67452301U, b = 0xefcdab89U, c = 0x98badcfeU, d = 0x10325476U;
#pragma unroll
  for (unsigned step = 0; step < 64; ++step) {
    unsigned mixed, word;
    if (step < 16) {
      mixed = d ^ (b & (c ^ d));
      word = step;
    } else if (step < 32) {
      mixed = c ^ (d & (b ^ c));
      word = 5 * step + 1;
    } else if (step < 48) {
      mixed = b ^ c ^ d;
      word = 3 * step + 5;
    } else {
      mixed = c ^ (b | ~d);
      word = 7 * step;
    }
    const unsigned next = b + rotated(a + mixed + Sines[step] + block[word % 16], rotation(step));
    a = d;
    d = c;
    c = b;
    b = next;
  }
  return {{a + 0x67452301U, b + 0xefcdab89U, c + 0x98badcfeU, d + 0x10325476U}};
}

/// The number's digits in the alphabet 'a' to 'p', as the last four characters of a key.
static __device__ __forceinline__ unsigned ending(unsigned number) {
  unsigned characters = 0;
  for (unsigned digit = 0; digit < 4; ++digit) characters |= ('a' + (number >> 4 * digit & 15U)) << 8 * digit;
  return characters;
}

extern "C" __global__ void md5_search(const Md5Digest* digests, const unsigned* beginnings, unsigned* numbers,
                                      unsigned keys_per_thread, unsigned endings) {
  HEDDLE_PREDICT(attempt);
  HEDDLE_ROLLED_LOOP
  for (unsigned turn = 0; turn < keys_per_thread; ++turn) {
    const unsigned key = global_thread() * keys_per_thread + turn;
    const Md5Digest wanted = digests[key];
    const unsigned beginning = beginnings[key];
    unsigned number = 0;
    HEDDLE_ROLLED_LOOP
    for (; number < endings; ++number) {
      HEDDLE_RECONVERGE(attempt);
      const Md5Digest found = md5(beginning, ending(number));
      if (found.words[0] == wanted.words[0] && found.words[1] == wanted.words[1] && found.words[2] == wanted.words[2] &&
          found.words[3] == wanted.words[3])
        break;
    }
    numbers[key] = number;
  }
}
// SPDX-License-Identifier: Apache-2.0
