// The values of a byte in an image, counted in global memory: threads of all blocks add to the same 256 words.
extern "C" __global__ void atomichistogram(const unsigned *image, unsigned *bins, int words)
{
    int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += step) {
        unsigned four = image[i];
        for (int k = 0; k < 4; k++)
            atomicAdd(&bins[four >> 8 * k & 255], 1);
    }
}
