/*
 * long_libm.c - src/numeric against the libm that runs, argument by argument
 *
 * usage: long_libm [-n POWER] [NAME...]
 *
 * expf, logf and log2f see all 2^32 floats; powf, exp, log and pow see 2^POWER
 * arguments (28 unless said): random bits, the ranges the stages use, the
 * borders, and each pair of a list of special values besides.  NAME is a
 * function ("expf": each of its implementations) or an implementation ("avx2":
 * that of each function); without one everything runs.  One line for each
 * implementation; exit 1 when a bit differs anywhere, 77 when the libm is not
 * glibc on x86-64 with FMA, which is what src/numeric equals.
 *
 * SPDX-License-Identifier: MIT
 */
#include "kernel/kernel.h"
#include "numeric/bits.h"
#include "numeric/numeric.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 4096
#define SHOWN 10 /* differences printed in full */

typedef void array32(const float *x, float *y, size_t n);

struct tally {
    uint64_t n;
    uint64_t n_different;
};

static void array_expf(const float *x, float *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = srt_expf(x[i]);
}

static void array_logf(const float *x, float *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = srt_logf(x[i]);
}

static void array_log2f(const float *x, float *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = srt_log2f(x[i]);
}

/* The set of kernels of that name; NULL where this machine has none. */
static const struct srt_kernels *kernels_named(const char *name)
{
    const struct srt_kernels *k;

    for (size_t i = 0; (k = srt_kernels_at(i)) != NULL; i++)
        if (!strcmp(k->name, name))
            return k;
    return NULL;
}

static void array_expf_inline(const float *x, float *y, size_t n)
{
    kernels_named("scalar")->exp(x, y, n, 0.0f);
}

static void array_expf_avx2(const float *x, float *y, size_t n)
{
    kernels_named("avx2")->exp(x, y, n, 0.0f);
}

static void array_expf_avx512(const float *x, float *y, size_t n)
{
    kernels_named("avx512")->exp(x, y, n, 0.0f);
}

/*
 * Every implementation of a float function of one argument.  A vector kernel
 * is a row here: an array32 that writes f(x[i]) to y[i].  `low` and `high`
 * bound what it accepts; NaNs are passed only where the range is everything.
 * Lengths vary from 1 to BATCH, so tails are tried too.
 */
static const struct unary {
    const char *function;
    const char *variant;
    array32 *run;
    float (*oracle)(float);
    float low;
    float high;
    const char *kernels; /* the set that the machine must have */
} unaries[] = {
    { "expf", "scalar", array_expf, expf, -INFINITY, INFINITY, "scalar" },
    { "expf", "inline", array_expf_inline, expf, -INFINITY, 0.0f, "scalar" },
    { "expf", "avx2", array_expf_avx2, expf, -INFINITY, 0.0f, "avx2" },
    { "expf", "avx512", array_expf_avx512, expf, -INFINITY, 0.0f, "avx512" },
    { "logf", "scalar", array_logf, logf, -INFINITY, INFINITY, "scalar" },
    { "log2f", "scalar", array_log2f, log2f, -INFINITY, INFINITY, "scalar" },
};

/* splitmix64: any start value is good. */
static uint64_t rng_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform in [low, high). */
static double rng_range(uint64_t *state, double low, double high)
{
    return low + (high - low) * ((double)(rng_next(state) >> 11) * 0x1p-53);
}

static int same32(float a, float b)
{
    return srt_bits32(a) == srt_bits32(b) || (isnan(a) && isnan(b));
}

static int same64(double a, double b)
{
    return srt_bits64(a) == srt_bits64(b) || (isnan(a) && isnan(b));
}

static void tally_add(struct tally *t, const char *name, int same,
                      const double io[4])
{
    t->n++;
    if (same)
        return;
    if (t->n_different++ < SHOWN)
        printf("%s(%a, %a) = %a, libm has %a\n", name, io[0], io[1], io[2],
               io[3]);
}

static int tally_print(const struct tally *t, const char *name,
                       const char *variant)
{
    printf("%-5s %-8s %llu arguments, %llu differences\n", name, variant,
           (unsigned long long)t->n, (unsigned long long)t->n_different);
    fflush(stdout);
    return t->n_different != 0;
}

static int unary_takes(const struct unary *u, float x)
{
    if (isnan(x))
        return u->low == -INFINITY && u->high == INFINITY;
    return x >= u->low && x <= u->high;
}

static void unary_batch(const struct unary *u, const float *x, size_t n,
                        struct tally *t)
{
    static float y[BATCH + SRT_BLOCK]; /* kernels may write a vector more */

