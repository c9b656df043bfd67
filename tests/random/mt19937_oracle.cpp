// mt19937_oracle.cpp - what std::mt19937 itself gives
//
//   mt19937_oracle SEED ... >FILE
//
// For every seed a line of its first 2,000 words, in decimal, and a line of 100
// doubles of std::generate_canonical from a fresh generator, as hexadecimal
// bits; "-" for the doubles where the library is not libstdc++ before GCC 16.
//
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

static void print_words(std::uint32_t seed)
{
    std::mt19937 generator(seed);

    for (int i = 0; i < 2000; i++)
        std::printf("%lu ", static_cast<unsigned long>(generator()));
    std::printf("\n");
}

static void print_doubles(std::uint32_t seed)
{
#if defined(_GLIBCXX_RELEASE) && _GLIBCXX_RELEASE < 16
    std::mt19937 generator(seed);

    for (int i = 0; i < 100; i++) {
        const double x = std::generate_canonical<double, 53>(generator);
        std::uint64_t bits;

        std::memcpy(&bits, &x, sizeof(bits));
        std::printf("%llx ", static_cast<unsigned long long>(bits));
    }
    std::printf("\n");
#else
    (void)seed;
    std::printf("-\n");
#endif
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const std::uint32_t seed =
            static_cast<std::uint32_t>(std::strtoul(argv[i], nullptr, 10));

        print_words(seed);
        print_doubles(seed);
    }
    return 0;
}
