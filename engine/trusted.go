package engine

import (
	"os"
	"path/filepath"
	"time"

	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/engine/internal/trust"
)

// TrustedProject is what the user has trusted once.
type TrustedProject struct {
	Root  string // of the project
	Hooks string // its hooks folder, a slash path below Root
	Since time.Time
	Files int // how many are pinned; 0 where the folder is trusted whatever it holds

	// Standing is StandingTrusted or StandingChanged, by what the files hold now;
	// StandingFolder, or StandingGone where there is no such hooks folder any more.
	Standing Standing
	Why      error // why a project that has changed can't be looked at; usually nil
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
		p.Standing = StandingGone
		return
	}
	if pin.Folder {
		p.Standing = StandingFolder
		return
	}
	p.Standing = StandingChanged
	c, err := Project{Root: pin.Root, Hooks: dir, Refused: source.RefuseFolder(info)}.content()
	if err != nil {
		p.Why = err
		return
	}
	s := &Survey{Hooks: pin.Hooks}
	if s.inventory, p.Why = trust.TakeInventory(c, pin); p.Why == nil {
		s.compare(pin)
		p.Standing = s.Standing
	}
}

// RevokeTrust takes back the trust in a project, and tells whether there was any: in the
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
