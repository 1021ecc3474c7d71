// Package install puts luahook into the settings of agents and takes it out again. It edits the agent's own file and
// keeps all that it doesn't change byte for byte; a backup stands beside a file that was there before.
//
// A [Target] says whose settings: which agent's, the user's or a project's. It makes a [Plan] from what the files hold,
// the plan shows the difference, and [Plan.Apply] writes it. [Target.Look] only says what is there.
//
// Where files lie follows from the agent, the user's home folder and environment, and the project's root. Nothing that
// a project holds leads out of it: a link in it that does is an error.
package install

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/luahook/luahook/hooks/wire"
	"github.com/luahook/luahook/internal/spelling"
)

// Target is the settings that are looked at or changed.
type Target struct {
	Agent   *wire.Agent
	Project string              // the root of the project whose settings are meant; "": the user's own
	Home    string              // the user's home folder, absolute; "" if it isn't known
	Getenv  func(string) string // the user's environment
	Program string              // what the agent is told to run: [Program] finds it
}

// FileError is the error of a file.
type FileError struct {
	Path string
	Line int // 0 if it isn't about one
	Err  error
}

func (e *FileError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %v", e.Path, e.Line, e.Err)
	}
	return fmt.Sprintf("%s: %v", e.Path, e.Err)
}

func (e *FileError) Unwrap() error { return e.Err }

// fileError adds a path to an error.
func fileError(path string, err error) error {
	var at *syntaxError
	if errors.As(err, &at) {
		return &FileError{Path: path, Line: at.Line, Err: errors.New(at.Cause)}
	}
	var cause *os.PathError
	if errors.As(err, &cause) {
		err = cause.Err
	}
	return &FileError{Path: path, Err: err}
}

// State is what of luahook is in an agent's settings.
type State struct {
	Files   []string // where the agent's hooks may stand; not all of them need be there
	Entries []Entry
	Flaws   []Flaw // why the agent doesn't run the entries, or not always
}

// Entry is a hook of luahook's.
type Entry struct {
	File    string
	Event   string   // as the agent calls it; "" is all
	Command []string // the program and its arguments; nil if it isn't known
	Current bool     // it's what would be installed today
	Dead    bool     // the agent doesn't read the file, because another one is there
}

