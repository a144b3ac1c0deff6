/* transient_main.h -- faultsim --model transient|intermittent, merge, report. */
#ifndef TRANSIENT_MAIN_H
#define TRANSIENT_MAIN_H

int transient_main(int argc, char **argv); /* exit status */

#endif