    u->run(x, y, n);
    for (size_t i = 0; i < n; i++) {
        const float want = u->oracle(x[i]);
        const double io[4] = { (double)x[i], 0.0, (double)y[i], (double)want };

        tally_add(t, u->function, same32(y[i], want), io);
    }
}

static int unary_all_floats(const struct unary *u)
{
    static float x[BATCH];
    struct tally t = { 0, 0 };
    size_t n = 0;
    size_t length = 1;

    for (uint64_t bits = 0; bits < (uint64_t)1 << 32; bits++) {
        x[n] = srt_float32((uint32_t)bits);
        if (!unary_takes(u, x[n]))
            continue;
        if (++n == length) {
            unary_batch(u, x, n, &t);
            n = 0;
            length = length % BATCH + 1;
        }
    }
    unary_batch(u, x, n, &t);
    return tally_print(&t, u->function, u->variant);
}

/* The borders of one or the other function, as doubles and as floats. */
static const double specials[] = {
    /* zero and the least numbers of both types */
    0.0, 0x1p-1074, 0x1.8p-1073, 0x1p-1023, 0x1p-1022, 0x1p-150, 0x1.8p-150,
    0x1p-149, 0x1p-127, 0x1p-126,
    /* where an argument or an exponent stops to count */
    0x1p-65, 0x1.fp-66, 0x1p-54, 0x1.fp-55, 0x1p-24,
    /* one and its neighbours */
    0x1p-4, 0.25, 0.5, 0x1.fffffep-1, 0x1.fffffffffffffp-1, 1.0,
    0x1.0000000000001p+0, 0x1.000002p+0, 0x1.109p+0, 1.5,
    /* small integers, and the exponents of both types' limits */
    2.0, 3.0, 4.0, 5.0, 10.0, 126.0, 127.0, 128.0, 149.0, 150.0, 151.0, 500.0,
    512.0, 1021.0, 1022.0, 1023.0, 1024.0, 1074.0, 1075.0, 1076.0,
    /* where integers become even, and where they leave the integer types */
    0x1.fffffep+23, 0x1p+24, 0x1p+31, 0x1p+32, 0x1p+52, 0x1.fffffffffffffp+52,
    0x1p+53, 0x1.fp+62, 0x1p+63, 0x1p+64,
    /* the largest, infinity, NaN */
    0x1p+127, 0x1.fffffep+127, 0x1p+128, 0x1p+1023, 0x1.fffffffffffffp+1023,
    HUGE_VAL, (double)NAN,
    /* exponentials' first and last arguments */
    0x1.62e42ep+6, 0x1.62e43p+6, 0x1.9fe368p+6, 0x1.9fe36ap+6, 0x1.9d1d9ep+6,
    0x1.62e42fefa39efp+9, 0x1.62e42fefa39fp+9, 0x1.74910d52d3051p+9,
    0x1.74910d52d3052p+9, 0x1.6232bdd7abcd2p+9, 0x1.6232bdd7abcd3p+9
};

#define N_SPECIALS (2 * SRT_COUNT(specials) + 2)

/* A signaling NaN has no constant; its bits go in directly. */
static double special64(size_t i)
{
    if (i / 2 < SRT_COUNT(specials))
        return i % 2 ? -specials[i / 2] : specials[i / 2];
    return srt_float64(i % 2 ? 0xfff0000000000001u : 0x7ff0000000000001u);
}

static float special32(size_t i)
{
    if (i / 2 < SRT_COUNT(specials))
        return (float)special64(i);
    return srt_float32(i % 2 ? 0xff800001u : 0x7f800001u);
}

/* An argument of powf whose result lies at a border of the float range. */
static void powf_border(uint64_t *rng, float *x, float *y)
{
    static const double borders[] = { 128.0, -126.0, -149.0, -150.0 };
    const double border = borders[rng_next(rng) % 4];
    const double near = rng_range(rng, -1.0, 1.0);
    const double scale = ldexp(1.0, -(int)(rng_next(rng) % 24));

    *x = srt_float32((uint32_t)(rng_next(rng) % 0x7f7fffffu) + 1);
    *y = (float)((border + near * scale) / log2((double)*x));
}

