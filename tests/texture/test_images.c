/* test_images.c -- images of OpenCL C: what kernels read of them, what a job must say of them, what is refused. */
#include <math.h>

#include "tests/lib/check.h"
#include "tests/lib/folder.h"

enum { SIZE = 16, LARGE = 64 };

static int inside(int i)
{
    return i < 0 ? 0 : i >= SIZE ? SIZE - 1 : i;
}

/* A job with one <texture>, whose properties are `says`, on the texels in the file picture. */
static void put_job(const char *cubin, const char *says, const char *launch)
{
    char *text = fl_format("<job profile=\"g80\" cubin=\"%s\">"
                           "<buffer name=\"texels\" size=\"1024\"><file path=\"picture\"/></buffer>"
                           "<buffer name=\"out\" size=\"65536\"/><texture buffer=\"texels\" "
                           "width=\"16\" height=\"16\" %s/>%s</job>",
                           cubin, says, launch);
    put("job.xml", text);
    free(text);
}

static uint8_t picture[SIZE][SIZE][4];

static void put_picture(void)
{
    for (int i = 0; i < SIZE * SIZE * 4; i++)
        picture[i / 4 / SIZE][i / 4 % SIZE][i % 4] = (uint8_t)(i * i / 7 + i * 31);
    tools_put(dir, "picture", picture, sizeof picture);
}

/* What the job leaves in buffer out. */
static const void *output(struct fl_buf *out)
{
    char *path = fl_format("%s/out", dir);
    expect("smrun job.xml --dump out=out", 0, "cycles");
#ifdef FAULTLINE_RTL
    expect("smrun job.xml --engine both", 0, "lock step     agrees");
#endif
    CU_ASSERT_EQUAL(fl_read_file(path, out, NULL), 0);
    free(path);
    return out->data;
}

static int slope(int x, int y, int c)
{
    int sum[2] = {0, 0};
    for (int k = -1; k <= 1; k++)
        for (int side = -1; side <= 1; side += 2) {
            int weight = side * (k ? 1 : 2);
            sum[0] += weight * picture[inside(y + k)][inside(x + side)][c];
            sum[1] += weight * picture[inside(y + side)][inside(x + k)][c];
        }
    int all = (abs(sum[0]) + abs(sum[1])) / 4;
    return all < 255 ? all : 255;
}

