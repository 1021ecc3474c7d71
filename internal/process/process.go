// Package process runs a program to its end with bounded output. When its time is over, the whole process group
// is ended, and nothing of it keeps running.
package process

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// Spec says what to run. Nothing goes through a shell.
type Spec struct {
	Path      string   // the program: a path (a relative one starts at Dir), or a name to be found in the PATH of Env
	Args      []string // without the program's name
	Dir       string   // absolute
	Env       []string // the whole environment, "NAME=value"; of two with one name the last counts
	Stdin     []byte
	MaxStdout int // bytes kept; the rest is read and dropped
	MaxStderr int
}

// Outcome describes how a program ended.
type Outcome struct {
	Stdout, Stderr       []byte
	StdoutCut, StderrCut bool   // there was more output than was kept
	ExitCode             int    // -1: a signal ended it
	Signal               string // the name of that signal: "killed"
	Duration             time.Duration
	// Held: the program ended on its own, but a process that it left running still had its output open. What
	// that one writes later is lost.
	Held bool
	// All: ctx ended the program, and nothing that it started is still running. That is certain only if
	// [AdoptOrphans] is in effect, on Linux, and only while no other Run could have started what is left.
	// Otherwise every process that could be found was ended.
	All bool
}

// How long Run waits, apart from the program itself.
const (
	grace   = 200 * time.Millisecond // from the request to end until the end by force
	reaping = 150 * time.Millisecond // for processes ended by force to be gone
	linger  = 100 * time.Millisecond // for output that other processes still hold open
	pause   = 3 * time.Millisecond   // between two checks of what is left
)

// Run starts the program and waits for it. The error is a [*StartError] if it was not started, for instance
// because ctx was already over, or ctx's cause if ctx ended it; the outcome then has the output so far. Run
// returns about half a second after ctx is over at the latest. It may be called from several goroutines at once,
// and leaves none behind.
//
// The program gets a process group of its own. When ctx is over, the group is asked to end (SIGTERM), and ended
// by force (SIGKILL) 200 ms later. On Linux that includes processes that have left the group: descendants,
// processes started with the variable LUAHOOK_RUN, which Run sets, in their environment, and processes that hold
// a pipe of the program's, such as file 97. A process that has dropped its parents, its environment and its
// files is found only if [AdoptOrphans] is in effect. On other unixes only the group is ended, and on Windows
// the tree of processes (taskkill), without being asked first.
//
// On Linux the group is also ended by force when the calling process ends, however it does, but for the moment
// between the program's start and Run's next step.
//
// If the program ends on its own, processes that it left in the background keep running, as in a shell.
// Everything that the program itself has written is read. If other processes still hold its output open, Run
// waits 100 ms for them and drops what they write later. A program needn't read its stdin.
//
// A file without #! that the system can't run is run by sh.
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
		p.tree.close(true)
		return p.outcome(held), nil
	case <-ctx.Done():
	}
	select {
	case <-p.exited: // it ended on its own at the same moment
		held := p.collect(ctx.Done(), nil)
		p.tree.close(true)
		return p.outcome(held), nil
	default:
	}
	all := p.end()
	p.collect(ctx.Done(), nil)
	p.tree.close(false)
	o := p.outcome(false)
	o.All = all
	return o, context.Cause(ctx)
}

// end ends the program and everything that it started, first by asking, then by force. It takes no longer than
// grace and reaping together, and one look at all processes. all reports whether certainly nothing is left.
func (p *running) end() (all bool) {
	if p.tree.terminate() {
		p.until(time.Now().Add(grace), p.tree.ended)
	}
	left := 0
	p.until(time.Now().Add(reaping), func() bool {
		left = p.tree.kill()
		return left == 0
	})
	return left == 0 && p.over() && p.tree.certainlyEnded()
}

// until calls done repeatedly, at least once, until it is true and the program has exited, or the time is over.
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

