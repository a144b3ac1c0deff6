// C = alpha A B + beta C of square matrices. Each block computes a tile of 16 x 16 elements, with tiles of A and B in shared memory.
#define T 16

extern "C" __global__ void gemm64(const float *a, const float *b, float *c, int n, float alpha, float beta)
{
    __shared__ float tile_a[T][T], tile_b[T][T];
    int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * T + x, row = blockIdx.y * T + y;
    float sum = 0.0f;
    for (int from = 0; from < n; from += T) {
        tile_a[y][x] = a[row * n + from + x];
        tile_b[y][x] = b[(from + y) * n + column];
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += tile_a[y][k] * tile_b[k][x];
        __syncthreads();
    }
    c[row * n + column] = alpha * sum + beta * c[row * n + column];
}
