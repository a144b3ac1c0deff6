/* clang-format off */
/* helpers.h -- what host code of CUDA's samples calls: cutil.h, helper_cuda.h and their like, of CUDA 2 to 5.
 *
 * A folder that -I names and that has these files comes first. Names and what they do are CUDA's, nothing else is.
 */
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <fstream>
#include <vector>
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef CLAMP
#define CLAMP(x, low, high) MIN(MAX(x, low), high)
#endif
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

/* ---- errors end the program, as in CUDA's ---- */

template <class T> inline const char *smcc_error_text(T) { return "error"; }
template <> inline const char *smcc_error_text(cudaError_t e) { return cudaGetErrorString(e); }
template <class T> inline void smcc_check(T result, const char *what, const char *file, int line)
{
    if ((int)result == 0)
        return;
    fprintf(stderr, "CUDA error at %s:%d: %s: %s (%d)\n", file, line, what, smcc_error_text(result), (int)result);
    exit(EXIT_FAILURE);
}
inline void smcc_want(bool good, const char *what, const char *file, int line)
{
    if (good)
        return;
    fprintf(stderr, "failed at %s:%d: %s\n", file, line, what);
    exit(EXIT_FAILURE);
}
#define SMCC_CHECK(x, text) smcc_check((x), text, __FILE__, __LINE__)
#define SMCC_WANT(x, text)  smcc_want((x), text, __FILE__, __LINE__)
#define CUDA_SAFE_CALL(x)            SMCC_CHECK(x, #x)
#define CUDA_SAFE_CALL_NO_SYNC(x)    SMCC_CHECK(x, #x)
#define CU_SAFE_CALL(x)              SMCC_CHECK(x, #x)
#define CUT_SAFE_CALL(x)             SMCC_WANT((x) == CUTTrue, #x)
#define CUT_CHECK_ERROR(text)        SMCC_CHECK(cudaGetLastError(), text)
#define CUT_CHECK_ERROR_GL()         ((void)0)
#define CUT_CONDITION(x)             SMCC_WANT(x, #x)
#define CUT_SAFE_MALLOC(x)           SMCC_WANT((x) != NULL, #x)
#define CUT_BANK_CHECKER(a, i)       a[i]
#define CUT_DEVICE_INIT(n, v)        ((void)cutilDeviceInit(n, v))
#define CUT_EXIT(n, v)               exit(EXIT_SUCCESS)
#define cutilSafeCall(x)             SMCC_CHECK(x, #x)
#define cutilSafeCallNoSync(x)       SMCC_CHECK(x, #x)
#define cutilSafeThreadSync()        SMCC_CHECK(cudaDeviceSynchronize(), "cudaDeviceSynchronize()")
#define cutilDrvSafeCall(x)          SMCC_CHECK(x, #x)
#define cutilDrvSafeCallNoSync(x)    SMCC_CHECK(x, #x)
#define cufftSafeCall(x)             SMCC_CHECK(x, #x)
#define cutilCheckError(x)           SMCC_WANT((x) == CUTTrue, #x)
#define cutilCheckMsg(text)          SMCC_CHECK(cudaGetLastError(), text)
#define cutilCheckMsgAndSync(text)   (SMCC_CHECK(cudaGetLastError(), text), SMCC_CHECK(cudaDeviceSynchronize(), text))
#define cutilCondition(x)            SMCC_WANT(x, #x)
#define cutilSafeMalloc(x)           SMCC_WANT((x) != NULL, #x)
#define cutilBankChecker(a, i)       a[i]
#define cutilExit(n, v)              exit(EXIT_SUCCESS)
#define checkCudaErrors(x)           SMCC_CHECK(x, #x)
#define checkCudaErrorsNoSync(x)     SMCC_CHECK(x, #x)
#define getLastCudaError(text)       SMCC_CHECK(cudaGetLastError(), text)
enum CUTBoolean { CUTFalse, CUTTrue };

/* ---- the device: there is one. Templates, for some samples have functions of these names themselves ---- */

