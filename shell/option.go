package shell

import "strings"

// grammar says how a program reads its options. Letters and names are listed
// as for getopt: "nu:e::" is -n, -u with a value, and -e with a value only in
// the same word; "force user= color?" likewise for long options.
type grammar struct {
	short, long string

	closed bool // the lists are complete, any other option is unknown
	first  bool // options end at the first operand
	whole  bool // "-name" is one option and not a bundle of letters
	plus   bool // words that begin with + are options too
	dash   bool // a lone - is an option
	global bool // what is listed only holds before the subcommand
}

// kind says what an option takes.
type kind int

const (
	unknown kind = iota
	alone
	required
	attached // a value, but only in the same word
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
// it isn't listed. Only in a complete list can an abbreviation be resolved.
func (g *grammar) word(name string) (kind, string) {
	found, full := g.unlisted(), ""
	for listed := range strings.FieldsSeq(g.long) {
		bare := strings.TrimRight(listed, "=?")
		takes := alone
		switch listed[len(listed)-1] {
		case '=':
			takes = required
		case '?':
			takes = attached
		}
		switch {
		case bare == name:
			return takes, bare
		case !g.closed || !strings.HasPrefix(bare, name):
		case full != "":
			return unknown, "" // ambiguous
		default:
			found, full = takes, bare
		}
	}
	return found, full
}

func (g *grammar) unlisted() kind {
	if g.closed {
		return unknown
	}
	return alone
}

// item is an option or an operand among a command's arguments.
type item struct {
	index int    // of the argument
	name  string // "-r", "--force" or "-delete"; "" for an operand
	kind  kind

	value  string // what is written for a value; for a letter the rest of the word
	valued bool   // value is certain to be one
	source int    // index of the argument that has value
	last   bool   // nothing follows the option in its word
}

// scan reads args as the program would. It also returns where the operands
// begin.
func (g grammar) scan(args []Word, program string) (items []item, rest int) {
	rest = -1
	ended := false
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		if args[i].Dynamic {
			// What a dynamic part says isn't known, only the letters before it.
			if cut := strings.IndexAny(text, "$`<>"); cut > 0 && text[0] == '-' && text[1] != '-' && !g.whole {
				text = text[:cut]
			}
		}
		isOption := len(text) > 1 && (text[0] == '-' || g.plus && text[0] == '+') || text == "-" && g.dash
		switch {
		case ended || !isOption:
			items = append(items, item{index: i})
			if rest < 0 {
				rest = i
			}
			if ended = ended || g.first; !ended {
				g, program = g.after(program, args[i])
			}
		case text == "--":
			ended = true
			if rest < 0 {
				rest = i + 1
			}
		case strings.HasPrefix(text, "--"), g.whole:
			option := item{index: i, source: i, last: true}
			option.name, option.value, option.valued = strings.Cut(text, "=")
			var full string
			if option.kind, full = g.word(strings.TrimLeft(option.name, "-")); full != "" && g.closed {
				option.name = "--" + full
			}
			items, i = option.take(items, args, i)
		default:
			items, i = g.bundle(items, args, i, text)
		}
	}
	if rest < 0 {
		rest = len(args)
	}
	return items, rest
}

// after returns the grammar behind an operand of program.
func (g grammar) after(program string, operand Word) (grammar, string) {
	if program == "" {
		return g, ""
	}
	name := program + " " + operand.Text
	sub, ok := programs[name]
	switch {
	case ok && !g.global:
		sub.short, sub.long = g.short+sub.short, g.long+" "+sub.long
	case !ok && !g.global:
		sub = g
	}
	if strings.Contains(program, " ") {
		name = "" // no deeper than two
	}
	return sub, name
}

// take adds the option, with the next argument if that is its value.
func (o item) take(items []item, args []Word, i int) ([]item, int) {
	if o.kind == required && !o.valued && i+1 < len(args) {
		i++
		o.value, o.valued, o.source = args[i].Text, true, i
	}
	return append(items, o), i
}

