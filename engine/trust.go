package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/engine/internal/trust"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/misuse"
)

// TrustState is how far a project is trusted.
type TrustState string

// The standings of a project.
const (
	ProjectUntrusted     TrustState = "untrusted" // it never was, or that was taken back
	ProjectTrusted       TrustState = "trusted"   // all of it is as it was when it was trusted
	ProjectChanged       TrustState = "changed"   // something of it isn't
	ProjectFolderTrusted TrustState = "folder"    // it is trusted whatever it holds
	ProjectGone          TrustState = "gone"      // it was trusted, and is no longer there
)

// Survey is what a person sees of a project before trusting it: what its hooks are and
// what they ask for. Everything in it comes from the project, so from a stranger.
type Survey struct {
	Root       string // of the project
	Hooks      string // its hooks folder, a slash path below Root
	State      TrustState
	Since      time.Time       // when it was trusted; zero: it isn't
	Disabled   bool            // hooks.yaml switches all of it off
	Handlers   []SurveyedHook  // that would run
	Grants     []SurveyedGrant // that it asks for
	Files      []SurveyedFile  // what trusting it pins, by path, and what an earlier pin held beside
	LoadErrors []error         // why it doesn't load; it can't be trusted then
	Unfit      error           // why its files can't be pinned; only the folder as such can be trusted then

	store     *trust.Store
	inventory trust.Inventory
}

// SurveyedHook is one hook of a surveyed project.
type SurveyedHook struct {
	Event   hooks.Event
	Name    string
	Handler hooks.Handler
	Options hooks.Options // when it runs, and how
	Source  string        // file:line
	Command string        // of a command: the shell text, the program, or the script that is run
	Args    []string      // of a command: nil where Command goes to the shell or is a script
	Names   []string      // of a command: the files of the project that it names
}

// SurveyedGrant is what a hooks.yaml asks for.
type SurveyedGrant struct {
	Source string // hooks.yaml, for all scripts, or file:line of one entry
	Grants hooks.Grants
}

// FileState is what became of a file since it was trusted.
type FileState string

// The states of a file.
const (
	FileSame    FileState = "same"
	FileNew     FileState = "new" // or nothing is trusted yet
	FileChanged FileState = "changed"
	FileRemoved FileState = "removed" // it was pinned, and isn't there or isn't named any more
)

// SurveyedFile is one file of a surveyed project.
type SurveyedFile struct {
	Path    string // a slash path below the root
	Hash    string // SHA-256 in hexadecimal digits; "" of a removed one
	State   FileState
	Outside string // where it leads, of a link out of the project: the place is pinned, not what it holds
}

// SurveyProject looks at a project for a person who is to trust it. Nothing of it runs
// but the Lua scripts' registration, in the sandbox and with no capability. trustFile is
// that of [WithTrust]. The error is for a project that has no hooks or whose hooks folder
// may not be used at all, and for a trustFile that can't be read.
func SurveyProject(p Project, trustFile string) (*Survey, error) {
	if trustFile == "" {
		return nil, errors.New("there is no file to keep trust in: neither XDG_STATE_HOME nor the home folder is known")
	}
	c, err := p.content()
	if err != nil {
		return nil, err
	}
	s := &Survey{
		Root: c.Folder.Root, Hooks: source.Below(c.Folder.Root, c.Folder.Dir), Disabled: c.Config.Disabled,
		store: trust.NewStore(trustFile),
	}
	if s.Hooks == "" {
		return nil, trust.OutsideError(c.Folder)
	}
	if err := trust.CheckFile(trustFile, c.Folder); err != nil {
		return nil, err
	}
	pin, err := s.store.Get(s.Root, s.Hooks)
	if err != nil {
		return nil, err
	}
	all, err := trust.TakeInventory(c, pin)
	s.inventory, s.Unfit = all, err
	s.compare(pin)
	s.load(context.Background(), c)
	return s, nil
}

// Trust pins what was surveyed: that, and not what the files hold by now. With folder,
// the project is trusted whatever it holds, now and later. A project that doesn't load
// can't be trusted.
func (s *Survey) Trust(folder bool) error {
	switch {
	case s == nil || s.store == nil:
		return misuse.NotMade("engine.SurveyProject")
	case len(s.LoadErrors) > 0:
		return fmt.Errorf("a project that doesn't load can't be trusted: %w", s.LoadErrors[0])
	case folder:
		return s.store.Put(trust.Pin{Root: s.Root, Hooks: s.Hooks, Folder: true})
	case s.Unfit != nil:
		return fmt.Errorf("its files can't be pinned: %w", s.Unfit)
	}
	return s.store.Put(trust.Pin{Root: s.Root, Hooks: s.Hooks, Files: s.inventory.Files})
}

