/*
 * commands.h - the commands; main.c dispatches to them, each has its own file
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "options.h"

extern const struct cli_command cli_doctor;
extern const struct cli_command cli_generate;
extern const struct cli_command cli_grammar;
extern const struct cli_command cli_sample;
extern const struct cli_command cli_try;

#endif /* CLI_COMMANDS_H */
