package excerpt

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"sync"

	"github.com/luahook/luahook/internal/regex"
)

// Group describes lines that are worth keeping, by regular expressions (RE2) that are
// tried on one line at a time. A pattern needs a text of at least two bytes that each of
// its matches has; the beginning of a line counts as one byte.
type Group struct {
	Name     string
	Patterns []string
	Except   []string // lines that one of these matches aren't meant
	Before   int      // lines that are kept before a match, where there is room
	After    int      // lines that are kept after it, where there is room
	Through  string   // if not empty: of those after it only the first and then those that this matches, up to one that it doesn't
}

// Bounds of what snippets are described by.
const (
	MaxGroups   = 16
	MaxPatterns = 500  // of all groups
	MaxPattern  = 1000 // bytes of one, and of a group's name

	maxWork        = 1 << 18 // of reading one, as regex.Work tells it
	maxProgram     = 2000    // instructions of one, as regex.Size estimates them
	maxPrograms    = 40_000  // of all
	maxContext     = 200     // lines before or after a match
	maxLiterals    = 32      // alternatives of one pattern that are looked for
	minLiteral     = 2
	maxLiteralSize = 64
)

// Snippets describe the lines worth keeping, ready to be looked for. They are immutable
// and may be used by several goroutines at once.
type Snippets struct {
	groups   []group
	patterns []pattern // of all groups
	machine  machine   // finds the literals of the patterns
}

type group struct {
	Group
	except  []*expression
	through *expression
}

// pattern is one pattern of a group.
type pattern struct {
	group  int
	plain  *plain // if the literal is all of it
	regexp *expression
}

// expression is a regular expression that is compiled when it is first needed.
type expression struct {
	source  string
	size    int
	compile func() *regexp.Regexp
}

func (e *expression) find(s string) []int { return e.compile().FindStringIndex(s) }

// NewSnippets makes ready what is to be looked for, the most important group first. It
// tells spend how much it is about to work, in units of a few nanoseconds, and allocate
// about how many bytes it is about to take; both may panic to stop it. The error names the
// pattern that can't be used.
func NewSnippets(groups []Group, spend, allocate func(n int)) (*Snippets, error) {
	if len(groups) > MaxGroups {
		return nil, fmt.Errorf("%d groups are too many, there may be %d", len(groups), MaxGroups)
	}
	s := &Snippets{}
	var texts trie
	size := 0
	parsed := func(source string) (*expression, *syntax.Regexp, error) {
		e, tree, err := parse(source, spend)
		if err != nil {
			return nil, nil, fmt.Errorf("pattern %q: %w", short(source), err)
		}
		if size += e.size; size > maxPrograms {
			return nil, nil, fmt.Errorf("pattern %q: all patterns together are too large", short(source))
		}
		return e, tree, nil
	}
	for i, given := range groups {
		if given.Before < 0 || given.After < 0 || given.Before > maxContext || given.After > maxContext {
			return nil, fmt.Errorf("group %q: before and after are 0 to %d lines", given.Name, maxContext)
		}
		g := group{Group: given}
		for _, source := range given.Patterns {
			e, tree, err := parsed(source)
			if err != nil {
				return nil, err
			}
			if len(s.patterns) == MaxPatterns {
				return nil, fmt.Errorf("there are more than %d patterns", MaxPatterns)
			}
			p := pattern{group: i, plain: plainOf(tree), regexp: e}
			literals := literalsOf(tree)
			if literals == nil {
				return nil, fmt.Errorf("pattern %q has no text of %d bytes that each match must have; add one", short(source), minLiteral)
			}
			for _, l := range literals {
				allocate(nodeBytes * len(l))
				if !texts.add(l, len(s.patterns)) {
					return nil, fmt.Errorf("pattern %q: all patterns together are too large", short(source))
				}
			}
			s.patterns = append(s.patterns, p)
		}
		for _, source := range given.Except {
			e, _, err := parsed(source)
			if err != nil {
				return nil, err
			}
			g.except = append(g.except, e)
		}
		if given.Through != "" {
			e, _, err := parsed(given.Through)
			if err != nil {
				return nil, err
			}
			g.through = e
		}
		s.groups = append(s.groups, g)
	}
	allocate(4 * texts.cells())
	s.machine = texts.machine()
	return s, nil
}

// parse reads a pattern and puts off compiling it.
func parse(source string, spend func(units int)) (*expression, *syntax.Regexp, error) {
	if len(source) > MaxPattern {
		return nil, nil, fmt.Errorf("it is longer than %d bytes", MaxPattern)
	}
	tree, size, err := regex.Parse(source, regex.Limits{Work: maxWork, Size: maxProgram}, func(work, _ int) error {
		spend(work)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return &expression{source: source, size: size, compile: sync.OnceValue(func() *regexp.Regexp {
		re, err := regexp.Compile(source)
		if err != nil { // it was parsed above
			return regexp.MustCompile(`[^\x00-\x{10FFFF}]`)
		}
		return re
	})}, tree, nil
}

func short(s string) string {
	if len(s) > 100 {
		return s[:runeStart(s, 100)] + "..."
	}
	return s
}
