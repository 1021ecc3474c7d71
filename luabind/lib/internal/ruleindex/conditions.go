package ruleindex

import (
	"slices"
	"strings"

	"github.com/luahook/luahook/analysis/shell"
)

// nameTags are the tags of rules that are about a name, of a program or of git with a subcommand.
type nameTags struct {
	own  bool      // rules have the name itself as a tag
	only []onlyTag // of rules for those of that name with something else
}

// onlyTag is the tag of rules for commands that meet a condition.
type onlyTag struct {
	holds func(s *subject) bool
	tag   string
}

// subject is a command whose tags are looked for. line is what is known of its line, nil for nothing.
type subject struct {
	*shell.Command
	line    *Line
	git     *shell.Git
	gitRead bool
}

func (s *subject) gitFacts() *shell.Git {
	if !s.gitRead {
		s.git, s.gitRead = s.Git(), true
	}
	return s.git
}

// conditions are what rules can ask for besides a name; rulebook.lua says of each what it is. Where
// nobody knows, a condition holds.
var conditions = []struct {
	name  string
	holds func(s *subject) bool
}{
	{"told", func(s *subject) bool { return len(s.Told) > 0 }},
	{"fed", isFed},
	{"sends", func(s *subject) bool {
		return isFed(s) || len(s.Via) > 0 || s.anyArg(namesFile)
	}},
	{"script", func(s *subject) bool { return isFed(s) || s.anyArg(isScript) }},
	{"module", func(s *subject) bool { return s.anyArg(func(text string) bool { return text == "-m" }) }},
	{"links", func(s *subject) bool {
		return s.anyArg(func(text string) bool { return strings.HasPrefix(text, "-") && strings.ContainsAny(text, "ls") })
	}},
	{"address", func(s *subject) bool {
		return s.anyArg(func(text string) bool { return strings.ContainsAny(text, ":/") })
	}},
	{"share", func(s *subject) bool {
		return slices.ContainsFunc(s.Args, func(arg shell.Word) bool { return isShare(arg.Text) })
	}},
	{"run", func(s *subject) bool { return s.Parent != nil || len(s.Via) > 0 }},
	{"pushed", func(s *subject) bool { return s.line.pushes() }},
	{"loses", func(s *subject) bool { return mayLose(s.gitFacts()) }},
	{"unhooked", func(s *subject) bool {
		g := s.gitFacts()
		return g == nil || g.SkipsHooks || g.Stored != nil
	}},
}

// mayLose reports whether a git command loses something, is forced to do what it does, or pushes without saying what.
func mayLose(g *shell.Git) bool {
	if g == nil || g.DiscardsChanges || g.RewritesHistory || g.DeletesRefs || g.Force {
		return true
	}
	if (g.Subcommand == "push" || g.Subcommand == "send-pack") && len(g.Refspecs) == 0 {
		return true
	}
	return slices.ContainsFunc(g.Refspecs, func(r shell.Refspec) bool { return r.Force })
}

// isShare reports whether a word is a folder that another machine of a network shares: \\server\share.
func isShare(text string) bool {
	return strings.HasPrefix(text, "//") && !strings.HasPrefix(text, "//?/") || strings.HasPrefix(text, `\\`) && !strings.HasPrefix(text, `\\?\`)
}

func isFed(s *subject) bool { return len(s.Told) > 0 || s.Input != nil || len(s.Redirects) > 0 }

// anyArg reports whether an argument is of some kind, or may be.
func (s *subject) anyArg(is func(text string) bool) bool {
	return slices.ContainsFunc(s.Args, func(arg shell.Word) bool { return arg.Dynamic || is(arg.Text) })
}

// namesFile reports whether a word may have a program that downloads send a file, too: @a, file:///a, -T and -sT, --post-file and
// what it may be shortened to, a file of options.
func namesFile(text string) bool {
	option, long := strings.CutPrefix(text, "--")
	switch {
	case strings.ContainsAny(text, "@<"), strings.Contains(strings.ToLower(text), "file:"):
		return true
	case long:
		return option != "" && strings.ContainsAny(option[:1], "bcpu")
	}
	return strings.HasPrefix(text, "-") && strings.ContainsAny(text, "KT")
}

// isScript reports whether a text may say more in some language than a name does.
func isScript(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_./:@-", r)
	})
}

// appendNamed appends the tags of rules about a name that apply to a command.
func (x *Index) appendNamed(tags []string, name string, s *subject) []string {
	of := x.nameTags(name)
	if of.own {
		tags = append(tags, name)
	}
	for _, only := range of.only {
		if only.holds(s) {
			tags = append(tags, only.tag)
		}
	}
	return tags
}

// nameTags remembers the tags of a name.
func (x *Index) nameTags(name string) nameTags {
	of, ok := x.names[name]
	if !ok {
		of.own = x.hasTag(name)
		if x.has(name + "/") {
			for _, c := range conditions {
				if tag := name + "/" + c.name; x.hasTag(tag) {
					of.only = append(of.only, onlyTag{c.holds, tag})
				}
			}
		}
		if len(x.names) < maxKnownTags && len(name) <= maxKnownTag {
			x.names[name] = of
		}
	}
	return of
}
