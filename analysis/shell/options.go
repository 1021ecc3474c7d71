package shell

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/luahook/luahook/analysis/shell/programs"
)

// grammar says how a program reads its options.
type grammar programs.Options

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
	switch i := strings.IndexByte(g.Short, c); {
	case c >= '0' && c <= '9' && i < 0:
		return alone // old forms such as nice -10
	case i < 0 || c == ':':
		return g.unlisted()
	case strings.HasPrefix(g.Short[i+1:], "::"):
		return attached
	case strings.HasPrefix(g.Short[i+1:], ":"):
		return required
	}
	return alone
}

// word returns the kind of a long option with its full name, which is "" when
// it isn't listed, or when it's the beginning of several.
func (g *grammar) word(name string) (kind, string) {
	found, full, several := g.listed(name)
	if full == "" && !several && g.Negates {
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
	case full == "" && g.Open:
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
		case !g.Closed || g.Exact:
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
	if strings.HasPrefix(g.Long, name) {
		return g.Long
	}
	if at := strings.Index(g.Long, " "+name); at >= 0 {
		return g.Long[at+1:]
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
	if g.Closed {
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
	if g.Rivals == "" {
		return false
	}
	option, name = strings.TrimLeft(option, "-"), strings.TrimLeft(name, "-")
	if !strings.Contains(g.Rivals, option) {
		return false
	}
	for group := range strings.SplitSeq(g.Rivals, ";") {
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

// item is an option or an operand among a command's arguments.
type item struct {
	index int    // of the argument
	name  string // "-r", "--force" or "-delete"; "" for an operand
	kind  kind

	value  string // what is written for a value; for a letter the rest of the word
	valued bool   // value is certain to be one
	source int    // index of the argument that has value
	last   bool   // nothing follows the option in its word

	grammar *grammar // by which an option was read
}

// scan reads args as the program would. It also returns where the operands
// begin.
func (g *grammar) scan(args []Word, program string) (items []item, rest int) {
	rest, ended, i := -1, false, 0
	grammar := g
	items = make([]item, 0, len(args))
	if g.Bare && len(args) > 0 {
		items, i = g.bareBundle(items, args)
	}
	for ; i < len(args); i++ {
		text := certain(args[i], grammar)
		switch {
		case ended || !grammar.isOption(text):
			items = append(items, item{index: i})
			if rest < 0 {
				rest = i
			}
			if ended = ended || grammar.First; !ended && program != "" {
				grammar, program = grammar.after(program, args[i].Text)
			}
		case text == "--":
			ended = true
			if rest < 0 {
				rest = i + 1
			}
		case strings.HasPrefix(text, "--"), grammar.Whole:
			items, i = grammar.longOption(items, args, i, text)
		default:
			items, i = grammar.bundle(items, args, i, text)
		}
	}
	if rest < 0 {
		rest = len(args)
	}
	return items, rest
}

func (g *grammar) isOption(text string) bool {
	return len(text) > 1 && (text[0] == '-' || g.Plus && text[0] == '+') || text == "-" && g.Dash
}

// certain returns what is certain of a word. What a dynamic part says isn't, so
// of a bundle only the letters before it are.
func certain(word Word, g *grammar) string {
	text := word.Text
	if !word.Dynamic || g.Whole {
		return text
	}
	if cut := strings.IndexAny(text, "$`<>"); cut > 0 && text[0] == '-' && text[1] != '-' {
		return text[:cut]
	}
	return text
}

// after returns the grammar behind an operand of program, with the name under
// which one for the next operand is found, "" when there is none.
func (g *grammar) after(program, operand string) (*grammar, string) {
	name := program + " " + operand
	known := grammarOf(name)
	switch {
	case known == nil && !g.Global:
		return g, ""
	case known == nil:
		known, name = &grammar{}, ""
	}
	sub := *known
	if !g.Global {
		sub.Short, sub.Long = g.Short+sub.Short, g.Long+" "+sub.Long
	}
	sub.Truth, sub.Exact, sub.Negates = sub.Truth || g.Truth, sub.Exact || g.Exact, sub.Negates || g.Negates
	return &sub, name
}

// longOption adds the option "--name", "--name=value" or, as one word, "-name".
func (g *grammar) longOption(items []item, args []Word, i int, text string) ([]item, int) {
	o := item{index: i, source: i, last: true, grammar: g}
	o.name, o.value, o.valued = strings.Cut(text, "=")
	bare := strings.TrimLeft(o.name, "-")
	var full string
	if o.kind, full = g.word(bare); full != "" && full != bare {
		o.name = o.name[:len(o.name)-len(bare)] + full
	}
	return o.take(items, args, i)
}

// take adds the option, with the next argument if that is its value.
func (o item) take(items []item, args []Word, i int) ([]item, int) {
	if o.kind == required && !o.valued && i+1 < len(args) {
		i++
		o.value, o.valued, o.source = args[i].Text, true, i
	}
	if o.kind == likely && !o.valued && i+1 < len(args) && (args[i+1].Text == "-" || !strings.HasPrefix(args[i+1].Text, "-")) {
		i++
		o.value, o.valued, o.source = args[i].Text, true, i
	}
	if o.kind == paired && !o.valued && i+2 < len(args) {
		i += 2
		o.value, o.valued, o.source = args[i].Text, true, i
	}
	return append(items, o), i
}

// bundle adds the letters of "-abc".
func (g *grammar) bundle(items []item, args []Word, i int, text string) ([]item, int) {
	if text == "-" {
		return append(items, item{index: i, name: "-", kind: alone, last: true, grammar: g}), i
	}
	if len(text) > 64 {
		items = slices.Grow(items, len(text))
	}
	for at := 1; at < len(text); at++ {
		c := text[at]
		o := item{index: i, source: i, name: letterName(text[0], c), kind: g.letter(c), grammar: g}
		if !isLetter(c) && !(at == 1 || strings.IndexByte(g.Short, c) >= 0) && !g.Closed {
			return items, i // "-I{}": not a bundle any more
		}
		// The value is cut from the argument, of which text may be the start.
		o.value = args[i].Text[at+1:]
		if set, ok := strings.CutPrefix(o.value, "="); ok && g.Truth {
			o.value, o.valued, o.last = set, true, true // Go programs take -f=x as --file=x
			return append(items, o), i
		}
		o.last = o.value == ""
		o.valued = !o.last && (o.kind == required || o.kind == attached)
		if o.valued || o.last {
			return o.take(items, args, i)
		}
		// Behind a letter that isn't known the others are still looked at:
		// a program that knows it may know them too.
		items = append(items, o)
	}
	return items, i
}

// bareBundle reads the first argument as tar does where it has no dash: the
// values of its letters are the next arguments, in their order. It returns
// how many arguments that takes.
func (g *grammar) bareBundle(items []item, args []Word) (_ []item, next int) {
	text := args[0].Text
	if text == "" || text[0] == '-' || args[0].Dynamic {
		return items, 0
	}
	for at := range len(text) {
		if text[at] == ':' || strings.IndexByte(g.Short, text[at]) < 0 {
			return items, 0
		}
	}
	next = 1
	for at := range len(text) {
		o := item{source: 0, name: letterName('-', text[at]), kind: g.letter(text[at]), value: text[at+1:], grammar: g}
		if o.kind == required && next < len(args) {
			o.value, o.valued, o.source = args[next].Text, true, next
			next++
		}
		items = append(items, o)
	}
	return items, next
}

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// letterNames holds "-\x00+\x00-\x01+\x01" and so on, so that the name of a letter
// needs no memory.
var letterNames = sync.OnceValue(func() string {
	var names strings.Builder
	for letter := range 256 {
		names.Write([]byte{'-', byte(letter), '+', byte(letter)})
	}
	return names.String()
})

// letterName returns the name of an option of one letter.
func letterName(sign, letter byte) string {
	at := 4 * int(letter)
	if sign == '+' {
		at += 2
	}
	return letterNames()[at : at+2]
}

// items returns c's arguments as its program reads them.
func (c *Command) items() []item {
	if c.cmdlet != nil {
		return c.cmdlet.items
	}
	if wrapper := wrapperOf(c.Name); wrapper != nil {
		items, _ := wrapper.options().scan(c.Args, "")
		return items
	}
	if isShell(c.Name) {
		items, _ := shellGrammar.scan(c.Args, "")
		return items
	}
	if isFind(c.Name) {
		return findItems(c.Args)
	}
	if g := grammarOf(c.Name); g != nil {
		items, _ := g.scan(c.Args, listedName(c.Name))
		return items
	}
	items, _ := new(grammar).scan(c.Args, "")
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
//   - "-name" is found as such or as -name=value, as with find -delete;
//   - of a cmdlet of PowerShell the full name is found in any case, and however
//     it's written: "-Recurse" as -r and as -Recurse:$true, but not as
//     -Recurse:$false. Of a command of cmd.exe it's "/s".
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
			if o.grammar.Truth && o.kind == alone && o.valued {
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
		if wrapperOf(c.Name) != nil {
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
	if o.grammar == &cmdletGrammar {
		return len(name) > 1 && strings.EqualFold(o.name, name)
	}
	if o.name == name {
		return len(name) > 1 && (name[0] == '-' || name[0] == '+')
	}
	if o.grammar.Whole && o.grammar.Truth { // Go's flags take one dash or two
		return len(name) > 1 && name[0] == '-' && strings.TrimLeft(o.name, "-") == strings.TrimLeft(name, "-")
	}
	if o.grammar.Exact || o.grammar.Closed && o.kind != unknown || !strings.HasPrefix(name, "--") || !strings.HasPrefix(o.name, "--") || !strings.HasPrefix(name, o.name) {
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
	for _, item := range c.items() {
		if item.name != "" {
			continue
		}
		switch operand := &c.Args[item.index]; {
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

// grammarOf returns how the program of that name, or of "program subcommand",
// reads its options; nil is for the usual rules, by which no option takes the
// next word.
func grammarOf(name string) *grammar {
	if p := programs.Of(name); p != nil && p.Options != nil {
		return (*grammar)(p.Options)
	}
	if strings.HasPrefix(name, "mkfs.") {
		return grammarOf("mkfs")
	}
	if program, sub, ok := strings.Cut(name, " "); ok {
		if p := programs.Of(program); p != nil && p.SubcommandsAs != "" {
			return grammarOf(p.SubcommandsAs + " " + sub)
		}
	}
	return nil
}

// listedName returns the name under which a program is listed: gtar is tar.
func listedName(name string) string {
	if p := programs.Of(name); p != nil {
		return p.Name
	}
	return name
}

// shellGrammar is what the shells have in common. That -c has its text as the
// first operand, and not as its value, is why it is no option with a value.
var shellGrammar = grammar{Short: "o:O:", Long: "rcfile= init-file=", First: true, Plus: true, Dash: true}

func wraps(short, long string) *grammar {
	return &grammar{Short: short, Long: long, Closed: true, First: true}
}
