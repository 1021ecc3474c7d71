package lib

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/gitfolder"
	"github.com/luahook/luahook/internal/gitindex"
	"github.com/luahook/luahook/internal/openfile"
	"github.com/luahook/luahook/internal/spelling"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/lib/internal/ruleindex"
)

// Host is what built-in hooks are told of the machine that they run on. Folders are
// absolute and cleaned; an empty one isn't known.
type Host struct {
	Home    string   // the user's home folder
	Root    string   // the project's root
	Base    string   // where relative paths of the hook's options start
	Around  []string // roots of the projects that it lies in
	Hooks   []string // the hooks folders of all of these that are there
	Rooted  []string // the roots of those
	Temp    []string // folders for temporary files
	State   string   // where luahook keeps what it knows: trust, passes
	Config  string   // the user's configuration of luahook
	Managed string   // the machine's configuration of luahook
}

// HostModule is a module for built-in hooks alone: other scripts have no business with
// where the user's files are.
func HostModule(h Host) luabind.Module {
	m := module("host", "what built-in hooks are told of the machine; other scripts don't have it",
		function{
			"worktree", "(dir: string): boolean",
			"whether a folder lies in a linked worktree of git, which is made to be thrown away: the .git nearest to it is a file that leads into .git/worktrees",
			`assert(not host.worktree("/"))`,
			func(c call) int {
				luabind.Spend(c.LState, 2000) // it looks at files, some ten microseconds
				return c.give(lua.LBool(inWorktree(c.text(1))))
			},
		},
		function{
			"exists", "(path: string): boolean",
			"whether there is anything at an absolute path, also a link that leads to nothing",
			`assert(host.exists("/") and not host.exists("/none/a"))`,
			func(c call) int {
				luabind.Spend(c.LState, 1000)
				name := c.text(1)
				_, err := os.Lstat(filepath.FromSlash(name))
				return c.give(lua.LBool(filepath.IsAbs(name) && err == nil))
			},
		},
		function{
			"git_branch", "(dir: string, branch: string): \"none\"|\"kept\"|\"alone\"|nil",
			"what is known of a branch in the repository that a folder is in, read without git: none, there is no such branch; kept, another ref or the reflog of HEAD leads to its commit, too; alone, it isn't found there; nil where it isn't known",
			`assert(host.git_branch("/none", "topic") == nil)`,
			branchState,
		},
		function{
			"git_settings", "(dir: string, section: string): {part: string, name: string, value: string}[]",
			"what the configuration of git has in a section, the user's and that of the repository that a folder is in, read without git",
			`assert(#host.git_settings("/none", "nosuchsection") == 0)`,
			func(c call) int { return gitSettings(c, h.Home) },
		},
		function{
			"real", "(path: string): string",
			"where an absolute path lies once links are followed, as the project's root spells it; the file need not be there",
			`assert(host.real("/none/a") == "/none/a")`,
			func(c call) int {
				luabind.Spend(c.LState, 2000)
				return c.giveText(Real(h.Root, c.text(1)))
			},
		},
		function{
			"linked", "(folder: string, path: string): boolean",
			"whether an absolute path below a folder is a link, or leads through one there",
			`assert(not host.linked("/none", "/none/a/b"))`,
			func(c call) int {
				return c.give(lua.LBool(ruleindex.Linked(rulesPayer{c.LState}, c.text(1), c.text(2))))
			},
		},
		function{
			"there", "(path: string): boolean",
			"whether anything is at an absolute path",
			`assert(host.there("/") and not host.there("/none/a"))`,
			func(c call) int {
				luabind.Spend(c.LState, 500)
				_, err := os.Lstat(filepath.FromSlash(c.text(1)))
				return c.give(lua.LBool(err == nil))
			},
		},
		function{
			"below", "(dir: string): string[]",
			"the files of a folder, and of the folders directly in it, as paths from there; at most 500 of them, and none if there is no such folder",
			`assert(#host.below("/none/a") == 0)`,
			func(c call) int {
				luabind.Spend(c.LState, 20_000)
				names := filesBelow(filepath.FromSlash(c.text(1)))
				for _, name := range names {
					c.allocateParts(len(name) + 16)
				}
				return c.giveTexts(names)
			},
		},
		function{
			"kept", "(path: string, pattern?: boolean): string",
			`what would be lost with the file or folder at an absolute path, or with what matches if its last element is a pattern: "absent" if there is nothing, "kept" if git has all of it as it is, else "lost". It reads git's index and runs no git`,
			`assert(host.kept("/none/a") == "absent")`,
			func(c call) int {
				luabind.Spend(c.LState, 100_000) // it may read some megabytes, in some milliseconds
				return c.giveText(string(gitindex.Of(filepath.FromSlash(c.text(1)), c.GetTop() > 1 && lua.LVAsBool(c.Get(2)))))
			},
		},
	)
	text := func(name, help, value string) {
		m.Constants = append(m.Constants, luabind.Constant{Name: name, Type: "string?", Help: help, Value: func(*lua.LState) lua.LValue {
			if value == "" {
				return lua.LFalse
			}
			return lua.LString(filepath.ToSlash(value))
		}})
	}
	text("home", "the user's home folder, or false", h.Home)
	text("root", "the project's root, or false", h.Root)
	text("base", "where relative paths of the options start: the project's root, or false", cmp.Or(h.Base, h.Root))
	text("state", "the folder of what luahook remembers, or false", h.State)
	text("config", "the folder of the user's configuration, or false", h.Config)
	text("managed", "the folder of the machine's configuration, or false", h.Managed)
	texts := func(name, help string, values []string) {
		m.Constants = append(m.Constants, luabind.Constant{Name: name, Type: "string[]", Help: help, Value: func(L *lua.LState) lua.LValue {
			list := L.CreateTable(len(values), 0)
			for _, value := range values {
				list.Append(lua.LString(filepath.ToSlash(value)))
			}
			return list
		}})
	}
	texts("around", "the roots of the projects that this one lies in", h.Around)
	texts("hooks", "the hooks folders of this project and of those around it", h.Hooks)
	texts("rooted", "the roots of the projects that have these", h.Rooted)
	texts("temp", "folders for temporary files", h.Temp)
	return m
}