static void powf_argument(uint64_t *rng, float *x, float *y)
{
    const uint64_t bits = rng_next(rng);

    switch (rng_next(rng) % 8) {
    case 0:
    case 1: /* anything */
        *x = srt_float32((uint32_t)bits);
        *y = srt_float32((uint32_t)(bits >> 32));
        break;
    case 2:
    case 3: /* dynamic temperature: (H / Hmax)^exponent */
        *x = (float)rng_range(rng, 0.0, 1.0);
        *y = bits % 2 ? (float)(1 + bits % 12) / 4
                      : (float)rng_range(rng, 0.5, 3.0);
        break;
    case 4: /* mirostat: 2^mu */
        *x = 2.0f;
        *y = (float)rng_range(rng, -150.0, 128.0);
        break;
    case 5: /* mirostat: n_vocab^-e */
        *x = (float)(1 + bits % 262144);
        *y = (float)rng_range(rng, -8.0, 8.0);
        break;
    case 6: /* x near 1, y large: where log2's last bits count most */
        *x = 1.0f +
             ldexpf((float)rng_range(rng, -0.375, 0.5), -(int)(bits % 12));
        *y = (float)(rng_range(rng, -150.0, 128.0) / log2((double)*x));
        break;
    default:
        powf_border(rng, x, y);
        break;
    }
}

static double exp_argument(uint64_t *rng)
{
    switch (rng_next(rng) % 16) {
    case 0:
    case 1:
    case 2: /* anything */
        return srt_float64(rng_next(rng));
    case 3: /* subnormal results and their two ends */
    case 4:
    case 5:
        return rng_range(rng, -746.0, -707.0);
    case 6: /* overflow and its end */
        return rng_range(rng, 706.0, 711.0);
    case 7: /* near 0 */
        return ldexp(rng_range(rng, -1.0, 1.0), -(int)(rng_next(rng) % 64));
    case 8: /* differences of float logits */
        return (double)(float)rng_range(rng, -104.0, 0.0);
    default:
        return rng_range(rng, -750.0, 0.0);
    }
}

static double log_argument(uint64_t *rng)
{
    const uint64_t bits = rng_next(rng);

    switch (rng_next(rng) % 8) {
    case 0: /* anything, mostly not negative */
        return srt_float64(bits % 64 ? bits >> 1 : bits);
    case 1:
    case 2: /* a probability */
        return 1.0 - rng_range(rng, 0.0, 1.0);
    case 3: /* a float probability */
        return (double)(float)(1.0 - rng_range(rng, 0.0, 1.0));
    case 4: /* a small probability */
        return ldexp(rng_range(rng, 0.5, 1.0), -(int)(bits % 1074));
    case 5: /* near 1, where another polynomial serves */
        return rng_range(rng, 0.93, 1.07);
    case 6: /* very near 1 */
        return 1.0 + ldexp(rng_range(rng, -1.0, 1.0), -(int)(bits % 53));
    default: /* subnormal */
        return srt_float64(bits >> 12);
    }
}

/* An argument of pow whose result lies at a border of the double range. */
static void pow_border(uint64_t *rng, double *x, double *y)
{
    static const double borders[] = { 1024.0, -1022.0, -1074.0, -1075.0 };
    const double border = borders[rng_next(rng) % 4];
    const double near = rng_range(rng, -1.0, 1.0);
    const double scale = ldexp(1.0, 5 - (int)(rng_next(rng) % 52));

    *x = srt_float64(rng_next(rng) % 0x7fefffffffffffffu + 1);
    *y = (border + near * scale) / log2(*x);
    if (rng_next(rng) % 4 == 0) {
        *x = -*x;
        *y = nearbyint(*y);
    }
}

static void pow_argument(uint64_t *rng, double *x, double *y)
{
    const uint64_t bits = rng_next(rng);

    switch (rng_next(rng) % 8) {
    case 0:
    case 1: /* anything */
        *x = srt_float64(bits);
        *y = srt_float64(rng_next(rng));
        break;
    case 2:
    case 3: /* DRY: a float base to the length of a repetition */
        *x = (double)(float)rng_range(rng, 1.0, 4.0);
        *y = (double)(bits % 501);
        break;
    case 4: /* the same with a double base */
        *x = rng_range(rng, 1.0, 4.0);
        *y = (double)(bits % 501);
        break;
    case 5: /* x near 1, y large: where log's last bits count most */
        *x = 1.0 + ldexp(rng_range(rng, -0.375, 0.5), -(int)(bits % 40));
        *y = rng_range(rng, -1075.0, 1024.0) / log2(*x);
        break;
    case 6: /* moderate results */
        *x = ldexp(rng_range(rng, 0.5, 1.0), (int)(bits % 64) - 32);
        *y = rng_range(rng, -20.0, 20.0);
        break;
    default:
        pow_border(rng, x, y);
        break;
    }
}

static void try_powf(struct tally *t, float x, float y)
{
    const float got = srt_powf(x, y);
    const float want = powf(x, y);
    const double io[4] = { (double)x, (double)y, (double)got, (double)want };

    tally_add(t, "powf", same32(got, want), io);
}

static void try_pow(struct tally *t, double x, double y)
{
    const double got = srt_pow(x, y);
    const double want = pow(x, y);

    tally_add(t, "pow", same64(got, want), (double[4]){ x, y, got, want });
}

