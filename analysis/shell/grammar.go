package shell

import "strings"

// grammar says how a program reads its options. Letters and names are listed
// as for getopt: "nu:e::" is -n, -u with a value, and -e with a value only in
// the same word; "force user= color?" likewise for long options, and "arg==" is
// one that takes two words.
type grammar struct {
	short, long string

	// rivals lists options of which only the last one given holds, those that
	// mean the same joined by commas: "f,force i n" for mv. A ";" begins
	// another such group. A name behind which "!never" stands has no say with
	// a value that begins so. --x and --no-x are rivals without being listed.
	rivals string

	closed  bool // the lists are complete, any other option is unknown
	exact   bool // long options can't be abbreviated
	negates bool // --no-x is an option for every --x that is listed, and the other way round
	truth   bool // --x=false takes --x back, as in programs written in Go
	first   bool // options end at the first operand
	whole   bool // "-name" is one option and not a bundle of letters
	bare    bool // the first word is a bundle even without a dash, as tar's
	plus    bool // words that begin with + are options too
	dash    bool // a lone - is an option
	global  bool // what is listed only holds before the subcommand
	open    bool // a long option that isn't listed takes the next word, unless that is an option
}

// kind says what an option takes.
type kind int

const (
	unknown kind = iota
	alone
	required
	attached // a value, but only in the same word
	paired   // the next two words
	likely   // a value, if the next word is no option
)

func (g *grammar) letter(c byte) kind {
	switch i := strings.IndexByte(g.short, c); {
	case c >= '0' && c <= '9' && i < 0:
		return alone // old forms such as nice -10
	case i < 0 || c == ':':
		return g.unlisted()
	case strings.HasPrefix(g.short[i+1:], "::"):
		return attached
	case strings.HasPrefix(g.short[i+1:], ":"):
		return required
	}
	return alone
}

// word returns the kind of a long option with its full name, which is "" when
// it isn't listed, or when it's the beginning of several.
func (g *grammar) word(name string) (kind, string) {
	found, full, several := g.listed(name)
	if full == "" && !several && g.negates {
		if positive, ok := strings.CutPrefix(name, "no-"); ok {
			_, full, several = g.listed(positive)
			found, full = alone, negated(full)
		} else if _, full, several = g.listed("no-" + name); full != "" {
			found, full = alone, full[len("no-"):]
		}
	}
	switch {
	case several:
		return unknown, ""
	case full == "" && g.open:
		return likely, ""
	case full == "":
		return g.unlisted(), ""
	}
	return found, full
}

func negated(name string) string {
	if name == "" {
		return ""
	}
	return "no-" + name
}

// listed looks name up as getopt_long does: a name that is listed as such, or
// else the only one that begins with it. Only in a complete list can an
// abbreviation be resolved.
func (g *grammar) listed(name string) (found kind, full string, several bool) {
	if name == "" || strings.ContainsAny(name, " =?") {
		return unknown, "", false
	}
	for rest := g.from(name); rest != ""; {
		end := strings.IndexByte(rest, ' ')
		if end < 0 {
			end = len(rest)
		}
		takes, candidate := takes(rest[:end])
		switch {
		case candidate == name:
			return takes, name, false
		case !g.closed || g.exact:
		case full != "" && full != candidate:
			several = true
		default:
			found, full = takes, candidate
		}
		next := strings.Index(rest[end:], " "+name)
		if next < 0 {
			break
		}
		rest = rest[end+next+1:]
	}
	return found, full, several
}

// from returns the list of long options from the first one that begins with
// name.
func (g *grammar) from(name string) string {
	if strings.HasPrefix(g.long, name) {
		return g.long
	}
	if at := strings.Index(g.long, " "+name); at >= 0 {
		return g.long[at+1:]
	}
	return ""
}

// takes reads the end of a listed name.
func takes(listed string) (kind, string) {
	switch {
	case strings.HasSuffix(listed, "=="):
		return paired, listed[:len(listed)-2]
	case strings.HasSuffix(listed, "="):
		return required, listed[:len(listed)-1]
	case strings.HasSuffix(listed, "?"):
		return attached, listed[:len(listed)-1]
	}
	return alone, listed
}

func (g *grammar) unlisted() kind {
	if g.closed {
		return unknown
	}
	return alone
}

// undoes reports whether an option with a value, given later, takes back what
// name stands for.
func (g *grammar) undoes(option, value, name string) bool {
	if !strings.HasPrefix(name, "-") || name == option {
		return false
	}
	if long, ok := strings.CutPrefix(name, "--"); ok && strings.HasPrefix(option, "--") {
		if positive, ok := strings.CutPrefix(long, "no-"); ok && option[2:] == positive {
			return true
		}
		if positive, ok := strings.CutPrefix(option[2:], "no-"); ok && long == positive {
			return true
		}
	}
	if g.rivals == "" {
		return false
	}
	option, name = strings.TrimLeft(option, "-"), strings.TrimLeft(name, "-")
	if !strings.Contains(g.rivals, option) {
		return false
	}
	for group := range strings.SplitSeq(g.rivals, ";") {
		if mine := rival(group, name, ""); mine >= 0 {
			if other := rival(group, option, value); other >= 0 && other != mine {
				return true
			}
		}
	}
	return false
}

// rival returns which of the group's rivals an option is, -1 for none.
func rival(group, option, value string) int {
	index := 0
	for names := range strings.FieldsSeq(group) {
		for name := range strings.SplitSeq(names, ",") {
			name, except, ok := strings.Cut(name, "!")
			if name == option && !(ok && value != "" && (strings.HasPrefix(value, except) || strings.HasPrefix(except, value))) {
				return index
			}
		}
		index++
	}
	return -1
}
