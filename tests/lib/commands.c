/* commands.c -- makes the folder, runs the commands. */
#include <dirent.h>

#include "commands.h"

static char *scratch;

int commands_run(const char *line, struct fl_buf *out, struct fl_buf *err)
{
    struct fl_err why;
    char *command = fl_format("cd '%s' && PATH='%s':$PATH && ( %s\n) >.out 2>.err", scratch,
                              FAULTLINE_BIN_DIR, line);
    int status = system(command);
    struct fl_buf *text[] = {out, err};
    for (int i = 0; i < 2; i++) {
        char *path = fl_format("%s/%s", scratch, i ? ".err" : ".out");
        if (text[i]) {
            fl_buf_free(text[i]);
            CU_ASSERT_EQUAL_FATAL(fl_read_file(path, text[i], &why), 0);
        }
        free(path);
    }
    free(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

const char *commands_text(const struct fl_buf *b)
{
    return b->data ? (const char *)b->data : "";
}

int commands_lines(const char *s)
{
    int n = 0;
    for (; *s; s++)
        n += *s == '\n';
    return n;
}

int commands_files(void)
{
    DIR *d = opendir(scratch);
    int n = 0;
    for (struct dirent *e; d && (e = readdir(d));)
        n++;
    if (d)
        closedir(d);
    return n;
}

bool commands_refused(const struct commands_refusal *r)
{
    struct fl_buf out = {0}, err = {0};
    int before = commands_files(), status = commands_run(r->line, &out, &err);
    const char *message = commands_text(&err), *first = strchr(message, '\n');
    bool named = strstr(message, r->says) != NULL;
    bool one = first && commands_lines(message) <= 2 && (!first[1] || strstr(first, "--help"));
    bool clean = !strstr(message, "Sanitizer") && !strstr(message, "runtime error") &&
                 out.size == 0 && commands_files() == before;
    bool good = status == r->status && named && one && clean;
    if (!good)
        printf("\n    %s\n    exit %d (wanted %d), %d files more, says:\n%s%s", r->line, status,
               r->status, commands_files() - before, message, commands_text(&out));
    fl_buf_free(&out);
    fl_buf_free(&err);
    return good;
}

char *commands_path(const char *name)
{
    return fl_format("%s/%s", scratch, name);
}

void commands_put(const char *name, const char *content)
{
    struct fl_err err;
    char *path = commands_path(name);
    if (fl_write_file(path, content, strlen(content), &err) != 0) {
        printf("%s\n", err.msg);
        exit(1);
    }
    free(path);
}

static void make_files(void)
{
    static const char *const kernels[][2] = {
        {"good",
         "  SSY join\n  BRA C0.NE, join\njoin: NOP.S\n  I2I.U32.U16 R1, R0L\n  SHL R2, R1, 2\n"
         "  IADD R2, s[p], R2\n  GST.U32 global14[R2], R1\n  NOP.EXIT\n"},
        {"trap",
         "  MOV R2, s[p]\n  IADD32I R2, R2, 0x1000\n  GST.U32 global14[R2], R1\n  NOP.EXIT\n"},
        {"endless", "self: BRA self\n"},
        {"counter", "self: IADD32I R1, R1, 1\n  BRA self\n"},
        {"deadlock", "  I2I.U32.U16 R1, R0L\n  SHR R1, R1, 5\n  ISET.S32.C0 o[0x7f], R1, R124, NE\n"
                     "  BRA C0.NE, other\n  BAR.ARV.WAIT b0, 0xfff\n  NOP.EXIT\n"
                     "other: BAR.ARV.WAIT b1, 0xfff\n  NOP.EXIT\n"},
    };
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        char *name = fl_format("%s.sasm", kernels[i][0]);
        char *text = fl_format(".kernel k\n.param ptr p\n%s", kernels[i][1]);
        char *line = fl_format("sasm %s.sasm -o %s.cubin", kernels[i][0], kernels[i][0]);
        char *job = fl_format(JOB("tiny", "%s.cubin", "64", ""), kernels[i][0]);
        char *job_name = fl_format("%s.job.xml", kernels[i][0]);
        commands_put(name, text);
        commands_put(job_name, job);
        if (commands_run(line, NULL, NULL) != 0)
            printf("\n%s failed\n", line);
        free(name);
        free(text);
        free(line);
        free(job);
        free(job_name);
    }
    commands_put("g80.job.xml", JOB("g80", "good.cubin", "32", ""));
    commands_put("launches.job.xml",
                 JOB("tiny", "good.cubin", "32",
                     "<launch kernel=\"k\" grid=\"1\" block=\"32\"><param offset=\"0x10\" "
                     "buffer=\"b\"/></launch>"));
    commands_put("schema.job.xml", JOB("tiny", "good.cubin", "32", "  <teapot/>\n"));
    commands_put("unclosed.job.xml", "<job name=\"t\" profile=\"tiny\" cubin=\"good.cubin\">\n");
    commands_put("nocubin.job.xml", JOB("tiny", "none.cubin", "32", ""));
    commands_put("truncated.job.xml", JOB("tiny", "truncated.cubin", "32", ""));
    commands_put("sm20.job.xml", JOB("tiny", "sm20.cubin", "32", ""));
    commands_put("bad.sasm", ".kernel k\n  MOV R1, R200\n");
    commands_put("bad.faults", "# comment\ndstack/w0/le3/tm5:sa1\ndstack/w0/le77\n");
    commands_put("none.faults", "# nothing\n");
    commands_put("pair.faults", "rf/p1/b1@5:flip # first \nrf/p1/b1@5:flip rf/p1/b2@5:flip\n");
    commands_put("old", "old content\n");
    int r = commands_run(
        "head -c 300 good.cubin >truncated.cubin; cp good.cubin sm20.cubin; mkdir dir; "
        "mkfifo fifo; "
        /* e_flags, byte 36 of an ELF file of 32 bits: the number of the architecture */
        "printf '\\024' | dd of=sm20.cubin bs=1 seek=36 conv=notrunc",
        NULL, NULL);
    if (r != 0)
        printf("\nmaking the files failed\n");
}

void commands_start(void)
{
    scratch = tools_folder();
    make_files();
}

void commands_end(void)
{
    tools_remove(scratch);
}
