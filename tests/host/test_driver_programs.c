/* test_driver_programs.c -- C programs over the driver API, linked with libcuda: run, recorded, and given faults. */
#include "tests/lib/check.h"
#include "tests/lib/folder.h"

/* Two modules with a kernel `run` each: one adds factor to 32 words, the other doubles them; `wild` traps. With "retry" the program makes a
 * new context after an error, as often as it takes. */
static void build(void)
{
    put("adds.sasm", ".constant factor, u32, 3\n.kernel run\n.local 8\n.param ptr p, 4\n"
                     "    SHL R0, R0, 2\n    MOV R1, s[p]\n    IADD R1, R1, R0\n"
                     "    GLD.U32 R2, global14[R1]\n    LST.U32 local[4], R2\n"
                     "    LLD.U32 R2, local[4]\n    MVC R3, c0[factor]\n    IADD R2, R2, R3\n"
                     "    GST.U32 global14[R1], R2\n    MOV.EXIT R1, R1\n"
                     ".kernel wild\n.param ptr p, 4\n    MVI R1, 0\n    GLD.U32 R2, global14[R1]\n"
                     "    MOV.EXIT R1, R1\n");
    put("doubles.sasm", ".kernel run\n.param ptr p, 4\n"
                        "    SHL R0, R0, 2\n    MOV R1, s[p]\n    IADD R1, R1, R0\n"
                        "    GLD.U32 R2, global14[R1]\n    IADD R2, R2, R2\n"
                        "    GST.U32 global14[R1], R2\n    MOV.EXIT R1, R1\n");
    put("host.c",
        "#include <cuda.h>\n#include <stdio.h>\n#include <string.h>\n"
        "static const char *how = \"\";\nstatic unsigned h[32];\n"
        "static CUresult run(void)\n{\n    CUresult e;\n    CUcontext c;\n    CUmodule adds, "
        "doubles;\n    CUfunction add, twice;\n    CUdeviceptr p, factor;\n    unsigned five = 5;\n"
        "    void *args[] = {&p};\n"
        "#define TRY(x) do { if ((e = (x))) { cuCtxDestroy(c); return e; } } while (0)\n"
        "    if ((e = cuCtxCreate(&c, 0, 0)))\n        return e;\n"
        "    TRY(cuModuleLoad(&adds, \"adds.cubin\"));\n"
        "    TRY(cuModuleGetFunction(&add, adds, \"run\"));\n"
        "    TRY(cuModuleGetGlobal(&factor, NULL, adds, \"factor\"));\n"
        "    TRY(cuMemAlloc(&p, sizeof h));\n    TRY(cuMemsetD32(p, 1, 32));\n"
        "    TRY(cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL));\n"
        "    TRY(cuModuleLoad(&doubles, \"doubles.cubin\"));\n"
        "    TRY(cuModuleGetFunction(&twice, doubles, \"run\"));\n"
        "    TRY(cuLaunchKernel(twice, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL));\n"
        "    TRY(cuMemcpyHtoD(factor, &five, 4));\n"
        "    TRY(cuFuncSetBlockShape(add, 32, 1, 1));\n    TRY(cuParamSeti(add, 0, (unsigned)p));\n"
        "    TRY(cuParamSetSize(add, 4));\n    TRY(cuLaunchGrid(add, 1, 1));\n"
        "    TRY(cuMemcpyDtoH(h, p, sizeof h));\n    TRY(cuMemFree(p));\n"
        "    return cuCtxDestroy(c);\n}\n"
        "int main(int argc, char **argv)\n{\n    const char *name = \"\";\n    CUresult e;\n"
        "    how = argc > 1 ? argv[1] : \"\";\n    if (cuInit(0))\n        return 2;\n"
        "    while ((e = run()) && !strcmp(how, \"retry\")) {\n        cuGetErrorName(e, &name);\n"
        "        printf(\"%s, again\\n\", name);\n    }\n"
        "    if (!strcmp(how, \"twice\"))\n        e = run();\n"
        "    cuGetErrorName(e, &name);\n"
        "    printf(\"%u %u %s\\n\", h[0], h[31], name);\n    return e != 0;\n}\n");
    expect("sasm adds.sasm -o adds.cubin && sasm doubles.sasm -o doubles.cubin && "
           "cc -Wall -Wextra -Werror -I " FAULTLINE_BUILD_DIR "/include/faultline host.c -o host "
           "-L " FAULTLINE_BUILD_DIR "/lib/faultline -Wl,-rpath," FAULTLINE_BUILD_DIR
           "/lib/faultline -lcuda && ls",
           0, "host");
}

