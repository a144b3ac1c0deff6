/* queue.c -- command queues, which work in order, and events: cycles of the machine. */
#include "internal.h"

/* ---- queues ---- */

static cl_int check_properties(const struct ocl *o, cl_command_queue_properties properties)
{
    const cl_command_queue_properties known = CL_QUEUE_PROFILING_ENABLE |
                                              CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    return properties & ~known
               ? ocl_refuse(o, CL_INVALID_VALUE, "0x%llx are no properties of a queue",
                            (unsigned long long)properties)
               : CL_SUCCESS;
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int *where)
{
    struct ocl *o = ocl_enter("clCreateCommandQueue");
    cl_int error = ocl_check(o, OCL_CONTEXT, context);
    cl_command_queue q = NULL;
    if (!error)
        error = ocl_check_device(o, device);
    if (!error)
        error = check_properties(o, properties);
    if (!error) { /* in order is an order that a queue out of order may take */
        q = ocl_new(o, OCL_QUEUE, sizeof *q, context);
        q->properties = properties;
    }
    return ocl_made(o, error, where, q);
}

cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                    const cl_queue_properties *properties,
                                                    cl_int *where)
{
    cl_command_queue_properties bits = 0;
    for (const cl_queue_properties *p = properties; p && *p; p += 2)
        bits |= *p == CL_QUEUE_PROPERTIES ? p[1] : ~UINT64_C(0); /* of 2.0, and refused */
    return clCreateCommandQueue(context, device, bits, where);
}

cl_int clSetCommandQueueProperty(cl_command_queue q, cl_command_queue_properties properties,
                                 cl_bool enable, cl_command_queue_properties *old)
{
    struct ocl *o = ocl_enter("clSetCommandQueueProperty");
    cl_int error = ocl_check(o, OCL_QUEUE, q);
    if (!error)
        error = check_properties(o, properties);
    if (error)
        return ocl_leave(o, error);
    if (old)
        *old = q->properties;
    if (enable)
        q->properties |= properties;
    else
        q->properties &= ~properties;
    return ocl_leave(o, CL_SUCCESS);
}

cl_int clGetCommandQueueInfo(cl_command_queue q, cl_command_queue_info what, size_t room, void *out,
                             size_t *size)
{
    struct ocl *o = ocl_enter("clGetCommandQueueInfo");
    const struct ocl_question a = {o, room, out, size};
    cl_int error = ocl_check(o, OCL_QUEUE, q);
    if (error)
        return ocl_leave(o, error);
    switch (what) {
    case CL_QUEUE_CONTEXT: error = OCL_ANSWER(&a, cl_context, q->object.context); break;
    case CL_QUEUE_DEVICE: error = OCL_ANSWER(&a, cl_device_id, &ocl_device); break;
    case CL_QUEUE_REFERENCE_COUNT: error = OCL_ANSWER(&a, cl_uint, q->object.references); break;
    case CL_QUEUE_PROPERTIES:
        error = OCL_ANSWER(&a, cl_command_queue_properties, q->properties);
        break;
    default: error = ocl_no_answer(&a, what);
    }
    return ocl_leave(o, error);
}

/* ---- commands ---- */

static cl_int check_events(const struct ocl *o, cl_context context, cl_uint count,
                           const cl_event *events, cl_int error)
{
    if (!count != !events)
        return ocl_refuse(o, error, "%u events at %p to wait for", count, (const void *)events);
    for (cl_uint i = 0; i < count; i++) {
        if (ocl_check(o, OCL_EVENT, events[i]))
            return error == CL_INVALID_VALUE ? CL_INVALID_EVENT : error;
        if (context && events[i]->object.context != context)
            return ocl_refuse(o, CL_INVALID_CONTEXT, "an event to wait for is of another context");
    }
    return CL_SUCCESS;
}

cl_int ocl_begin(struct ocl_command *c, const char *call, cl_command_type type,
                 cl_command_queue queue, cl_uint nevents, const cl_event *events, cl_event *event)
{
    *c = (struct ocl_command){.o = ocl_enter(call), .queue = queue, .type = type, .event = event};
    cl_int error = ocl_check(c->o, OCL_QUEUE, queue);
    if (!error)
        error = check_events(c->o, queue->object.context, nevents, events,
                             CL_INVALID_EVENT_WAIT_LIST);
    if (!error)
        error = ocl_check_alive(c->o, queue->object.context);
    if (error)
        return error;
    c->d = &queue->object.context->d;
    c->start = machine_cycles(&c->d->machine);
    return CL_SUCCESS;
}

cl_int ocl_end(struct ocl_command *c, cl_int error)
{
    if (!error && c->event) {
        cl_event e = ocl_new(c->o, OCL_EVENT, sizeof *e, c->queue->object.context);
        e->queue = c->queue;
        ocl_hold(c->queue);
        e->type = c->type;
        e->start = c->start;
        e->end = machine_cycles(&c->d->machine);
        *c->event = e;
    }
    return ocl_leave(c->o, error);
}

/* A command that does nothing: what it would wait for is complete. */
static cl_int nothing(const char *call, cl_command_type type, cl_command_queue queue,
                      cl_uint nevents, const cl_event *events, cl_event *event)
{
    struct ocl_command c;
    return ocl_end(&c, ocl_begin(&c, call, type, queue, nevents, events, event));
}

