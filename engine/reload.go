package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/luahook/luahook/engine/trust"
	"github.com/luahook/luahook/hooks"
)

// breaks tells whether a file is at fault here that was not in old, and old may stay in
// force for that. It may not where the files of a higher scope have changed, or the
// trust in a project: a lower scope would keep that from taking effect.
func (l *loaded) breaks(old *loaded) bool {
	known := map[string]bool{}
	for _, f := range old.faults {
		for _, name := range f.files() {
			known[name] = true
		}
	}
	breaks, highest := false, hooks.ScopeProject
	for _, f := range l.faults {
		for _, name := range f.files() {
			if !known[name] {
				breaks = true
				if f.scope.Rank() < highest.Rank() {
					highest = f.scope
				}
			}
		}
	}
	if !breaks || l.trust != old.trust {
		return false
	}
	for scope, content := range l.content {
		if scope.Rank() < highest.Rank() && content != old.content[scope] {
			return false
		}
	}
	return true
}

// note takes down what a folder holds and how far it is trusted; standing is nil where
// its hooks are switched off.
func (l *loaded) note(c *folderContent, s *standing) {
	if l.content == nil {
		l.content = map[hooks.Scope]string{}
	}
	scope := c.folder.scope
	l.content[scope] = trust.Hash([]byte(l.content[scope] + c.sum()))
	if c.folder.confined && s != nil {
		pin, _ := json.Marshal(s.pin) // texts and a time: there is nothing to fail
		l.trust = trust.Hash(append([]byte(l.trust), pin...))
	}
}

// sum is a hash of all that was read, and of where.
func (c *folderContent) sum() string {
	h := sha256.New()
	add := func(parts ...string) {
		for _, p := range parts {
			fmt.Fprintf(h, "%d %s\n", len(p), p)
		}
	}
	add(c.path, string(c.text))
	for _, f := range c.scripts {
		add(f.path, f.source)
	}
	for _, name := range slices.Sorted(maps.Keys(c.libraries)) {
		add(name, c.libraries[name].source)
	}
	for _, path := range slices.Sorted(maps.Keys(c.room.read)) {
		add(path, c.room.read[path].source)
	}
	return hex.EncodeToString(h.Sum(nil))
}
