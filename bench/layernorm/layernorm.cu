// Layer normalization: a block for a row; mean and variance by trees in shared memory.
#define THREADS 64

__device__ float total(float *part, int t, float mine)
{
    __syncthreads(); // all have read what part had before
    part[t] = mine;
    for (int half = THREADS / 2; half; half /= 2) {
        __syncthreads();
        if (t < half)
            part[t] += part[t + half];
    }
    __syncthreads();
    return part[0];
}

extern "C" __global__ void layernorm(const float *in, const float *gain, const float *bias, float *out, int width, float share, float epsilon)
{
    __shared__ float part[THREADS];
    int t = threadIdx.x;
    const float *row = in + blockIdx.x * width;
    float sum = 0.0f, squares = 0.0f;
    for (int i = t; i < width; i += THREADS)
        sum += row[i];
    float mean = total(part, t, sum) * share;
    for (int i = t; i < width; i += THREADS) {
        float d = row[i] - mean;
        squares += d * d;
    }
    float scale = rsqrtf(total(part, t, squares) * share + epsilon);
    for (int i = t; i < width; i += THREADS)
        out[blockIdx.x * width + i] = (row[i] - mean) * scale * gain[i] + bias[i];
}
