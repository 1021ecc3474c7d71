package shell

import (
	"strconv"
	"strings"
)

// backslashes resolves the escapes of echo -e and printf %b. It returns false
// where \c ends the text.
func backslashes(text string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		end := i + 2
		switch text[i+1] {
		case 'c':
			return b.String(), false
		case '0': // an octal escape is \0nnn here, and \nnn in $'...'
			for end < len(text) && end < i+5 && isDigit(text[end], 8) {
				end++
			}
			value, _ := strconv.ParseUint("0"+text[i+2:end], 8, 16)
			b.WriteByte(byte(value))
		default:
			for end < len(text) && end < i+10 && text[end] != '\\' && isDigit(text[end], 16) {
				end++
			}
			b.WriteString(decodeEscapes(text[i:end]))
		}
		i = end - 1
	}
	return b.String(), true
}

// printf formats as printf does.
func printf(args []argument) (argument, bool) {
	for len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) == 0 || strings.HasPrefix(args[0].Text, "-v") && !args[0].Dynamic {
		return argument{}, false
	}
	format := args[0]
	if format.Glob {
		return format, false
	}
	if !strings.Contains(format.Text, "%") {
		if format.Dynamic && strings.Contains(format.Text, `\`) {
			return format, false
		}
		if !format.Dynamic {
			format.Text = decodeEscapes(format.Text)
		}
		return format, true
	}
	if format.Dynamic {
		return format, false
	}
	f := formatter{args: args[1:], out: argument{at: format.at}}
	for {
		before := len(f.args)
		if !f.once(format.Text) || f.out.Glob || f.text.Len() > maxText {
			return f.out, false
		}
		if len(f.args) == 0 || len(f.args) == before {
			f.out.Text = f.text.String()
			return f.out, true
		}
	}
}

// formatter is a printf under way.
type formatter struct {
	args []argument
	text strings.Builder
	out  argument // what is known of the output but its text
}

func (f *formatter) add(v argument) {
	f.out.Home = f.out.Home || v.Home && f.text.Len() == 0
	f.text.WriteString(v.Text)
	f.out.Dynamic = f.out.Dynamic || v.Dynamic
	f.out.Glob = f.out.Glob || v.Glob
	f.out.dynamic = append(f.out.dynamic, v.dynamic...)
	f.out.from = merge(f.out.from, v.from)
}

func (f *formatter) next() argument {
	if len(f.args) == 0 {
		return argument{}
	}
	arg := f.args[0]
	f.args = f.args[1:]
	return arg
}

// once goes through the format one time.
func (f *formatter) once(format string) bool {
	for format != "" {
		text, rest, found := strings.Cut(format, "%")
		if text != "" {
			f.text.WriteString(decodeEscapes(text))
		}
		if !found {
			return true
		}
		if rest == "" {
			return false
		}
		verb := rest[0]
		format = rest[1:]
		switch verb {
		case '%':
			f.text.WriteByte('%')
		case 's':
			f.add(f.next())
		case 'b':
			v := f.next()
			if v.Dynamic {
				return false
			}
			v.Text, _ = backslashes(v.Text)
			f.add(v)
		case 'q':
			v := f.next()
			if v.Dynamic {
				return false
			}
			v.Text = Quote(v.Text)
			f.add(v)
		case 'd', 'i', 'u', 'c', 'x', 'o':
			v := f.next()
			if v.Dynamic {
				return false
			}
			text, ok := formatNumber(verb, v.Text)
			if !ok {
				return false
			}
			f.text.WriteString(text)
		default:
			return false // a width or a verb of no interest
		}
	}
	return true
}

func formatNumber(verb byte, text string) (string, bool) {
	if verb == 'c' {
		return text[:min(1, len(text))], true
	}
	n, ok := integer(text)
	if strings.HasPrefix(text, "'") || strings.HasPrefix(text, `"`) {
		return "", false
	}
	switch verb {
	case 'x':
		return strconv.FormatInt(n, 16), ok && n >= 0
	case 'o':
		return strconv.FormatInt(n, 8), ok && n >= 0
	}
	return strconv.FormatInt(n, 10), ok
}
