/* edge.cu -- Sobel's edges of a picture of bytes in an array, read through a texture that clamps at its edges. The host
 * checks every pixel. */
#include <stdio.h>

enum { WIDTH = 64, HEIGHT = 32 };

texture<unsigned char, 2, cudaReadModeElementType> picture;

__global__ void edges(unsigned char *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int p[3][3];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            p[j][i] = tex2D(picture, (float)(x + i - 1), (float)(y + j - 1));
    int h = p[0][2] + 2 * p[1][2] + p[2][2] - p[0][0] - 2 * p[1][0] - p[2][0];
    int v = p[2][0] + 2 * p[2][1] + p[2][2] - p[0][0] - 2 * p[0][1] - p[0][2];
    int sum = abs(h) + abs(v);
    out[y * WIDTH + x] = sum > 255 ? 255 : sum;
}

static int at(const unsigned char *p, int x, int y)
{
    x = x < 0 ? 0 : x >= WIDTH ? WIDTH - 1 : x;
    y = y < 0 ? 0 : y >= HEIGHT ? HEIGHT - 1 : y;
    return p[y * WIDTH + x];
}

int main()
{
    static unsigned char in[WIDTH * HEIGHT], got[WIDTH * HEIGHT];
    unsigned char *out;
    cudaArray *array;
    int wrong = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) /* a disc on a ramp */
            in[y * WIDTH + x] = (x - 30) * (x - 30) + (y - 15) * (y - 15) < 100 ? 220 - x : 2 * x + y;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
    cudaMallocArray(&array, &format, WIDTH, HEIGHT);
    cudaMemcpyToArray(array, 0, 0, in, sizeof in, cudaMemcpyHostToDevice);
    cudaBindTextureToArray(picture, array);
    cudaMalloc(&out, sizeof got);
    edges<<<dim3(WIDTH / 16, HEIGHT / 8), dim3(16, 8)>>>(out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            int h = at(in, x + 1, y - 1) + 2 * at(in, x + 1, y) + at(in, x + 1, y + 1) - at(in, x - 1, y - 1) -
                    2 * at(in, x - 1, y) - at(in, x - 1, y + 1);
            int v = at(in, x - 1, y + 1) + 2 * at(in, x, y + 1) + at(in, x + 1, y + 1) - at(in, x - 1, y - 1) -
                    2 * at(in, x, y - 1) - at(in, x + 1, y - 1);
            int sum = (h < 0 ? -h : h) + (v < 0 ? -v : v);
            wrong += got[y * WIDTH + x] != (sum > 255 ? 255 : sum);
        }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
