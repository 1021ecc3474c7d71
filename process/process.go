// Package process runs a program to its end, with bounded output, and leaves nothing
// of it running where its time is over: the whole process group is ended with it.
package process

import (
	"context"
	"errors"
	"time"
)

// Spec says what to run. Nothing goes through a shell.
type Spec struct {
	Path      string   // the program: a path, or a name to look for in the PATH of Env
	Args      []string // without the program's name
	Dir       string   // absolute
	Env       []string // the whole environment, "NAME=value"
	Stdin     []byte
	MaxStdout int // bytes kept; what comes after is read and dropped
	MaxStderr int
}

// Outcome is what became of a program that was started.
type Outcome struct {
	Stdout, Stderr       []byte
	StdoutCut, StderrCut bool // there was more than was kept
	ExitCode             int  // -1: a signal ended it
	Duration             time.Duration
}

// Run starts the program and waits for it. The error is one of starting it, or ctx's
// cause where ctx ended it; the outcome then holds what it had written.
func Run(ctx context.Context, s Spec) (Outcome, error) {
	return Outcome{}, errors.New("not built yet")
}