static void try_exp(struct tally *t, double x)
{
    const double got = srt_exp(x);
    const double want = exp(x);

    tally_add(t, "exp", same64(got, want), (double[4]){ x, 0.0, got, want });
}

static void try_log(struct tally *t, double x)
{
    const double got = srt_log(x);
    const double want = log(x);

    tally_add(t, "log", same64(got, want), (double[4]){ x, 0.0, got, want });
}

static void sample_powf(struct tally *t, uint64_t n)
{
    uint64_t rng = 1;

    for (size_t i = 0; i < N_SPECIALS * N_SPECIALS; i++)
        try_powf(t, special32(i / N_SPECIALS), special32(i % N_SPECIALS));
    for (int x = -300; x <= 300; x++) /* the exact cases are among these */
        for (int y = -300; y <= 300; y++)
            try_powf(t, (float)x / 2, (float)y / 2);
    while (t->n < n) {
        float x;
        float y;

        powf_argument(&rng, &x, &y);
        try_powf(t, x, y);
    }
}

static void sample_pow(struct tally *t, uint64_t n)
{
    uint64_t rng = 2;

    for (size_t i = 0; i < N_SPECIALS * N_SPECIALS; i++)
        try_pow(t, special64(i / N_SPECIALS), special64(i % N_SPECIALS));
    for (int x = -300; x <= 300; x++)
        for (int y = -300; y <= 300; y++)
            try_pow(t, x / 2.0, y / 2.0);
    while (t->n < n) {
        double x;
        double y;

        pow_argument(&rng, &x, &y);
        try_pow(t, x, y);
    }
}

static void sample_exp(struct tally *t, uint64_t n)
{
    uint64_t rng = 3;

    for (size_t i = 0; i < N_SPECIALS; i++)
        try_exp(t, special64(i));
    while (t->n < n)
        try_exp(t, exp_argument(&rng));
}

static void sample_log(struct tally *t, uint64_t n)
{
    uint64_t rng = 4;

    for (size_t i = 0; i < N_SPECIALS; i++)
        try_log(t, special64(i));
    while (t->n < n)
        try_log(t, log_argument(&rng));
}

/* The functions with too many arguments to try them all. */
static const struct {
    const char *function;
    void (*sample)(struct tally *t, uint64_t n);
} sampled[] = {
    { "powf", sample_powf },
    { "exp", sample_exp },
    { "log", sample_log },
    { "pow", sample_pow },
};

/* True when this libm is the reference: the second value is what expf returns
 * when its products are fused, and only then. */
static int oracle_is_glibc_fma(void)
{
#if defined(__GLIBC__) && defined(__x86_64__)
    volatile float telling = 0x1.04845ep+5f;

    return (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 28) &&
           expf(telling) == 0x1.f93e38p+46f;
#else
    return 0;
#endif
}

static int is_wanted(const char *function, const char *variant, char **names,
                     int n_names)
{
    for (int i = 0; i < n_names; i++)
        if (!strcmp(names[i], function) || !strcmp(names[i], variant))
            return 1;
    return n_names == 0;
}

static int run_wanted(uint64_t n, char **names, int n_names)
{
    int n_run = 0;
    int bad = 0;

    for (size_t i = 0; i < SRT_COUNT(unaries); i++) {
        const struct unary *u = &unaries[i];

        if (!is_wanted(u->function, u->variant, names, n_names))
            continue;
        n_run++;
        if (!kernels_named(u->kernels))
            printf("%-5s %-8s not on this machine\n", u->function, u->variant);
        else
            bad |= unary_all_floats(u);
    }
    for (size_t i = 0; i < SRT_COUNT(sampled); i++) {
        struct tally t = { 0, 0 };

        if (is_wanted(sampled[i].function, "scalar", names, n_names)) {
            sampled[i].sample(&t, n);
            bad |= tally_print(&t, sampled[i].function, "scalar");
            n_run++;
        }
    }
    if (n_run == 0)
        fprintf(stderr, "long_libm: no function or implementation so named\n");
    return n_run == 0 ? 2 : bad;
}

int main(int argc, char **argv)
{
    int power = 28;
    int first = 1;

    if (argc > 2 && !strcmp(argv[1], "-n")) {
        power = atoi(argv[2]);
        first = 3;
    }
    if (power < 1 || power > 40 || (argc > first && argv[first][0] == '-')) {
        fprintf(stderr, "usage: long_libm [-n POWER 1..40] [NAME...]\n");
        return 2;
    }
    if (!oracle_is_glibc_fma()) {
        printf("skipped: oracle is not glibc on an FMA CPU\n");
        return 77;
    }
    return run_wanted((uint64_t)1 << power, argv + first, argc - first);
}