template <class = void> inline int _ConvertSMVer2Cores(int, int) { return 8; } /* of an SM, as long as it has no caches */
template <class = void> inline int ConvertSMVer2Cores(int, int) { return 8; }
inline int smcc_device()
{
    cudaDeviceProp p;
    SMCC_CHECK(cudaGetDeviceProperties(&p, 0), "cudaGetDeviceProperties");
    SMCC_CHECK(cudaSetDevice(0), "cudaSetDevice");
    printf("GPU Device 0: \"%s\" with compute capability %d.%d\n\n", p.name, p.major, p.minor);
    return 0;
}
template <class V> inline int cutilDeviceInit(int, V) { return smcc_device(); }
template <class V> inline int cutilChooseCudaDevice(int, V) { return smcc_device(); }
template <class V> inline int findCudaDevice(int, V) { return smcc_device(); }
template <class = void> inline int gpuDeviceInit(int) { return smcc_device(); }
template <class = void> inline int cutGetMaxGflopsDeviceId() { return 0; }
template <class = void> inline int gpuGetMaxGflopsDeviceId() { return 0; }
template <class = void> inline bool checkCudaCapabilities(int major, int minor)
{
    cudaDeviceProp p;
    SMCC_CHECK(cudaGetDeviceProperties(&p, 0), "cudaGetDeviceProperties");
    return p.major > major || (p.major == major && p.minor >= minor);
}
template <class V> inline bool cutilCudaCapabilities(int major, int minor, int, V)
{
    return checkCudaCapabilities(major, minor);
}
template <class = void> inline cudaError_t cutilDeviceSynchronize() { return cudaDeviceSynchronize(); }
template <class = void> inline cudaError_t cutilThreadSynchronize() { return cudaDeviceSynchronize(); }
template <class = void> inline cudaError_t cutilDeviceReset() { return cudaDeviceReset(); }
template <class = void> inline cudaError_t cutilThreadExit() { return cudaDeviceReset(); }
template <class = void> inline int cutilDeviceCount()
{
    int n = 0;
    SMCC_CHECK(cudaGetDeviceCount(&n), "cudaGetDeviceCount");
    return n;
}

/* ---- timers, of the host's clock, in milliseconds ---- */

inline double smcc_now()
{
    struct timeval t;
    gettimeofday(&t, NULL);
    return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}
struct StopWatchInterface {
    double sum, from;
    int times;
    bool runs;
    StopWatchInterface() : sum(0), from(0), times(0), runs(false) {}
    void start() { from = smcc_now(), runs = true; }
    void stop() { sum += smcc_now() - from, times++, runs = false; }
    void reset() { sum = 0, times = 0, from = smcc_now(); }
    float getTime() { return (float)(sum + (runs ? smcc_now() - from : 0)); }
    float getAverageTime() { return times ? (float)(sum / times) : 0; }
};
typedef StopWatchInterface StopWatchLinux;
inline bool sdkCreateTimer(StopWatchInterface **t) { return (*t = new StopWatchInterface) != NULL; }
inline bool sdkDeleteTimer(StopWatchInterface **t) { delete *t, *t = NULL; return true; }
inline bool sdkStartTimer(StopWatchInterface **t) { if (*t) (*t)->start(); return true; }
inline bool sdkStopTimer(StopWatchInterface **t) { if (*t) (*t)->stop(); return true; }
inline bool sdkResetTimer(StopWatchInterface **t) { if (*t) (*t)->reset(); return true; }
inline float sdkGetTimerValue(StopWatchInterface **t) { return *t ? (*t)->getTime() : 0; }
inline float sdkGetAverageTimerValue(StopWatchInterface **t) { return *t ? (*t)->getAverageTime() : 0; }
inline std::vector<StopWatchInterface> &smcc_timers() { static std::vector<StopWatchInterface> all(1); return all; }
inline StopWatchInterface &smcc_timer(unsigned t) { return smcc_timers()[t < smcc_timers().size() ? t : 0]; }
inline CUTBoolean cutCreateTimer(unsigned *t)
{
    *t = (unsigned)smcc_timers().size();
    smcc_timers().push_back(StopWatchInterface());
    return CUTTrue;
}
inline CUTBoolean cutDeleteTimer(unsigned) { return CUTTrue; }
inline CUTBoolean cutStartTimer(unsigned t) { smcc_timer(t).start(); return CUTTrue; }
inline CUTBoolean cutStopTimer(unsigned t) { smcc_timer(t).stop(); return CUTTrue; }
inline CUTBoolean cutResetTimer(unsigned t) { smcc_timer(t).reset(); return CUTTrue; }
inline float cutGetTimerValue(unsigned t) { return smcc_timer(t).getTime(); }
inline float cutGetAverageTimerValue(unsigned t) { return smcc_timer(t).getAverageTime(); }
/* seconds since the last call for this counter */
inline double shrDeltaT(int counter = 0)
{
    static double last[3];
    double now = smcc_now() / 1e3, &of = last[counter < 0 || counter > 2 ? 0 : counter], since = of ? now - of : 0;
    of = now;
    return since;
}

