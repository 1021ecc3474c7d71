package lib

import (
	"context"
	"errors"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/internal/process"
	"github.com/luahook/luahook/luabind"
)

// Outside stands in for what scripts reach outside of their sandbox, so that hooks can be
// tested: programs, requests, git and the clock. It is asked for what a script is granted
// and has asked for rightly; all else fails as it does in life. Its methods may be called
// from several goroutines at once, and return soon, at the latest when ctx is done.
//
// An error is what the script gets as nil and a message, as if the world had refused, but
// for two: [ErrReal] has the call done for real, and a [NoStandIn] is raised in the script.
type Outside interface {
	// Now is the time.
	Now() time.Time
	// Run stands in for a program of exec.run.
	Run(ctx context.Context, p Program) (ProgramResult, error)
	// Send stands in for a request of the http module. Redirects aren't followed.
	Send(ctx context.Context, r Request) (Response, error)
	// Git stands in for a function of the git module: the plain value that it returns.
	Git(ctx context.Context, c GitCall) (any, error)
}

// ErrReal has a call done for real.
var ErrReal = errors.New("luahook: nothing stands in for it")

// NoStandIn is the error of a call that nothing stands in for, and that must not be done for
// real. It is raised in the script.
type NoStandIn string

func (e NoStandIn) Error() string { return string(e) }

// Program is a program that a script runs.
type Program struct {
	Name  string // as it is granted
	Args  []string
	Stdin string
	Dir   string            // below the project's root, with slashes; ".": the root
	Env   map[string]string // what the script adds
}

// ProgramResult is what became of it.
type ProgramResult struct {
	Stdout, Stderr string
	Code           int
	Signal         string // that has ended it, "" where none has
}

// Request is a request that a script sends.
type Request struct {
	Method, URL, Body string
	Headers           map[string]string
}

// Response is its answer.
type Response struct {
	Status  int
	Headers map[string]string // by their names in small letters
	Body    string
}

// GitCall is a call of a function of the git module.
type GitCall struct {
	Function string // "branch"
	Args     []any  // plain values
	Builtin  bool   // a built-in hook calls
}

// now is the time, as the script is to see it.
func (c call) now() time.Time {
	if o := c.services().Outside; o != nil {
		return o.Now()
	}
	return time.Now()
}

// standIn has something stand in for a function of git, where something does. raises: what git
// refuses is raised, and no nil.
func standIn(raises bool, run func(call) int) func(call) int {
	return func(c call) int {
		s := c.services()
		if s.Outside == nil {
			return run(c)
		}
		c.needGit()
		asked := GitCall{Function: c.name, Builtin: s.Spills}
		for i := 1; i <= c.GetTop(); i++ {
			arg, err := luabind.FromLua(c.LState, c.Get(i))
			if err != nil {
				c.bad(i, err.Error())
			}
			asked.Args = append(asked.Args, arg)
		}
		type answer struct {
			value any
			err   error
		}
		a := luabind.Wait(c.LState, "git."+c.name, func(ctx context.Context) (a answer) {
			a.value, a.err = s.Outside.Git(ctx, asked)
			return a
		})
		switch {
		case errors.Is(a.err, ErrReal):
			return run(c)
		case a.err != nil && raises:
			c.raised(a.err)
		case a.err != nil:
			return c.failed(a.err)
		case a.value == nil:
			return c.give(lua.LNil)
		}
		v, err := luabind.ToLua(c.LState, a.value)
		c.raised(err)
		return c.give(v)
	}
}

// runStandIn is a program as what stands in for it runs it; ok is false where it is to be run
// for real.
func (c call) runStandIn(p Program, most int) (out ran, ok bool) {
	o := c.services().Outside
	if o == nil {
		return out, false
	}
	type answer struct {
		ProgramResult
		err error
	}
	a := luabind.Wait(c.LState, "exec.run", func(ctx context.Context) (a answer) {
		a.ProgramResult, a.err = o.Run(ctx, p)
		return a
	})
	if errors.Is(a.err, ErrReal) {
		return out, false
	}
	out.Outcome = process.Outcome{
		Stdout: []byte(cut(a.Stdout, most)), Stderr: []byte(cut(a.Stderr, most)), StdoutCut: len(a.Stdout) > most, StderrCut: len(a.Stderr) > most,
		ExitCode: a.Code, Signal: a.Signal,
	}
	out.err = a.err
	return out, true
}

// sendStandIn is the answer of what stands in for a host; ok is false where the request is to
// be sent for real.
func (c call) sendStandIn(r outgoing) (got received, ok bool) {
	o := c.services().Outside
	if o == nil {
		return got, false
	}
	request := Request{Method: r.method, URL: r.url.String(), Body: r.body, Headers: map[string]string{}}
	for name := range r.headers {
		request.Headers[name] = r.headers.Get(name)
	}
	type answer struct {
		Response
		err error
	}
	a := luabind.Wait(c.LState, c.function(), func(ctx context.Context) (a answer) {
		a.Response, a.err = o.Send(ctx, request)
		return a
	})
	switch {
	case errors.Is(a.err, ErrReal):
		return got, false
	case a.err != nil:
		return received{err: a.err}, true
	case len(a.Body) > r.max:
		return received{err: tooLongAnswer(r.max)}, true
	}
	got = received{status: a.Status, header: map[string][]string{}, url: r.url, body: a.Body}
	for name, value := range a.Headers {
		got.header[name] = []string{value}
	}
	c.allocate(len(got.body))
	return got, true
}
