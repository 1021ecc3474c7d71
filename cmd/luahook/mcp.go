package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/luahook/luahook/adapters/mcphook"
	"github.com/luahook/luahook/cmd/luahook/internal/access"
	"github.com/luahook/luahook/cmd/luahook/internal/mcpio"
	"github.com/luahook/luahook/cmd/luahook/internal/ownprocess"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/internal/process"
)

// mcpFlags are the flags of mcp.
type mcpFlags struct {
	engine  engineFlags
	name    string
	url     string
	headers []string
	listen  string

	command []string
	header  http.Header
	address access.Address
}

func newMCP() *cobra.Command {
	f := &mcpFlags{}
	cmd := &cobra.Command{
		Use:   "mcp [flags] -- COMMAND [ARG...]",
		Short: "Put the tools of an MCP server under hooks, for any agent that uses it",
		Long: `mcp starts an MCP server, or with --url reaches one, and stands between it and the
agent that has started luahook in the server's place. Messages pass as they are, but

  tools/call    fires pre_tool_call and post_tool_call: a call that hooks deny never
                reaches the server, and the agent's model reads why
  tools/list    fires pre_tool_selection: hooks may leave tools out, or rewrite them;
                a tool that changes after it was first seen is asked about (mcp-pin)
  the session   fires session_start and session_end

Hooks see the tools as mcp__NAME__TOOL. Where a hook asks, the agent asks its user
(elicitation); an agent that can't is told that there is nobody to ask. docs/mcp.md
has the rest. luahook install --mcp AGENT writes it into an agent's settings.

Standard output carries the protocol alone. The server's standard error is luahook's.
The server ends with luahook, and with all that it has started.

Exit status: 0 the agent has ended the connection; the server's own if it ends first;
1 it can't be started or reached; 128 and more a signal has ended it.`,
		Example: `  luahook mcp --name files -- npx -y @modelcontextprotocol/server-filesystem /srv
  luahook mcp --name docs --url https://mcp.example.com/mcp --header 'Authorization: Bearer ${TOKEN}'
  luahook mcp --name files --listen 127.0.0.1:7879 -- npx -y @modelcontextprotocol/server-filesystem /srv`,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.command = args
			if err := f.check(); err != nil {
				return err
			}
			return f.run(cmd)
		},
	}
	f.engine.add(cmd)
	f.engine.record = true
	f.engine.defaults = []string{"mcp-pin"}
	flags := cmd.Flags()
	flags.SetInterspersed(false) // what follows the command is the command's
	flags.StringVar(&f.name, "name", "", "the server's `NAME` in the names of its tools; otherwise it is what the server says")
	flags.StringVar(&f.url, "url", "", "reach the server at `URL` by streamable HTTP, in place of starting one")
	flags.StringArrayVar(&f.headers, "header", nil, "send `'NAME: VALUE'` to the URL; ${VARIABLE} stands for one of the environment (repeatable)")
	flags.StringVar(&f.listen, "listen", "", "offer streamable HTTP at `HOST:PORT` of this machine, in place of standard input and output; each session has a server of its own")
	return cmd
}

// check reads the flags.
func (f *mcpFlags) check() error {
	switch {
	case f.url == "" && len(f.command) == 0:
		return errors.New("which server? luahook mcp -- COMMAND ARGS..., or --url URL")
	case f.url != "" && len(f.command) > 0:
		return errors.New("--url and a command exclude each other")
	case f.url == "" && len(f.headers) > 0:
		return errors.New("--header goes with --url")
	}
	if f.url != "" {
		u, err := url.Parse(f.url)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return fmt.Errorf("--url is %q, want http://HOST/PATH or https://HOST/PATH", f.url)
		}
	}
	f.header = http.Header{}
	for _, text := range f.headers {
		name, value, err := mcpio.ParseHeader(text, os.LookupEnv)
		if err != nil {
			return fmt.Errorf("--header: %w", err)
		}
		f.header.Add(name, value)
	}
	if f.listen != "" {
		var err error
		if f.address, err = access.ParseAddress(f.listen); err != nil {
			return fmt.Errorf("--listen: %w", err)
		}
		if !f.address.Local() {
			return fmt.Errorf("--listen %s: others could reach it, and use the server in your name; name an address of this machine such as 127.0.0.1:7879", f.listen)
		}
	}
	return nil
}

