package shell

import (
	"encoding/base64"
	"encoding/hex"
	"path"
	"strconv"
	"strings"

	"github.com/luahook/luahook/analysis/script"
)

// pure is a program of which the output follows from the arguments and the input:
// what it would write is known without running it. It returns false where it can't
// tell.
type pure func(w *walker, args []argument, s scope) (argument, bool)

// pureOf returns the pure program of that name, or nil.
func pureOf(name string) pure {
	switch name {
	case "echo":
		return echo
	case "cat":
		return cat
	case "tac":
		return backwards
	case "rev":
		return filter(reverse)
	case "tee":
		return tee
	case "tr":
		return translate
	case "base64":
		return decode64
	case "xxd":
		return decodeHex
	case "basename":
		return basename
	case "dirname":
		return dirname
	case "pwd":
		return pwd
	case "awk", "gawk", "mawk", "nawk":
		return awkPrints
	case "which":
		return which
	case "type":
		return typeP
	case "command":
		return commandV
	case "declare", "typeset":
		return definitions
	case "head":
		return head
	case "tail":
		return tail
	case "sort", "shuf":
		return reordered
	case "uniq":
		return unrepeated
	case "grep", "egrep", "fgrep":
		return grep(name)
	case "find", "gfind":
		return foundPrints
	case "cut":
		return cut
	case "sed", "gsed":
		return substitute
	case "yes":
		return yes
	case "seq":
		return sequence
	case "printf":
		return func(_ *walker, args []argument, _ scope) (argument, bool) { return printf(args) }
	}
	return nil
}

