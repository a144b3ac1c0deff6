/* test_texture_programs.c -- CUDA programs that read textures, unmodified: built, run, recorded; their references say
 * what is right. */
#include "tests/lib/check.h"
#include "tests/lib/folder.h"

/* The job of the run ends with the same bytes: a host's reads are its outputs. */
static void workload(const char *name)
{
    char line[400];
    snprintf(line, sizeof line,
             "smcc --exe " FAULTLINE_SOURCE_DIR "/bench/textures/%s.cu -o %s && smrun --record "
             "%s.rec -- ./%s && smrun %s.rec/job.xml",
             name, name, name, name, name);
    expect(line, 0, "0 wrong");
#ifdef FAULTLINE_RTL
    snprintf(line, sizeof line, "smrun --engine both %s.rec/job.xml", name);
    expect(line, 0, "lock step     agrees");
    snprintf(line, sizeof line, "FAULTLINE_ENGINE=rtl ./%s", name);
    expect(line, 0, "0 wrong");
#endif
    snprintf(line, sizeof line, "grep -c '<texture name' %s.rec/job.xml", name);
    expect(line, 0, strcmp(name, "hotspot") == 0 ? "4" : "1");
}

static void k_means_reads_linear_memory(void)
{
    workload("kmeans");
}

static void edges_are_found_in_an_array(void)
{
    workload("edge");
}

static void hotspot_binds_its_texture_anew_for_each_step(void)
{
    workload("hotspot");
}

static void each_type_of_texel_gives_its_own(void)
{
    put("types.cu",
        "#include <stdio.h>\n"
        "texture<char, 1> c1;\ntexture<unsigned char, 1, cudaReadModeNormalizedFloat> n1;\n"
        "texture<short2, 1> s2;\ntexture<ushort4, 1, cudaReadModeNormalizedFloat> u4;\n"
        "texture<uint4, 1> i4;\ntexture<float2, 1> f2;\n"
        "__global__ void k(float *p)\n{\n"
        "    p[0] = tex1Dfetch(c1, 1);\n    p[1] = tex1Dfetch(n1, 1) * 255;\n"
        "    short2 s = tex1Dfetch(s2, 2);\n    p[2] = s.x;\n    p[3] = s.y;\n"
        "    float4 u = tex1Dfetch(u4, 1);\n    p[4] = u.x * 65535;\n    p[5] = u.w * 65535;\n"
        "    uint4 i = tex1Dfetch(i4, 1);\n    p[6] = i.z;\n"
        "    float2 f = tex1D(f2, 1.5f);\n    p[7] = f.x;\n    p[8] = f.y;\n}\n"
        "template <class T, class E, cudaTextureReadMode M> void put(texture<T, 1, M> &t, E first, "
        "E "
        "each)\n{\n    E h[16];\n    void *d;\n    for (int i = 0; i < 16; i++)\n        h[i] = "
        "first "
        "+ each * i;\n    cudaMalloc(&d, sizeof h);\n    cudaMemcpy(d, h, sizeof h, "
        "cudaMemcpyHostToDevice);\n    cudaBindTexture(0, t, d, t.channelDesc, sizeof h);\n}\n"
        "int main()\n{\n    float *p, h[9];\n"
        "    put(c1, (char)-5, (char)-1);\n    put(n1, (unsigned char)200, (unsigned char)7);\n"
        "    put(s2, (short)-300, (short)-1);\n    put(u4, (unsigned short)60000, (unsigned "
        "short)1);\n    put(i4, 70000u, 1u);\n    put(f2, 1.5f, 0.25f);\n"
        "    cudaMalloc(&p, sizeof h);\n    k<<<1, 1>>>(p);\n"
        "    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);\n"
        "    for (int i = 0; i < 9; i++)\n        printf(\"%.2f \", h[i]);\n}\n");
    expect("smcc --exe types.cu -o types && ./types", 0,
           "-6.00 207.00 -304.00 -305.00 60004.00 60007.00 70006.00 2.00 2.25");
}

static void a_kernel_whose_texture_is_not_bound_fails_at_its_launch(void)
{
    put("unbound.cu", "#include <stdio.h>\ntexture<float, 2> picture;\n"
                      "__global__ void k(float *p) { p[0] = tex2D(picture, 1, 2); }\n"
                      "int main()\n{\n    float *p;\n    cudaMalloc(&p, 4);\n    k<<<1, 1>>>(p);\n"
                      "    return cudaGetLastError() == cudaSuccess;\n}\n");
    expect("smcc --exe unbound.cu -o unbound && ./unbound", 0,
           "reads texture 'picture', and nothing is bound to it");
}

