package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/luahook/luahook/cmd/luahook/internal/access"
	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	"github.com/luahook/luahook/cmd/luahook/internal/replay"
	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/cmd/luahook/internal/ui"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/internal/redact"
)

// uiFlags are the flags of ui.
type uiFlags struct {
	engine    engineFlags
	addr      string
	noBrowser bool
	tokenFile string
}

func newUI() *cobra.Command {
	f := &uiFlags{}
	cmd := &cobra.Command{
		Use:   "ui [LOG]",
		Short: "Open a page that shows what hooks decide, why, and how fast",
		Long: `ui serves a page on this machine, and opens it in your browser: decisions as they come,
sessions on a timeline, what is denied most and what hooks cost, the hooks in force, and
a playground for events and hooks. It ends when you end it, with Ctrl-C.

The page reads. What changes something (trust, allow, off) stays on the terminal. LOG is
a file or a folder with records; the default is the log of "luahook log".

The link has a token, without which nobody on this machine can read the page. It is a new
one each time, unless --token-file or the variable ` + tokenVariable + ` says one. An address that
others can reach needs that.

Exit status: 0 it was ended; 1 it can't listen, or the log or the hooks can't be read.`,
		Example: `  luahook ui
  luahook ui --no-browser --addr 127.0.0.1:7879
  luahook ui policy/decisions.jsonl`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.serve(cmd, args) },
	}
	f.engine.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.addr, "addr", "127.0.0.1:0", "listen on `ADDRESS`, HOST:PORT; port 0 is a free one")
	flags.BoolVar(&f.noBrowser, "no-browser", false, "print the link, and open nothing")
	flags.StringVar(&f.tokenFile, "token-file", "", "read the token from `FILE`")
	return cmd
}

func (f *uiFlags) serve(cmd *cobra.Command, args []string) error {
	address, err := access.ParseAddress(f.addr)
	if err != nil || strings.HasPrefix(f.addr, "unix:") {
		return fmt.Errorf("--addr: %q is no address for a browser; want HOST:PORT such as 127.0.0.1:7879", f.addr)
	}
	given, err := readToken(f.tokenFile)
	if err != nil {
		return err
	}
	if given == "" && !address.Local() {
		return errors.New("--addr: others than this machine could reach the address, so a token is needed: set " + tokenVariable + ", or name a file with --token-file")
	}
	index, name, err := openIndex(args)
	if err != nil {
		return err
	}
	logger := slog.New(&hookLog{out: cmd.ErrOrStderr()})
	looked := f.engine
	looked.looks = true
	e, err := looked.open(io.Discard) // what is worth a warning is on the page
	if err != nil {
		return err
	}
	defer func() {
		if err := e.close(cmd.Context(), nil); err != nil {
			logger.Warn(strings.TrimPrefix(err.Error(), "luahook: "))
		}
	}()
	token := cmp.Or(given, rand.Text())
	s, err := ui.New(ui.Options{
		Index: index, LogName: name, Address: address, Token: token, Version: version(), Logger: logger,
		Hooks: ui.Hooks{Engine: e.Engine, Root: e.project.Root, Folder: f.folder(e.project), Surveys: f.surveys(e.project), Rehearse: f.rehearse},
	})
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second one ends the process
	l, err := address.Listen(ctx)
	if err != nil {
		return fmt.Errorf("--addr: %w", err)
	}
	var background sync.WaitGroup
	defer background.Wait()
	working, endWork := context.WithCancel(ctx)
	defer endWork()
	background.Go(func() {
		if err := index.Run(working); err != nil {
			logger.Warn(err.Error())
		}
	})
	background.Go(func() {
		if err := e.Watch(working); err != nil {
			logger.Warn(err.Error())
		}
	})
	awaitRecords(working, index)
	link := address.URL(l) + "/" + token + "/"
	shown := link
	if given != "" { // which isn't for whoever reads the output
		shown = address.URL(l) + "/TOKEN/"
	}
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "luahook ui: %s\n", shown); err != nil {
		return errors.Join(err, l.Close())
	}
	if !f.noBrowser {
		if err := openBrowser(ctx, address.URL(l)+s.OpenOnce()); err != nil {
			logger.Warn(fmt.Sprintf("no browser could be opened (%v); open the link yourself", err))
		}
	}
	return s.Serve(ctx, l)
}

// awaitRecords waits for the newest records of the index, which come soon, so that the first page has them. It is in
// vain after a second.
func awaitRecords(ctx context.Context, index *logindex.Index) {
	late := time.After(time.Second)
	v := index.View()
	for looked := false; ; looked = true {
		if done, total := v.Progress(); looked && (v.Len() > 0 || done == total) {
			return
		}
		select {
		case <-v.Newer():
			v = index.View()
		case <-late:
			return
		case <-ctx.Done():
			return
		}
	}
}

// openIndex is the index of a log, and what that is called.
func openIndex(args []string) (index *logindex.Index, name string, err error) {
	at, keep := logDir(), logDir()
	if len(args) == 1 {
		if at, err = absolute(args[0]); err != nil {
			return nil, "", err
		}
		if _, err := os.Stat(at); err != nil {
			return nil, "", fmt.Errorf("%s: %w", at, reason(err))
		}
		if at != keep {
			keep = "" // it is somebody else's folder, perhaps a repository
		}
	}
	if at == "" {
		return nil, "", errNowhere
	}
	index, err = logindex.Open(at, logindex.Options{Keep: keep})
	return index, terminal.Shown(at), err
}

// folder is where a new script of the project would lie.
func (f *uiFlags) folder(p engine.Project) string {
	if len(f.engine.hooks) > 0 {
		if dir, err := filepath.Abs(f.engine.hooks[0]); err == nil {
			return dir
		}
	}
	return cmp.Or(p.Hooks, filepath.Join(p.Root, ".hooks"))
}

// surveys looks at how far a project and those around it are trusted, where their hooks are in force and not those of
// --hooks.
func (f *uiFlags) surveys(p engine.Project) func() ([]*engine.Survey, error) {
	return func() (list []*engine.Survey, err error) {
		file := engine.TrustFile()
		if file == "" || len(f.engine.hooks) > 0 {
			return nil, nil
		}
		for at := &p; at != nil; at = at.Around {
			if !hasHooks(*at) {
				continue
			}
			survey, err := engine.SurveyProject(*at, file)
			if err != nil {
				return nil, err
			}
			list = append(list, survey)
		}
		return list, nil
	}
}

// rehearse opens an engine for the page, in which hooks judge and do nothing else.
func (f *uiFlags) rehearse(o ui.Rehearsal) (*engine.Engine, *replay.Judge, error) {
	own := f.engine
	if o.Observer != nil {
		own.observers = []engine.Observer{o.Observer}
	}
	own.edited = o.Edited
	printed := o.Printed
	if printed == nil {
		printed = io.Discard
	}
	e, j, err := own.judging(false, printed)
	if err != nil {
		return nil, nil, err
	}
	j.Redactor = redact.New(os.Environ())
	return e.Engine, j, nil
}

// openBrowser has the system open a link. The link is good for one time: other users can see the arguments of programs.
func openBrowser(ctx context.Context, link string) error {
	program, args := "xdg-open", []string{link}
	switch runtime.GOOS {
	case "darwin":
		program = "open"
	case "windows":
		program, args = "rundll32", []string{"url.dll,FileProtocolHandler", link}
	}
	within, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	return exec.CommandContext(within, program, args...).Run()
}
