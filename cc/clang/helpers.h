/* clang-format off */
/* helpers.h -- what host code of CUDA's samples calls: cutil.h, helper_cuda.h and their like, for clang to read and nobody to run.
 * A folder that -I names and that has these files comes first.
 */
#pragma once
#include <stdio.h>
#define CUDA_SAFE_CALL(x)         (void)(x)
#define CUDA_SAFE_CALL_NO_SYNC(x) (void)(x)
#define CUT_SAFE_CALL(x)          (void)(x)
#define CUT_CHECK_ERROR(x)        (void)(x)
#define CUT_DEVICE_INIT(n, v)     (void)(v)
#define CUT_EXIT(n, v)            (void)(v)
#define cutilSafeCall(x)          (void)(x)
#define cutilSafeCallNoSync(x)    (void)(x)
#define cutilCheckError(x)        (void)(x)
#define cutilCheckMsg(x)          (void)(x)
#define cutilDrvSafeCall(x)       (void)(x)
#define cutilCondition(x)         (void)(x)
#define cutilSafeMalloc(x)        (x)
#define checkCudaErrors(x)        (void)(x)
#define getLastCudaError(x)       (void)(x)
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
enum CUTBoolean { CUTFalse, CUTTrue };
struct StopWatchInterface;
#define CALL(f) template <class... A> int f(A &&...);
CALL(cutCreateTimer) CALL(cutStartTimer) CALL(cutStopTimer) CALL(cutResetTimer) CALL(cutDeleteTimer) CALL(cutComparef)
CALL(cutComparefe) CALL(cutCompareL2fe) CALL(cutCheckCmdLineFlag) CALL(cutGetCmdLineArgumenti) CALL(cutGetCmdLineArgumentf)
CALL(cutGetCmdLineArgumentstr) CALL(cutLoadPGMf) CALL(cutLoadPGMub) CALL(cutSavePGMf) CALL(cutSavePGMub) CALL(cutFree)
CALL(cutilDeviceInit) CALL(cutGetMaxGflopsDeviceId) CALL(cutilExit) CALL(cutilChooseCudaDevice) CALL(cutilDeviceSynchronize)
CALL(cutilThreadSynchronize) CALL(sdkCreateTimer) CALL(sdkStartTimer) CALL(sdkStopTimer) CALL(sdkResetTimer) CALL(sdkDeleteTimer)
CALL(sdkCompareL2fe) CALL(sdkLoadPGM) CALL(sdkSavePGM) CALL(checkCmdLineFlag) CALL(getCmdLineArgumentInt)
CALL(getCmdLineArgumentFloat) CALL(getCmdLineArgumentString) CALL(findCudaDevice) CALL(gpuGetMaxGflopsDeviceId)
CALL(cutilDeviceReset) CALL(compareData) CALL(sdkWriteFile) CALL(sdkReadFile) CALL(cutReadFilef) CALL(cutWriteFilef)
CALL(_ConvertSMVer2Cores) CALL(ConvertSMVer2Cores) CALL(cutilDeviceCount)
#undef CALL
template <class... A> float cutGetTimerValue(A &&...);
template <class... A> float sdkGetTimerValue(A &&...);
template <class... A> float cutGetAverageTimerValue(A &&...);
template <class... A> float sdkGetAverageTimerValue(A &&...);
template <class... A> char *cutFindFilePath(A &&...);
template <class... A> char *sdkFindFilePath(A &&...);
enum { QA_FAILED, QA_PASSED, QA_WAIVED };
enum { LOGCONSOLE = 1, LOGFILE, LOGBOTH, MASTER };
inline void shrQAStart(int, char **) {}
inline void shrSetLogFileName(const char *) {}
template <class... A> void shrQAFinish(int, const char **, int status) {}
inline void shrQAFinishExit(int, const char **, int status) { exit(status != QA_PASSED); }
inline void shrQAFinishExit2(int, int, const char **, int status) { exit(status != QA_PASSED); }
template <class... A> void shrLog(const char *format, A... x) { printf(format, x...); }
template <class... A> void shrLogEx(int, int, const char *format, A... x) { printf(format, x...); }
inline bool shrCheckCmdLineFlag(int, const char **, const char *) { return false; }
inline bool shrGetCmdLineArgumenti(int, const char **, const char *, int *) { return false; }
inline bool shrGetCmdLineArgumentstr(int, const char **, const char *, char **) { return false; }
inline char *shrFindFilePath(const char *name, const char *) { return (char *)name; }
inline double shrDeltaT(int) { return 0; }
