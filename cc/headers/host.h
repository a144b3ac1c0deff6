/* clang-format off */
/* host.h -- what host code of CUDA C names, for clang; smcc hands it over with every .cu file, behind cuda.h.
 *
 * Nothing of it is called: clang must read the host code, for its launches say which templates are kernels.
 */
/* The names of CUDA's own headers, which helper_cuda.h asks for. */
#define __DRIVER_TYPES_H__
#define __CUDA_RUNTIME_H__
/* Any arguments: what a version of the library has more than another is read too. The second form is for arrays of variable length,
 * which no template takes. */
#define CALL(f)                                                                                    \
    template <class... A> cudaError_t f(A &&...) { return cudaSuccess; } /* a body, for arguments without a name */ \
    inline cudaError_t f(...) { return cudaSuccess; }
CALL(cudaMalloc) CALL(cudaMallocHost) CALL(cudaMallocPitch) CALL(cudaMallocArray) CALL(cudaMalloc3D) CALL(cudaMalloc3DArray)
CALL(cudaMallocManaged) CALL(cudaMemPrefetchAsync) CALL(cudaMemAdvise) CALL(cudaStreamAttachMemAsync)
CALL(cudaFree) CALL(cudaFreeHost) CALL(cudaFreeArray) CALL(cudaHostAlloc) CALL(cudaHostGetDevicePointer)
CALL(cudaHostRegister) CALL(cudaHostUnregister)
CALL(cudaMemcpy) CALL(cudaMemcpy2D) CALL(cudaMemcpy3D) CALL(cudaMemcpyAsync) CALL(cudaMemcpy2DAsync) CALL(cudaMemcpyToArray)
CALL(cudaMemcpyFromArray) CALL(cudaMemcpy2DToArray) CALL(cudaMemcpyToSymbol) CALL(cudaMemcpyFromSymbol)
CALL(cudaMemcpyToSymbolAsync) CALL(cudaMemcpyFromSymbolAsync) CALL(cudaMemcpyArrayToArray)
CALL(cudaMemset) CALL(cudaMemset2D) CALL(cudaMemset3D) CALL(cudaMemsetAsync) CALL(cudaMemGetInfo)
CALL(cudaGetSymbolAddress) CALL(cudaGetSymbolSize)
CALL(cudaEventCreate) CALL(cudaEventCreateWithFlags) CALL(cudaEventRecord) CALL(cudaEventQuery) CALL(cudaEventSynchronize)
CALL(cudaEventElapsedTime) CALL(cudaEventDestroy)
CALL(cudaStreamCreateWithPriority) CALL(cudaDeviceGetStreamPriorityRange) CALL(cudaStreamAddCallback) CALL(cudaLaunchHostFunc)
CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor) CALL(cudaOccupancyMaxPotentialBlockSize)
CALL(cudaStreamCreate) CALL(cudaStreamCreateWithFlags) CALL(cudaStreamDestroy) CALL(cudaStreamSynchronize) CALL(cudaStreamQuery)
CALL(cudaStreamWaitEvent)
CALL(cudaGetDeviceCount) CALL(cudaGetDevice) CALL(cudaSetDevice) CALL(cudaGetDeviceProperties) CALL(cudaChooseDevice)
CALL(cudaSetDeviceFlags) CALL(cudaDeviceSynchronize) CALL(cudaDeviceReset) CALL(cudaDeviceSetCacheConfig)
CALL(cudaDeviceGetAttribute) CALL(cudaDeviceSetLimit) CALL(cudaDeviceGetLimit) CALL(cudaDeviceCanAccessPeer) CALL(cudaDeviceEnablePeerAccess) CALL(cudaDeviceDisablePeerAccess)
CALL(cudaThreadSynchronize) CALL(cudaThreadExit) CALL(cudaThreadSetCacheConfig) CALL(cudaThreadSetLimit)
CALL(cudaDriverGetVersion) CALL(cudaRuntimeGetVersion)
CALL(cudaFuncGetAttributes) CALL(cudaFuncSetCacheConfig) CALL(cudaSetupArgument) CALL(cudaLaunch)
CALL(cudaMemcpy2DFromArray) CALL(cudaGetChannelDesc) CALL(cudaGetTextureReference) CALL(cudaGetTextureAlignmentOffset)
CALL(cudaBindTexture) CALL(cudaBindTexture2D) CALL(cudaBindTextureToArray) CALL(cudaUnbindTexture)
CALL(cudaCreateTextureObject) CALL(cudaDestroyTextureObject) CALL(cudaGetTextureObjectResourceDesc) CALL(cudaGetTextureObjectTextureDesc)
CALL(cudaGetLastError) CALL(cudaPeekAtLastError) CALL(cudaProfilerStart) CALL(cudaProfilerStop)
#undef CALL
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc();
cudaChannelFormatDesc cudaCreateChannelDesc(int, int, int, int, cudaChannelFormatKind);
cudaExtent make_cudaExtent(size_t, size_t, size_t);
cudaPos make_cudaPos(size_t, size_t, size_t);
cudaPitchedPtr make_cudaPitchedPtr(void *, size_t, size_t, size_t);
/* what clang makes of <<<...>>> */
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, cudaStream *stream = 0);
extern "C" cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream *stream = 0);