func branchState(c call) int {
	dir, branch := c.text(1), c.text(2)
	luabind.Spend(c.LState, 5000)
	state := gitfolder.Unknown
	if f := gitfolder.Find(filepath.FromSlash(dir)); f != nil && len(branch) <= maxPath {
		state = f.Branch(branch)
	}
	if state == gitfolder.Unknown {
		return c.give(lua.LNil)
	}
	return c.giveText(string(state))
}

// maxSettings bounds how many settings of git a script is given.
const maxSettings = 1000

var storedPart = part{what: "a setting of git's configuration", fields: []string{"part", "name", "value"}}

func gitSettings(c call, home string) int {
	dir, section := c.text(1), c.text(2)
	luabind.Spend(c.LState, 5000)
	settings := gitfolder.Settings(gitfolder.Find(filepath.FromSlash(dir)), home, section)
	if len(settings) > maxSettings { // those of the repository come last
		settings = settings[len(settings)-maxSettings:]
	}
	size := 0
	for _, s := range settings {
		size += len(s.Part) + len(s.Name) + len(s.Value)
	}
	c.charge(size)
	c.allocateParts(200*len(settings) + size)
	return c.give(c.parts(len(settings), storedPart, func(i int, t *lua.LTable) {
		s := settings[i]
		storedPart.fill(t, lua.LString(s.Part), lua.LString(s.Name), lua.LString(s.Value))
	}))
}

// inWorktree looks for the nearest .git at or above a folder. It reads no more of it than
// a path can be long.
func inWorktree(dir string) bool {
	if !filepath.IsAbs(dir) {
		return false
	}
	for dir = filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		name := filepath.Join(dir, ".git")
		info, err := os.Lstat(name)
		switch {
		case err != nil && filepath.Dir(dir) == dir:
			return false
		case err != nil:
			continue
		case !info.Mode().IsRegular():
			return false
		}
		text, err := openfile.Read(name, 4096)
		target, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir:")
		return err == nil && ok && filepath.Base(filepath.Dir(strings.TrimSpace(target))) == "worktrees"
	}
}

