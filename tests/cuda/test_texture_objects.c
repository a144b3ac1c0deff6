/* test_texture_objects.c -- texture objects: what a kernel fetches through its arguments, and what is refused. */
#include "tests/lib/check.h"

#include "tests/lib/folder.h"

/* An array, pitched and linear memory; an object through a function, two objects that change places, one kernel at two objects. */
static void a_kernel_fetches_what_its_arguments_name(void)
{
    put("objects.cu",
        "#include <cstdio>\n#include <cstring>\n"
        "__device__ float at(cudaTextureObject_t t, float x, float y) { return tex2D<float>(t, x + "
        "0.5f, y + 0.5f); }\n"
        "__global__ void flat(float *to, cudaTextureObject_t t, int n, cudaTextureObject_t "
        "other)\n{\n"
        "    int i = threadIdx.x;\n    to[i] = at(t, i % n, i / n) * 100 + at(other, i % n, i / "
        "n);\n}\n"
        "__global__ void line(int *to, cudaTextureObject_t t) { to[threadIdx.x] = "
        "tex1Dfetch<int>(t, threadIdx.x * 2); }\n"
        "__global__ void pairs(float *to, cudaTextureObject_t t)\n{\n    float2 v;\n"
        "    tex2D(&v, t, (threadIdx.x + 0.25f) / 4, 0.0f);\n    to[threadIdx.x] = v.x + 10 * "
        "v.y;\n}\n"
        "int main()\n{\n    float h[16], r[16], *d;\n    int hi[8], ri[4], *di;\n    "
        "cudaMalloc(&d, 64);\n    cudaMalloc(&di, 32);\n"
        "    for (int i = 0; i < 16; i++)\n        h[i] = i;\n    for (int i = 0; i < 8; i++)\n    "
        "    hi[i] = -i;\n"
        "    cudaArray_t array;\n    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();\n"
        "    cudaMallocArray(&array, &f, 4, 4);\n    cudaMemcpyToArray(array, 0, 0, h, 64, "
        "cudaMemcpyHostToDevice);\n"
        "    cudaResourceDesc res;\n    cudaTextureDesc how;\n    memset(&res, 0, sizeof res);\n   "
        " memset(&how, 0, sizeof how);\n"
        "    res.resType = cudaResourceTypeArray;\n    res.res.array.array = array;\n"
        "    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;\n    how.readMode = "
        "cudaReadModeElementType;\n"
        "    cudaTextureObject_t a, b, c, e, wrong;\n    printf(\"%d\", "
        "cudaCreateTextureObject(&a, &res, &how, NULL));\n"
        "    float *pitched;\n    size_t pitch;\n    cudaMallocPitch(&pitched, &pitch, 16, 4);\n"
        "    for (int i = 0; i < 16; i++)\n        h[i] = 15 - i;\n"
        "    cudaMemcpy2D(pitched, pitch, h, 16, 16, 4, cudaMemcpyHostToDevice);\n"
        "    res.resType = cudaResourceTypePitch2D;\n    res.res.pitch2D.devPtr = pitched;\n    "
        "res.res.pitch2D.desc = f;\n"
        "    res.res.pitch2D.width = res.res.pitch2D.height = 4;\n    res.res.pitch2D.pitchInBytes "
        "= pitch;\n"
        "    printf(\"%d\", cudaCreateTextureObject(&b, &res, &how, NULL));\n"
        "    cudaMemcpy(di, hi, 32, cudaMemcpyHostToDevice);\n    res.resType = "
        "cudaResourceTypeLinear;\n"
        "    res.res.linear.devPtr = di;\n    res.res.linear.desc = "
        "cudaCreateChannelDesc<int>();\n    res.res.linear.sizeInBytes = 32;\n"
        "    printf(\"%d\", cudaCreateTextureObject(&c, &res, &how, NULL));\n"
        "    unsigned char hc[8] = {0, 255, 51, 0, 102, 255, 204, 0};\n    cudaMemcpy(pitched, hc, "
        "8, cudaMemcpyHostToDevice);\n"
        "    res.res.linear.devPtr = pitched;\n    res.res.linear.desc = "
        "cudaCreateChannelDesc<uchar2>();\n    res.res.linear.sizeInBytes = 8;\n"
        "    how.readMode = cudaReadModeNormalizedFloat;\n    how.normalizedCoords = 1;\n    "
        "how.addressMode[0] = cudaAddressModeWrap;\n"
        "    printf(\"%d\\n\", cudaCreateTextureObject(&e, &res, &how, NULL));\n"
        "    cudaMemcpy2D(pitched, pitch, h, 16, 16, 4, cudaMemcpyHostToDevice);\n"
        "    flat<<<1, 16>>>(d, a, 4, b);\n    cudaMemcpy(r, d, 64, cudaMemcpyDeviceToHost);\n    "
        "printf(\"%g %g\", r[1], r[15]);\n"
        "    flat<<<1, 16>>>(d, b, 4, a);\n    cudaMemcpy(r, d, 64, cudaMemcpyDeviceToHost);\n    "
        "printf(\" %g %g\\n\", r[1], r[15]);\n"
        "    line<<<1, 4>>>((int *)d, c);\n    cudaMemcpy(ri, d, 16, cudaMemcpyDeviceToHost);\n    "
        "printf(\"%d %d\\n\", ri[1], ri[3]);\n"
        "    cudaMemcpy(pitched, hc, 8, cudaMemcpyHostToDevice);\n"
        "    pairs<<<1, 6>>>(d, e);\n    cudaMemcpy(r, d, 24, cudaMemcpyDeviceToHost);\n    "
        "printf(\"%g %g %g %g\\n\", r[0], r[1], r[2], r[5]);\n"
        "    cudaResourceDesc got;\n    printf(\"%d %d\", cudaGetTextureObjectResourceDesc(&got, "
        "c), got.res.linear.devPtr == di);\n"
        "    how.addressMode[0] = cudaAddressModeBorder;\n    printf(\" %d\", "
        "cudaCreateTextureObject(&wrong, &res, &how, NULL));\n"
        "    int first = cudaDestroyTextureObject(c), second = cudaDestroyTextureObject(c);\n    "
        "printf(\" %d %d\", first, second);\n"
        "    line<<<1, 4>>>((int *)d, c);\n    printf(\" %d\\n\", cudaGetLastError());\n}\n");
    expect("smcc --exe objects.cu -o objects && ./objects 2>said; cat said", 0,
           "0000\n114 1500 1401 15\n-2 -6\n10 0.2 10.4 0.2\n0 1 71 0 11 18\n");
    expect("smrun --record r -- ./objects >text 2>&1; smrun r/job.xml", 0, "(as the job states)");
}

