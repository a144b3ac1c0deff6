/* values.h -- readers of values, for table.c: the member `read` of struct cli_option. */
#ifndef CLI_VALUES_H
#define CLI_VALUES_H

#include "options.h"

bool cli_flag(const struct cli_option *o, const char *value, void *to);
bool cli_text(const struct cli_option *o, const char *value, void *to);
bool cli_input(const struct cli_option *o, const char *value, void *to);
bool cli_output(const struct cli_option *o, const char *value, void *to);
bool cli_word(const struct cli_option *o, const char *value, void *to);
bool cli_count(const struct cli_option *o, const char *value, void *to);
bool cli_seed(const struct cli_option *o, const char *value, void *to);
bool cli_small(const struct cli_option *o, const char *value, void *to);
bool cli_kinds(const struct cli_option *o, const char *value, void *to);
bool cli_share(const struct cli_option *o, const char *value, void *to);
bool cli_positive(const struct cli_option *o, const char *value, void *to);
bool cli_patterns(const struct cli_option *o, const char *value, void *to);
bool cli_targets(const struct cli_option *o, const char *value, void *to);
bool cli_cycles(const struct cli_option *o, const char *value, void *to);
bool cli_bits(const struct cli_option *o, const char *value, void *to);
bool cli_sms(const struct cli_option *o, const char *value, void *to);
bool cli_exit(const struct cli_option *o, const char *value, void *to);
bool cli_rungs(const struct cli_option *o, const char *value, void *to);
bool cli_hold(const struct cli_option *o, const char *value, void *to);
bool cli_shard(const struct cli_option *o, const char *value, void *to);
bool cli_sps(const struct cli_option *o, const char *value, void *to);
bool cli_fit(const struct cli_option *o, const char *value, void *to);
bool cli_technology(const struct cli_option *o, const char *value, void *to);
bool cli_protect(const struct cli_option *o, const char *value, void *to);
bool cli_page(const struct cli_option *o, const char *value, void *to);
bool cli_progress(const struct cli_option *o, const char *value, void *to);
bool cli_one_of(const struct cli_option *o, const char *value, void *to);

#endif
