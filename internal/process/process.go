// Package process runs a program to its end, with bounded output, and leaves nothing
// of it running where its time is over: the whole process group is ended with it.
package process

import (
	"context"
	"time"
)

// Spec says what to run. Nothing goes through a shell.
type Spec struct {
	Path      string   // the program: a path (a relative one starts at Dir), or a name to look for in the PATH of Env
	Args      []string // without the program's name
	Dir       string   // absolute
	Env       []string // the whole environment, "NAME=value"; of two with one name the last counts
	Stdin     []byte
	MaxStdout int // bytes kept; what comes after is read and dropped
	MaxStderr int
}

// Outcome is what became of a program that was started.
type Outcome struct {
	Stdout, Stderr       []byte
	StdoutCut, StderrCut bool   // there was more than was kept
	ExitCode             int    // -1: a signal ended it
	Signal               string // the name of that signal: "killed"
	Duration             time.Duration
	// Held: the program has come to its end by itself, but something that it left
	// running still had its output open. What that writes later is lost.
	Held bool
	// All: ctx has ended the program, and nothing that it has started runs any more. That is
	// known only where [AdoptOrphans] holds, on Linux, and while no other Run could have
	// started what is left; else what could be found was ended.
	All bool
}

// How long Run waits, beside the program itself.
const (
	grace   = 200 * time.Millisecond // from the request to end to the end by force
	reaping = 150 * time.Millisecond // for what was ended by force to be gone
	linger  = 100 * time.Millisecond // for output that others of the program still hold open
	pause   = 3 * time.Millisecond   // between two looks at what is left
)

// Run starts the program and waits for it. The error is a [*StartError] where it was
// not started, ctx being over before that among the reasons, or ctx's cause where ctx
// ended it; the outcome then holds what it had written. Run returns about half a
// second after ctx is over at the latest. It may be called from several goroutines at
// once, and leaves none behind.
//
// The program gets a process group of its own. When ctx is over, the group is asked
// to end (SIGTERM), and ended by force (SIGKILL) 200 ms later. On Linux that goes for
// processes that have left the group as well: descendants, whatever has the variable
// LUAHOOK_RUN, which Run sets, in the environment that it was started with, and whatever
// holds a pipe of the program's, of which file 97 is one. What has dropped its parents,
// its environment and its files, all three, is found where [AdoptOrphans] holds. On other
// unixes it is the group alone, on Windows the tree of processes (taskkill) without being
// asked first.
//
// On Linux the group is also ended by force when the calling process ends, however it does.
//
// Where the program comes to its end by itself, what it has left running in the
// background is left alone, as shells do. Everything that the program itself has
// written is read; where others still hold its output open, Run waits 100 ms for them
// and drops what they write later. A program needn't read its stdin.
//
// A file without #! that the system doesn't know how to run is run by sh.
func Run(ctx context.Context, s Spec) (Outcome, error) {
	if ctx.Err() != nil {
		return Outcome{}, &StartError{Program: s.Path, Reason: ContextOver, Err: context.Cause(ctx)}
	}
	p, err := start(ctx, s)
	if err != nil {
		return Outcome{}, err
	}
	select {
	case <-p.exited:
		over := time.NewTimer(linger)
		defer over.Stop()
		held := p.collect(ctx.Done(), over.C)
		p.family.close(true)
		return p.outcome(held), nil
	case <-ctx.Done():
	}
	select {
	case <-p.exited: // at the same moment, by itself
		held := p.collect(ctx.Done(), nil)
		p.family.close(true)
		return p.outcome(held), nil
	default:
	}
	all := p.end()
	p.collect(ctx.Done(), nil)
	p.family.close(false)
	o := p.outcome(false)
	o.All = all
	return o, context.Cause(ctx)
}

// end ends the program and what it has started, first by asking, then by force. It
// takes no longer than grace and reaping together, and what one look at all processes
// takes. all tells whether nothing is left for sure.
func (p *running) end() (all bool) {
	if p.family.ask() {
		p.until(time.Now().Add(grace), p.family.gone)
	}
	left := 0
	p.until(time.Now().Add(reaping), func() bool {
		left = p.family.kill()
		return left == 0
	})
	return left == 0 && p.over() && p.family.certain()
}

// until calls done again and again until it is true and the program has exited, or
// the time is over; at least once.
func (p *running) until(deadline time.Time, done func() bool) {
	for {
		if done() && p.over() {
			return
		}
		left := time.Until(deadline)
		if left <= 0 {
			return
		}
		wait := time.NewTimer(min(left, pause))
		if p.over() {
			<-wait.C
			continue
		}
		select {
		case <-p.exited:
		case <-wait.C:
		}
		wait.Stop()
	}
}

func (p *running) over() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}
