package process

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"time"
)

// running is a program that was started. It belongs to one Run.
type running struct {
	cmd     *exec.Cmd
	started time.Time
	family  *family
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
	p.family = newFamily(p.cmd.Process.Pid, mark, p.line, p.stdin.file, p.stdout.file, p.stderr.file)
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
// their ends, else when one of the channels says so. held tells whether somebody
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
