/* serial.h -- a faulty unit in a machine with lanes of its own, the RTL: one fault at a time, by brute force.
 *
 * The gates stand in for the unit. In every cycle, also those whose result no register takes, they get what
 * stands at the ports of the lane of one SP, a beat after the other.
 */
#ifndef FAULTSIM_LANE_SERIAL_H
#define FAULTSIM_LANE_SERIAL_H

#include "lane.h"

/* Machines start in cycle 0. */
extern const struct unit_machine serial_machine;

#endif
