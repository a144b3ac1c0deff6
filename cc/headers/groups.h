/* clang-format off */
/* groups.h -- cooperative_groups.h for clang: blocks, and tiles of a warp.
 *
 * The threads of a warp run in step, so a tile waits for nobody; what they hand each other through memory must not stay in
 * registers. What needs shuffles, votes, a copy without threads or a barrier of the grid is declared, and refuses the kernel that calls it.
 */
#pragma once
namespace cooperative_groups {
#define G __device__ inline __attribute__((always_inline, nodebug))
/* of any kind, told by how many of its threads stand in a row: 0 for the block */
struct thread_group {
    unsigned smcc_lanes;
    G unsigned smcc_rank() const { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
    G unsigned smcc_block() const { return blockDim.x * blockDim.y * blockDim.z; }
    G unsigned size() const { return smcc_lanes ? smcc_lanes : smcc_block(); }
    G unsigned num_threads() const { return size(); }
    G unsigned thread_rank() const { return smcc_lanes ? smcc_rank() % smcc_lanes : smcc_rank(); }
    G bool is_valid() const { return true; }
    G void sync() const
    {
        if (smcc_lanes)
            asm volatile("" ::: "memory");
        else
            __syncthreads();
    }
};
struct thread_block : thread_group {
    G thread_block() { smcc_lanes = 0; }
    G static void sync() { __syncthreads(); }
    G static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    G static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    G static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    G static dim3 dim_threads() { return group_dim(); }
};
G thread_block this_thread_block() { return thread_block(); }

template <unsigned N, class Parent = thread_block> struct thread_block_tile : thread_group {
    static_assert(N <= 32 && (N & (N - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
    G thread_block_tile() { smcc_lanes = N; }
    G static void sync() { asm volatile("" ::: "memory"); }
    G static constexpr unsigned size() { return N; }
    G static constexpr unsigned num_threads() { return N; }
    G unsigned meta_group_rank() const { return smcc_rank() / N; }
    G unsigned meta_group_size() const { return (smcc_block() + N - 1) / N; }
    template <class T> __device__ T shfl(T x, int lane) const { return __shfl_sync(~0u, x, lane, N); }
    template <class T> __device__ T shfl_up(T x, unsigned by) const { return __shfl_up_sync(~0u, x, by, N); }
    template <class T> __device__ T shfl_down(T x, unsigned by) const { return __shfl_down_sync(~0u, x, by, N); }
    template <class T> __device__ T shfl_xor(T x, unsigned by) const { return __shfl_xor_sync(~0u, x, by, N); }
    __device__ int any(int x) const { return __any_sync(~0u, x); }
    __device__ int all(int x) const { return __all_sync(~0u, x); }
    __device__ unsigned ballot(int x) const { return __ballot_sync(~0u, x); }
};
template <unsigned N, class P> G thread_block_tile<N> tiled_partition(const P &) { return thread_block_tile<N>(); }
G thread_group tiled_partition(const thread_group &, unsigned n)
{
    thread_group g;
    g.smcc_lanes = n;
    return g;
}

struct grid_group {
    G bool is_valid() const { return false; }
    G unsigned long long size() const
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * (blockDim.x * blockDim.y * blockDim.z);
    }
    G unsigned long long num_threads() const { return size(); }
    G unsigned long long thread_rank() const
    {
        unsigned long long block = ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
        return block * (blockDim.x * blockDim.y * blockDim.z) + thread_block().thread_rank();
    }
    G static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    __device__ void sync() const; /* refused */
};
G grid_group this_grid() { return grid_group(); }
struct coalesced_group : thread_group {
    template <class T> __device__ T shfl(T x, int lane) const { return __shfl_sync(~0u, x, lane); }
    template <class T> __device__ T shfl_down(T x, unsigned by) const { return __shfl_down_sync(~0u, x, by); }
    template <class T> __device__ T shfl_up(T x, unsigned by) const { return __shfl_up_sync(~0u, x, by); }
};
__device__ coalesced_group coalesced_threads(); /* refused */

template <class T> struct plus { G T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { G T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { G T operator()(T a, T b) const { return b > a ? b : a; } };
template <class T> struct bit_and { G T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { G T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { G T operator()(T a, T b) const { return a ^ b; } };
/* refused */
template <class P, class T, class F> __device__ T reduce(const P &, T x, F);
template <class P, class T> __device__ T inclusive_scan(const P &, T x);
template <class P, class T, class F> __device__ T inclusive_scan(const P &, T x, F);
template <class P, class T> __device__ T exclusive_scan(const P &, T x);
template <class P, class T, class F> __device__ T exclusive_scan(const P &, T x, F);
template <class P, class T, class U, class S> __device__ void memcpy_async(const P &, T *to, const U *from, S size);
template <class P> __device__ void wait(const P &);
template <class P> __device__ coalesced_group binary_partition(const P &, bool);
template <class P, class T> __device__ coalesced_group labeled_partition(const P &, T);

template <class P> G void sync(const P &g) { g.sync(); }
template <class P> G unsigned thread_rank(const P &g) { return g.thread_rank(); }
template <class P> G unsigned group_size(const P &g) { return g.size(); }
#undef G
}