func echo(_ *walker, args []argument, s scope) (argument, bool) {
	end, escapes := "\n", false
	for len(args) > 0 {
		text := args[0].Text
		if len(text) < 2 || text[0] != '-' || strings.Trim(text[1:], "neE") != "" {
			break
		}
		for _, letter := range text[1:] {
			switch letter {
			case 'n':
				end = ""
			case 'e', 'E': // the last one wins
				escapes = letter == 'e'
			}
		}
		args = args[1:]
	}
	text, ok := joinWords(args)
	if !ok {
		text.at = s.at
	}
	if strings.Contains(text.Text, `\`) {
		switch {
		case text.Dynamic:
			return text, false
		case escapes:
			text.Text, ok = backslashes(text.Text)
			if !ok {
				end = "" // \c ends it
			}
		}
	}
	text.Text += end
	return text, true
}

// cat writes the files that it's given, or its input.
func cat(w *walker, args []argument, s scope) (argument, bool) {
	out := capture{}
	names := 0
	for _, arg := range args {
		if strings.HasPrefix(arg.Text, "-") && arg.Text != "-" {
			if arg.Text == "--" || arg.Text == "-u" {
				continue
			}
			return argument{}, false
		}
		names++
		text := w.fileInput(arg, &s)
		if arg.Text == "-" {
			text = s.input
		}
		if text == nil {
			return argument{}, false
		}
		out.add(*text, nil)
	}
	if names == 0 {
		if s.input == nil {
			return argument{}, false
		}
		return s.input.unread(), true
	}
	return out.value(s.at), true
}

func tee(_ *walker, _ []argument, s scope) (argument, bool) {
	if s.input == nil {
		return argument{}, false
	}
	return s.input.unread(), true
}

func basename(_ *walker, args []argument, _ scope) (argument, bool) {
	if len(args) == 0 || len(args) > 2 || args[0].Dynamic || args[0].Home || args[0].Glob || strings.HasPrefix(args[0].Text, "-") || args[0].Text == "" {
		return argument{}, false
	}
	text := args[0]
	text.Text = path.Base(text.Text)
	if len(args) == 2 && args[1].Text != text.Text {
		text.Text = strings.TrimSuffix(text.Text, args[1].Text)
	}
	text.Text += "\n"
	return text, len(args) == 1 || !args[1].Dynamic
}

func dirname(_ *walker, args []argument, _ scope) (argument, bool) {
	if len(args) != 1 || args[0].Dynamic || args[0].Glob || strings.HasPrefix(args[0].Text, "-") || args[0].Text == "" {
		return argument{}, false
	}
	text := args[0]
	if text.Text = strings.TrimRight(text.Text, "/"); text.Text == "" {
		text.Text = "/"
	}
	if text.Home && !strings.Contains(text.Text, "/") {
		return text, false
	}
	switch i := strings.LastIndexByte(text.Text, '/'); {
	case i < 0:
		text.Text = "."
	case i == 0:
		text.Text = "/"
	default:
		text.Text = strings.TrimRight(text.Text[:i], "/")
	}
	text.Text += "\n"
	return text, true
}

func pwd(w *walker, args []argument, s scope) (argument, bool) {
	dir := w.dir(&s)
	if dir.Dynamic || !dir.Home && !strings.HasPrefix(dir.Text, "/") || len(args) > 0 && args[0].Text != "-L" && args[0].Text != "-P" {
		return dir, false
	}
	dir.Text += "\n"
	return dir, true
}

// which names a program that goes by the same name, wherever it is.
func which(_ *walker, args []argument, _ scope) (argument, bool) {
	if len(args) != 1 || args[0].Dynamic || args[0].Glob || strings.HasPrefix(args[0].Text, "-") {
		return argument{}, false
	}
	text := args[0]
	text.Text += "\n"
	return text, true
}

func typeP(w *walker, args []argument, s scope) (argument, bool) {
	if len(args) < 2 || args[0].Text != "-p" && args[0].Text != "-P" {
		return argument{}, false
	}
	return which(w, args[1:], s)
}

func commandV(w *walker, args []argument, s scope) (argument, bool) {
	if len(args) < 2 || args[0].Text != "-v" {
		return argument{}, false
	}
	return which(w, args[1:], s)
}

// definitions is declare -f with names of functions.
func definitions(w *walker, args []argument, s scope) (argument, bool) {
	if len(args) < 2 || args[0].Text != "-f" && args[0].Text != "-pf" {
		return argument{}, false
	}
	out := argument{at: s.at}
	for _, arg := range args[1:] {
		it := w.choose(name{function, arg.Text})
		if it == nil || it.body == nil || len(it.body.scope.unknownSources) > 0 {
			return argument{}, false
		}
		out.Text += arg.Text + "() " + sourceOf(it.body.scope.source, it.body.stmt) + "\n"
		if len(out.Text) > maxText || !w.spend(len(out.Text)) {
			return argument{}, false
		}
	}
	return out, true
}

// yes writes its words for ever, which the first line stands for.
func yes(_ *walker, args []argument, _ scope) (argument, bool) {
	text, ok := joinWords(args)
	if !ok {
		text.Text = "y"
	}
	text.Text += "\n"
	return text, true
}

// maxSequence is how far the last number of a seq may be from the first.
const maxSequence = 64

func sequence(_ *walker, args []argument, _ scope) (argument, bool) {
	if len(args) == 0 || len(args) > 2 {
		return argument{}, false
	}
	from, ok := int64(1), true
	if len(args) == 2 {
		from, ok = integer(args[0].Text)
	}
	to, ok2 := integer(args[len(args)-1].Text)
	// Neither the difference nor the counter may overflow.
	if !ok || !ok2 || max(from, to) > 1<<32 || min(from, to) < -1<<32 || to-from > maxSequence || args[0].Dynamic || args[len(args)-1].Dynamic {
		return argument{}, false
	}
	var b strings.Builder
	for ; from <= to; from++ {
		b.WriteString(strconv.FormatInt(from, 10))
		b.WriteByte('\n')
	}
	return argument{Word: Word{Text: b.String()}}, true
}

// input returns what a program reads that is given no file.
func input(args []argument, s scope) (argument, bool) {
	if s.input == nil || s.input.Dynamic || s.input.Home || s.input.Glob {
		return argument{}, false
	}
	for _, arg := range args {
		if arg.Dynamic || !strings.HasPrefix(arg.Text, "-") {
			return argument{}, false
		}
	}
	return s.input.unread(), true
}

// filter is a program without options.
func filter(change func(string) string) pure {
	return func(_ *walker, args []argument, s scope) (argument, bool) {
		text, ok := input(args, s)
		if !ok || len(args) > 0 {
			return text, false
		}
		text.Text = change(text.Text)
		return text, true
	}
}

func reverse(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		bare := strings.TrimSuffix(line, "\n")
		runes := []rune(bare)
		for a, b := 0, len(runes)-1; a < b; a, b = a+1, b-1 {
			runes[a], runes[b] = runes[b], runes[a]
		}
		lines[i] = string(runes) + line[len(bare):]
	}
	return strings.Join(lines, "")
}

func reverseLines(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for a, b := 0, len(lines)-1; a < b; a, b = a+1, b-1 {
		lines[a], lines[b] = lines[b], lines[a]
	}
	return strings.Join(lines, "")
}

// translate is tr, for sets of characters and ranges.
func translate(_ *walker, args []argument, s scope) (argument, bool) {
	remove := len(args) > 0 && (args[0].Text == "-d" || args[0].Text == "--delete")
	if remove {
		args = args[1:]
	}
	if len(args) == 0 || s.input == nil || s.input.Dynamic || s.input.Home || s.input.Glob {
		return argument{}, false
	}
	from, ok := characters(args[0])
	text := s.input.unread()
	if remove {
		text.Text = strings.Map(func(c rune) rune {
			if strings.ContainsRune(from, c) {
				return -1
			}
			return c
		}, text.Text)
		return text, ok && len(args) == 1
	}
	if len(args) != 2 {
		return text, false
	}
	to, ok2 := characters(args[1])
	if !ok || !ok2 || to == "" {
		return text, false
	}
	a, b := []rune(from), []rune(to)
	table := map[rune]rune{}
	for i, c := range a {
		table[c] = b[min(i, len(b)-1)]
	}
	text.Text = strings.Map(func(c rune) rune {
		if other, ok := table[c]; ok {
			return other
		}
		return c
	}, text.Text)
	return text, true
}

// characters returns a set of tr written out.
func characters(set argument) (string, bool) {
	if set.Dynamic || strings.Contains(set.Text, "[") || strings.HasPrefix(set.Text, "-") {
		return "", false
	}
	runes := []rune(decodeANSI(set.Text))
	var all []rune
	for i := 0; i < len(runes); i++ {
		if i+2 < len(runes) && runes[i+1] == '-' {
			if runes[i+2] < runes[i] || runes[i+2]-runes[i] > 256 {
				return "", false
			}
			for c := runes[i]; c <= runes[i+2]; c++ {
				all = append(all, c)
			}
			i += 2
			continue
		}
		all = append(all, runes[i])
	}
	return string(all), true
}

func decode64(_ *walker, args []argument, s scope) (argument, bool) {
	text, ok := input(args, s)
	if !ok || len(args) != 1 || args[0].Text != "-d" && args[0].Text != "-D" && args[0].Text != "--decode" {
		return text, false
	}
	decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text.Text))
	text.Text = string(decoded)
	return text, err == nil
}

func decodeHex(_ *walker, args []argument, s scope) (argument, bool) {
	text, ok := input(args, s)
	flags, _ := concatenate(args, "")
	if !ok || !strings.Contains(flags.Text, "r") || !strings.Contains(flags.Text, "p") {
		return text, false
	}
	decoded, err := hex.DecodeString(strings.Join(strings.Fields(text.Text), ""))
	text.Text = string(decoded)
	return text, err == nil
}

// cut is for one field, or one range of characters.
func cut(_ *walker, args []argument, s scope) (argument, bool) {
	text, ok := input(nil, s)
	var delimiter, fields, characters string
	delimiter = "\t"
	for i := 0; i < len(args); i++ {
		flag := args[i].Text
		if len(flag) < 2 || args[i].Dynamic {
			return text, false
		}
		value := flag[2:]
		if value == "" && i+1 < len(args) {
			i++
			value = args[i].Text
		}
		switch flag[:2] {
		case "-d":
			delimiter = value
		case "-f":
			fields = value
		case "-c", "-b":
			characters = value
		default:
			return text, false
		}
	}
	first, last, ranged := strings.Cut(fields+characters, "-")
	if first == "" {
		first = "1"
	}
	from, err := strconv.Atoi(first)
	to := from
	if ranged && last == "" {
		to = maxText
	} else if ranged && err == nil {
		to, err = strconv.Atoi(last)
	}
	if !ok || err != nil || from < 1 || to < from || (fields == "") == (characters == "") || delimiter == "" {
		return text, false
	}
	lines := strings.Split(strings.TrimSuffix(text.Text, "\n"), "\n")
	for i, line := range lines {
		if characters != "" {
			lines[i] = line[min(from-1, len(line)):min(to, len(line))]
		} else if parts := strings.Split(line, delimiter); len(parts) > 1 {
			lines[i] = strings.Join(parts[min(from-1, len(parts)):min(to, len(parts))], delimiter)
		}
	}
	text.Text = strings.Join(lines, "\n") + "\n"
	return text, true
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
	f.out.from = mergeCommands(f.out.from, v.from)
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
		case 's', 'b', 'q':
			v := f.next()
			switch {
			case verb != 's' && v.Dynamic:
				return false
			case v.Glob: // each of the names
				v = unknowable("{}", v.at)
			case verb == 'b':
				v.Text, _ = backslashes(v.Text)
			case verb == 'q':
				v.Text = Quote(v.Text)
			}
			f.add(v)
		case 'd', 'i', 'u':
			v := f.next()
			n, ok := integer(v.Text)
			if v.Dynamic || !ok {
				return false
			}
			f.text.WriteString(strconv.FormatInt(n, 10))
		default:
			return false // a width or a verb of no interest
		}
	}
	return true
}

// awkPrints is what awk(1) writes to the next program of a pipeline, where it's
// more than words of the input: a line such as "rm -rf " $1 has a known
// beginning, and "{}" in place of the rest.
func awkPrints(w *walker, args []argument, s scope) (argument, bool) {
	if s.pipe == 0 {
		return argument{}, false
	}
	awk := languageOf("awk")
	r := awk.readOptions(&Command{Name: "awk", Args: wordsOf(args)}, args, &s)
	if len(r.codes) == 0 && len(r.files) == 0 && len(r.args) > 0 && !r.stopped {
		r.codes, r.args = r.args[:1], r.args[1:]
	}
	if len(r.codes) != 1 || r.codes[0].Dynamic {
		return argument{}, false
	}
	code := awk.prepared(r.codes[0], &r)
	if code.Dynamic || !w.spend(nestedText+textCost*len(code.Text)) {
		return argument{}, false
	}
	printed, ok := script.AwkPrints(code.Text)
	if !ok {
		return argument{}, false
	}
	text := w.shellText(&program{language: awk, name: "awk", at: s.at}, &printed)
	if text.Dynamic && s.input != nil {
		text.from = mergeCommands(text.from, s.input.from)
	}
	return text, isMoreThanMarks(text.Text)
}