static void integers_are_coordinates_of_texels_clamped_to_the_edge(void)
{
    struct fl_buf out = {0};
    int wrong = 0;
    if (!check_clang())
        return;
    put_picture();
    expect("smcc " FAULTLINE_SOURCE_DIR "/bench/textures/sobel.cl -o sobel.cubin && echo made", 0,
           "made");
    put_job("sobel.cubin", "name=\"picture\" format=\"u8\" channels=\"4\"",
            "<launch kernel=\"sobel\" grid=\"2,2\" block=\"8,8\"><param name=\"edges\" "
            "buffer=\"out\"/></launch>");
    const uint8_t(*edges)[SIZE][4] = output(&out);
    for (int i = 0; i < SIZE * SIZE * 4; i++) {
        int x = i / 4 % SIZE, y = i / 4 / SIZE;
        wrong += edges[y][x][i % 4] != slope(x, y, i % 4);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    fl_buf_free(&out);
}

/* Between texels, in eighths, coming in again on the other side. */
static float between(int x, int y, int c)
{
    int u = 2 * x - 3, v = 2 * y - 3, a = u & 7, b = v & 7;
    int i = u >> 3 & (SIZE - 1), j = v >> 3 & (SIZE - 1);
    int i1 = (i + 1) % SIZE, j1 = (j + 1) % SIZE;
    int sum = (8 - a) * (8 - b) * picture[j][i][c] + a * (8 - b) * picture[j][i1][c] +
              (8 - a) * b * picture[j1][i][c] + a * b * picture[j1][i1][c];
    return (float)((double)sum / (64 * 255));
}

static void a_linear_sampler_that_repeats_reads_between_texels(void)
{
    struct fl_buf out = {0};
    int wrong = 0;
    if (!check_clang())
        return;
    put_picture();
    expect("smcc " FAULTLINE_SOURCE_DIR "/bench/textures/sobel.cl -o sobel.cubin && echo made", 0,
           "made");
    put_job("sobel.cubin",
            "name=\"colours\" format=\"unorm8\" channels=\"4\" address=\"wrap\" filter=\"linear\" "
            "normalized=\"yes\"",
            "<launch kernel=\"zoom\" grid=\"8,8\" block=\"8,8\"><param name=\"large\" "
            "buffer=\"out\"/></launch>");
    const float(*large)[LARGE][4] = output(&out);
    for (int i = 0; i < LARGE * LARGE * 4; i++) {
        int x = i / 4 % LARGE, y = i / 4 / LARGE;
        wrong += large[y][x][i % 4] != between(x, y, i % 4);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    fl_buf_free(&out);
}

/* A sampler that is an argument, one that is a literal, none at all; each kind of texel; arguments behind an image. */
static void each_way_to_name_a_sampler_reads_the_texel(void)
{
    put("ways.cl",
        "float deep(__read_only image2d_t i, sampler_t s, float x)\n{\n"
        "    return read_imagef(i, s, (float2)(x, 3)).x;\n}\n"
        "__kernel void k(float before, __read_only image2d_t a, sampler_t s, __read_only image2d_t "
        "b,\n                __read_only image2d_t c, __global float *p, int after)\n{\n"
        "    p[0] = before;\n    p[1] = after;\n    p[2] = deep(a, s, 2.5f);\n"
        "    p[3] = read_imagei(b, CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST, (float2)(2.5f, "
        "0)).x;\n    p[4] = read_imageui(c, (int2)(after, 1)).x;\n}\n");
    put("ways.xml",
        "<job profile=\"g80\" cubin=\"ways.cubin\"><buffer name=\"f\" size=\"256\"><f32>0 0 0 0  0 "
        "0 0 0  0 0 0 0  0 0 6.5 0</f32></buffer><buffer name=\"i\" size=\"16\"><u32>1 2 "
        "4294967289</u32></buffer><buffer name=\"u\" size=\"16\"><u32>1 0x04030201</u32></buffer>"
        "<buffer name=\"p\" size=\"32\"/>"
        "<texture name=\"a\" buffer=\"f\" width=\"4\" height=\"4\" format=\"f32\"/>"
        "<texture name=\"b\" buffer=\"i\" width=\"4\" format=\"s32\"/>"
        "<texture name=\"c\" buffer=\"u\" width=\"4\" height=\"2\" format=\"u8\"/>"
        "<launch kernel=\"k\" grid=\"1\" block=\"1\"><param name=\"before\" f32=\"2.5\"/><param "
        "name=\"p\" buffer=\"p\"/><param name=\"after\" u32=\"2\"/></launch></job>");
    expect("smcc ways.cl -o ways.cubin && smrun ways.xml --dump p=p >/dev/null && od -An -w20 -N20 "
           "-tf4 p | tr -s ' '",
           0, " 2.5 2 6.5 -7 3");
}

static void a_job_says_what_the_sampler_says(void)
{
    static const char launch[] = "<launch kernel=\"k\" grid=\"1\" block=\"1\"><param name=\"p\" "
                                 "buffer=\"out\"/></launch>";
    static const struct {
        const char *says, *why;
        int status;
    } jobs[] = {{"name=\"in\" format=\"f32\" filter=\"linear\"", "cycles", 0},
                {"unit=\"0\" format=\"unorm8\" channels=\"4\" filter=\"linear\"", "cycles", 0},
                {"name=\"in\" format=\"f32\"",
                 "sampler of image 'in' has address=\"clamp\" filter=\"linear\" normalized=\"no\"",
                 1},
                {"unit=\"0\" format=\"f32\" filter=\"linear\" normalized=\"yes\"",
                 "sampler of image 'in' has", 1},
                {"name=\"in\" format=\"f32\" filter=\"linear\" normalized=\"yes\" address=\"wrap\"",
                 "sampler of image 'in' has", 1},
                {"name=\"in\" format=\"u8\"", "read of image 'in' gives floats", 1}};
    put_picture();
    put("says.cl", "__kernel void k(__read_only image2d_t in, __global float *p)\n{\n    const "
                   "sampler_t s = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;\n    p[0] = "
                   "read_imagef(in, s, (float2)(1.5f, 2.5f)).x;\n}\n");
    expect("smcc says.cl -o says.cubin && echo made", 0, "made");
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        put_job("says.cubin", jobs[i].says, launch);
        expect("smrun job.xml", jobs[i].status, jobs[i].why);
    }
}

static void integers_are_read_of_integers_of_their_sign(void)
{
    put("sign.cl", "__kernel void i(__read_only image2d_t s, __read_only image2d_t u, __global int "
                   "*p)\n{\n    p[0] = read_imagei(s, (int2)(1, 1)).x + read_imageui(u, (int2)(1, "
                   "1)).x;\n}\n");
    put_picture();
    expect("smcc sign.cl -o sign.cubin && echo made", 0, "made");
    put_job("sign.cubin", "name=\"s\" format=\"u8\"", "");
    expect("smrun job.xml", 1, "read of image 's' gives signed integers: write s8, s16 or s32");
    put_job("sign.cubin", "name=\"u\" format=\"s16\"", "");
    expect("smrun job.xml", 1, "read of image 'u' gives unsigned integers: write u8, u16 or u32");
}

static void an_image_that_nothing_is_bound_to_refuses_the_launch(void)
{
    put("none.cl", "__kernel void k(__read_only image2d_t in, __global float *p) { p[0] = "
                   "read_imagef(in, (int2)(1, 2)).x; }\n");
    expect("smcc none.cl -o none.cubin && smrun none.cubin --kernel k --buffer p=4 --param "
           "p:buf:p",
           1, "texture 'in'");
}

static void kernels_share_an_image_that_they_read_alike(void)
{
    put("names.cl",
        "__kernel void a(__read_only image2d_t i, __global float *p) { p[0] = read_imagef(i, "
        "(int2)(0)).x; }\n"
        "__kernel void b(__read_only image2d_t i, __global float *p) { p[0] = read_imagef(i, "
        "(int2)(1)).y; }\n"
        "__kernel void c(__read_only image2d_t i, __global int *p) { p[0] = read_imagei(i, "
        "(int2)(0)).x; }\n");
    expect("smcc names.cl -S | grep texture | tr '\\n' ' '", 0,
           ".texture i, image_float_clamp_nearest_texels, 0 .texture c_i, "
           "image_int_clamp_nearest_texels, 1 ");
}

static void a_first_job_has_a_texture_for_each_image(void)
{
    put("first.cl",
        "__kernel void k(__read_only image2d_t in, __read_only image2d_t free, sampler_t s, "
        "__global float *p)\n{\n    p[0] = read_imagef(in, CLK_NORMALIZED_COORDS_TRUE | "
        "CLK_ADDRESS_REPEAT, (float2)(1, 2)).x + read_imagef(free, s, (float2)(1, 2)).x;\n}\n"
        "__kernel void other(__global int *in) { in[0] = 1; }\n");
    expect(
        "smcc first.cl -o first.cubin --job first.xml && cat first.xml", 0,
        "<texture name=\"in\" buffer=\"in_texels\" width=\"?\" height=\"?\" format=\"?\" "
        "channels=\"?\" address=\"wrap\" filter=\"nearest\" normalized=\"yes\"/>\n"
        "  <texture name=\"free\" buffer=\"free\" width=\"?\" height=\"?\" format=\"?\" "
        "channels=\"?\" address=\"?\" filter=\"?\" normalized=\"?\"/>\n"
        "  <launch kernel=\"k\" grid=\"?\" block=\"?\">\n    <param name=\"p\" buffer=\"p\"/>\n");
}

static void a_size_is_that_of_the_texture_unless_the_launch_says_it(void)
{
    put("size.cl",
        "int2 of(__read_only image2d_t i)\n{\n    return get_image_dim(i);\n}\n"
        "__kernel void k(__read_only image2d_t a, __global float *p, __read_only image2d_t b)\n{\n"
        "    p[0] = get_image_width(a);\n    p[1] = of(a).y;\n    p[2] = get_image_height(b);\n"
        "    p[3] = read_imagef(a, (int2)(of(a).x - 1, 0)).x + read_imagef(b, (int2)(0)).x;\n}\n");
    static const struct {
        const char *param, *gives;
    } cases[] = {{"", " 4 2 1 2.5"}, {"<param name=\"b_height\" u32=\"7\"/>", " 4 2 7 2.5"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *job = fl_format(
            "<job profile=\"g80\" cubin=\"size.cubin\"><buffer name=\"t\" size=\"32\"><f32>1 0 0 "
            "1.5</f32></buffer><buffer name=\"p\" size=\"16\"/>"
            "<texture name=\"a\" buffer=\"t\" width=\"4\" height=\"2\" format=\"f32\"/>"
            "<texture name=\"b\" buffer=\"t\" width=\"8\" format=\"f32\"/>"
            "<launch kernel=\"k\" grid=\"1\" block=\"1\"><param name=\"p\" "
            "buffer=\"p\"/>%s</launch></job>",
            cases[i].param);
        put("size.xml", job);
        expect("smcc size.cl -o size.cubin --job first.xml && smrun size.xml --dump p=p >/dev/null "
               "&& od -An -w16 -tf4 p | tr -s ' '",
               0, cases[i].gives);
        free(job);
    }
    expect("grep -c a_width first.xml", 1, "0");
}

static void what_units_cannot_is_refused_with_its_place(void)
{
    static const struct {
        const char *type, *body, *why;
    } bad[] = {
        {"__write_only image2d_t", "write_imagef(i, (int2)(1, 2), (float4)(1));",
         "has no images that kernels write, 2.0 has"},
        {"__read_only image2d_t", "p[0] = read_imagef(i, -5, (float2)(1)).x;",
         "these bits are no sampler"},
        {"__write_only image2d_t", "p[0] = get_image_width(i);",
         "'get_image_width' is unavailable"},
        {"__read_only image2d_t", "p[0] = get_image_width(i);",
         "the size of an image is available only in a kernel that reads the image"},
        {"int i_width, __read_only image2d_t",
         "p[0] = read_imagef(i, (int2)(i_width)).x + get_image_width(i);",
         "this argument has a name that is reserved for the size of an image"},
        {"__read_only image3d_t", "p[0] = read_imagef(i, 0, (int4)(1)).x;",
         "'read_imagef' is unavailable: supported are reads of image2d_t"},
        {"__read_only image2d_array_t", "p[0] = read_imagef(i, 0, (int4)(1)).x;",
         "'read_imagef' is unavailable: supported are reads of image2d_t"},
        {"__read_only image2d_t", "p[0] = read_imagef(i, CLK_ADDRESS_CLAMP, (int2)(1)).x;",
         "CLK_ADDRESS_CLAMP: the units have no colour of a border"},
        {"__read_only image2d_t", "p[0] = read_imagef(i, CLK_ADDRESS_REPEAT, (float2)(1)).x;",
         "CLK_ADDRESS_REPEAT is for normalized coordinates"},
        {"__read_only image2d_t", "p[0] = read_imagef(i, CLK_FILTER_LINEAR, (int2)(1)).x;",
         "integers are coordinates of samplers with CLK_FILTER_NEAREST"},
        {"__read_only image2d_t",
         "p[0] = read_imagef(i, (int2)(1)).x + read_imagei(i, (int2)(1)).x;",
         "an image is read by two kinds of functions"},
        {"__read_only image2d_t",
         "p[0] = read_imagef(i, (int2)(1)).x + read_imagef(i, CLK_FILTER_LINEAR, (float2)(1)).x;",
         "an image is read with two samplers, and a texture unit has one"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char *text = fl_format("__kernel void k(%s i, __global float *p)\n{\n    %s\n}\n",
                               bad[i].type, bad[i].body);
        put("bad.cl", text);
        expect("smcc bad.cl -o bad.cubin 2>&1 | grep '^bad.cl:3:'", 0, bad[i].why);
        free(text);
    }
}

int main(void)
{
    dir = tools_folder();
    needs_clang = true;
    int status = CHECK_RUN("images", CHECK(integers_are_coordinates_of_texels_clamped_to_the_edge),
                           CHECK(a_linear_sampler_that_repeats_reads_between_texels),
                           CHECK(each_way_to_name_a_sampler_reads_the_texel),
                           CHECK(a_job_says_what_the_sampler_says),
                           CHECK(integers_are_read_of_integers_of_their_sign),
                           CHECK(an_image_that_nothing_is_bound_to_refuses_the_launch),
                           CHECK(kernels_share_an_image_that_they_read_alike),
                           CHECK(a_first_job_has_a_texture_for_each_image),
                           CHECK(a_size_is_that_of_the_texture_unless_the_launch_says_it),
                           CHECK(what_units_cannot_is_refused_with_its_place));
    tools_remove(dir);
    return status;
}