// running is a started program. It belongs to one Run.
type running struct {
	cmd     *exec.Cmd
	started time.Time
	tree    *processTree
	line    *lifeline

	stdin          *feeder
	stdout, stderr *collector

	exited chan struct{}    // closed when the program has been waited for
	state  *os.ProcessState // set then; nil if the wait failed
	took   time.Duration
}

// start starts the program with pipes for everything that it reads and writes.
func start(ctx context.Context, s Spec) (*running, error) {
	if err := checkDir(s); err != nil {
		return nil, err
	}
	path, err := find(s)
	if err != nil {
		return nil, err
	}
	mark, env := marked(s.Env)
	p, err := launch(ctx, path, s.Args, s, env)
	if errors.Is(err, errFormat) && isText(path) {
		shell := s
		shell.Path = Shell()
		if shell.Path, err = find(shell); err != nil {
			return nil, err
		}
		p, err = launch(ctx, shell.Path, append([]string{path}, s.Args...), s, env)
	}
	if err != nil {
		return nil, startError(s, path, err)
	}
	p.tree = newProcessTree(p.cmd.Process.Pid, mark, p.line, p.stdin.file, p.stdout.file, p.stderr.file)
	go p.wait()
	go p.stdin.run(s.Stdin)
	go p.stdout.run()
	go p.stderr.run()
	return p, nil
}

// launch makes the pipes and starts the program. If it fails, nothing runs and nothing stays open.
func launch(ctx context.Context, path string, args []string, s Spec, env []string) (p *running, err error) {
	var files []*os.File // ours and the program's
	defer func() {
		if p == nil {
			closeAll(files)
		}
	}()
	pipe := func() (r, w *os.File) {
		if err == nil {
			if r, w, err = os.Pipe(); err == nil {
				files = append(files, r, w)
			}
		}
		return r, w
	}
	inRead, inWrite := pipe()
	outRead, outWrite := pipe()
	errRead, errWrite := pipe()
	if err != nil {
		return nil, err
	}
	cmd, line, err := begin(ctx, &exec.Cmd{Path: path, Args: append([]string{path}, args...), Dir: s.Dir, Env: env, Stdin: inRead, Stdout: outWrite, Stderr: errWrite}, s.Path)
	if err != nil {
		return nil, err
	}
	closeAll([]*os.File{inRead, outWrite, errWrite})
	return &running{
		cmd: cmd, line: line, started: time.Now(), exited: make(chan struct{}),
		stdin:  &feeder{file: inWrite, done: make(chan struct{})},
		stdout: newCollector(outRead, s.MaxStdout), stderr: newCollector(errRead, s.MaxStderr),
	}, nil
}

// begin starts a program of which all but its group and its lifeline is known. A file that is being written can't
// be run. That is soon over, both for an editor that saves and for a fork elsewhere in this process that holds a
// file open which was just written.
func begin(ctx context.Context, like *exec.Cmd, name string) (*exec.Cmd, *lifeline, error) {
	line := newLifeline()
	for wait := time.Millisecond; ; wait *= 2 {
		cmd := &exec.Cmd{Path: like.Path, Args: like.Args, Dir: like.Dir, Env: like.Env, Stdin: like.Stdin, Stdout: like.Stdout, Stderr: like.Stderr}
		separate(cmd)
		line.give(cmd)
		err := startNow(cmd)
		if err == nil {
			return cmd, line, nil
		}
		if !errors.Is(err, errBusy) || wait > 32*time.Millisecond {
			line.close()
			return nil, nil, err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			line.close()
			return nil, nil, &StartError{Program: name, Reason: ContextOver, Err: context.Cause(ctx)}
		}
	}
}

func startNow(cmd *exec.Cmd) error {
	beginStart()
	err := cmd.Start()
	if err != nil {
		endStart(0)
		return err
	}
	endStart(cmd.Process.Pid)
	return nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close() // a pipe's end: there is nothing left to flush
	}
}

// wait waits for the program, so that no zombie is left. It outlives Run only if not even SIGKILL ends the
// program, which is then stuck in the kernel.
func (p *running) wait() {
	state, err := p.cmd.Process.Wait()
	if err == nil {
		p.state = state
	}
	p.took = time.Since(p.started)
	waitedFor(p.cmd.Process.Pid)
	close(p.exited)
}