// content reads the hooks of a project as an engine would.
func (p Project) content() (*source.Content, error) {
	var o options
	outer := p.Around
	p.Around = nil // each is trusted by itself
	if err := WithProject(p)(&o); err != nil {
		return nil, err
	}
	f := o.folders[0]
	if f.Refused != nil {
		return nil, fmt.Errorf("%s: %w", f.Dir, f.Refused)
	}
	switch info, err := os.Stat(f.Dir); {
	case errors.Is(err, fs.ErrNotExist):
		for ; outer != nil; outer = outer.Around {
			if outer.Hooks != "" {
				return nil, fmt.Errorf("the project %s has no hooks of its own, only those of %s, which it lies in; name that as PATH to see them", f.Root, filepath.Dir(outer.Hooks))
			}
		}
		return nil, fmt.Errorf("the project %s has no hooks: there is no folder %s", f.Root, filepath.Base(f.Dir))
	case err != nil:
		return nil, fmt.Errorf("%s can't be read: %w", f.Dir, source.Cause(err))
	case !info.IsDir():
		return nil, fmt.Errorf("%s is no folder", f.Dir)
	}
	return f.Read(source.NewBudget(source.OwnBudget)), nil
}

// compare fills in the state of the project and those of the files.
func (s *Survey) compare(pin *trust.Pin) {
	if pin != nil {
		s.Since = pin.At
	}
	state, files := s.inventory.Compare(pin, s.Unfit != nil)
	s.State = TrustState(state)
	for _, f := range files {
		s.Files = append(s.Files, SurveyedFile{Path: f.Path, Hash: f.Hash, State: FileState(f.State), Outside: f.Outside})
	}
}

// load lists the hooks, and what keeps them from loading.
func (s *Survey) load(ctx context.Context, c *source.Content) {
	e := newEngine(defaultOptions()) // never fires
	r := e.newLoader(ctx)
	r.contents = []*source.Content{c}
	r.folder(c)
	defer r.result.retire(e.pool)
	for _, bad := range c.Errors {
		s.LoadErrors = append(s.LoadErrors, bad.Err)
	}
	for _, f := range r.result.loadErrors {
		s.LoadErrors = append(s.LoadErrors, f.err)
	}
	for _, entry := range r.result.hooks {
		if entry.handler == hooks.HandlerLua && !entry.options.Disabled {
			s.Handlers = append(s.Handlers, SurveyedHook{Event: entry.event, Name: entry.options.Name, Handler: entry.handler, Options: entry.options, Source: entry.source})
		}
	}
	ask := func(source string, g hooks.Grants) {
		if !g.None() {
			s.Grants = append(s.Grants, SurveyedGrant{source, g})
		}
	}
	ask(c.Folder.Display(c.Path), c.Config.Grants)
	for _, h := range c.Hooks {
		if h.Options.Disabled {
			continue
		}
		ask(h.Source, h.Grants)
		if h.IsCommand() {
			s.Handlers = append(s.Handlers, SurveyedHook{
				Event: h.Event, Name: cmp.Or(h.Options.Name, commandName(h)), Handler: hooks.HandlerCommand, Options: h.Options, Source: h.Source,
				Command: cmp.Or(h.Command, h.Script), Args: h.Args, Names: s.inventory.CommandFiles[h],
			})
		}
	}
}

// TrustedProject is what the user has trusted once.
type TrustedProject struct {
	Root  string // of the project
	Hooks string // its hooks folder, a slash path below Root
	Since time.Time
	Files int // how many are pinned; 0 where the folder is trusted whatever it holds

	// State is ProjectTrusted or ProjectChanged, by what the files hold now;
	// ProjectFolderTrusted, or ProjectGone where there is no such hooks folder any more.
	State TrustState
	Why   error // why a project that has changed can't be looked at; usually nil
}

// TrustedProjects lists what the user has trusted, in the order of the roots, and looks
// at what became of it. Nothing of the projects runs.
func TrustedProjects(trustFile string) ([]TrustedProject, error) {
	pins, err := trust.NewStore(trustFile).List()
	if err != nil {
		return nil, err
	}
	list := make([]TrustedProject, 0, len(pins))
	for _, pin := range pins {
		p := TrustedProject{Root: pin.Root, Hooks: pin.Hooks, Since: pin.At, Files: len(pin.Files)}
		p.look(&pin)
		list = append(list, p)
	}
	return list, nil
}

// look fills in what became of the project.
func (p *TrustedProject) look(pin *trust.Pin) {
	dir := filepath.Join(pin.Root, filepath.FromSlash(pin.Hooks))
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		p.State = ProjectGone
		return
	}
	if pin.Folder {
		p.State = ProjectFolderTrusted
		return
	}
	p.State = ProjectChanged
	c, err := Project{Root: pin.Root, Hooks: dir, Refused: source.RefuseFolder(info)}.content()
	if err != nil {
		p.Why = err
		return
	}
	s := &Survey{Hooks: pin.Hooks}
	if s.inventory, p.Why = trust.TakeInventory(c, pin); p.Why == nil {
		s.compare(pin)
		p.State = s.State
	}
}

// RevokeTrust takes back the trust in a project, and reports whether there was any: in the
// hooks folder p.Hooks, or in all hooks folders below p.Root where that is "". A project
// that was trusted as a folder isn't any more.
func RevokeTrust(p Project, trustFile string) (bool, error) {
	root, err := filepath.Abs(p.Root)
	if err != nil {
		return false, err
	}
	folder := ""
	if p.Hooks != "" {
		dir, err := filepath.Abs(p.Hooks)
		if err != nil {
			return false, err
		}
		if folder = source.Below(root, dir); folder == "" { // which is never trusted
			return false, nil
		}
	}
	return trust.NewStore(trustFile).Remove(root, folder)
}
