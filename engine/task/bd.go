package task

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/luahook/luahook/engine/internal/ownfile"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/misuse"
	"github.com/luahook/luahook/internal/openfile"
	"github.com/luahook/luahook/internal/process"
)

// Bounds of one run of bd, in bytes.
const (
	maxAnswer  = 8 << 20
	maxProblem = 4 << 10
)

// errNoBeads is the error if bd isn't installed.
var errNoBeads = errors.New(`bd, the command of the issue tracker beads, is in no folder of PATH: install it from https://github.com/gastownhall/beads ("brew install beads" or "npm install -g @beads/bd") and run "bd init" in the project, or have hooks.yaml say "tasks: file"`)

// refusedError is bd's message when it refuses.
type refusedError struct{ message string }

func (e *refusedError) Error() string { return "bd: " + e.message }

// change runs bd for a change.
func (b *Beads) change(ctx context.Context, args []string) ([]byte, error) {
	if err := b.misused(ctx); err != nil {
		return nil, err
	}
	if err := b.checkProject(); err != nil {
		return nil, err
	}
	return b.run(ctx, args)
}

func (b *Beads) misused(ctx context.Context) error {
	return misuse.Check(ctx, b != nil && b.root != "", "task.NewBeads")
}

// issues runs bd and returns the issues in its answer.
func (b *Beads) issues(ctx context.Context, args []string) ([]issue, error) {
	answer, err := b.run(ctx, args)
	if err != nil {
		return nil, err
	}
	return decode(answer)
}

// run runs bd and returns its answer.
func (b *Beads) run(ctx context.Context, args []string) ([]byte, error) {
	if err := b.misused(ctx); err != nil {
		return nil, err
	}
	for _, a := range args {
		if strings.ContainsRune(a, 0) {
			return nil, errors.New("a text with a NUL byte can't be given to bd")
		}
	}
	program, path, err := b.find()
	if err != nil {
		return nil, err
	}
	depth, _ := strconv.Atoi(os.Getenv("LUAHOOK_DEPTH"))
	out, err := process.Run(ctx, process.Spec{
		Path: program, Args: args, Dir: b.root, MaxStdout: maxAnswer, MaxStderr: maxProblem,
		Env: append(os.Environ(), "PATH="+path, "LUAHOOK_DEPTH="+strconv.Itoa(depth+1),
			"BD_JSON_ENVELOPE=0", "BEADS_NO_DAEMON=1", "BEADS_NO_PAGER=1", "NO_COLOR=1"),
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("bd has not finished in time: give the hook a longer timeout (%w)", err)
	case err != nil:
		return nil, err
	case out.ExitCode != 0:
		return nil, &refusedError{problem(&out)}
	case out.StdoutCut:
		return nil, fmt.Errorf("bd has answered with more than %d bytes: ask for less (limit)", maxAnswer)
	}
	return out.Stdout, nil
}

// find finds bd in PATH, and returns the PATH to run it with: absolute folders, without those that lie in the
// project or whose bd does. A project must not provide its own bd.
func (b *Beads) find() (program, path string, err error) {
	root := real(b.root)
	inside := func(file string) bool {
		resolved, err := filepath.EvalSymlinks(file)
		return err == nil && (resolved == root || strings.HasPrefix(resolved, strings.TrimSuffix(root, string(filepath.Separator))+string(filepath.Separator)))
	}
	var dirs []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if !filepath.IsAbs(dir) || inside(dir) {
			continue
		}
		file, err := exec.LookPath(filepath.Join(dir, "bd"))
		if err == nil && inside(file) {
			continue
		}
		dirs = append(dirs, dir)
		if err == nil && program == "" {
			program = file
		}
	}
	if program == "" {
		return "", "", errNoBeads
	}
	return program, strings.Join(dirs, string(filepath.ListSeparator)), nil
}

// bdHooks are the programs that bd runs when it changes something.
var bdHooks = []string{"pre_write", "on_create", "on_update", "on_close"}

// maxRedirect bounds the file that redirects bd to another folder: it holds a path.
const maxRedirect = 4 << 10

// checkProject refuses a project with one of these programs in its .beads, or in the folder to which a file
// there redirects bd.
func (b *Beads) checkProject() error {
	dirs := []string{filepath.Join(b.root, ".beads")}
	switch to, err := readRedirect(filepath.Join(dirs[0], "redirect")); {
	case err != nil:
		return fmt.Errorf("the target of the project's .beads/redirect can't be read (%w), so bd isn't started: fix it, or have hooks.yaml say \"tasks: file\"", err)
	case to != "":
		dirs = append(dirs, to, filepath.Join(b.root, to), filepath.Join(b.root, ".beads", to))
	}
	for _, dir := range dirs {
		for _, hook := range bdHooks {
			for _, ending := range []string{"", ".exe", ".cmd", ".bat"} {
				file := filepath.Join(dir, "hooks", hook+ending)
				info, err := os.Stat(file)
				if err == nil && info.Mode().IsRegular() && (info.Mode()&0o111 != 0 || ending != "") {
					return fmt.Errorf("bd would run %s, a program of the project, so it isn't started: remove it, or have hooks.yaml say \"tasks: file\"", file)
				}
			}
		}
	}
	return nil
}

