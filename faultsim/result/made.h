/* made.h -- what made a result, said in every export: one line for the campaign, one for each job.
 *
 *     faultline 0.2.0 revision=949f479a0b1c results=0.3 model=transient method=sample target=rf
 *     engine=c flips=3000 confidence=0.95 seed=1
 *     job=mxm64 profile=g80 sps=8 sha256=5f0c... cubin=9a41...
 *
 * A store keeps the first line as made_begin begins it, "faultline 0.3 model=transient ...": all that
 * decides a figure, and nothing else: no path, date, shard or number of threads, so that runs that
 * must give the same bytes do. Its number is the version since which results of the engine and the
 * model are the same (FAULTLINE_RESULTS in CMakeLists.txt), not that of the program: a store of an
 * earlier program goes on with a later one. Exports name the program that writes them, too.
 */
#ifndef FAULTSIM_MADE_H
#define FAULTSIM_MADE_H

#include "result.h"
#include "base/xml_out.h"

/* "faultline 0.1 model=stuck-at" */
void made_begin(struct fl_buf *out, const char *model, const char *engine);
/* The version since which results of this engine and model are the same: "0.1". */
const char *made_results(const char *model, const char *engine);
/* Such a line as exports have it; `program` is the version and the revision of the program that writes
 * them, or NULL. Caller frees. */
char *made_exported(const char *made, const char *program);
/* Why a campaign with the line `there` cannot go on as one with the line `here`, and which version
 * finishes it; NULL where the version of their results is the same. Caller frees. */
char *made_by_other_results(const char *there, const char *here);
/* Has the line this word: "active-only", "model=intermittent"? */
/* The number behind "word="; 0: it is not there. */
uint64_t made_number(const char *made, const char *word);
bool made_says(const char *made, const char *word);

/* How it is known that netlists are what they stand for: a store's setting `checked`, and the word at
 * the end of the line. Of several netlists, the least. */
enum { MADE_UNCHECKED, MADE_BY_VECTORS, MADE_PROVED, MADE_CHECKS };
extern const char *const made_checked[MADE_CHECKS]; /* " checked=no" ... */

/* The line without a word that decides nothing: of single faults, "exhaustive". Caller frees. */
char *made_without(const char *made, const char *word);

/* The word of caches that are gpuFI-4's, and what must be known of them, or NULL. */
extern const char made_gpufi[];
const char *made_caches(const char *made);

/* What must be known of a job that cannot show everything, or NULL. */
const char *made_note(int outputs);

/* Lines of a CSV that begin with "# ". */
void made_csv(const char *made, const struct result_job *job, int njobs, struct fl_buf *out);
/* The attributes of the job that is open: profile, sps, digest, cubin, note. */
void made_xml_job(xmlTextWriterPtr w, const struct result_job *j);

#endif
