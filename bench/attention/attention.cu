// Causal attention with online softmax: a thread for each query, a column of blocks for each head. Keys and values pass through shared
// memory in tiles; the running sum is rescaled when the maximum of the scores grows.
#define T 32
#define D 8

extern "C" __global__ void attention(const float *query, const float *key, const float *value, float *out, int length, float scale)
{
    __shared__ float keys[T][D], values[T][D];
    int t = threadIdx.x, row = blockIdx.x * T + t, head = blockIdx.y * length;
    float q[D], sum[D], best = -1e30f, weight = 0.0f;
    for (int d = 0; d < D; d++) {
        q[d] = query[(head + row) * D + d] * scale;
        sum[d] = 0.0f;
    }
    for (int from = 0; from <= blockIdx.x * T; from += T) {
        for (int d = 0; d < D; d++) {
            keys[t][d] = key[(head + from + t) * D + d];
            values[t][d] = value[(head + from + t) * D + d];
        }
        __syncthreads();
        for (int k = 0; k < T && from + k <= row; k++) {
            float score = 0.0f;
            for (int d = 0; d < D; d++)
                score += q[d] * keys[k][d];
            float next = fmaxf(best, score), shrink = __expf(best - next), p = __expf(score - next);
            weight = weight * shrink + p;
            for (int d = 0; d < D; d++)
                sum[d] = sum[d] * shrink + p * values[k][d];
            best = next;
        }
        __syncthreads();
    }
    float by = 1.0f / weight;
    for (int d = 0; d < D; d++)
        out[(head + row) * D + d] = sum[d] * by;
}