// bundle adds the letters of "-abc".
func (g *grammar) bundle(items []item, args []Word, i int, text string) ([]item, int) {
	if text == "-" {
		return append(items, item{index: i, name: "-", kind: alone, last: true}), i
	}
	for at := 1; at < len(text); at++ {
		c := text[at]
		o := item{index: i, source: i, name: string([]byte{text[0], c}), kind: g.letter(c)}
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && !(at == 1 || strings.IndexByte(g.short, c) >= 0) && !g.closed {
			return items, i // "-I{}": not a bundle any more
		}
		// The value is cut from the argument, of which text may be the start.
		o.value = args[i].Text[at+1:]
		o.last = o.value == ""
		o.valued = !o.last && (o.kind == required || o.kind == attached)
		if o.valued || o.last {
			return o.take(items, args, i)
		}
		items = append(items, o)
		if o.kind == unknown {
			return items, i
		}
	}
	return items, i
}

// items returns c's arguments as its program reads them.
func (c *Command) items() []item {
	if wrapper, ok := wrapperOf(c.Name); ok {
		items, _ := wrapper.scan(c.Args, "")
		return items
	}
	if shells[c.Name] {
		items, _ := shellGrammar.scan(c.Args, "")
		return items
	}
	items, _ := programs[c.Name].scan(c.Args, c.Name)
	return items
}

// Flag reports whether one of the options is among the arguments, in any of
// its forms, before a "--". Each name is written with its dashes:
//
//   - "-x" is also found in a bundle such as -ax, unless a letter before it is
//     known to take a value;
//   - "--name" is also found as --name=value, and abbreviated, but never for
//     an option of which it is itself the beginning: --forc is --force, while
//     neither --force nor --forc is --force-with-lease. An abbreviation of a
//     name with several parts has to reach into the second;
//   - "-name" is found as such or as -name=value, as with find -delete.
//
// A name without dashes is a mistake and is never found.
//
// The value is what is attached to the option, the rest of a bundle (of -rf,
// "f" for "-r"), or else the next word if that isn't an option: whether an
// option takes a value is for the caller to know. The last occurrence counts.
// Options that a dynamic word may stand for aren't found.
func (c *Command) Flag(names ...string) (value string, ok bool) {
	for _, option := range c.items() {
		for _, name := range names {
			if option.name == "" || !option.is(name) {
				continue
			}
			value, ok = option.value, true
			if next := option.index + 1; option.last && !option.valued && next < len(c.Args) {
				if text := c.Args[next].Text; text == "-" || !strings.HasPrefix(text, "-") {
					value = text
				}
			}
		}
	}
	return value, ok
}

func (o *item) is(name string) bool {
	if o.name == name {
		return len(name) > 1 && name[0] == '-'
	}
	if !strings.HasPrefix(name, "--") || !strings.HasPrefix(o.name, "--") || !strings.HasPrefix(name, o.name) {
		return false
	}
	// Where the asked name has parts, what ends in the first part is more
	// likely an option of that name: --force of --force-with-lease.
	dash := strings.IndexByte(name[2:], '-')
	return dash < 0 || len(o.name)-2 > dash+1
}

// Operands returns the arguments that are neither options nor known to be the
// value of one; after "--", all. For a wrapper such as sudo they are the
// command that it runs, with its options.
func (c *Command) Operands() []Word {
	var operands []Word
	for _, item := range c.items() {
		if item.name == "" {
			operands = append(operands, c.Args[item.index])
		}
	}
	return operands
}

// Subcommand returns the first operand, as in git -C dir push, or "" when
// there is none or it is dynamic.
func (c *Command) Subcommand() string {
	for _, operand := range c.Operands() {
		switch {
		case operand.Dynamic:
			return ""
		case c.Name == "cargo" && strings.HasPrefix(operand.Text, "+"):
			// the toolchain
		default:
			return operand.Text
		}
	}
	return ""
}