static void a_program_loads_cubins_and_launches_in_both_forms(void)
{
    build();
    expect("./host", 0, "13 13 CUDA_SUCCESS"); /* (1 + 3) * 2 + 5 */
    expect("rm -f doubles.cubin.keep; mv doubles.cubin k; ./host 2>&1; s=$?; mv k doubles.cubin; "
           "exit $s",
           1, "0 0 CUDA_ERROR_FILE_NOT_FOUND");
}

static void the_header_is_one_of_C_and_of_Cpp(void)
{
    put("cpp.cpp", "#include <cuda.h>\nint main() { CUdevice d; return cuInit(0) || "
                   "cuDeviceGet(&d, 0); }\n");
    expect("c++ -Wall -Wextra -Werror -I " FAULTLINE_BUILD_DIR "/include/faultline cpp.cpp -o cpp "
           "-L " FAULTLINE_BUILD_DIR "/lib/faultline -Wl,-rpath," FAULTLINE_BUILD_DIR
           "/lib/faultline -lcuda && ./cpp && echo well",
           0, "well");
}

static void the_run_of_several_modules_is_one_job(void)
{
    build();
    expect("smrun --record run -- ./host 2>&1", 0, "recorded      run/job.xml: 3 launches, ");
    expect("smrun --expect run/job.xml && cat run/job.xml", 0,
           "<module name=\"module2\" cubin=\"module2.cubin\"/>");
    expect("cmp run/program.cubin adds.cubin && cmp run/module2.cubin doubles.cubin && echo same",
           0, "same");
    expect("faultsim transient --target rf --sample 50 --quiet --csv - run/job.xml", 0,
           "host,module2.run,");
}

static void each_context_with_launches_is_a_job_of_its_own(void)
{
    build();
    expect("smrun --record both -- ./host twice 2>&1", 0, "recorded      both/2/job.xml: ");
    expect("smrun --expect both/job.xml && smrun --expect both/2/job.xml", 0, "as the job states");
    expect("smrun --record both -- ./host 2>&1; ls both", 0, "job.xml");
    expect("test ! -e both/2 && echo none", 0, "none");
    expect("faultsim transient --sample 5 -- ./host twice 2>&1", 1,
           "it starts the device 2 times (cudaDeviceReset, several contexts");
    expect("take() { faultsim stuck-at --target pc,mask,sched --sample 8 --quiet --csv-faults - "
           "$@ -- ./host twice | grep -v '^#'; }; take >fast && take --exhaustive >slow && "
           "cmp fast slow && grep -c ,detected, fast >n && grep -c masked fast",
           0, "");
}

static void what_the_record_decides_is_what_runs_show(void)
{
    build();
    expect("f='faultsim transient --target rf,pc,local --sample 40 --active-only --quiet --csv -'; "
           "$f -- ./host >fast && $f --exhaustive -- ./host >slow; tail -n +2 fast | cut -d, -f1-9 "
           ">a; tail -n +2 slow | cut -d, -f1-9 >b; cmp a b && cat fast",
           0, "host,all,");
}

/* A flip in the address of the next instruction: the warp runs into nothing. */
static void after_a_trap_a_new_context_goes_on_without_the_flip(void)
{
    build();
    expect("FAULTLINE_FAULT=pc/w0/b20@120:flip ./host 2>&1", 1, "0 0 CUDA_ERROR_INVALID_PC");
    expect("FAULTLINE_FAULT=pc/w0/b20@120:flip ./host retry 2>/dev/null", 0,
           "CUDA_ERROR_INVALID_PC, again\n13 13 CUDA_SUCCESS");
}

int main(void)
{
    dir = tools_folder();
    int failed = CHECK_RUN(
        "driver_programs", CHECK(a_program_loads_cubins_and_launches_in_both_forms),
        CHECK(the_header_is_one_of_C_and_of_Cpp), CHECK(the_run_of_several_modules_is_one_job),
        CHECK(each_context_with_launches_is_a_job_of_its_own),
        CHECK(what_the_record_decides_is_what_runs_show),
        CHECK(after_a_trap_a_new_context_goes_on_without_the_flip));
    tools_remove(dir);
    return failed;
}
