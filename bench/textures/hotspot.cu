/* hotspot.cu -- heat that spreads over a chip, four steps: each reads the temperatures of the last through a texture of
 * linear memory with rows, which is bound anew for it. The host checks every cell. */
#include <stdio.h>
#include <string.h>

enum { SIZE = 32, STEPS = 4 };

texture<float, 2, cudaReadModeElementType> temperature;

__global__ void step(const float *power, float *out, int pitch)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float t = tex2D(temperature, x, y);
    float sides = tex2D(temperature, x - 1, y) + tex2D(temperature, x + 1, y);
    float ends = tex2D(temperature, x, y - 1) + tex2D(temperature, x, y + 1);
    out[y * pitch + x] = t + 0.125f * (power[y * SIZE + x] + (sides - 2.0f * t) + (ends - 2.0f * t));
}

static float at(const float *t, int x, int y)
{
    x = x < 0 ? 0 : x >= SIZE ? SIZE - 1 : x;
    y = y < 0 ? 0 : y >= SIZE ? SIZE - 1 : y;
    return t[y * SIZE + x];
}

int main()
{
    static float power[SIZE * SIZE], t[SIZE * SIZE], next[SIZE * SIZE], got[SIZE * SIZE];
    float *dp, *dt[2];
    size_t pitch, row = SIZE * sizeof(float);
    int wrong = 0;
    for (int i = 0; i < SIZE * SIZE; i++) {
        power[i] = (float)(i % 7) * 0.5f;
        t[i] = 300.0f + (float)(i * 13 % 29);
    }
    cudaMalloc(&dp, sizeof power);
    cudaMallocPitch(&dt[0], &pitch, row, SIZE);
    cudaMallocPitch(&dt[1], &pitch, row, SIZE);
    cudaMemcpy(dp, power, sizeof power, cudaMemcpyHostToDevice);
    cudaMemcpy2D(dt[0], pitch, t, row, row, SIZE, cudaMemcpyHostToDevice);
    for (int i = 0; i < STEPS; i++) {
        cudaBindTexture2D(NULL, temperature, dt[i % 2], SIZE, SIZE, pitch);
        step<<<dim3(SIZE / 8, SIZE / 8), dim3(8, 8)>>>(dp, dt[1 - i % 2], pitch / sizeof(float));
        cudaUnbindTexture(temperature);
        for (int y = 0; y < SIZE; y++)
            for (int x = 0; x < SIZE; x++) {
                float here = at(t, x, y), sides = at(t, x - 1, y) + at(t, x + 1, y);
                float ends = at(t, x, y - 1) + at(t, x, y + 1);
                next[y * SIZE + x] =
                    here + 0.125f * (power[y * SIZE + x] + (sides - 2.0f * here) + (ends - 2.0f * here));
            }
        memcpy(t, next, sizeof t);
    }
    cudaMemcpy2D(got, row, dt[STEPS % 2], pitch, row, SIZE, cudaMemcpyDeviceToHost);
    for (int i = 0; i < SIZE * SIZE; i++)
        wrong += got[i] != t[i];
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