// run is the gate from its start to its end.
func (f *mcpFlags) run(cmd *cobra.Command) error {
	_ = process.AdoptOrphans() // where that isn't possible, nothing is said that would be untrue
	s := ownprocess.CatchSignals(cmd.Context())
	defer s.Stop()
	notes := &onceNotes{out: cmd.ErrOrStderr(), said: map[string]bool{"luahook: hooks read again\n": true}} // which nobody needs to know
	e, err := f.engine.open(notes)
	if err != nil {
		return err
	}
	defer func() { warnClosing(cmd.ErrOrStderr(), e.close(cmd.Context(), nil)) }()
	for _, err := range e.LoadErrors() { // which loads the project before the first call
		fmt.Fprintln(notes, "luahook: warning:", terminal.Printable(err.Error()))
	}
	watching, endWatching := context.WithCancel(s)
	var background sync.WaitGroup
	defer background.Wait()
	defer endWatching()
	background.Go(func() {
		if err := e.Watch(watching); err != nil {
			fmt.Fprintln(notes, "luahook: warning:", terminal.Printable(err.Error()))
		}
	})
	if f.listen != "" {
		return f.serve(s, cmd, e, notes)
	}
	in, ok := cmd.InOrStdin().(io.ReadCloser)
	if !ok {
		in = io.NopCloser(cmd.InOrStdin())
	}
	client := &mcpio.Lines{
		In: in, Out: unclosed{cmd.OutOrStdout()}, Answers: true,
		Bad: func(err error) { fmt.Fprintln(notes, "luahook: warning: the agent:", terminal.Printable(err.Error())) },
	}
	err = f.between(s, e, client, notes)
	if err != nil && s.Cause() != nil {
		return exit(s.Status(exitError))
	}
	return err
}

// between is one gate. Its error is what has ended it, but for the agent.
func (f *mcpFlags) between(ctx context.Context, e *localEngine, client mcp.Transport, notes io.Writer) error {
	program := &mcpio.Program{
		Stderr: os.Stderr,
		Bad:    func(err error) { fmt.Fprintln(notes, "luahook: warning: the server:", terminal.Printable(err.Error())) },
	}
	var server mcp.Transport = &mcpio.URL{Endpoint: f.url, Header: f.header}
	if len(f.command) > 0 {
		program.Path, program.Args = f.command[0], f.command[1:]
		server = program
	}
	err := mcphook.Gate(ctx, e.Engine, f.name, client, server,
		mcphook.WithCaller(engine.Caller{CWD: e.cwd}),
		mcphook.WithMessages(func(_ context.Context, m mcphook.Message) {
			if m.Warning {
				fmt.Fprintln(notes, "luahook: warning:", terminal.Printable(m.Text))
			} else {
				fmt.Fprintln(notes, "luahook:", terminal.Printable(m.Text))
			}
		}))
	switch code := program.ExitCode(); {
	case err == nil:
		return nil
	case errors.Is(err, mcphook.ErrServerEnded) && len(f.command) > 0 && code >= 0:
		if code == 0 {
			return nil
		}
		fmt.Fprintf(notes, "luahook: the server %s has ended with status %d\n", terminal.Printable(program.Path), code)
		return exit(code)
	}
	return err
}

// serve has a gate for each session over HTTP.
func (f *mcpFlags) serve(s *ownprocess.Signals, cmd *cobra.Command, e *localEngine, notes io.Writer) error {
	on, err := f.address.Listen(s)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	fmt.Fprintln(cmd.ErrOrStderr(), "luahook: listening on "+f.address.URL(on))
	l := &mcpio.Listener{Gate: func(ctx context.Context, client mcp.Transport) error {
		err := f.between(ctx, e, client, notes)
		if err != nil && ctx.Err() == nil {
			fmt.Fprintln(notes, "luahook: a session has ended:", terminal.Printable(err.Error()))
		}
		return err
	}}
	return l.Serve(s, on)
}

// unclosed is an output that others may go on writing to.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// onceNotes writes a line once, however often it is said.
type onceNotes struct {
	out io.Writer

	mu   sync.Mutex
	said map[string]bool
}

// mostNotes is how many lines are remembered. Then all are forgotten.
const mostNotes = 1000

func (o *onceNotes) Write(line []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.said[string(line)] {
		return len(line), nil
	}
	if o.said == nil || len(o.said) >= mostNotes {
		o.said = map[string]bool{}
	}
	o.said[string(line)] = true
	return o.out.Write(line)
}
