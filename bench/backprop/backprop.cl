// Training of a network with one hidden layer of 16 units and one output, by one example: forward, error, back.
#define HIDDEN 16
#define T 16

static float squash(float x)
{
    return 1.0f / (1.0f + native_exp2(x * -M_LOG2E_F));
}

// Each block has 16 inputs; weight[i][j] leads from input i to hidden unit j.
__kernel void forward(__global const float *input, __global const float *weight, __global float *part)
{
    __local float w[T][HIDDEN];
    uint j = get_local_id(0), i = get_local_id(1), from = get_group_id(0) * T + i;
    w[i][j] = weight[from * HIDDEN + j] * input[from];
    for (uint half_n = T / 2; half_n; half_n >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < half_n)
            w[i][j] += w[i + half_n][j];
    }
    if (i == 0)
        part[get_group_id(0) * HIDDEN + j] = w[0][j];
}

// One block, a thread for each hidden unit: the rest of the way, and the errors of both layers.
__kernel void error(__global const float *part, __global float *out_weight, __global float *delta, __global float *output,
    uint parts, float target, float rate)
{
    __local float hidden[HIDDEN];
    uint j = get_local_id(0);
    float sum = 0, out = 0;
    for (uint p = 0; p < parts; p++)
        sum += part[p * HIDDEN + j];
    float mine = squash(sum);
    hidden[j] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < HIDDEN; k++)
        out += hidden[k] * out_weight[k];
    out = squash(out);
    barrier(CLK_GLOBAL_MEM_FENCE); // all have read the weights
    float out_delta = out * (1.0f - out) * (target - out), w = out_weight[j];
    delta[j] = mine * (1.0f - mine) * (out_delta * w);
    out_weight[j] = w + rate * out_delta * mine;
    if (j == 0)
        *output = out;
}

__kernel void adjust(__global const float *input, __global float *weight, __global const float *delta, float rate)
{
    uint j = get_local_id(0), from = get_global_id(1);
    weight[from * HIDDEN + j] += rate * delta[j] * input[from];
}
