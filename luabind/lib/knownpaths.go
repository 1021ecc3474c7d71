package lib

import (
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/luabind"
)

// knownPaths are paths that somebody guards, in elements: from the root on, or anywhere.
type knownPaths struct {
	rooted, anywhere [][]string
}

func newKnownPaths(list []string) *knownPaths {
	known := &knownPaths{}
	for _, p := range list {
		if elements := strings.Split(strings.TrimPrefix(p, "/"), "/"); isAbs(p) {
			known.rooted = append(known.rooted, elements)
		} else {
			known.anywhere = append(known.anywhere, elements)
		}
	}
	return known
}

// maxMeant is the most paths that one path stands for.
const maxMeant = 1 << 10

// meant returns the paths that a path with patterns of a shell may stand for, each with the elements of known
// paths in the place of patterns. A path that is known anywhere must be said by one of the elements, and isn't
// meant by a last "*", which is all in a folder. pay is called before work, in some nanoseconds, and before bytes
// are taken.
func (k *knownPaths) meant(target string, pay func(work, bytes int)) []string {
	absolute := strings.HasPrefix(target, "/")
	pay(2+len(target)/16, 64+16*strings.Count(target, "/"))
	elements := strings.Split(strings.TrimPrefix(target, "/"), "/")
	places := [][]string{elements}
	if absolute || drive(target) != "" {
		for _, path := range k.rooted {
			if standsFor(elements, path, true, pay) {
				places = append(places, replaced(elements, 0, path, pay))
			}
		}
	}
	var texts []string
	seen := map[string]bool{target: true}
	add := func(elements []string) {
		pay(1, 200+2*len(target)+2*maxPatternGrowth)
		text := strings.Join(elements, "/")
		if absolute {
			text = "/" + text
		}
		if !seen[text] && len(texts) < maxMeant {
			seen[text] = true
			texts = append(texts, text)
		}
	}
	for _, place := range places {
		add(place)
		for at := range place {
			if !slices.ContainsFunc(place[at:], isShellPattern) {
				break
			}
			for _, path := range k.anywhere {
				if standsFor(place[at:], path, false, pay) {
					add(replaced(place, at, path, pay))
				}
			}
		}
	}
	return texts
}

// maxPatternGrowth is about how much longer a known path is than the patterns that stand for it.
const maxPatternGrowth = 100

func isShellPattern(element string) bool { return strings.ContainsAny(element, "*?[(") }

// standsFor reports whether the elements begin with a known path, or with patterns that may stand for it, or are
// such patterns for a folder that it is in.
func standsFor(elements, path []string, rooted bool, pay func(work, bytes int)) bool {
	patterns, said := false, rooted
	for i, name := range path[:min(len(path), len(elements))] {
		element := elements[i]
		switch {
		case strings.EqualFold(element, name):
			said = true
		case !isShellPattern(element), !rooted && i == len(elements)-1 && strings.Trim(element, "*") == "":
			pay(1, 0)
			return false
		default:
			pay(4+len(element)*len(name)*(1+strings.Count(element, "["))/16, 2*len(element))
			may, says := shell.StandsFor(element, name)
			if !may || name[0] == '.' && !says { // a shell skips these
				return false
			}
			patterns, said = true, said || says
		}
	}
	return patterns && said
}

// replaced returns the elements with those of a known path from one on.
func replaced(elements []string, at int, path []string, pay func(work, bytes int)) []string {
	pay(len(elements)/8, 16*len(elements))
	list := slices.Clone(elements)
	copy(list[at:], path)
	return list
}

// knownPathsOf reads the list of patterns.paths.
func knownPathsOf(c call) int {
	list := c.textList(1)
	size := 0
	for _, p := range list {
		size += len(p) + 40
	}
	c.charge(size)
	c.allocateParts(2 * size)
	return c.give(&lua.LUserData{Value: newKnownPaths(list), Metatable: knownPathsMeta(c.LState)})
}

// knownPathsMeta is the metatable of such lists in a state. It hangs in the registry, which scripts can't reach.
func knownPathsMeta(L *lua.LState) *lua.LTable {
	meta := L.NewTypeMetatable("luahook.paths")
	if meta.RawGetString("__index") != lua.LNil {
		return meta
	}
	methods := L.CreateTable(0, 1)
	methods.RawSetString("meant", L.NewFunction(func(L *lua.LState) int {
		c := call{LState: L, module: "patterns", name: "meant", method: true}
		if u, _ := L.Get(1).(*lua.LUserData); u != nil {
			if known, ok := u.Value.(*knownPaths); ok {
				target := c.text(2)
				if len(target) > maxPath {
					c.fail("the path is longer than a path can be")
				}
				return c.giveTexts(known.meant(target, func(work, bytes int) {
					luabind.Spend(c.LState, work)
					c.allocateParts(bytes)
				}))
			}
		}
		c.RaiseError("call meant of a list of patterns.paths with a colon: paths:meant(path)")
		return 0
	}))
	meta.RawSetString("__index", methods)
	meta.RawSetString("__metatable", lua.LString("paths"))
	return meta
}
