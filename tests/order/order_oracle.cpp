// order_oracle.cpp - the orders in which libstdc++ itself leaves candidates
//
//   order_oracle CASES ORDERS
//
// CASES holds one case after another, as 32-bit words of this machine: what to
// do (0 sort, 1 partial_sort, 2 bucket sort), n, k, and n floats, the logits of
// ids 0 .. n-1.  ORDERS receives for each the number of ids and the ids.  Exit
// 77 where the library is not libstdc++ of GCC 10 to 15.
//
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace
{

enum { OP_SORT = 0, OP_PARTIAL = 1, OP_BUCKET = 2, N_BUCKETS = 128 };

struct candidate {
    std::int32_t id;
    float logit;
    float p;
};

using candidates = std::vector<candidate>;

bool is_before(const candidate &a, const candidate &b)
{
    return a.logit > b.logit;
}

int bucket_of(float logit)
{
    volatile float scaled = 6.4f * logit; // rounded by itself
    const float x = scaled + 64.0f;

    if (!(x >= 0.0f && x < 2147483648.0f))
        return 0;
    return std::min(static_cast<int>(x), N_BUCKETS - 1);
}

// The buckets from the top until k candidates are in; the last one sorted only
// as far as needed.
candidates bucket_sort(const candidates &all, std::size_t k)
{
    std::vector<candidates> buckets(N_BUCKETS);
    candidates out;

    for (const candidate &c : all)
        buckets[static_cast<std::size_t>(bucket_of(c.logit))].push_back(c);
    for (std::size_t b = N_BUCKETS; out.size() < k;) {
        candidates &bucket = buckets[--b];
        const std::size_t missing = k - out.size();

        if (bucket.size() < missing)
            std::sort(bucket.begin(), bucket.end(), is_before);
        else
            std::partial_sort(bucket.begin(),
                              bucket.begin() +
                                  static_cast<std::ptrdiff_t>(missing),
                              bucket.end(), is_before);
        out.insert(out.end(), bucket.begin(), bucket.end());
    }
    return out;
}

candidates order(std::uint32_t op, candidates all, std::size_t k)
{
    switch (op) {
    case OP_SORT:
        std::sort(all.begin(), all.end(), is_before);
        return all;
    case OP_PARTIAL:
        std::partial_sort(all.begin(),
                          all.begin() + static_cast<std::ptrdiff_t>(k),
                          all.end(), is_before);
        return all;
    default:
        return bucket_sort(all, k);
    }
}

bool run(std::FILE *in, std::FILE *out)
{
    std::uint32_t head[3];

    while (std::fread(head, sizeof(head), 1, in) == 1) {
        std::vector<float> logits(head[1]);
        candidates all;
        std::uint32_t n;

        if (head[1] > 0 &&
            std::fread(logits.data(), sizeof(float), head[1], in) != head[1])
            return false;
        for (std::size_t i = 0; i < logits.size(); i++)
            all.push_back({ static_cast<std::int32_t>(i), logits[i], 0.0f });
        all = order(head[0], all, head[2]);
        n = static_cast<std::uint32_t>(all.size());
        if (std::fwrite(&n, sizeof(n), 1, out) != 1)
            return false;
        for (const candidate &c : all)
            if (std::fwrite(&c.id, sizeof(c.id), 1, out) != 1)
                return false;
    }
    return true;
}

} // namespace

int main(int argc, char **argv)
{
#if defined(_GLIBCXX_RELEASE) && _GLIBCXX_RELEASE >= 10 &&                     \
    _GLIBCXX_RELEASE <= 15
    if (argc != 3)
        return 2;
    std::FILE *in = std::fopen(argv[1], "rb");
    std::FILE *out = std::fopen(argv[2], "wb");
    if (!in || !out || !run(in, out))
        return 1;
    std::fclose(in);
    return std::fclose(out) == 0 ? 0 : 1;
#else
    (void)argc;
    (void)argv;
    (void)run;
    return 77;
#endif
}
