/* event.c -- streams, which work in order, and events, which are cycles of the machine. */
#include "internal.h"

#include <stdlib.h>

/* ---- streams: what is put into one is done when the call returns ---- */

CUresult cuStreamCreate(CUstream *out, unsigned flags)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context("cuStreamCreate", &d, &error);
    if (!error && (!out || flags > CU_STREAM_NON_BLOCKING))
        error = CUDA_ERROR_INVALID_VALUE;
    if (!error) {
        *out = fl_alloc(sizeof **out);
        driver_hold(dr, HOLDS_STREAM, *out);
    }
    return driver_leave(dr, error);
}

CUresult cuStreamDestroy(CUstream stream)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context("cuStreamDestroy", &d, &error);
    if (!error)
        error = driver_check(dr, HOLDS_STREAM, stream);
    if (!error)
        driver_drop(dr, HOLDS_STREAM, stream);
    return driver_leave(dr, error);
}

static CUresult asked_stream(const char *call, CUstream stream)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context(call, &d, &error);
    return driver_leave(dr, error ? error : driver_check_stream(dr, stream));
}

CUresult cuStreamSynchronize(CUstream stream)
{
    return asked_stream("cuStreamSynchronize", stream);
}

CUresult cuStreamQuery(CUstream stream)
{
    return asked_stream("cuStreamQuery", stream);
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context("cuStreamWaitEvent", &d, &error);
    if (!error && flags)
        error = CUDA_ERROR_INVALID_VALUE;
    if (!error)
        error = driver_check_stream(dr, stream);
    return driver_leave(dr, error ? error : driver_check(dr, HOLDS_EVENT, event));
}

/* ---- events ---- */

CUresult cuEventCreate(CUevent *out, unsigned flags)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context("cuEventCreate", &d, &error);
    if (!error && (!out || flags > (CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING)))
        error = CUDA_ERROR_INVALID_VALUE;
    if (!error) {
        *out = fl_alloc(sizeof **out);
        driver_hold(dr, HOLDS_EVENT, *out);
        (*out)->e.untimed = flags & CU_EVENT_DISABLE_TIMING;
    }
    return driver_leave(dr, error);
}

/* A call of an event, which must be one. */
static struct driver *enter_event(const char *call, CUevent event, struct host_device **d,
                                  CUresult *error)
{
    struct driver *dr = driver_enter_context(call, d, error);
    if (!*error)
        *error = driver_check(dr, HOLDS_EVENT, event);
    return dr;
}

CUresult cuEventDestroy(CUevent event)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = enter_event("cuEventDestroy", event, &d, &error);
    if (!error)
        driver_drop(dr, HOLDS_EVENT, event);
    return driver_leave(dr, error);
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = enter_event("cuEventRecord", event, &d, &error);
    if (!error)
        error = driver_check_stream(dr, stream);
    if (!error)
        host_event_record(d, &event->e);
    return driver_leave(dr, error);
}

CUresult cuEventQuery(CUevent event)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = enter_event("cuEventQuery", event, &d, &error);
    return driver_leave(dr, error);
}

CUresult cuEventSynchronize(CUevent event)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = enter_event("cuEventSynchronize", event, &d, &error);
    return driver_leave(dr, error);
}

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = enter_event("cuEventElapsedTime", start, &d, &error);
    if (!error)
        error = driver_check(dr, HOLDS_EVENT, end);
    if (!error && !ms)
        error = CUDA_ERROR_INVALID_VALUE;
    if (!error && host_event_elapsed(d, &start->e, &end->e, ms))
        error = driver_refuse(dr, CUDA_ERROR_INVALID_HANDLE,
                              "an event was not recorded, or made without timing");
    return driver_leave(dr, error);
}
