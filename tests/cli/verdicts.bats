#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Verdicts are about content: ordinary commands that once let failing work go. "attacks N" and "BN" name the finding.

load gates