// maxBelow bounds what is looked at in a folder and in those in it.
const maxBelow = 500

// filesBelow lists the files of a folder and of those directly in it.
func filesBelow(dir string) (names []string) {
	left := maxBelow
	list := func(inside string) (found []os.DirEntry) {
		if left <= 0 {
			return nil
		}
		f, err := openfile.Folder(filepath.Join(dir, inside))
		if err != nil {
			return nil
		}
		defer f.Close()
		found, _ = f.ReadDir(left) // what can be read
		left -= len(found)
		return found
	}
	for _, entry := range list("") {
		if !entry.IsDir() {
			names = append(names, entry.Name())
			continue
		}
		for _, deeper := range list(entry.Name()) {
			if !deeper.IsDir() {
				names = append(names, entry.Name()+"/"+deeper.Name())
			}
		}
	}
	return names
}

// maxLinks bounds how many links that lead to nothing are followed one after the other.
const maxLinks = 40

// Real is where a file lies once links are followed, with slashes: below the root as that is
// spelled. The file need not be there yet. One that isn't absolute is given back.
func Real(root, file string) string {
	if !filepath.IsAbs(file) {
		return file
	}
	real := followed(filepath.FromSlash(file), maxLinks)
	if realRoot, err := filepath.EvalSymlinks(root); root != "" && err == nil {
		if place, err := filepath.Rel(realRoot, real); err == nil && filepath.IsLocal(place) {
			real = filepath.Join(root, place)
		}
	}
	return filepath.ToSlash(real)
}

