/* classes.c -- see classes.h. */
#include "classes.h"

#include <stdlib.h>

#include "error.h"
#include "control.h"
#include "faultsim/gate/order.h"

const char control_classes_head[] = "job,id,class,field,cycle,warp,pc\n";

static void say(const struct job_context *ctx, const struct unit *u, uint32_t fault,
                const struct control_difference *d, struct fl_buf *csv)
{
    char id[UNIT_ID];
    unit_fault_id(u, -1, fault, id);
    fl_buf_printf(csv, "%s,%s,%s,%s,", ctx->job->name, id, control_class_name(d->class), d->field);
    if (d->cycle == FSIM_NEVER)
        fl_buf_printf(csv, ",,\n");
    else
        fl_buf_printf(csv, "%llu,%d,0x%x\n", (unsigned long long)d->cycle, d->warp, d->pc);
}

int control_classes(const struct job_context *ctx, const struct engine *engine,
                    const struct unit *u, uint64_t sample, uint64_t seed, const atomic_int *stop,
                    struct fl_buf *csv, uint64_t count[CONTROL_CLASS_COUNT], struct fl_err *err)
{
    const uint32_t faults = u->faults->count;
    struct response *response = fl_alloc(faults * sizeof *response);
    struct reference *ref = reference_new(engine, ctx->g, err);
    struct trace t = {.unit = u, .sp = -1};
    struct control_commits *commits = ref ? control_commits_record(ref, err) : NULL;
    struct order order;
    order_choose(&order, faults, NULL, sample, seed, 0);
    int status = commits && control_record(ref, &t, err) == 0 &&
                         response_of(&t, order.class, order.faults, 0, response, err) == 0
                     ? 0
                     : -1;
    void *machine = status == 0 ? control_machine.make(&t, ref) : NULL;
    if (machine)
        order_sort(order.class, order.faults, response);
    for (uint64_t i = 0; i < order.faults && status == 0; i++) {
        const uint32_t class = order.class[i], fault = u->faults->fault[class];
        struct control_difference d = {.class = CLASS_NONE, .cycle = FSIM_NEVER, .field = ""};
        if (response[class].first != RESPONSE_NONE)
            d = control_first_difference(commits, machine, fault,
                                         response_cycle(&response[class], &t));
        count[d.class]++;
        say(ctx, u, fault, &d, csv);
        status = stop && atomic_load(stop) ? 1 : 0;
    }
    order_free(&order);
    if (machine)
        control_machine.free(machine);
    control_commits_free(commits);
    trace_free(&t);
    reference_free(ref);
    free(response);
    return status;
}

const char control_predict_head[] = "job,class,error,outcome,reason\n";

int control_predict(const struct job_context *ctx, uint64_t most, uint64_t seed,
                    const atomic_int *stop, struct fl_buf *csv,
                    uint64_t count[CONTROL_CLASS_COUNT][OUT_COUNT], struct fl_err *err)
{
    uint32_t errors, taken = 0;
    struct control_error *e = control_errors(ctx, seed, &errors);
    int status = 0;
    for (uint32_t i = 0; i < errors && status == 0; i++) {
        struct fsim_result r;
        taken = i && e[i].class == e[i - 1].class ? taken + 1 : 0;
        if (taken >= most)
            continue;
        status = control_error_run(ctx, &e[i], &r, err);
        if (status != 0)
            break;
        count[e[i].class][r.outcome]++;
        fl_buf_printf(csv, "%s,%s,", ctx->job->name, control_class_name(e[i].class));
        control_error_print(&e[i], csv);
        fl_buf_printf(csv, ",%s,%s\n", fsim_outcome_name(r.outcome), r.reason);
        status = stop && atomic_load(stop) ? 1 : 0;
    }
    free(e);
    return status;
}
