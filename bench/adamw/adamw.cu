// A step of the optimizer AdamW: a thread for each parameter. keep_m and keep_v: the decays of the two moments; fix_m and fix_v correct
// their bias towards 0 in the first steps.
extern "C" __global__ void adamw(float *p, const float *gradient, float *m, float *v, float rate, float decay, float keep_m, float keep_v,
    float fix_m, float fix_v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float g = gradient[i];
    m[i] = keep_m * m[i] + (1.0f - keep_m) * g;
    v[i] = keep_v * v[i] + (1.0f - keep_v) * (g * g);
    p[i] -= rate * (m[i] * fix_m / (sqrtf(v[i] * fix_v) + 1e-8f) + decay * p[i]);
}