// followed is a path without links, also where what they lead to isn't there.
func followed(file string, links int) string {
	for at, rest := file, ""; ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		if to, err := os.Readlink(at); err == nil && links > 0 {
			if !filepath.IsAbs(to) {
				to = filepath.Join(followed(filepath.Dir(at), links-1), to)
			}
			return followed(filepath.Join(to, rest), links-1)
		}
		if at == filepath.Dir(at) {
			return file
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}

// Block is what a built-in hook is about to answer, and by which of its rules.
type Block struct {
	Rule     string
	Class    string // of the rule
	Decision hooks.Decision
	Reason   string
}

// Overrider knows whether a person has lifted a block of the event that is being judged. It
// may be asked by a call that has outlasted its run.
type Overrider interface {
	// Override gives what should be said instead of the block, or "" where it stands.
	Override(ctx context.Context, b Block) string
}

// OverriderKey is the key by which the context of a run has its [Overrider]; a run without
// one has nothing lifted.
type OverriderKey struct{}

// PassesModule is a module for built-in hooks alone: what a person has said about the
// blocks of a guard is no business of other scripts.
func PassesModule() luabind.Module {
	return module("passes", "what a person has said about calls that were blocked; only built-in hooks have it",
		function{
			"lifts", "(block: {rule: string, class: string, decision: string, reason: string}): string|nil",
			"to be asked right before a deny or an ask: what to say in its place where a person has lifted it; else nil, and the call is remembered as blocked. Blocks of class self are never lifted",
			`assert(passes.lifts({ rule = "git.push-force", class = "git", decision = "deny", reason = "it overwrites what others have pushed" }) == nil)`,
			lifts,
		})
}

func lifts(c call) int {
	b := c.block(1)
	note := luabind.Wait(c.LState, "passes.lifts", func(ctx context.Context) string {
		if overrider, ok := ctx.Value(OverriderKey{}).(Overrider); ok {
			return overrider.Override(ctx, b)
		}
		return ""
	})
	if note == "" {
		return c.give(lua.LNil)
	}
	c.allocate(len(note))
	return c.giveText(note)
}

// block reads the argument, which has to say all that there is to say.
func (c call) block(n int) (b Block) {
	var decision string
	parts := map[string]*string{"rule": &b.Rule, "class": &b.Class, "decision": &decision, "reason": &b.Reason}
	var known []string
	for name := range parts {
		known = append(known, name)
	}
	sort.Strings(known)
	luabind.Each(c.LState, c.table(n), func(key, value lua.LValue) {
		name, text := luabind.RawText(key), ""
		part, ok := parts[name]
		if !ok {
			c.bad(n, fmt.Sprintf("it has %q, which isn't asked for%s", cut(name, 100), spelling.DidYouMean(name, known)))
		}
		if s, ok := value.(lua.LString); ok {
			text = string(s)
		}
		*part = text
	})
	for _, name := range known {
		if *parts[name] == "" {
			c.bad(n, name+" expected, a text")
		}
	}
	b.Decision = hooks.Decision(decision)
	if b.Decision != hooks.Deny && b.Decision != hooks.Ask {
		c.bad(n, fmt.Sprintf("decision is %q, want deny or ask", cut(decision, 100)))
	}
	return b
}

// Note is what a built-in hook has for the decision log.
type Note struct {
	Kind string // "error"
	Text string
	Data map[string]any // or nil
}

// Notes is the decision log. Several goroutines may use it, also a call that has outlasted
// its run.
type Notes interface {
	// Note writes a note about an event, without the secrets that it finds in it. A
	// warning is what to tell where that failed, and hasn't been told yet.
	Note(ctx context.Context, event *hooks.Context, n Note) (warning string)
}

// AuditModule is a module for built-in hooks alone: other scripts could fill the log, or
// write what looks like a decision.
func AuditModule() luabind.Module {
	return module("audit", "notes for the decision log; only built-in hooks have it",
		function{
			"note", "(note: {kind: string, text?: string, data?: table})",
			"writes a note about the event of the hook, without the secrets that it finds in it, also where decisions aren't recorded; where there is no log, or it can't be written, the hook goes on, with a warning",
			`audit.note({ kind = "error", text = "go test failed", data = { failures = 3 } })`,
			auditNote,
		})
}

func auditNote(c call) int {
	n := c.note(1)
	notes, event := c.services().Notes, luabind.EventOf(c.LState)
	if notes == nil {
		return 0
	}
	if event == nil {
		c.fail("the script is loading, and there is no event to note anything about; use it within a hook")
	}
	if c.judging() != nil {
		return 0
	}
	bytes := len(n.Text) + bytesOf(n.Data)
	c.charge(4 * bytes)
	c.redactable(bytes)
	warning := luabind.Wait(c.LState, "audit.note", func(ctx context.Context) string { return notes.Note(ctx, event, n) })
	if warning != "" {
		luabind.Warn(c.LState, warning)
	}
	return 0
}

var noteKeys = []string{"data", "kind", "text"}

// note reads the argument, strictly.
func (c call) note(n int) (note Note) {
	text := func(key string, v lua.LValue) string {
		s, ok := v.(lua.LString)
		if !ok {
			c.bad(n, key+": string expected, got "+v.Type().String())
		}
		return string(s)
	}
	luabind.Each(c.LState, c.table(n), func(key, v lua.LValue) {
		switch name := luabind.RawText(key); name {
		case "kind":
			note.Kind = text(name, v)
		case "text":
			note.Text = text(name, v)
		case "data":
			plain, err := luabind.FromLua(c.LState, v)
			if err != nil {
				c.bad(n, "data: "+err.Error())
			}
			data, ok := plain.(map[string]any)
			if list, empty := plain.([]any); empty && len(list) == 0 {
				data, ok = map[string]any{}, true
			}
			if !ok {
				c.bad(n, "data: a table with names expected, got "+v.Type().String())
			}
			note.Data = data
		default:
			c.bad(n, fmt.Sprintf("it has %q, which isn't asked for%s", cut(name, 100), spelling.DidYouMean(name, noteKeys)))
		}
	})
	if note.Kind == "" {
		c.bad(n, "kind expected, a text")
	}
	return note
}
