package sql

import (
	"strings"

	"github.com/luahook/luahook/analysis/shell"
)

// option is an option with its value.
type option struct {
	name  string // "-c" or "--command", in full
	value shell.Word
}

// arguments reads the arguments of a client as it does itself.
func (p *program) arguments(args []shell.Word) (options []option, operands []shell.Word) {
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		var o []option
		switch {
		case text == "--" && !args[i].Dynamic:
			return options, append(operands, args[i+1:]...)
		case len(text) < 2 || text[0] != '-':
			operands = append(operands, args[i])
		case text[1] == '-' || p.whole:
			o, i = p.word(args, i)
		default:
			o, i = p.letters(args, i)
		}
		options = append(options, o...)
	}
	return options, operands
}

// word reads --name, --name=value and --name value, of which the name may be
// abbreviated.
func (p *program) word(args []shell.Word, i int) ([]option, int) {
	name, value, attached := strings.Cut(args[i].Text, "=")
	bare := strings.TrimLeft(name, "-")
	full := p.full(bare)
	o := option{name: name}
	if full != "" {
		o.name = strings.Repeat("-", len(name)-len(bare)) + full
	}
	switch {
	case attached:
		o.value = shell.Word{Text: value, Dynamic: args[i].Dynamic, Quoted: args[i].Quoted}
	case full != "" && i+1 < len(args):
		i++
		o.value = args[i]
	}
	return []option{o}, i
}

// full returns the listed option that a name is, or abbreviates. An ambiguous one
// is taken for that with SQL: the client refuses it.
func (p *program) full(name string) string {
	found := ""
	for listed := range strings.FieldsSeq(p.long) {
		switch {
		case listed == name:
			return name
		case p.whole || name == "" || !strings.HasPrefix(listed, name):
		case found == "" || p.isText("--"+listed):
			found = listed
		}
	}
	return found
}

func (p *program) isText(name string) bool { return listed(p.text, name) }

// letters reads -abc, where a letter that takes a value has the rest of the word
// or the next one for it.
func (p *program) letters(args []shell.Word, i int) (options []option, last int) {
	text := args[i].Text
	for at := 1; at < len(text); at++ {
		o := option{name: "-" + text[at:at+1]}
		n := strings.IndexByte(p.short, text[at])
		if text[at] == ':' || n < 0 || n+1 >= len(p.short) || p.short[n+1] != ':' {
			options = append(options, o)
			continue
		}
		switch rest := text[at+1:]; {
		case rest != "":
			o.value = shell.Word{Text: rest, Dynamic: args[i].Dynamic, Quoted: args[i].Quoted}
		case strings.HasPrefix(p.short[n+1:], "::"): // only in the same word
		case i+1 < len(args):
			i++
			o.value = args[i]
		}
		return append(options, o), i
	}
	return options, i
}