/* ---- arguments: -name or --name, with =value ---- */

template <class V> inline const char *smcc_argument(int argc, V argv, const char *name) /* its value, NULL: not there */
{
    size_t n = strlen(name);
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        a += *a == '-';
        a += *a == '-';
        if (a != argv[i] && strncasecmp(a, name, n) == 0 && (a[n] == 0 || a[n] == '='))
            return a + n + (a[n] == '=');
    }
    return NULL;
}
template <class V> inline bool checkCmdLineFlag(int c, V v, const char *name) { return smcc_argument(c, v, name) != NULL; }
template <class V> inline int getCmdLineArgumentInt(int c, V v, const char *name)
{
    const char *a = smcc_argument(c, v, name);
    return a ? atoi(a) : 0;
}
template <class V> inline float getCmdLineArgumentFloat(int c, V v, const char *name)
{
    const char *a = smcc_argument(c, v, name);
    return a ? (float)atof(a) : 0;
}
template <class V> inline bool getCmdLineArgumentString(int c, V v, const char *name, char **to)
{
    const char *a = smcc_argument(c, v, name);
    *to = a ? strdup(a) : NULL;
    return a != NULL;
}
template <class T, class V> inline bool getCmdLineArgumentValue(int c, V v, const char *name, T *to)
{
    const char *a = smcc_argument(c, v, name);
    if (a)
        *to = (T)atof(a);
    return a != NULL;
}
#define SMCC_ARGUMENTS(is, sets, seti, setf, setu, B) \
    template <class V> inline B is(int c, V v, const char *name) { return (B)checkCmdLineFlag(c, v, name); } \
    template <class V> inline B seti(int c, V v, const char *name, int *to) { return (B)getCmdLineArgumentValue(c, v, name, to); } \
    template <class V> inline B setu(int c, V v, const char *name, unsigned *to) { return (B)getCmdLineArgumentValue(c, v, name, to); } \
    template <class V> inline B setf(int c, V v, const char *name, float *to) { return (B)getCmdLineArgumentValue(c, v, name, to); } \
    template <class V> inline B sets(int c, V v, const char *name, char **to) \
    { \
        const char *a = smcc_argument(c, v, name); \
        if (a) \
            *to = strdup(a); \
        return (B)(a != NULL); \
    }
SMCC_ARGUMENTS(cutCheckCmdLineFlag, cutGetCmdLineArgumentstr, cutGetCmdLineArgumenti, cutGetCmdLineArgumentf,
               cutGetCmdLineArgumentu, CUTBoolean)
SMCC_ARGUMENTS(shrCheckCmdLineFlag, shrGetCmdLineArgumentstr, shrGetCmdLineArgumenti, shrGetCmdLineArgumentf,
               shrGetCmdLineArgumentu, bool)
#undef SMCC_ARGUMENTS

/* ---- files ---- */

