/* clang-format off */
/* types.h -- the types of CUDA's runtime library: those of the library, and of host code while clang looks for its kernels. */
#ifndef CUDART_TYPES_H
#define CUDART_TYPES_H

#define CUDART_VERSION 5050
#define CUDART_CB

/* Numbers are those of CUDA 4 to 9. */
#define CUDA_ERRORS(X) \
    X(cudaSuccess, 0, "no error") \
    X(cudaErrorMissingConfiguration, 1, "__global__ function call is not configured") \
    X(cudaErrorMemoryAllocation, 2, "out of memory") \
    X(cudaErrorInitializationError, 3, "initialization error") \
    X(cudaErrorLaunchFailure, 4, "unspecified launch failure") \
    X(cudaErrorPriorLaunchFailure, 5, "unspecified launch failure in prior launch") \
    X(cudaErrorLaunchTimeout, 6, "the launch timed out and was terminated") \
    X(cudaErrorLaunchOutOfResources, 7, "too many resources requested for launch") \
    X(cudaErrorInvalidDeviceFunction, 8, "invalid device function") \
    X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument") \
    X(cudaErrorInvalidDevice, 10, "invalid device ordinal") \
    X(cudaErrorInvalidValue, 11, "invalid argument") \
    X(cudaErrorInvalidPitchValue, 12, "invalid pitch argument") \
    X(cudaErrorInvalidSymbol, 13, "invalid device symbol") \
    X(cudaErrorInvalidHostPointer, 16, "invalid host pointer") \
    X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer") \
    X(cudaErrorInvalidTexture, 18, "invalid texture reference") \
    X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy") \
    X(cudaErrorUnknown, 30, "unknown error") \
    X(cudaErrorNotYetImplemented, 31, "feature not yet implemented") \
    X(cudaErrorInvalidResourceHandle, 33, "invalid resource handle") \
    X(cudaErrorNotReady, 34, "device not ready") \
    X(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version") \
    X(cudaErrorSetOnActiveProcess, 36, "cannot set while device is active in this process") \
    X(cudaErrorNoDevice, 38, "no CUDA-capable device is detected") \
    X(cudaErrorUnsupportedLimit, 42, "limit is not supported on this architecture") \
    X(cudaErrorInvalidKernelImage, 47, "device kernel image is invalid") \
    X(cudaErrorNoKernelImageForDevice, 48, "no kernel image is available for execution on the device") \
    X(cudaErrorPeerAccessAlreadyEnabled, 50, "peer access is already enabled") \
    X(cudaErrorPeerAccessNotEnabled, 51, "peer access has not been enabled") \
    X(cudaErrorAssert, 59, "device-side assert triggered") \
    X(cudaErrorHostMemoryAlreadyRegistered, 61, "part or all of the requested memory range is already mapped") \
    X(cudaErrorHostMemoryNotRegistered, 62, "pointer does not correspond to a registered memory region") \
    X(cudaErrorPeerAccessUnsupported, 64, "peer access is not supported between these two devices") \
    X(cudaErrorNotPermitted, 70, "operation not permitted") \
    X(cudaErrorNotSupported, 71, "operation not supported") \
    X(cudaErrorStartupFailure, 127, "startup failure in cuda runtime")
typedef enum cudaError {
#define X(name, number, text) name = number,
    CUDA_ERRORS(X)
#undef X
    cudaErrorApiFailureBase = 10000
} cudaError_t;
typedef enum cudaError_enum { CUDA_SUCCESS = 0 } CUresult; /* of the driver, with which results are compared too */
#ifndef CUDART_LIBRARY
#undef CUDA_ERRORS
#endif

