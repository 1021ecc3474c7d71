// Package process holds the guard as programs that judge one event per process: JSON on
// stdin, the decision as JSON on stdout, exit status 2 for a block. Beside them is what
// starts such a process and measures it.
package process

import "embed"

// Scripts are the guards that an interpreter runs.
//
//go:embed guard.sh guard.py guard.js
var Scripts embed.FS

// Spawn is a program in C that runs a command and prints what that has cost.
//
//go:embed spawn/spawn.c
var Spawn []byte