static void texels_of_other_kinds_are_refused(void)
{
    put("odd.cu", "#include <stdio.h>\ntexture<float, 2> picture;\n"
                  "int main()\n{\n    cudaArray *a;\n    cudaChannelFormatDesc d = "
                  "cudaCreateChannelDesc(16, 0, "
                  "0, 0, cudaChannelFormatKindFloat);\n    cudaMallocArray(&a, &d, 8, 8);\n"
                  "    return cudaBindTextureToArray(picture, a, d) != cudaErrorInvalidValue;\n}\n"
                  "__global__ void k(float *p) { p[0] = tex2D(picture, 1, 2); }\n");
    expect("smcc --exe odd.cu -o odd && ./odd", 0,
           "texture 'picture': a texel must be 1, 2 or 4 integers of 8, 16 or 32 bits, or floats");
}

static void a_bind_may_be_compared_with_success_of_the_driver(void)
{
    put("driver.cu",
        "#include <cuda.h>\n#include <stdio.h>\ntexture<float, 1, cudaReadModeElementType> t;\n"
        "__global__ void k(float *p) { p[threadIdx.x] = tex1Dfetch(t, threadIdx.x); }\n"
        "int main()\n{\n    float *p, x[4] = {1, 2, 3, 4}, y[4];\n"
        "    cudaMalloc((void **)&p, sizeof x);\n"
        "    cudaMemcpy(p, x, sizeof x, cudaMemcpyHostToDevice);\n"
        "    cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();\n"
        "    if (cudaBindTexture(NULL, &t, p, &d, sizeof x) != CUDA_SUCCESS)\n        return 1;\n"
        "    k<<<1, 4>>>(p);\n    cudaMemcpy(y, p, sizeof y, cudaMemcpyDeviceToHost);\n"
        "    printf(\"%g %g\\n\", y[0], y[3]);\n}\n");
    expect("smcc --exe driver.cu -w -o driver && ./driver", 0, "1 4");
}

static void a_fetch_may_stand_under_a_condition_and_in_a_loop(void)
{
    put("loop.cu",
        "#include <stdio.h>\ntexture<int, 1> t;\n"
        "__device__ int sum(int n)\n{\n    int s = 0;\n    for (int i = 0; i < n; i++)\n"
        "        if ((i ^ threadIdx.x) & 1)\n            s += tex1Dfetch(t, tex1Dfetch(t, i) % "
        "16);\n    return s;\n}\n"
        "__global__ void k(int *p, int n) { p[threadIdx.x] = threadIdx.x < 9 ? sum(n + "
        "threadIdx.x) "
        ": tex1Dfetch(t, threadIdx.x); }\n"
        "int main()\n{\n    int h[16], r[16], wrong = 0, *d, *p;\n"
        "    for (int i = 0; i < 16; i++)\n        h[i] = i * 7 % 16 + 16;\n"
        "    cudaMalloc(&d, sizeof h);\n    cudaMalloc(&p, sizeof h);\n"
        "    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);\n    cudaBindTexture(0, t, d);\n"
        "    k<<<1, 16>>>(p, 5);\n    cudaMemcpy(r, p, sizeof h, cudaMemcpyDeviceToHost);\n"
        "    for (int x = 0; x < 16; x++) {\n        int s = 0;\n        for (int i = 0; i < 5 + "
        "x; "
        "i++)\n            if ((i ^ x) & 1)\n                s += h[h[i] % 16];\n        wrong += "
        "r[x] "
        "!= (x < 9 ? s : h[x]);\n    }\n    printf(\"%d wrong\\n\", wrong);\n}\n");
    expect("smcc --exe loop.cu -o loop && ./loop", 0, "0 wrong");
#ifdef FAULTLINE_RTL
    expect("FAULTLINE_ENGINE=rtl ./loop", 0, "0 wrong");
#endif
}

int main(void)
{
    dir = tools_folder();
    needs_clang = true;
    int status = CHECK_RUN("texture_programs", CHECK(k_means_reads_linear_memory),
                           CHECK(edges_are_found_in_an_array),
                           CHECK(hotspot_binds_its_texture_anew_for_each_step),
                           CHECK(each_type_of_texel_gives_its_own),
                           CHECK(a_kernel_whose_texture_is_not_bound_fails_at_its_launch),
                           CHECK(texels_of_other_kinds_are_refused),
                           CHECK(a_bind_may_be_compared_with_success_of_the_driver),
                           CHECK(a_fetch_may_stand_under_a_condition_and_in_a_loop));
    tools_remove(dir);
    return status;
}