// collect ends the reading and writing of the pipes: at once if they have reached their ends, else when one of
// the channels fires. held reports whether some process still had the output open.
func (p *running) collect(over <-chan struct{}, late <-chan time.Time) (held bool) {
	stop := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p.stdout.finish(stop)
		p.stderr.finish(stop)
	}()
	select {
	case <-ended:
	case <-over:
	case <-late:
	}
	close(stop)
	<-ended
	p.stdin.finish()
	return !p.stdout.closed() || !p.stderr.closed()
}

// outcome returns what is known about the program now.
func (p *running) outcome(held bool) Outcome {
	o := Outcome{ExitCode: -1, Duration: time.Since(p.started), Held: held}
	if p.over() {
		o.Duration = p.took
		if p.state != nil {
			o.ExitCode, o.Signal = p.state.ExitCode(), signalName(p.state)
		}
	}
	o.Stdout, o.StdoutCut = p.stdout.text()
	o.Stderr, o.StderrCut = p.stderr.text()
	return o
}

// atOnce is a deadline that has passed.
var atOnce = time.Unix(1, 0)

// feeder writes the program's stdin.
type feeder struct {
	file *os.File
	done chan struct{}
}

func (f *feeder) run(data []byte) {
	defer close(f.done)
	// The errors come from a program that doesn't read, which it needn't, and from finish.
	_, _ = f.file.Write(data)
	_ = f.file.Close()
}

// finish drops what was not read.
func (f *feeder) finish() {
	if err := f.file.SetWriteDeadline(atOnce); err != nil && !errors.Is(err, os.ErrClosed) {
		return // a system without deadlines: the writer ends with the last reader
	}
	<-f.done
}

// collector reads one output of the program and keeps its beginning.
type collector struct {
	file *os.File
	done chan struct{} // closed when run is over
	max  int

	mu   sync.Mutex
	kept []byte
	cut  bool
	eof  bool
}

func newCollector(file *os.File, max int) *collector {
	return &collector{file: file, done: make(chan struct{}), max: max}
}

// run reads until all other ends are closed, or until finish.
func (c *collector) run() {
	defer close(c.done)
	buffer := make([]byte, 32<<10)
	for {
		n, err := c.file.Read(buffer)
		c.add(buffer[:n], err)
		if err != nil {
			return
		}
	}
}

func (c *collector) add(data []byte, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	keep := min(len(data), c.max-len(c.kept))
	c.kept = append(c.kept, data[:keep]...)
	c.cut = c.cut || keep < len(data)
	c.eof = c.eof || (err != nil && !errors.Is(err, os.ErrDeadlineExceeded))
}

// finish waits for the end of the output, or for stop. It then reads what is in the pipe, and so everything that
// was written before.
func (c *collector) finish(stop <-chan struct{}) {
	select {
	case <-c.done:
	case <-stop:
		if c.file.SetReadDeadline(atOnce) != nil {
			return // a system without deadlines: the reader ends with the last writer
		}
		<-c.done
	}
	if !c.closed() && c.file.SetReadDeadline(time.Time{}) == nil {
		c.rest()
	}
	_ = c.file.Close() // reading end: nothing to flush
}

// pipeSize is the most that a pipe holds. Reading this much reads everything that was in it at first, even while
// some process keeps writing.
const pipeSize = 1 << 20

// rest reads what is in the pipe without waiting for more.
func (c *collector) rest() {
	buffer := make([]byte, 32<<10)
	for total := 0; total < pipeSize; {
		n, err := readNow(c.file, buffer)
		if n > 0 {
			c.add(buffer[:n], nil)
			total += n
			continue
		}
		if errors.Is(err, io.EOF) {
			c.add(nil, io.EOF)
		}
		return
	}
}

func (c *collector) closed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.eof
}

func (c *collector) text() (kept []byte, cut bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept[:len(c.kept):len(c.kept)], c.cut
}