static void an_object_that_is_no_argument_refuses_its_kernel_alone(void)
{
    put("lost.cu",
        "struct both {\n    int n;\n    cudaTextureObject_t t[2];\n};\n"
        "__global__ void loaded(float *to, both b, int i) { to[0] = tex2D<float>(b.t[i], 0, 0); }\n"
        "__global__ void deep(float *to, cudaTextureObject_t t) { to[0] = tex3D<float>(t, 0, 0, "
        "0); }\n"
        "__global__ void fine(float *to, cudaTextureObject_t t) { to[0] = tex1Dfetch<float>(t, 0); "
        "}\n");
    expect("smcc lost.cu -o lost.cubin 2>&1", 0,
           "kernel 'loaded' is left out: which texture this reads is not known");
    expect("sdis lost.cubin", 0, "TLD");
    expect("smcc lost.cu -o lost.cubin 2>&1", 0,
           "kernel 'deep' is left out: 'tex3D' is unavailable");
}

int main(void)
{
    dir = tools_folder();
    needs_clang = true;
    int status = CHECK_RUN("texture_objects", CHECK(a_kernel_fetches_what_its_arguments_name),
                           CHECK(an_object_that_is_no_argument_refuses_its_kernel_alone));
    tools_remove(dir);
    return status;
}
