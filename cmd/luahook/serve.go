package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/cmd/luahook/internal/access"
	"github.com/luahook/luahook/cmd/luahook/internal/ownprocess"
	"github.com/luahook/luahook/cmd/luahook/internal/serve"
	"github.com/luahook/luahook/internal/openfile"
	"github.com/luahook/luahook/internal/process"
)

// tokenVariable holds the token of serve where no file does.
const tokenVariable = "LUAHOOK_TOKEN"

// serveFlags are the flags of serve.
type serveFlags struct {
	engine    engineFlags
	listen    string
	tokenFile string
	record    string
	noWatch   bool
}

func newServe() *cobra.Command {
	f := &serveFlags{}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Answer events over HTTP, for agents with http hooks and for other programs",
		Long: `serve answers events over HTTP until it is ended: POST /v1/fire takes an event in
luahook's own form and gives the result as eval prints it, POST /v1/agents/AGENT takes
and gives what that agent's http hooks send and read. docs/serve.md has the rest, and
docs/openapi.yaml all of it.

It serves one project, that of --cwd; an event's own cwd doesn't choose another one.
Hooks are read again when their files change, unless there is --no-watch, and on
SIGHUP. SIGTERM and SIGINT end it once the events under way are answered.

Whoever can reach the address can fire events. By default that is everybody on this
machine, on a Unix socket it is you alone. An address that others can reach needs a
token, which requests carry as "Authorization: Bearer TOKEN": from --token-file, which
must be yours alone (mode 0600), or from the variable ` + tokenVariable + `.

Exit status: 0 it was ended; 1 it can't listen, or the configuration can't be used.`,
		Example: `  luahook serve
  luahook serve --listen unix:$XDG_RUNTIME_DIR/luahook.sock
  luahook serve --listen 0.0.0.0:7878 --token-file /run/secrets/luahook`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("serve takes no arguments, got %q", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, notes := ownprocess.Bounded(cmd.OutOrStdout(), cmd.ErrOrStderr()) // a log that nobody reads keeps no event waiting
			cmd.SetErr(notes)
			return serveEvents(cmd, f)
		},
	}
	f.engine.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.listen, "listen", serve.DefaultAddress, "listen on `ADDRESS`: HOST:PORT or unix:PATH")
	flags.StringVar(&f.record, "record", "", "write the decisions to `WHERE`: the decision log (log), which luahook log shows, or standard output (stdout)")
	flags.Lookup("record").NoOptDefVal = recordLog
	completeFrom(cmd, "record", recordLog, recordStdout)
	flags.BoolVar(&f.noWatch, "no-watch", false, "read the hooks again on SIGHUP alone, and not when their files change")
	flags.StringVar(&f.tokenFile, "token-file", "", "read the token that requests must carry from `FILE`")
	return cmd
}

// Where serve writes its decisions.
const (
	recordLog    = "log"
	recordStdout = "stdout"
)

func serveEvents(cmd *cobra.Command, f *serveFlags) error {
	address, err := access.ParseAddress(f.listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	token, err := readToken(f.tokenFile)
	if err != nil {
		return err
	}
	switch f.record {
	case "":
	case recordStdout:
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // who collects the log may go without the server
		f.engine.recordOut = os.Stdout
		fallthrough
	case recordLog:
		f.engine.record = true
	default:
		return fmt.Errorf("--record is %q, want log or stdout", f.record)
	}
	ownprocess.CollectSeldom()
	_ = process.AdoptOrphans() // where that isn't possible, nothing is said that would be untrue
	e, err := f.engine.open(cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	logger := slog.New(&hookLog{out: cmd.ErrOrStderr()})
	defer func() {
		if err := e.close(cmd.Context(), nil); err != nil { // all events are answered by then
			logger.Warn(strings.TrimPrefix(err.Error(), "luahook: "))
		}
	}()
	s, err := serve.New(serve.Options{Engine: e.Engine, Address: address, Token: token, CWD: e.cwd, Version: version(), Logger: logger})
	if err != nil {
		return err
	}

	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second one ends the process
	reload := make(chan os.Signal, 1)
	signal.Notify(reload, syscall.SIGHUP)
	defer signal.Stop(reload)
	l, err := address.Listen(ctx)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	for _, err := range e.LoadErrors() { // which loads the project before anybody asks
		logger.Warn(err.Error())
	}
	watching, endWatching := context.WithCancel(ctx)
	var background sync.WaitGroup
	defer background.Wait()
	defer endWatching()
	if !f.noWatch {
		background.Go(func() {
			if err := e.Watch(watching); err != nil {
				logger.Warn(err.Error())
			}
		})
	}
	background.Go(func() { reloadOn(watching, reload, e, s, logger) })
	logger.Info("serving on " + address.URL(l))
	if err := s.Serve(ctx, l); err != nil {
		return err
	}
	logger.Info("ended")
	return nil
}

// reloadOn reads the hooks again whenever somebody asks, until ctx is done.
func reloadOn(ctx context.Context, asked <-chan os.Signal, e *localEngine, s *serve.Server, logger *slog.Logger) {
	for {
		select {
		case <-asked:
			err := e.Reload(ctx)
			s.Reloaded(err)
			if err != nil {
				logger.Warn("reading the hooks again", "error", err)
			} else {
				logger.Info("hooks read again")
			}
		case <-ctx.Done():
			return
		}
	}
}

// maxToken is how long the file of a token may be.
const maxToken = 4 << 10

// readToken reads the token from a file of the user's alone, or from the environment, where hooks don't find it any
// more; "" where nobody has said one.
func readToken(name string) (string, error) {
	token, given := os.LookupEnv(tokenVariable)
	_ = os.Unsetenv(tokenVariable) // an error: the name can't be one
	from := tokenVariable
	if name != "" {
		from, given = "--token-file "+name, true
		f, info, err := openfile.Regular(name)
		if err != nil {
			return "", fmt.Errorf("%s: %w", from, reason(err))
		}
		defer f.Close()
		if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" {
			return "", fmt.Errorf("%s: others may read or write it (mode %04o); chmod 600 it, and choose a new token", from, mode)
		}
		text, err := openfile.ReadAll(f, maxToken)
		if err != nil {
			return "", fmt.Errorf("%s: %w", from, reason(err))
		}
		token = string(text)
	}
	token = strings.TrimSpace(token)
	switch {
	case given && token == "":
		return "", fmt.Errorf("%s: the token is empty", from)
	case strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c > '~' }):
		return "", fmt.Errorf("%s: the token has spaces or other characters that no header can hold; openssl rand -hex 32 makes one", from)
	}
	return token, nil
}