enum cudaMemcpyKind {
    cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault
};
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte };
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize };
enum cudaComputeMode {
    cudaComputeModeDefault, cudaComputeModeExclusive, cudaComputeModeProhibited, cudaComputeModeExclusiveProcess
};
enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat, cudaChannelFormatKindNone
};
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
struct cudaChannelFormatDesc { int x, y, z, w; enum cudaChannelFormatKind f; };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
/* Texture objects: 64 bits, which name one. */
enum cudaResourceType { cudaResourceTypeArray, cudaResourceTypeMipmappedArray, cudaResourceTypeLinear, cudaResourceTypePitch2D };
enum cudaResourceViewFormat { cudaResViewFormatNone };
struct cudaResourceDesc {
    enum cudaResourceType resType;
    union {
        struct { struct cudaArray *array; } array;
        struct { struct cudaMipmappedArray *mipmap; } mipmap;
        struct { void *devPtr; struct cudaChannelFormatDesc desc; size_t sizeInBytes; } linear;
        struct { void *devPtr; struct cudaChannelFormatDesc desc; size_t width, height, pitchInBytes; } pitch2D;
    } res;
};
struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};
struct cudaResourceViewDesc {
    enum cudaResourceViewFormat format;
    size_t width, height, depth;
    unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
};
struct textureReference {
    int normalized;
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureAddressMode addressMode[3];
    struct cudaChannelFormatDesc channelDesc;
};
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrMaxBlockDimX, cudaDevAttrMaxBlockDimY, cudaDevAttrMaxBlockDimZ,
    cudaDevAttrMaxGridDimX, cudaDevAttrMaxGridDimY, cudaDevAttrMaxGridDimZ, cudaDevAttrMaxSharedMemoryPerBlock,
    cudaDevAttrTotalConstantMemory, cudaDevAttrWarpSize, cudaDevAttrMaxPitch, cudaDevAttrMaxRegistersPerBlock, cudaDevAttrClockRate,
    cudaDevAttrTextureAlignment, cudaDevAttrGpuOverlap, cudaDevAttrMultiProcessorCount, cudaDevAttrKernelExecTimeout, cudaDevAttrIntegrated, cudaDevAttrCanMapHostMemory,
    cudaDevAttrComputeMode, cudaDevAttrConcurrentKernels = 31, cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrComputeCapabilityMinor,
    cudaDevAttrManagedMemory = 83, cudaDevAttrPageableMemoryAccess = 88, cudaDevAttrConcurrentManagedAccess
};
enum cudaFlag { /* templates of old C++ take no enumeration without a name */
    cudaHostAllocDefault, cudaHostAllocPortable, cudaHostAllocMapped, cudaHostAllocWriteCombined = 4,
    cudaDeviceScheduleAuto = 0, cudaDeviceScheduleSpin, cudaDeviceScheduleYield, cudaDeviceBlockingSync = 4,
    cudaDeviceScheduleBlockingSync = 4, cudaDeviceMapHost = 8, cudaDeviceLmemResizeToMax = 16,
    cudaHostRegisterDefault = 0, cudaHostRegisterPortable, cudaHostRegisterMapped,
    cudaEventDefault = 0, cudaEventBlockingSync, cudaEventDisableTiming, cudaStreamDefault = 0, cudaStreamNonBlocking,
    cudaMemAttachGlobal = 1, cudaMemAttachHost, cudaMemAttachSingle = 4, cudaCpuDeviceId = -1
};
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy
};

typedef struct cudaStream *cudaStream_t;
typedef struct cudaEvent *cudaEvent_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);
typedef void (*cudaHostFn_t)(void *);
typedef struct cudaArray *cudaArray_t;
struct cudaArray;
struct cudaExtent { size_t width, height, depth; };
struct cudaPos { size_t x, y, z; };
struct cudaPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };
struct cudaMemcpy3DParms {
    struct cudaArray *srcArray; struct cudaPos srcPos; struct cudaPitchedPtr srcPtr;
    struct cudaArray *dstArray; struct cudaPos dstPos; struct cudaPitchedPtr dstPtr;
    struct cudaExtent extent; enum cudaMemcpyKind kind;
};
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion;
};
struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
    int maxTexture1D, maxTexture2D[2], maxTexture3D[3], concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, tccDriver;
    int asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize, maxThreadsPerMultiProcessor;
    int managedMemory, concurrentManagedAccess, pageableMemoryAccess;
};
#endif
