package shell

import (
	"slices"
	"strings"
	"sync"
)

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
func (g grammar) scan(args []Word, program string) (items []item, rest int) {
	rest, ended, i := -1, false, 0
	grammar := &g
	items = make([]item, 0, len(args))
	if g.bare && len(args) > 0 {
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
			if ended = ended || grammar.first; !ended && program != "" {
				grammar, program = grammar.after(program, args[i].Text)
			}
		case text == "--":
			ended = true
			if rest < 0 {
				rest = i + 1
			}
		case strings.HasPrefix(text, "--"), grammar.whole:
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
	return len(text) > 1 && (text[0] == '-' || g.plus && text[0] == '+') || text == "-" && g.dash
}

// certain returns what is certain of a word. What a dynamic part says isn't, so
// of a bundle only the letters before it are.
func certain(word Word, g *grammar) string {
	text := word.Text
	if !word.Dynamic || g.whole {
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
	sub, ok := grammarOf(name)
	if !ok {
		name = ""
	}
	switch {
	case !ok && !g.global:
		return g, ""
	case ok && !g.global:
		sub.short, sub.long = g.short+sub.short, g.long+" "+sub.long
	}
	sub.truth, sub.exact, sub.negates = sub.truth || g.truth, sub.exact || g.exact, sub.negates || g.negates
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
		if !isLetter(c) && !(at == 1 || strings.IndexByte(g.short, c) >= 0) && !g.closed {
			return items, i // "-I{}": not a bundle any more
		}
		// The value is cut from the argument, of which text may be the start.
		o.value = args[i].Text[at+1:]
		if set, ok := strings.CutPrefix(o.value, "="); ok && g.truth {
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
		if text[at] == ':' || strings.IndexByte(g.short, text[at]) < 0 {
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