inline void cutFree(void *p) { free(p); }
inline void shrFree(void *p) { free(p); }
/* In the folder at hand, in that of the program, in data beside them; NULL: nowhere. */
inline char *sdkFindFilePath(const char *name, const char *program)
{
    static const char *const in[] = {"", "data/", "../data/", "../../data/", "../common/data/", "../../common/data/"};
    const char *slash = program ? strrchr(program, '/') : NULL;
    for (int own = 0; own < (slash ? 2 : 1); own++)
        for (size_t i = 0; i < sizeof in / sizeof in[0]; i++) {
            std::string path = (own ? std::string(program, (size_t)(slash + 1 - program)) : std::string()) + in[i] + name;
            if (FILE *f = fopen(path.c_str(), "rb")) {
                fclose(f);
                return strdup(path.c_str());
            }
        }
    return NULL;
}
inline char *cutFindFilePath(const char *name, const char *program) { return sdkFindFilePath(name, program); }
inline char *shrFindFilePath(const char *name, const char *program) { return sdkFindFilePath(name, program); }
template <class T> inline bool sdkReadFile(const char *name, T **to, unsigned *size, bool = false)
{
    std::ifstream f(name);
    std::vector<T> all;
    for (T x; f >> x;)
        all.push_back(x);
    if (*to && *size < all.size())
        all.resize(*size);
    if (!*to)
        *to = (T *)malloc((all.size() + 1) * sizeof(T));
    for (size_t i = 0; i < all.size(); i++)
        (*to)[i] = all[i];
    *size = (unsigned)all.size();
    return !all.empty();
}
template <class T, class E> inline bool sdkWriteFile(const char *name, const T *x, unsigned size, E epsilon, bool = false,
                                                     bool append = false)
{
    std::ofstream f(name, append ? std::ios::app : std::ios::out);
    f << "# " << epsilon << "\n";
    for (unsigned i = 0; i < size; i++)
        f << x[i] << ' ';
    f << '\n';
    return f.good();
}
inline CUTBoolean cutReadFilef(const char *name, float **to, unsigned *size, bool = false)
{
    return (CUTBoolean)sdkReadFile(name, to, size);
}
inline CUTBoolean cutReadFilei(const char *name, int **to, unsigned *size, bool = false)
{
    return (CUTBoolean)sdkReadFile(name, to, size);
}
inline CUTBoolean cutWriteFilef(const char *name, const float *x, unsigned size, float epsilon = 0, bool = false)
{
    return (CUTBoolean)sdkWriteFile(name, x, size, epsilon);
}
inline CUTBoolean cutWriteFilei(const char *name, const int *x, unsigned size, int epsilon = 0, bool = false)
{
    return (CUTBoolean)sdkWriteFile(name, x, size, epsilon);
}