// Events are the agent's events with these names, or without any all that aren't costly.
func (t *Target) Events(names []string) ([]*wire.Event, error) {
	if _, whole := t.host().form.(*wholeForm); whole && len(names) > 0 {
		return nil, fmt.Errorf("luahook's plugin for %s has all its events; leave --events out", t.Agent.Title)
	}
	var chosen []*wire.Event
	var known []string
	for i := range t.Agent.Events {
		e := &t.Agent.Events[i]
		known = append(known, e.Name)
		if len(names) == 0 && !e.Costly {
			chosen = append(chosen, e)
		}
	}
	for _, name := range names {
		e := t.Agent.EventNamed(name)
		if e == nil {
			return nil, fmt.Errorf("%s has no event %q%s", t.Agent.Title, name, cmp.Or(spelling.DidYouMean(name, known), "; it has "+strings.Join(known, ", ")))
		}
		if !slices.Contains(chosen, e) {
			chosen = append(chosen, e)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("no events of %s are known", cmp.Or(t.Agent.Title, t.Agent.Name))
	}
	return chosen, nil
}

// Notes are what the user has to know or to do once it's installed, a sentence or two each: above all what the agent
// has to be told before it runs hooks.
func (t *Target) Notes() []string {
	if h := t.host(); h.notes != nil {
		return h.notes(t)
	}
	return nil
}

// Unstarted says what the agent does where it can't start luahook, and how to see to it that it can, a sentence or two;
// "" if it then refuses the call.
func (t *Target) Unstarted() string {
	if !t.host().runsAnyway {
		return ""
	}
	where := t.Program + " must stay there."
	if !filepath.IsAbs(t.Program) {
		where = t.Program + " must be in the PATH of " + t.Agent.Title + ", which may be another one than that of your shell."
	}
	return "Where " + t.Agent.Title + " can't start luahook, it runs tools as though nothing were wrong: " + where
}

// Find looks for the agent on this machine. It gives the path of its program and its folder of settings, each "" where
// there is none.
func (t *Target) Find(lookPath func(name string) (string, error)) (program, folder string) {
	h := t.host()
	for _, name := range h.programs {
		if path, err := lookPath(name); err == nil {
			program = path
			break
		}
	}
	dir, err := h.home(t)
	if h.sign != "" {
		dir, err = inHome(h.sign)(t)
	}
	if base := strings.ToLower(filepath.Base(dir)); base == "hooks" || base == "plugins" {
		dir = filepath.Dir(dir)
	}
	if info, statErr := os.Stat(dir); err == nil && statErr == nil && info.IsDir() {
		folder = dir
	}
	return program, folder
}

// file is a file of an agent's settings.
type file struct {
	path string
	form form
}

// folder is where the settings lie, and the folder around it in which folders may be made and removed.
func (t *Target) folder() (dir, within string, err error) {
	h := t.host()
	if t.Project != "" {
		return filepath.Join(t.Project, filepath.FromSlash(h.folder)), t.Project, nil
	}
	dir, err = h.home(t)
	if err != nil {
		return "", "", err
	}
	within = t.Home
	if below, err := filepath.Rel(t.Home, dir); t.Home == "" || err != nil || !filepath.IsLocal(below) {
		within = filepath.VolumeName(dir) + string(filepath.Separator)
	}
	return dir, within, nil
}

// files are all files in which our hooks may stand. For an agent that has a file for each event, these are the
// events.
func (t *Target) files(events []*wire.Event) ([]file, error) {
	dir, _, err := t.folder()
	if err != nil {
		return nil, err
	}
	h := t.host()
	var all []file
	if h.script != nil {
		for _, e := range events {
			all = append(all, file{filepath.Join(dir, e.Name), &wholeForm{event: e, mode: 0o755, write: h.script}})
		}
	}
	for _, name := range h.files {
		f := file{filepath.Join(dir, name), h.form}
		if strings.HasSuffix(name, ".toml") {
			f.form = tomlForm{}
		}
		all = append(all, f)
	}
	for i := range all {
		if all[i].path, err = t.resolve(all[i].path); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// allEvents are all events of the agent.
func (t *Target) allEvents() []*wire.Event {
	var all []*wire.Event
	for i := range t.Agent.Events {
		all = append(all, &t.Agent.Events[i])
	}
	return all
}

// Look says what of luahook is in the settings.
func (t *Target) Look() (*State, error) {
	files, err := t.files(t.allEvents())
	if err != nil {
		return nil, err
	}
	s := &State{}
	read := "" // the file that the agent reads alone
	for _, f := range files {
		s.Files = append(s.Files, f.path)
		text, ours, err := t.read(f)
		if err != nil {
			return nil, err
		}
		if text != nil && t.host().alone {
			read = f.path
		}
		if text != nil {
			s.Flaws = append(s.Flaws, t.flaws(f, text, ours)...)
		}
		for _, e := range ours {
			current := !e.stale && slices.Equal(e.words, t.words(e.event))
			s.Entries = append(s.Entries, Entry{File: f.path, Event: e.event, Command: e.words, Current: current})
		}
	}
	var unread []string
	for i := range s.Entries {
		if e := &s.Entries[i]; read != "" && e.File != read {
			e.Dead = true
			unread = append(unread, e.File)
		}
	}
	if len(unread) == len(s.Entries) && len(unread) > 0 {
		s.Flaws = append(s.Flaws, Flaw{File: unread[0], Why: "it reads " + filepath.Base(read) + " beside it alone", Never: true})
	}
	return s, nil
}

// read gives a file's text, nil where there is none, and our hooks in it.
func (t *Target) read(f file) ([]byte, []found, error) {
	text, err := readFile(f.path)
	if err != nil || text == nil {
		return nil, nil, err
	}
	ours, err := f.form.entries(t, text)
	if err != nil {
		return nil, nil, fileError(f.path, err)
	}
	return text, ours, nil
}

// Install plans to have luahook called for events, nil for all that aren't costly. Events for which it's there
// already stay as they are, but for the command line, and no event is taken away.
func (t *Target) Install(names []string) (*Plan, error) {
	events, err := t.Events(names)
	if err != nil {
		return nil, err
	}
	files, err := t.files(events)
	if err != nil {
		return nil, err
	}
	if t.host().script == nil {
		chosen, err := t.choose(files)
		if err != nil {
			return nil, err
		}
		files = []file{chosen}
	}
	plan := &Plan{target: t}
	for _, f := range files {
		before, ours, err := t.read(f)
		if err != nil {
			return nil, err
		}
		wanted := events
		for _, e := range ours { // those that are there are brought up to date
			if known := t.Agent.EventNamed(e.event); known != nil && known.Name == e.event && !slices.Contains(wanted, known) {
				wanted = append(slices.Clip(wanted), known)
			}
		}
		after, err := f.form.install(t, before, wanted)
		if err != nil {
			return nil, fileError(f.path, err)
		}
		if before != nil && bytes.Equal(before, after) {
			continue
		}
		if len(after) > maxFile {
			return nil, fileError(f.path, errTooLarge)
		}
		plan.add(change{file: f, before: before, after: after, keep: before != nil && len(ours) == 0})
	}
	return plan, nil
}

// choose picks the file that luahook is installed in: the one in which it stands already, or else the one that holds
// the user's hooks, so that the agent doesn't load two.
func (t *Target) choose(files []file) (file, error) {
	chosen := files[0]
	for _, f := range files {
		text, ours, err := t.read(f)
		if err != nil {
			return file{}, err
		}
		used := text != nil
		if of, is := f.form.(tomlForm); is && used {
			if used, err = of.hasHooks(t, text); err != nil {
				return file{}, fileError(f.path, err)
			}
		}
		switch {
		case len(ours) > 0 && !t.host().alone:
			return f, nil
		case used:
			chosen = f
		}
	}
	return chosen, nil
}

// Uninstall plans to take luahook out again for events, nil for all. Where nothing else was changed since it was
// installed, the file becomes what it was before, byte for byte, or is removed if there was none.
func (t *Target) Uninstall(names []string) (*Plan, error) {
	which := func(string) bool { return true }
	if len(names) > 0 {
		events, err := t.Events(names)
		if err != nil {
			return nil, err
		}
		which = func(event string) bool { return event == "" || named(events, event) }
	}
	files, err := t.files(t.allEvents())
	if err != nil {
		return nil, err
	}
	plan := &Plan{target: t}
	for _, f := range files {
		before, ours, err := t.read(f)
		if err != nil {
			return nil, err
		}
		leaving := slices.DeleteFunc(slices.Clone(ours), func(e found) bool { return !which(e.event) })
		if len(leaving) == 0 {
			continue
		}
		c := change{file: f, before: before}
		if err := t.undo(&c, ours, len(leaving) == len(ours), which); err != nil {
			return nil, fileError(f.path, err)
		}
		plan.add(c)
	}
	return plan, nil
}

// undo finds what a file is without our hooks.
func (t *Target) undo(c *change, ours []found, all bool, which func(string) bool) error {
	backups, err := backupsOf(c.path)
	if err != nil {
		return err
	}
	if all {
		for _, b := range backups {
			if t.makes(c.form, b.text, ours, c.before) {
				c.after, c.drop = b.text, b.path
				return nil
			}
		}
		if len(backups) == 0 && t.makes(c.form, nil, ours, c.before) {
			return nil
		}
	}
	if c.after, err = c.form.remove(t, c.before, which); err != nil {
		return err
	}
	for _, b := range backups {
		if all && bytes.Equal(b.text, c.after) {
			c.drop = b.path
		}
	}
	if len(backups) == 0 && all && isNothing(c.after) { // nobody else's: there was no file
		c.after = nil
	}
	return nil
}

// makes reports whether installing our hooks in a file makes the text that is there now.
func (t *Target) makes(f form, before []byte, ours []found, now []byte) bool {
	if was, err := f.entries(t, before); err != nil || before != nil && len(was) > 0 {
		return false
	}
	then := *t
	var events []*wire.Event
	for _, e := range ours {
		known := t.Agent.EventNamed(e.event)
		if e.event != "" && (known == nil || known.Name != e.event) || len(e.words) == 0 {
			return false
		}
		if e.event != "" {
			events = append(events, known)
		}
		then.Program = e.words[0]
	}
	inOrder := slices.DeleteFunc(t.allEvents(), func(e *wire.Event) bool { return !slices.Contains(events, e) })
	for _, order := range [...][]*wire.Event{events, inOrder} { // as they stand there, and as install goes through them
		if text, err := f.install(&then, before, order); err == nil && bytes.Equal(text, now) {
			return true
		}
	}
	return false
}

// isNothing reports whether a settings file says nothing.
func isNothing(text []byte) bool {
	trimmed := bytes.TrimSpace(bytes.TrimPrefix(text, []byte(byteOrderMark)))
	return len(trimmed) == 0 || trimmed[0] == '{' && trimmed[len(trimmed)-1] == '}' && isBlank(trimmed[1:len(trimmed)-1])
}

// Plan is what installing or uninstalling changes.
type Plan struct {
	target  *Target
	changes []change
	gates   bool // of MCP servers, whose files are never removed
}

// change is a new text for a file.
type change struct {
	file
	before, after []byte // nil: there is no file
	keep          bool   // a backup of before is made
	drop          string // a backup that isn't needed any more
}

func (p *Plan) add(c change) { p.changes = append(p.changes, c) }

// Empty reports whether there is nothing to change.
func (p *Plan) Empty() bool { return len(p.changes) == 0 }

// Files are the paths of the files that are changed.
func (p *Plan) Files() []string {
	var all []string
	for _, c := range p.changes {
		all = append(all, c.path)
	}
	return all
}

// Diff is the change as a unified diff.
func (p *Plan) Diff() string {
	var b strings.Builder
	for _, c := range p.changes {
		b.WriteString(unified(c.path, c.before, c.after))
	}
	return b.String()
}

// ErrChanged is the error where a file isn't what it was when the plan was made. Nothing was written to it; a new
// plan starts from what it is now.
var ErrChanged = errors.New("the file was changed meanwhile; try again")

// Apply writes the changes, file by file. Each file is at any moment either what it was or what it becomes, also if
// the process is killed. It waits up to ten seconds, or as long as ctx lasts, for another luahook that is at work on
// the same folder.
func (p *Plan) Apply(ctx context.Context) error {
	within := ""
	if !p.gates {
		var err error
		if _, within, err = p.target.folder(); err != nil {
			return err
		}
	}
	for _, c := range p.changes {
		if err := c.apply(ctx, within); err != nil {
			return fileError(c.path, err)
		}
	}
	return nil
}
