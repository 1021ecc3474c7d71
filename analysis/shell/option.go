package shell

import (
	"strconv"
	"strings"
)

// items returns c's arguments as its program reads them.
func (c *Command) items() []item {
	if wrapper, ok := wrapperOf(c.Name); ok {
		items, _ := wrapper.scan(c.Args, "")
		return items
	}
	if isShell(c.Name) {
		items, _ := shellGrammar.scan(c.Args, "")
		return items
	}
	if isFind(c.Name) {
		return findItems(c.Args)
	}
	g, ok := grammarOf(c.Name)
	if !ok {
		items, _ := g.scan(c.Args, "")
		return items
	}
	items, _ := g.scan(c.Args, ownName(c.Name))
	return items
}

// Flag reports whether one of the options is among the arguments, in any of
// its forms, before a "--". Each name is written with its dashes:
//
//   - "-x" is also found in a bundle such as -ax, unless a letter before it is
//     known to take a value;
//   - "--name" is also found as --name=value, and abbreviated. Of programs
//     whose options are all known an abbreviation is the one option that it's
//     the beginning of. Of others, and where there are several, which the
//     program refuses, it's any but one of which an asked name is itself the
//     beginning: --forc is --force, while neither --force nor --forc is
//     --force-with-lease, and what abbreviates a name with several parts has
//     to reach into the second;
//   - "-name" is found as such or as -name=value, as with find -delete.
//
// A name without dashes is a mistake and never found, but for one that ends
// with "=": "of=" finds the operand of=value of dd.
//
// The value is what is attached to the option, the rest of a bundle (of -rf,
// "f" for "-r"), or else the next word if that isn't an option: whether an
// option takes a value is for the caller to know. What counts is what holds at
// the end: the last occurrence, and none when a later option takes it back, as
// -i does with rm -f, --no-name with --name, and --name=false in programs that
// have that. For that, give all names that an option has.
//
// Options that a dynamic word may stand for aren't found.
func (c *Command) Flag(names ...string) (value string, ok bool) {
	for _, o := range c.items() {
		switch {
		case o.name == "":
			if found, is := c.key(&o, names); is {
				value, ok = found, true
			}
		case o.isAny(names):
			value, ok = c.valueOf(&o), true
			if o.grammar.truth && o.kind == alone && o.valued {
				if holds, err := strconv.ParseBool(value); err == nil && !holds {
					value, ok = "", false
				}
			}
		case ok && o.takesBack(names):
			value, ok = "", false
		}
	}
	return value, ok
}

// key returns what an operand gives for one of the names that end with "=".
func (c *Command) key(o *item, names []string) (string, bool) {
	for _, name := range names {
		if len(name) < 2 || name[0] == '-' || name[len(name)-1] != '=' {
			continue
		}
		if _, wraps := wrapperOf(c.Name); wraps {
			return "", false // the operands belong to another command
		}
		if value, ok := strings.CutPrefix(c.Args[o.index].Text, name); ok {
			return value, true
		}
	}
	return "", false
}

// valueOf returns the value that Flag gives for an option.
func (c *Command) valueOf(o *item) string {
	if next := o.index + 1; o.last && !o.valued && next < len(c.Args) {
		if text := c.Args[next].Text; text == "-" || !strings.HasPrefix(text, "-") {
			return text
		}
	}
	return o.value
}

func (o *item) isAny(names []string) bool {
	for _, name := range names {
		if o.is(name) {
			return true
		}
	}
	return false
}

func (o *item) takesBack(names []string) bool {
	for _, name := range names {
		if o.grammar.undoes(o.name, o.value, name) {
			return true
		}
	}
	return false
}

func (o *item) is(name string) bool {
	if o.name == name {
		return len(name) > 1 && (name[0] == '-' || name[0] == '+')
	}
	if o.grammar.whole && o.grammar.truth { // Go's flags take one dash or two
		return len(name) > 1 && name[0] == '-' && strings.TrimLeft(o.name, "-") == strings.TrimLeft(name, "-")
	}
	if o.grammar.exact || o.grammar.closed && o.kind != unknown || !strings.HasPrefix(name, "--") || !strings.HasPrefix(o.name, "--") || !strings.HasPrefix(name, o.name) {
		return false
	}
	// Where the asked name has parts, what ends in the first part is more
	// likely an option of that name: --force of --force-with-lease.
	dash := strings.IndexByte(name[2:], '-')
	return dash < 0 || len(o.name)-2 > dash+1
}

// Operands returns the arguments that are neither options nor known to be the
// value of one; after "--", all. For a wrapper such as sudo they are the
// command that it runs, with its options, and for find its start points.
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
