// Convolution of several planes with masks of 3 x 3, bias and ReLU; the border is zero. A block computes a tile of one plane of the output,
// from tiles of all planes of the input in shared memory.
#define X 16
#define Y 8

extern "C" __global__ void convrelu(const float *in, const float *weight, const float *bias, float *out, int width, int planes)
{
    __shared__ float tile[Y + 2][X + 2];
    int x = threadIdx.x, y = threadIdx.y, across = width / X;
    int left = blockIdx.x % across * X - 1, top = blockIdx.x / across * Y - 1;
    float sum = bias[blockIdx.y];
    for (int plane = 0; plane < planes; plane++) {
        __syncthreads(); // all have read the last tile
        for (int i = y * X + x; i < (Y + 2) * (X + 2); i += Y * X) {
            int tx = i % (X + 2), ty = i / (X + 2), from_x = left + tx, from_y = top + ty;
            bool inside = from_x >= 0 && from_x < width && from_y >= 0 && from_y < width;
            tile[ty][tx] = inside ? in[(plane * width + from_y) * width + from_x] : 0.0f;
        }
        __syncthreads();
        const float *w = weight + (blockIdx.y * planes + plane) * 9;
        for (int k = 0; k < 9; k++)
            sum += tile[y + k / 3][x + k % 3] * w[k];
    }
    out[(blockIdx.y * width + top + 1 + y) * width + left + 1 + x] = fmaxf(sum, 0.0f);
}