// readRedirect returns the path in a file of the project, "" if there is none. The file may be anything that a
// repository can hold, for instance a link to a device.
func readRedirect(name string) (path string, err error) {
	text, err := openfile.Read(name, maxRedirect)
	if ownfile.IsGone(err) {
		return "", nil
	}
	return strings.TrimSpace(string(text)), err
}

// problem returns bd's error message as one line.
func problem(out *process.Outcome) string {
	for _, text := range [][]byte{out.Stdout, out.Stderr} {
		var e struct{ Error, Message string }
		if json.Unmarshal(text, &e) == nil && e.Error+e.Message != "" {
			return line(e.Error + e.Message)
		}
	}
	text := line(string(bytes.TrimSpace(out.Stderr)))
	if text == "" {
		text = line(string(out.Stdout[:min(len(out.Stdout), maxProblem)]))
	}
	if text = strings.TrimPrefix(text, "Error: "); text == "" {
		return fmt.Sprintf("it failed with exit status %d", out.ExitCode)
	}
	return text
}

// line returns a text of another program as one line of at most 500 bytes.
func line(text string) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, ""), func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if len(text) > 500 {
		text = strings.ToValidUTF8(text[:500], "") + "..."
	}
	return text
}

// issue is bd's description of an issue, also as a dependency of another.
type issue struct {
	ID          string    `json:"id"`
	Title       string    `json:"title"`
	Description string    `json:"description"`
	Status      string    `json:"status"`
	Type        string    `json:"issue_type"`
	Labels      []string  `json:"labels"`
	Priority    *int      `json:"priority"`
	ExternalRef string    `json:"external_ref"`
	Parent      string    `json:"parent"`
	CreatedAt   time.Time `json:"created_at"`

	Dependencies []issue   `json:"dependencies"` // what it waits for, belongs to ...
	Dependents   []issue   `json:"dependents"`   // the reverse
	Comments     []comment `json:"comments"`

	// Set in a dependency of a list, which isn't a whole issue.
	DependsOnID    string `json:"depends_on_id"`
	PlainType      string `json:"type"`
	DependencyType string `json:"dependency_type"`
}

type comment struct {
	Text      string    `json:"text"`
	CreatedAt time.Time `json:"created_at"`
}

const parentChild = "parent-child"

// decode reads an answer: an issue, a list of them, or a list in an object, as some versions and settings of bd
// write it.
func decode(text []byte) ([]issue, error) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return nil, nil
	}
	var list []issue
	var one struct {
		issue
		Data, Items, Issues json.RawMessage
	}
	var err error
	if text[0] == '[' {
		err = json.Unmarshal(text, &list)
	} else {
		err = json.Unmarshal(text, &one)
		list = []issue{one.issue}
	}
	if err != nil {
		return nil, fmt.Errorf("bd's answer is malformed: %w", err)
	}
	for _, inner := range []json.RawMessage{one.Data, one.Items, one.Issues} {
		if len(inner) > 0 {
			return decode(inner)
		}
	}
	return list, nil
}

func tasks(issues []issue) []hooks.Task {
	list := make([]hooks.Task, 0, len(issues))
	for _, i := range issues {
		list = append(list, i.task())
	}
	return list
}

// task converts an issue.
func (i *issue) task() hooks.Task {
	t := hooks.Task{
		ID: i.ID, Title: i.Title, Body: i.Description, Status: i.Status, Kind: i.Type, Labels: i.Labels, Priority: i.Priority,
		Parent: i.Parent, Created: i.CreatedAt,
	}
	for _, d := range i.Dependencies {
		switch id, kind := d.dependency(); kind {
		case parentChild:
			t.Parent = cmp.Or(t.Parent, id)
		case "blocks":
			t.Links = append(t.Links, hooks.TaskLink{ID: id, Kind: "blocked-by"})
		default:
			t.Links = append(t.Links, hooks.TaskLink{ID: id, Kind: kind})
		}
	}
	for _, d := range i.Dependents {
		if id, kind := d.dependency(); kind != parentChild {
			t.Links = append(t.Links, hooks.TaskLink{ID: id, Kind: kind})
		}
	}
	for _, c := range i.Comments {
		t.Comments = append(t.Comments, hooks.TaskComment{At: c.CreatedAt, Text: c.Text})
	}
	return t
}

// dependency returns the id of an issue that another one lists, and the kind of dependency, as written by bd
// show or by bd list.
func (i *issue) dependency() (id, kind string) {
	if i.DependsOnID != "" {
		return i.DependsOnID, i.PlainType
	}
	return i.ID, i.DependencyType
}