cl_int clFlush(cl_command_queue queue)
{
    return nothing("clFlush", 0, queue, 0, NULL, NULL);
}

cl_int clFinish(cl_command_queue queue)
{
    return nothing("clFinish", 0, queue, 0, NULL, NULL);
}

cl_int clEnqueueBarrier(cl_command_queue queue)
{
    return nothing("clEnqueueBarrier", 0, queue, 0, NULL, NULL);
}

cl_int clEnqueueMarker(cl_command_queue queue, cl_event *event)
{
    struct ocl_command c;
    cl_int error = ocl_begin(&c, "clEnqueueMarker", CL_COMMAND_MARKER, queue, 0, NULL, event);
    if (!error && !event)
        error = ocl_refuse(c.o, CL_INVALID_VALUE, "there is no place for the event");
    return ocl_end(&c, error);
}

cl_int clEnqueueWaitForEvents(cl_command_queue queue, cl_uint count, const cl_event *events)
{
    struct ocl_command c;
    cl_int error = ocl_begin(&c, "clEnqueueWaitForEvents", 0, queue, 0, NULL, NULL);
    if (!error)
        error = count ? check_events(c.o, queue->object.context, count, events, CL_INVALID_VALUE)
                      : ocl_refuse(c.o, CL_INVALID_VALUE, "no event to wait for");
    return ocl_end(&c, error);
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint nevents, const cl_event *events,
                                   cl_event *event)
{
    return nothing("clEnqueueMarkerWithWaitList", CL_COMMAND_MARKER, queue, nevents, events, event);
}

cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint nevents, const cl_event *events,
                                    cl_event *event)
{
    return nothing("clEnqueueBarrierWithWaitList", CL_COMMAND_BARRIER, queue, nevents, events,
                   event);
}

/* ---- events ---- */

cl_int clWaitForEvents(cl_uint count, const cl_event *events)
{
    struct ocl *o = ocl_enter("clWaitForEvents");
    cl_int error = count && events ? check_events(o, NULL, count, events, CL_INVALID_VALUE)
                                   : ocl_refuse(o, CL_INVALID_VALUE, "no event to wait for");
    for (cl_uint i = 1; i < count && !error; i++)
        error = ocl_check_of(o, OCL_EVENT, events[i], events[0]->object.context);
    return ocl_leave(o, error);
}

cl_int clGetEventInfo(cl_event e, cl_event_info what, size_t room, void *out, size_t *size)
{
    struct ocl *o = ocl_enter("clGetEventInfo");
    const struct ocl_question q = {o, room, out, size};
    cl_int error = ocl_check(o, OCL_EVENT, e);
    if (error)
        return ocl_leave(o, error);
    switch (what) {
    case CL_EVENT_COMMAND_QUEUE: error = OCL_ANSWER(&q, cl_command_queue, e->queue); break;
    case CL_EVENT_CONTEXT: error = OCL_ANSWER(&q, cl_context, e->object.context); break;
    case CL_EVENT_COMMAND_TYPE: error = OCL_ANSWER(&q, cl_command_type, e->type); break;
    case CL_EVENT_COMMAND_EXECUTION_STATUS: error = OCL_ANSWER(&q, cl_int, CL_COMPLETE); break;
    case CL_EVENT_REFERENCE_COUNT: error = OCL_ANSWER(&q, cl_uint, e->object.references); break;
    default: error = ocl_no_answer(&q, what);
    }
    return ocl_leave(o, error);
}

cl_int clSetEventCallback(cl_event e, cl_int status,
                          void(CL_CALLBACK *callback)(cl_event, cl_int, void *), void *data)
{
    struct ocl *o = ocl_enter("clSetEventCallback");
    cl_int error = ocl_check(o, OCL_EVENT, e);
    if (!error && (!callback || status < CL_COMPLETE || status > CL_SUBMITTED))
        error = ocl_refuse(o, CL_INVALID_VALUE, "no callback, or none for status %d", status);
    ocl_leave(o, error);
    if (!error)
        callback(e, CL_COMPLETE, data);
    return error;
}

cl_int clGetEventProfilingInfo(cl_event e, cl_profiling_info what, size_t room, void *out,
                               size_t *size)
{
    struct ocl *o = ocl_enter("clGetEventProfilingInfo");
    const struct ocl_question q = {o, room, out, size};
    cl_int error = ocl_check(o, OCL_EVENT, e);
    if (!error && !(e->queue->properties & CL_QUEUE_PROFILING_ENABLE))
        error = ocl_refuse(o, CL_PROFILING_INFO_NOT_AVAILABLE,
                           "the queue has no times; make it with CL_QUEUE_PROFILING_ENABLE");
    if (!error && (what < CL_PROFILING_COMMAND_QUEUED || what > CL_PROFILING_COMMAND_END))
        error = ocl_no_answer(&q, what);
    if (error)
        return ocl_leave(o, error);
    struct host_device *d = &e->object.context->d;
    uint64_t cycle = what == CL_PROFILING_COMMAND_END ? e->end : e->start;
    watch_time(&d->machine.watch);
    return ocl_leave(
        o, OCL_ANSWER(&q, cl_ulong, (cl_ulong)((double)cycle * 1000 / d->job.profile.clock_mhz)));
}
