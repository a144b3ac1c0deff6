/* kmeans.cu -- the nearest of five centres for each point, as Rodinia's K-Means has it: features through a texture of
 * linear memory, centres in constant memory. The host checks every point. */
#include <stdio.h>

enum { POINTS = 512, FEATURES = 4, CENTRES = 5 };

texture<float, 1, cudaReadModeElementType> features;
__constant__ float centres[CENTRES * FEATURES];

__global__ void nearest(int *membership)
{
    int point = blockIdx.x * blockDim.x + threadIdx.x, index = -1;
    float least = 3.4e38f;
    for (int c = 0; c < CENTRES; c++) {
        float distance = 0;
        for (int f = 0; f < FEATURES; f++) {
            float d = tex1Dfetch(features, point + f * POINTS) - centres[c * FEATURES + f];
            distance += d * d;
        }
        if (distance < least) {
            least = distance;
            index = c;
        }
    }
    membership[point] = index;
}

static float random_float(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / 16777216.0f;
}

int main()
{
    static float f[FEATURES * POINTS], c[CENTRES * FEATURES];
    static int got[POINTS];
    unsigned seed = 1;
    float *df;
    int *dm, wrong = 0;
    for (int i = 0; i < FEATURES * POINTS; i++)
        f[i] = random_float(&seed);
    for (int i = 0; i < CENTRES * FEATURES; i++)
        c[i] = random_float(&seed);
    cudaMalloc(&df, sizeof f);
    cudaMalloc(&dm, sizeof got);
    cudaMemcpy(df, f, sizeof f, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(centres, c, sizeof c);
    cudaBindTexture(NULL, features, df, sizeof f);
    nearest<<<POINTS / 128, 128>>>(dm);
    cudaMemcpy(got, dm, sizeof got, cudaMemcpyDeviceToHost);
    for (int p = 0; p < POINTS; p++) {
        int right = -1;
        float least = 3.4e38f;
        for (int k = 0; k < CENTRES; k++) {
            float distance = 0;
            for (int i = 0; i < FEATURES; i++) {
                float d = f[p + i * POINTS] - c[k * FEATURES + i];
                distance += d * d;
            }
            if (distance < least) {
                least = distance;
                right = k;
            }
        }
        wrong += got[p] != right;
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
