// What clang makes of builtins, of C and of inline assembly: compiler_clang_test runs it and knows the results.
#define KERNEL extern "C" __attribute__((global)) void

KERNEL integers(unsigned* word, unsigned long long* pair) {
  const unsigned a = word[0], b = word[1], n = word[2];
  const unsigned long long p = pair[0], q = pair[1];
  word[3] = __nvvm_prmt(a, b, 0x6203);
  word[4] = __builtin_bswap32(a);
  word[5] = __builtin_rotateleft32(a, n);
  word[6] = __builtin_popcountll(p) + (__builtin_clz(a) << 8) + (__builtin_ctz(b) << 16);
  word[7] = static_cast<unsigned>(static_cast<int>(a << 7) >> 20) + (b >> 5 & 0x3f);
  word[8] = __nvvm_mul24_i(static_cast<int>(a), static_cast<int>(b));
  word[9] = __nvvm_sad_ui(a, b, n);
  asm("bfi.b32 %0, %1, %2, %3, 12;" : "=r"(word[10]) : "r"(a), "r"(b), "r"(n));
  asm("bfind.u32 %0, %1;" : "=r"(word[11]) : "r"(b));
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(word[12]) : "r"(a), "r"(b), "r"(n));
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(word[13]) : "r"(a), "r"(b), "r"(n));

  const __int128 x = static_cast<__int128>(p) << 64 | q, y = static_cast<__int128>(q) << 63 | p;
  *reinterpret_cast<__int128*>(pair + 2) = x * y;
  *reinterpret_cast<__int128*>(pair + 4) = x >> n;
  pair[6] = __builtin_rotateleft64(p, n);
  // p * q, all 128 bits, by words.
  asm(R"({ .reg .u32 %%a, %%b, %%c, %%d, %%w0, %%w1, %%w2, %%w3;
    mov.b64 {%%a, %%b}, %2; mov.b64 {%%c, %%d}, %3;
    mul.lo.u32 %%w0, %%a, %%c; mul.hi.u32 %%w1, %%a, %%c;
    mad.lo.cc.u32 %%w1, %%a, %%d, %%w1; madc.hi.u32 %%w2, %%a, %%d, 0;
    mad.lo.cc.u32 %%w1, %%b, %%c, %%w1; madc.hi.cc.u32 %%w2, %%b, %%c, %%w2; addc.u32 %%w3, 0, 0;
    mad.lo.cc.u32 %%w2, %%b, %%d, %%w2; madc.hi.u32 %%w3, %%b, %%d, %%w3;
    mov.b64 %0, {%%w0, %%w1}; mov.b64 %1, {%%w2, %%w3}; })"
      : "=l"(pair[7]), "=l"(pair[8])
      : "l"(p), "l"(q));
}

KERNEL floats(float* f, double* d) {
  const float a = f[0], b = f[1], c = f[2];
  f[3] = __nvvm_add_rz_f(a, b);
  f[4] = __nvvm_fma_rp_f(a, b, c);
  f[5] = __nvvm_saturate_f(a);
  f[6] = __nvvm_ex2_approx_f(b);
  f[7] = __nvvm_sin_approx_f(a);
  f[8] = __nvvm_rsqrt_approx_f(a);
  f[9] = __builtin_copysignf(a, c);
  f[10] = __builtin_fminf(__builtin_floorf(a), __builtin_ceilf(b));
  f[11] = static_cast<float>(static_cast<__fp16>(a));
  f[12] = static_cast<float>(static_cast<int>(__builtin_rintf(c)));
  f[13] = __nvvm_f2i_rm(c);
  f[14] = __nvvm_rcp_rz_f(a);
  f[15] = a / b;
  d[1] = __nvvm_mul_rm_d(d[0], a);
  d[2] = static_cast<double>(static_cast<__fp16>(d[0]));
}
// SPDX-License-Identifier: Apache-2.0
