/* test_smcc_files.c -- .cu files as their authors have them, host code and all, for every clang that smcc takes. */
#include "tests/lib/check.h"

#include "tests/lib/folder.h"

static const char
    *clangs[3]; /* that are there, each in a folder with-NAME as the first that smcc looks for */
static int nclangs;

static void find_clangs(void)
{
    static const char *const names[] = {"clang-14", "clang-15", "clang-16"};
    struct fl_buf out = {0};
    for (int i = 0; i < 3; i++)
        if (tools_run(dir, &out, "p=$(command -v %s) && mkdir with-%s && ln -s $p with-%s/clang-14",
                      names[i], names[i], names[i]) == 0)
            clangs[nclangs++] = names[i];
    fl_buf_free(&out);
}

/* smcc with each clang, or with one in turn. */
static void smcc(const char *rest, int status, const char *says)
{
    static int turn;
    if (turn == 0)
        find_clangs();
    for (int i = 0; i < nclangs; i++) {
        struct fl_buf out = {0};
        if (check_few() && i != turn % nclangs)
            continue;
        int got = tools_run(dir, &out, "{ PATH=$PWD/with-%s:$PATH; smcc %s; } 2>&1", clangs[i],
                            rest);
        bool good = got == status && tools_says(&out, says);
        if (!good)
            printf("\n    %s: smcc %s: status %d\n%.3000s\n", clangs[i], rest, got, out.data);
        CU_ASSERT_TRUE(good);
        fl_buf_free(&out);
    }
    turn++;
    if (!nclangs)
        check_skip("no clang (scripts/setup --cc)");
}

/* What the launches name is compiled; -D reaches the file alone. */
static const char with_host[] =
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <math.h>\n"
    "#include <time.h>\n#include <assert.h>\n#include <limits.h>\n#include <float.h>\n"
    "#include <sys/time.h>\n#include <unistd.h>\n#include <iostream>\n#include <fstream>\n"
    "#include <vector>\n#include <string>\n#include <map>\n#include <algorithm>\n"
    "#include <cmath>\n#include <cuda.h>\n#include <cuda_runtime.h>\n#include <cutil.h>\n"
    "template <class T, int N> __global__ void scale(T *a, T by)\n{\n"
    "    int i = blockIdx.x * N + threadIdx.x;\n    a[i] = min(i, M) * by + fabs(sinf(0.0f));\n}\n"
    "int main(int argc, char **argv)\n{\n    cudaDeviceProp prop;\n    float *d, ms;\n"
    "    cudaEvent_t start;\n    std::vector<float> h(1024);\n    dim3 block(64), grid(16, 1);\n"
    "    CUDA_SAFE_CALL(cudaGetDeviceProperties(&prop, 0));\n"
    "    printf(\"%d %s\\n\", prop.warpSize, prop.name);\n"
    "    if (cudaMalloc((void **)&d, 4096) != cudaSuccess)\n        exit(EXIT_FAILURE);\n"
    "    cudaMemcpy(d, &h[0], 4096, cudaMemcpyHostToDevice);\n    cudaEventCreate(&start);\n"
    "    scale<float, 64><<<grid, block>>>(d, 2.0f);\n"
    "    scale<int, 32><<<32, 32, 0>>>((int *)d, max(argc, 3));\n    cudaThreadSynchronize();\n"
    "    float4 v = make_float4(1, 2, 3, 4);\n    cudaEventElapsedTime(&ms, start, start);\n"
    "    std::cout << std::max(1.0f, v.x) << sqrt(2.0) << std::endl;\n"
    "    return cudaGetLastError() != cudaSuccess;\n}\n";