/* Pictures: P5 has one byte a pixel, P6 three. `channels` are those in memory, a fourth is 0. */
inline bool smcc_load_picture(const char *name, unsigned char **to, unsigned *w, unsigned *h, unsigned channels)
{
    FILE *f = fopen(name, "rb");
    unsigned number[3] = {0, 0, 0}, stored = channels == 1 ? 1 : 3;
    bool good = f && fgetc(f) == 'P' && fgetc(f) == (stored == 1 ? '5' : '6');
    for (int i = 0; i < 3 && good; i++) {
        int c = fgetc(f);
        for (; c == '#' || (c != EOF && strchr(" \t\r\n", c)); c = fgetc(f))
            while (c == '#' && c != EOF && c != '\n')
                c = fgetc(f);
        for (; c >= '0' && c <= '9' && number[i] < 100000; c = fgetc(f))
            number[i] = 10 * number[i] + (unsigned)(c - '0');
        good = number[i] > 0;
    }
    good = good && number[2] <= 255 && (!*to || !*w || (*w == number[0] && *h == number[1]));
    if (good) {
        size_t pixels = (size_t)number[0] * number[1];
        if (!*to)
            *to = (unsigned char *)malloc(pixels * channels);
        for (size_t i = 0; i < pixels * channels && good; i++) {
            int c = i % channels < stored ? fgetc(f) : 0;
            good = c != EOF;
            (*to)[i] = (unsigned char)c;
        }
        *w = number[0], *h = number[1];
    }
    if (f)
        fclose(f);
    if (!good)
        fprintf(stderr, "%s: not a picture that this program can read\n", name);
    return good;
}
inline bool smcc_save_picture(const char *name, const unsigned char *from, unsigned w, unsigned h, unsigned channels)
{
    FILE *f = fopen(name, "wb");
    if (!f)
        return false;
    fprintf(f, "P%c\n%u\n%u\n255\n", channels == 1 ? '5' : '6', w, h);
    for (size_t i = 0; i < (size_t)w * h * channels; i++)
        if (i % channels < 3)
            fputc(from[i], f);
    return fclose(f) == 0;
}
inline bool smcc_load_gray(const char *name, unsigned char **to, unsigned *w, unsigned *h)
{
    return smcc_load_picture(name, to, w, h, 1);
}
inline bool smcc_load_gray(const char *name, float **to, unsigned *w, unsigned *h)
{
    unsigned char *bytes = NULL;
    if (!smcc_load_picture(name, &bytes, w, h, 1))
        return false;
    size_t n = (size_t)*w * *h;
    if (!*to)
        *to = (float *)malloc(n * sizeof **to);
    for (size_t i = 0; i < n; i++)
        (*to)[i] = (float)bytes[i] / 255.0f;
    free(bytes);
    return true;
}
inline bool smcc_save_gray(const char *name, const unsigned char *from, unsigned w, unsigned h)
{
    return smcc_save_picture(name, from, w, h, 1);
}
inline bool smcc_save_gray(const char *name, const float *from, unsigned w, unsigned h)
{
    std::vector<unsigned char> bytes((size_t)w * h + 1);
    for (size_t i = 0; i < (size_t)w * h; i++)
        bytes[i] = (unsigned char)(from[i] < 0 ? 0 : from[i] > 1 ? 255 : from[i] * 255);
    return smcc_save_picture(name, &bytes[0], w, h, 1);
}
template <class T> inline bool sdkLoadPGM(const char *n, T **to, unsigned *w, unsigned *h) { return smcc_load_gray(n, to, w, h); }
template <class T> inline bool sdkSavePGM(const char *n, T *x, unsigned w, unsigned h) { return smcc_save_gray(n, x, w, h); }
#define SMCC_PICTURE(load, save, T, B, call) \
    inline B load(const char *n, T **to, unsigned *w, unsigned *h) { return (B)smcc_load_##call(n, to, w, h); } \
    inline B save(const char *n, T *x, unsigned w, unsigned h) { return (B)smcc_save_##call(n, x, w, h); }
#define smcc_load_three(n, to, w, h) smcc_load_picture(n, to, w, h, 3)
#define smcc_save_three(n, x, w, h)  smcc_save_picture(n, x, w, h, 3)
#define smcc_load_four(n, to, w, h)  smcc_load_picture(n, to, w, h, 4)
#define smcc_save_four(n, x, w, h)   smcc_save_picture(n, x, w, h, 4)
SMCC_PICTURE(cutLoadPGMub, cutSavePGMub, unsigned char, CUTBoolean, gray)
SMCC_PICTURE(cutLoadPGMf, cutSavePGMf, float, CUTBoolean, gray)
SMCC_PICTURE(shrLoadPGMub, shrSavePGMub, unsigned char, bool, gray)
SMCC_PICTURE(cutLoadPPMub, cutSavePPMub, unsigned char, CUTBoolean, three)
SMCC_PICTURE(cutLoadPPM4ub, cutSavePPM4ub, unsigned char, CUTBoolean, four)
SMCC_PICTURE(sdkLoadPPM4ub, sdkSavePPM4ub, unsigned char, bool, four)
SMCC_PICTURE(shrLoadPPM4ub, shrSavePPM4ub, unsigned char, bool, four)
#undef SMCC_PICTURE
#undef smcc_load_three
#undef smcc_save_three
#undef smcc_load_four
#undef smcc_save_four

/* ---- comparisons ---- */

/* Elements that differ by more than `epsilon`; right when none does, or fewer than that share of them. */
template <class T, class E> inline bool compareData(const T *reference, const T *data, unsigned n, E epsilon, float share)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < n; i++) {
        double d = (double)reference[i] - (double)data[i];
        wrong += !(fabs(d) <= (double)epsilon);
    }
    return share == 0 ? wrong == 0 : (double)n * share > wrong;
}
/* The length of the difference, as a part of the length of the reference. */
inline bool sdkCompareL2fe(const float *reference, const float *data, unsigned n, float epsilon)
{
    double difference = 0, length = 0;
    for (unsigned i = 0; i < n; i++) {
        double d = (double)reference[i] - (double)data[i];
        difference += d * d;
        length += (double)reference[i] * (double)reference[i];
    }
    return length > 1e-7 && sqrt(difference) / sqrt(length) < epsilon;
}
#define SMCC_COMPARE(cut, shr, T) \
    inline CUTBoolean cut(const T *r, const T *x, unsigned n) { return (CUTBoolean)compareData(r, x, n, 0, 0.0f); } \
    inline bool shr(const T *r, const T *x, unsigned n) { return compareData(r, x, n, 0, 0.0f); }
