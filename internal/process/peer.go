package process

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"time"
)

// Peer is a running program that is talked to. Its methods may be called from several goroutines at once, but for
// End.
type Peer struct {
	In  *os.File // what it reads; closing it says that there is no more
	Out *os.File // what it writes

	running *running
}

// Start starts a program that is talked to: MaxStdout, MaxStderr and Stdin of s don't count, and its standard error
// is stderr itself. What [Run] says of the process group, and of what is found of it, goes for this program, too.
// It runs until it ends by itself or by End, which every Peer needs, and on Linux no longer than the calling
// process. The error is a [*StartError].
func Start(ctx context.Context, s Spec, stderr *os.File) (*Peer, error) {
	if ctx.Err() != nil {
		return nil, &StartError{Program: s.Path, Reason: ContextOver, Err: context.Cause(ctx)}
	}
	if err := checkDir(s); err != nil {
		return nil, err
	}
	path, err := find(s)
	if err != nil {
		return nil, err
	}
	inRead, inWrite, err := os.Pipe()
	if err != nil {
		return nil, startError(s, path, err)
	}
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		closeAll([]*os.File{inRead, inWrite})
		return nil, startError(s, path, err)
	}
	mark, env := marked(s.Env)
	like := &exec.Cmd{Path: path, Args: append([]string{path}, s.Args...), Dir: s.Dir, Env: env, Stdin: inRead, Stdout: outWrite, Stderr: stderr}
	cmd, line, err := begin(ctx, like, s.Path)
	if errors.Is(err, errFormat) && isText(path) {
		shell := s
		shell.Path = Shell()
		if like.Path, err = find(shell); err == nil {
			like.Args = append([]string{like.Path, path}, s.Args...)
			cmd, line, err = begin(ctx, like, s.Path)
		}
	}
	closeAll([]*os.File{inRead, outWrite})
	if err != nil {
		closeAll([]*os.File{inWrite, outRead})
		var started *StartError
		if errors.As(err, &started) {
			return nil, err
		}
		return nil, startError(s, path, err)
	}
	p := &Peer{In: inWrite, Out: outRead, running: &running{cmd: cmd, line: line, started: time.Now(), exited: make(chan struct{})}}
	p.running.tree = newProcessTree(cmd.Process.Pid, mark, line, inWrite, outRead)
	go p.running.wait()
	return p, nil
}

// Exited is closed when the program has ended.
func (p *Peer) Exited() <-chan struct{} { return p.running.exited }

// End closes In, gives the program that much time to end by itself, and ends it and what it has started as [Run]
// does when its context is over. It gives the program's exit code; -1: a signal ended it. Out is closed then.
func (p *Peer) End(patience time.Duration) (code int) {
	_ = p.In.Close() // it may have been closed before
	wait := time.NewTimer(patience)
	defer wait.Stop()
	select {
	case <-p.running.exited:
	case <-wait.C:
	}
	p.running.end() // what it has left, too
	p.running.tree.close(false)
	_ = p.Out.Close() // nobody reads it any more
	if !p.running.over() || p.running.state == nil {
		return -1
	}
	return p.running.state.ExitCode()
}
