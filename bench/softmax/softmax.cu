// Softmax of each row: a block for a row, trees in shared memory for the maximum and the sum.
#define THREADS 64

extern "C" __global__ void softmax(const float *in, float *out, int width)
{
    __shared__ float part[THREADS];
    int t = threadIdx.x;
    const float *row = in + blockIdx.x * width;
    float best = row[t];
    for (int i = t + THREADS; i < width; i += THREADS)
        best = fmaxf(best, row[i]);
    part[t] = best;
    for (int half = THREADS / 2; half; half /= 2) {
        __syncthreads();
        if (t < half)
            part[t] = fmaxf(part[t], part[t + half]);
    }
    __syncthreads();
    best = part[0];
    __syncthreads();
    float sum = 0.0f;
    for (int i = t; i < width; i += THREADS)
        sum += __expf(row[i] - best);
    part[t] = sum;
    for (int half = THREADS / 2; half; half /= 2) {
        __syncthreads();
        if (t < half)
            part[t] += part[t + half];
    }
    __syncthreads();
    float scale = 1.0f / part[0];
    for (int i = t; i < width; i += THREADS)
        out[blockIdx.x * width + i] = __expf(row[i] - best) * scale;
}
