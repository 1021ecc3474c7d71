// Package process runs a program to its end, with bounded output, and leaves nothing
// of it running where its time is over: the whole process group is ended with it.
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
		p.tree.close(true)
		return p.outcome(held), nil
	case <-ctx.Done():
	}
	select {
	case <-p.exited: // at the same moment, by itself
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

// end ends the program and what it has started, first by asking, then by force. It
// takes no longer than grace and reaping together, and what one look at all processes
// takes. all reports whether nothing is left for sure.
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

// running is a program that was started. It belongs to one Run.
type running struct {
	cmd     *exec.Cmd
	started time.Time
	tree    *processTree
	line    *lifeline

	stdin          *feeder
	stdout, stderr *collector

	exited chan struct{}    // closed when the program has been waited for
	state  *os.ProcessState // then; nil where the wait failed
	took   time.Duration
}

// start starts the program with pipes for all that it reads and writes.
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

// launch makes the pipes and starts the program. Nothing runs and nothing is open
// where it fails.
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
	var cmd *exec.Cmd
	var line *lifeline
	// A file that is being written can't be run. A save by an editor is over soon, and
	// so is a fork elsewhere in this process that holds a file open which was just
	// written.
	for wait := time.Millisecond; ; wait *= 2 {
		cmd = &exec.Cmd{Path: path, Args: append([]string{path}, args...), Dir: s.Dir, Env: env, Stdin: inRead, Stdout: outWrite, Stderr: errWrite}
		separate(cmd)
		if line == nil {
			line = newLifeline()
		}
		line.give(cmd)
		if err = startNow(cmd); !errors.Is(err, errBusy) || wait > 32*time.Millisecond {
			break
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			line.close()
			return nil, &StartError{Program: s.Path, Reason: ContextOver, Err: context.Cause(ctx)}
		}
	}
	if err != nil {
		line.close()
		return nil, err
	}
	closeAll([]*os.File{inRead, outWrite, errWrite})
	return &running{
		cmd: cmd, line: line, started: time.Now(), exited: make(chan struct{}),
		stdin:  &feeder{file: inWrite, done: make(chan struct{})},
		stdout: newCollector(outRead, s.MaxStdout), stderr: newCollector(errRead, s.MaxStderr),
	}, nil
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

// wait waits for the program, so that no zombie is left. It outlives Run only where
// not even SIGKILL ends the program, which is then stuck in the kernel.
func (p *running) wait() {
	state, err := p.cmd.Process.Wait()
	if err == nil {
		p.state = state
	}
	p.took = time.Since(p.started)
	waitedFor(p.cmd.Process.Pid)
	close(p.exited)
}

// collect ends the reading and writing of the pipes: at once where they have come to
// their ends, else when one of the channels says so. held reports whether somebody
// still had the output open.
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

// outcome is what is known about the program now.
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
	// The errors are those of a program that doesn't read, which it needn't, and of
	// finish.
	_, _ = f.file.Write(data)
	_ = f.file.Close()
}

// finish gives up on what was not read.
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

// run reads until everybody has closed the other end, or until finish.
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

// finish waits for the end of the output, or for stop; it then takes what is in the
// pipe, and so all that was written before.
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

// pipeSize is what a pipe holds at most, so that reading this much reads all that
// stood in it at first, even while somebody goes on writing.
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