#define SMCC_COMPARE_NEAR(cut, shr, T, E) \
    inline CUTBoolean cut(const T *r, const T *x, unsigned n, E e) { return (CUTBoolean)compareData(r, x, n, e, 0.0f); } \
    inline bool shr(const T *r, const T *x, unsigned n, E e) { return compareData(r, x, n, e, 0.0f); }
SMCC_COMPARE(cutComparef, shrComparef, float)
SMCC_COMPARE(cutComparei, shrComparei, int)
SMCC_COMPARE(cutCompareui, shrCompareui, unsigned)
SMCC_COMPARE(cutCompareub, shrCompareub, unsigned char)
SMCC_COMPARE_NEAR(cutComparefe, shrComparefe, float, float)
SMCC_COMPARE_NEAR(cutCompareube, shrCompareube, unsigned char, float)
#undef SMCC_COMPARE
#undef SMCC_COMPARE_NEAR
inline CUTBoolean cutComparefet(const float *r, const float *x, unsigned n, float e, float share)
{
    return (CUTBoolean)compareData(r, x, n, e, share);
}
inline bool shrComparefet(const float *r, const float *x, unsigned n, float e, float share)
{
    return compareData(r, x, n, e, share);
}
inline CUTBoolean cutCompareL2fe(const float *r, const float *x, unsigned n, float e)
{
    return (CUTBoolean)sdkCompareL2fe(r, x, n, e);
}
inline bool shrCompareL2fe(const float *r, const float *x, unsigned n, float e) { return sdkCompareL2fe(r, x, n, e); }
inline bool sdkComparePPM(const char *reference, const char *data, float epsilon, float share, bool = false)
{
    unsigned char *a = NULL, *b = NULL;
    unsigned w = 0, h = 0, w2 = 0, h2 = 0;
    bool good = smcc_load_picture(reference, &a, &w, &h, 4) && smcc_load_picture(data, &b, &w2, &h2, 4) && w == w2 && h == h2 &&
                compareData(a, b, 4 * w * h, epsilon, share);
    free(a);
    free(b);
    return good;
}

/* ---- what the samples say ---- */

enum { QA_FAILED, QA_PASSED, QA_WAIVED };
enum { LOGCONSOLE = 1, LOGFILE, LOGBOTH, APPENDMODE, MASTER = 8, ERRORMSG = 16, CLOSELOG = 32 };
#define STDERROR "file %s, line %i\n\n", __FILE__, __LINE__
template <class V> inline void shrQAStart(int argc, V argv) { printf("[%s] starting...\n\n", argc ? argv[0] : ""); }
inline void shrSetLogFileName(const char *) {}
template <class V> inline void shrQAFinish(int argc, V argv, int status)
{
    static const char *const word[] = {"FAILED", "PASSED", "WAIVED"};
    printf("[%s] test results...\n%s\n", argc ? argv[0] : "", word[status < 0 || status > 2 ? 0 : status]);
    fflush(stdout);
}
template <class V> inline void shrQAFinishExit(int argc, V argv, int status)
{
    shrQAFinish(argc, argv, status);
    exit(status == QA_FAILED ? EXIT_FAILURE : EXIT_SUCCESS);
}
template <class V> inline void shrQAFinish2(bool, int argc, V argv, int status) { shrQAFinish(argc, argv, status); }
template <class V> inline void shrQAFinishExit2(bool, int argc, V argv, int status) { shrQAFinishExit(argc, argv, status); }
template <class... A> inline int shrLog(const char *format, A... x) { return printf(format, x...); }
template <class... A> inline int shrLogEx(int, double, const char *format, A... x) { return printf(format, x...); }
#define shrEXIT(argc, argv)            exit(EXIT_SUCCESS)
#define shrCheckErrorEX(got, want, f)  SMCC_WANT((got) == (want), #got)
#define shrCheckError(got, want)       SMCC_WANT((got) == (want), #got)
inline size_t shrRoundUp(int group, int all) { return (size_t)((all + group - 1) / group * group); }
#if defined(__CUDA_ARCH__) && SMCC_MINOR >= 2 /* votes, as CUDA had them until 4.2 */
template <class T> inline __device__ int any(T x) { return __any((int)x); }
template <class T> inline __device__ int all(T x) { return __all((int)x); }
#endif
inline void shrFillArray(float *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = (float)rand() / (float)RAND_MAX;
}