static void a_file_compiles_with_its_host_code_and_the_templates_that_it_launches(void)
{
    put("host.cu", with_host);
    smcc("-D M=16 host.cu --list | grep -c '^_Z5scaleI[fi]Li'", 0, "2");
    smcc("-D M=16 host.cu -o h.cubin && smrun h.cubin --kernel _Z5scaleIfLi64EEvPT_S0_ --grid 1 "
         "--block 64 --buffer a=256 --param a:buf:a --param by:f32:0.5 --dump a=a >/dev/null && "
         "od -An -tf4 a | tr -s ' \\n' ' ' | cut -c1-12",
         0, "0 0.5 1 1.5");
}

static void no_output_goes_over_a_header_that_a_source_includes(void)
{
    static const char *const lines[] = {
        "inner.cu -o ./inner.h",
        "inner.cu -o inner.cubin --job inner.h",
        "inner.cl -o ././inner.h",
        "--exe inner.cu other.c -o other.h",
        "--exe inner.cu other.c -L. -lother -o libother.a",
    };
    put("inner.h", "#define INNER 7\n");
    put("outer.h", "#include \"inner.h\"\n");
    put("other.h", "int other(void);\n");
    put("libother.a", "!<arch>\n");
    put("other.c", "#include \"other.h\"\nint other(void) { return 1; }\n");
    put("inner.cu", "#include \"outer.h\"\n__global__ void k(int *p) { p[0] = INNER; }\n"
                    "int main() { k<<<1, 1>>>(0); }\n");
    put("inner.cl", "#include \"outer.h\"\n__kernel void k(__global int *p) { p[0] = INNER; }\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        smcc(lines[i], 1, "would overwrite a");
    smcc("inner.cu -o inner.cubin && test -s inner.cubin && cat inner.h other.h libother.a && "
         "! ls | grep unfinished",
         0, "#define INNER 7\nint other(void);\n!<arch>\n");
}

static void a_header_of_cuda_is_there_by_its_name_and_one_of_the_users_comes_first(void)
{
    put("names.cu", "#include <cuda_runtime_api.h>\n#include <device_launch_parameters.h>\n"
                    "#include \"vector_types.h\"\n#include <math_constants.h>\n"
                    "#include <helper_cuda.h>\n#include <cutil_inline.h>\n"
                    "__global__ void k(float *p) { p[0] = CUDART_PI_F; }\n"
                    "void f(float *p) { checkCudaErrors(cudaFree(p)); }\n");
    smcc("names.cu --list", 0, "k: ");
    put("cutil_inline.h", "#define mine 7\n");
    put("users.cu", "#include <cutil_inline.h>\n__global__ void k(int *p) { p[0] = mine; }\n");
    smcc("users.cu --list", 1, "error: use of undeclared identifier 'mine'");
    smcc("-I . users.cu --list", 0, "k: ");
}

static void vectors_dim3_min_and_max_are_there_on_both_sides(void)
{
    put("sides.cu",
        "__global__ void k(int *p)\n{\n    double2 d = make_double2(1, 2);\n    dim3 x(3);\n"
        "    longlong2 l = make_longlong2(p[1], 5);\n"
        "    p[0] = x.x + x.y + (int)max(l.x, l.y) + min(p[2], 9) + (int)sizeof d;\n}\n"
        "int main()\n{\n    uint3 u = dim3(2, 3);\n    return min(3, max(u.x, 2)) + make_int2(1, "
        "2).y;\n}\n");
    smcc("sides.cu --list", 0, "k: ");
}

static void a_kernel_that_is_refused_leaves_the_others_and_strict_refuses_the_file(void)
{
    put("some.cu", "#include <assert.h>\n#include <stdio.h>\n"
                   "__global__ void good(int *p)\n{\n    assert(p[0] > 2);\n    p[0] = 3;\n}\n"
                   "__global__ void count(int *p)\n{\n    if (p[3])\n        atomicAdd(p, 1);\n}\n"
                   "__global__ void shuffles(int *p)\n{\n    p[0] = __shfl(p[0], 1);\n}\n");
    smcc("some.cu --list 2>&1 | grep -v '^ ' | tr '\\n' ' '", 0,
         "some.cu:11:9: warning: kernel 'count' is left out: 'atomicAdd' is unavailable: the "
         "machine (compute capability 1.0) has no atomic operations, 1.1 has; let each thread "
         "write an element of its own and combine them later some.cu:15:12: warning: "
         "kernel 'shuffles' is left out: '__shfl' is unavailable: the machine (compute capability "
         "1.0) has no "
         "shuffles, 3.0 has; exchange the values through shared memory good: ");
    smcc("--strict some.cu -o none.cubin; s=$?; test -e none.cubin && exit 9; exit $s", 1,
         "some.cu:11:9: error: 'atomicAdd' is unavailable");
    put("none.cu", "__global__ void count(int *p) { atomicAdd(p, 1); }\n"
                   "__global__ void votes(int *p) { p[0] = __all(p[1]); }\n");
    smcc("none.cu -o none.cubin; s=$?; test -e none.cubin && exit 9; exit $s", 1,
         "none.cu:2:40: error: '__all' is unavailable");
    put("some.cl", "__kernel void adds(__global int *p) { p[1] = atomic_add(p, 2); }\n"
                   "__kernel void reads(__read_only image3d_t i, sampler_t s, __global float4 *p) "
                   "{ p[0] = read_imagef(i, s, (float4)(1, 2, 3, 0)); }\n"
                   "__kernel void good(__global int *p) { p[0] = 1; }\n");
    smcc("some.cl --list 2>&1", 0,
         "some.cl:1:46: warning: kernel 'adds' is left out: 'atomic_add' is unavailable");
    smcc("some.cl --list 2>&1", 0, "kernel 'reads' is left out: 'read_imagef' is unavailable");
    smcc("some.cl --list 2>/dev/null", 0, "good: ");
    smcc("--strict some.cl --list", 1, "some.cl:1:46: error: 'atomic_add' is unavailable");
}

static void an_image_and_its_sampler_are_one_texture(void)
{
    put("picture.cl",
        "const sampler_t s = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;\n"
        "__kernel void k(__read_only image2d_t picture, sampler_t own, __read_only image2d_t "
        "other, "
        "__global float4 *p)\n{\n    float2 at = (float2)(0.25f, 0.75f);\n    p[0] = "
        "read_imagef(picture, s, at) + read_imagef(other, own, at);\n}\n");
    smcc("picture.cl -S | grep -e '^[.]' -e TEX | grep -v '[.]line' | tr '\\n' ' '", 0,
         ".texture picture, image_float_wrap_linear_normalized, 0 .texture other, "
         "image_float_any, 1 .kernel k .param ptr p");
}

/* struct item of 64 bits: next at 0, value at 8, p at 16, tag at 24; 32 bytes. */
static void with_m64_structures_are_those_of_a_64_bit_host(void)
{
    put("wide.cu",
        "struct item { item *next; long value; int *p; char tag; };\n"
        "__device__ long count[2];\n"
        "__global__ void k(char c, item *list, struct item own, size_t n, long *out)\n{\n"
        "    long sum = own.value + (long)(n >> 32) + own.tag + c;\n"
        "    for (item *i = list; i; i = i->next)\n        sum += i->value + i->p[threadIdx.x];\n"
        "    out[threadIdx.x] = sum;\n    count[1] = sizeof(item) + 3;\n}\n");
    put("wide.job.xml",
        "<job cubin=\"wide.cubin\" profile=\"g80\"><buffer name=\"list\" size=\"64\"><u32>65568 0 "
        "7 1 69888 0 0 0  0 0 4294967295 4294967295 69892 0 0 0</u32></buffer>"
        "<buffer name=\"ints\" size=\"4096\" ><u32>20 30 40</u32></buffer>"
        "<buffer name=\"out\" size=\"16\"/><launch kernel=\"k\" grid=\"1\" block=\"2\">"
        "<param name=\"c\" u32=\"1\"/><param name=\"list\" buffer=\"list\"/>"
        "<param offset=\"0x28\" u32=\"100\"/><param offset=\"0x38\" u32=\"200\"/>"
        "<param offset=\"0x44\" u32=\"5\"/><param name=\"out\" buffer=\"out\"/></launch></job>");
    smcc("-m64 wide.cu --list 2>/dev/null", 0,
         "  s[0x10] u32 c\n  s[0x18] ptr list\n  s[0x20] u32 own\n  s[0x40] u32 n\n  s[0x48] ptr "
         "out");
    smcc("-m64 wide.cu -o wide.cubin && smrun wide.job.xml --dump out=out --dump count=count "
         ">/dev/null && od -An -td8 out count | tr -s ' \\n' ' '",
         0, " 4294967402 4294967422 0 35 ");
    smcc("-m64 wide.cu -o wide.cubin", 0,
         "wide.cu:7:27: warning: kernel 'k': which memory the pointer means is not known: global "
         "memory is assumed\n        sum += i->value");
    smcc("-m64 wide.cu --ptx -o wide.ptx && smcc wide.ptx -S | head -1", 0, ".addresses 64");
}

static void a_texture_refuses_the_kernel_that_reads_it(void)
{
    put("texture.cu",
        "#include <shrQATest.h>\n#include <shrUtils.h>\n"
        "texture<float, 3, cudaReadModeElementType> in;\n"
        "texture<uchar4, 2, cudaReadModeNormalizedFloat> image;\n"
        "__global__ void k(float *p) { p[0] = tex3D(in, 3, 1, 2) + tex2D(image, 1, 2).x; }\n"
        "__global__ void l(float *p) { p[0] = 1; }\n"
        "int main(int argc, char **argv)\n{\n    shrQAStart(argc, argv);\n"
        "    in.addressMode[0] = cudaAddressModeClamp;\n    image.normalized = true;\n"
        "    cudaBindTextureToArray(in, 0);\n    shrLog(\"%d\\n\", 3);\n"
        "    shrQAFinishExit(argc, (const char **)argv, QA_PASSED);\n}\n");
    for (int wide = 0; wide < 2; wide++)
        smcc(wide ? "-m64 texture.cu --list" : "texture.cu --list", 0,
             "texture.cu:5:38: warning: kernel 'k' is left out: 'tex3D' is unavailable: "
             "supported are tex1Dfetch, tex1D and tex2D");
}

static void what_is_there_of_double_and_long_long_is_taken(void)
{
    put("more.cu",
        "#ifndef __CUDACC__\n#error which nvcc defines\n#endif\n"
        "__global__ void k(long long *p, double *d, float *f)\n{\n    int e;\n"
        "    d[6] = frexp(d[7], &e) + modf(d[8], &d[9]) + e;\n"
        "    p[0] = __popcll(p[1]) + __clzll(p[2]) + __ffsll(p[3]) + __byte_perm(1, 2, 0x5410);\n"
        "    d[0] = __longlong_as_double(p[4]) + min(d[1], 2.0) + __hiloint2double(3, 4);\n"
        "    f[0] = __fsqrt_rn(f[1]) + __fdiv_rn(f[2], 3) + round(d[2]) + fma(d[3], d[4], d[5]);\n"
        "}\n__global__ void v(int *p) { p[0] = __any_sync(~0u, p[1]) + __shfl_sync(~0u, p[2], 3); "
        "}\n");
    smcc("-w more.cu --list 2>&1", 0, "kernel 'v' is left out: '__any_sync' is unavailable");
    smcc("-w more.cu --list 2>/dev/null", 0, "k: ");
}

/* What is no body stays: comments, strings, blocks of a namespace and of a class, values. */
static const char with_odd_host[] =
    "#include <stdio.h>\n// a { brace\nstatic const char *text = \"a { string\";\n"
    "struct options { int n; void show() { printf(\"%d\", n); } };\n"
    "__global__ void add(float *c, const float *a, int n)\n{\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) c[i] += a[i];\n}\n"
    "namespace tools {\ntemplate <class T> static void check(T *p)\n{\n"
    "    other_thing x; /* } */\n    char brace = '}';\n}\n}\n"
    "int values[] = {1, 2, 3};\n"
    "int main(int argc, char **argv)\n{\n    strange::type v = 3;\n"
    "    for (int i = 0; i < 25; i++) {\n"
    "        one(i); two(i); three(i); four(i); five(i); six(i); seven(i); eight(i); nine(i);\n"
    "        ten(i); eleven(i); twelve(i); thirteen(i); fourteen(i); fifteen(i); sixteen(i);\n"
    "        seventeen(i); eighteen(i); nineteen(i); twenty(i); more(i); most(i);\n    }\n"
    "    add<<<1, 32>>>(0, 0, 1);\n    return 0;\n}\n"
    "void behind() { not_there(); }\n";

static void a_body_of_the_host_that_clang_does_not_take_is_left_out(void)
{
    put("odd.cu", with_odd_host);
    smcc("odd.cu -o odd.cubin && smrun --list odd.cubin", 0, "add ");
    smcc("odd.cu -o odd.cubin", 0,
         "odd.cu:13:5: warning: the body of 'check', a function of the host, is left out: unknown "
         "type name 'other_thing'");
    smcc("odd.cu -o odd.cubin", 0, "warning: the body of 'behind', a function of the host");
    smcc("--strict odd.cu -o odd.cubin", 1, "error: unknown type name 'other_thing'");
    smcc("--exe odd.cu -o odd", 1, "error: unknown type name 'other_thing'");
}

static void what_nvcc_took_before_c_11_is_taken(void)
{
    put("old.cu",
        "#include <stdio.h>\n#define F \"%d\"\n__global__ void k(unsigned char *p, int n)\n{\n"
        "    uchar4 v = {n, n >> 8, 0, 1};\n    p[0] = v.x;\n}\n"
        "int main()\n{\n    printf(\"a\"F\"b\", 1);\n}\n");
    smcc("old.cu -o old.cubin && echo taken", 0, "taken");
}

static void an_error_elsewhere_refuses_the_file_as_it_is(void)
{
    put("kernel.cu",
        "__global__ void k(int *p)\n{\n    *p = not_there;\n}\nint main() { gone(); }\n");
    smcc("kernel.cu -o k.cubin", 1, "kernel.cu:3:10: error: use of undeclared identifier");
    put("outside.cu",
        "__global__ void k(int *p)\n{\n    *p = 1;\n}\nstrange x;\nint main() { gone(); }\n");
    smcc("outside.cu -o k.cubin", 1, "outside.cu:5:1: error: unknown type name 'strange'");
    put("missing.cu", "#include \"nowhere.h\"\n__global__ void k(int *p)\n{\n    *p = 1;\n}\n");
    smcc("missing.cu -o k.cubin", 1, "'nowhere.h' file not found");
}

int main(void)
{
    dir = tools_folder();
    int status = CHECK_RUN(
        "smcc_files", CHECK(a_file_compiles_with_its_host_code_and_the_templates_that_it_launches),
        CHECK(no_output_goes_over_a_header_that_a_source_includes),
        CHECK(a_header_of_cuda_is_there_by_its_name_and_one_of_the_users_comes_first),
        CHECK(with_m64_structures_are_those_of_a_64_bit_host),
        CHECK(a_texture_refuses_the_kernel_that_reads_it),
        CHECK(an_image_and_its_sampler_are_one_texture),
        CHECK(what_is_there_of_double_and_long_long_is_taken),
        CHECK(vectors_dim3_min_and_max_are_there_on_both_sides),
        CHECK(a_kernel_that_is_refused_leaves_the_others_and_strict_refuses_the_file),
        CHECK(a_body_of_the_host_that_clang_does_not_take_is_left_out),
        CHECK(what_nvcc_took_before_c_11_is_taken),
        CHECK(an_error_elsewhere_refuses_the_file_as_it_is));
    tools_remove(dir);
    return status;
}
