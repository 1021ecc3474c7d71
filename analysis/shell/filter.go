package shell

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/luahook/luahook/internal/regex"
	"github.com/luahook/luahook/internal/wordlist"
)

// passingLines lists programs that write lines of what they read, as they are or changed: which ones may not be known.
const passingLines = "grep egrep fgrep ggrep rg ag ack sed gsed awk gawk mawk nawk sort uniq shuf head ghead tail gtail tac cat bat batcat tee sponge cut tr fold fmt column " +
	"expand unexpand iconv dos2unix unix2dos strings paste join comm csplit less more pv dd perl envsubst col colrm stdbuf unbuffer"

// passed is what a program in passingLines may write: all that it reads, as far as that is known.
func (w *walker) passed(c *Command, args []argument, s *scope) (text string) {
	if !wordlist.Has(passingLines, c.Name) {
		return ""
	}
	add := func(read *argument) {
		known := read.rest()
		for _, source := range read.dynamic {
			known = strings.ReplaceAll(known, source, "{}")
		}
		if len(text)+len(known) <= maxText && w.spend(len(known)/16+len(read.dynamic)) {
			text += known
		}
	}
	if s.input != nil {
		add(s.input)
	}
	for i := range args {
		if args[i].file != nil {
			add(args[i].file)
		}
		for _, read := range w.contents(args[i], s) {
			add(&read)
		}
	}
	return text
}

// filtered reads the arguments of a filter: its options, and what is in its files, or else in its input. It fails where
// that isn't known.
func (w *walker) filtered(program string, args []argument, s scope) (items []item, text argument, ok bool) {
	if !w.mayBeKnown(args, &s) {
		return nil, text, false
	}
	items, _ = grammarOf(program).scan(wordsOf(args), "")
	var files []argument
	for _, o := range items {
		switch {
		case o.name == "":
			files = append(files, args[o.index])
		case o.kind == unknown || args[max(o.index, o.source)].Dynamic:
			return nil, text, false
		}
	}
	text, ok = w.known(files, s)
	return items, text, ok
}

// mayBeKnown reports whether anything that a filter may read is known: most read what isn't, and then its arguments don't matter.
func (w *walker) mayBeKnown(args []argument, s *scope) bool {
	return len(w.files) > 0 || s.input != nil && !s.input.Dynamic ||
		slices.ContainsFunc(args, func(arg argument) bool { return arg.file != nil || strings.HasPrefix(arg.Text, "/") })
}

// known is what is in files, or without any in the input, if all of it is known.
func (w *walker) known(files []argument, s scope) (text argument, ok bool) {
	if text, ok = cat(w, files, s); !ok || text.Dynamic || text.Home || text.Glob || !w.spend(len(text.Text)/16) {
		return text, false
	}
	return text, true
}

// head writes the first lines.
func head(w *walker, args []argument, s scope) (argument, bool) {
	count, text, ok := w.counted("head", args, s)
	if !ok || strings.HasPrefix(count.value, "+") {
		return text, false
	}
	n, _ := strconv.Atoi(count.value)
	text.Text = text.Text[:count.end(text.Text, n, n < 0 || strings.HasPrefix(count.value, "-"))]
	return text, true
}

// tail writes the last lines, or those from one on.
func tail(w *walker, args []argument, s scope) (argument, bool) {
	count, text, ok := w.counted("tail", args, s)
	if !ok {
		return text, false
	}
	n, _ := strconv.Atoi(count.value)
	if strings.HasPrefix(count.value, "+") {
		text.Text = text.Text[count.end(text.Text, n-1, false):]
		return text, true
	}
	text.Text = text.Text[count.end(text.Text, max(n, -n), true):]
	return text, true
}

// count is how much head and tail take.
type count struct {
	value string
	bytes bool
}

// end is where the first n lines or bytes of a text end, or where the last n begin.
func (c count) end(text string, n int, last bool) int {
	n = max(n, -n)
	if c.bytes {
		if n = min(n, len(text)); last {
			n = len(text) - n
		}
		return n
	}
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if n = min(n, len(lines)); last {
		n = len(lines) - n
	}
	end := 0
	for _, line := range lines[:n] {
		end += len(line)
	}
	return end
}

// counted reads the arguments of head and tail.
func (w *walker) counted(program string, args []argument, s scope) (c count, text argument, ok bool) {
	c.value = "10"
	if len(args) > 0 && len(args[0].Text) > 1 && strings.Trim(args[0].Text[1:], "0123456789") == "" && (args[0].Text[0] == '-' || args[0].Text[0] == '+') { // -1, as in former times
		c.value = args[0].Text
		if args = args[1:]; c.value[0] == '-' {
			c.value = c.value[1:]
		}
	}
	items, text, ok := w.filtered(program, args, s)
	for _, o := range items {
		switch {
		case o.name == "" || wordlist.Has("-q --quiet --silent", o.name):
		case wordlist.Has("-n --lines -c --bytes", o.name) && o.valued:
			c.value, c.bytes = o.value, o.name == "-c" || o.name == "--bytes"
		default:
			return c, text, false
		}
	}
	_, err := strconv.Atoi(c.value)
	return c, text, ok && err == nil
}

// reordered is sort and shuf, which write the lines in another order.
func reordered(w *walker, args []argument, s scope) (argument, bool) {
	items, text, ok := w.filtered("sort", args, s)
	for _, o := range items {
		if o.name != "" && !wordlist.Has("-b -d -f -g -h -i -k -M -n -r -R -s -t -u -V --key --numeric-sort --reverse --unique --field-separator --random-sort --stable --ignore-case --version-sort", o.name) {
			return text, false
		}
	}
	if ok && text.Text != "" && !strings.HasSuffix(text.Text, "\n") {
		text.Text += "\n"
	}
	return text, ok
}

// unrepeated is uniq.
func unrepeated(w *walker, args []argument, s scope) (argument, bool) {
	if len(args) > 1 || len(args) == 1 && strings.HasPrefix(args[0].Text, "-") {
		return argument{}, false
	}
	text, ok := w.known(args, s)
	text.Text = strings.Join(slices.Compact(strings.SplitAfter(text.Text, "\n")), "")
	return text, ok
}

// backwards is tac.
func backwards(w *walker, args []argument, s scope) (argument, bool) {
	text, ok := w.known(args, s)
	text.Text = reverseLines(text.Text)
	return text, ok
}

// grep writes the lines with a match.
func grep(name string) pure {
	return func(w *walker, args []argument, s scope) (argument, bool) {
		if !w.mayBeKnown(args, &s) {
			return argument{}, false
		}
		items, _ := grammarOf("grep").scan(wordsOf(args), "")
		var patterns []string
		var files []argument
		inverts, whole, only, ignore, extended := false, false, false, false, name == "egrep"
		quote := name == "fgrep"
		for _, o := range items {
			switch o.name {
			case "":
				files = append(files, args[o.index])
			case "-e", "--regexp":
				patterns = append(patterns, o.value)
			case "-v", "--invert-match":
				inverts = true
			case "-x", "--line-regexp":
				whole = true
			case "-o", "--only-matching":
				only = true
			case "-i", "--ignore-case", "-y":
				ignore = true
			case "-E", "--extended-regexp", "-P":
				extended = true
			case "-F", "--fixed-strings":
				quote = true
			case "-h", "-s", "-a", "--color", "--colour", "--line-buffered":
			default:
				return argument{}, false
			}
			if o.name != "" && args[max(o.index, o.source)].Dynamic {
				return argument{}, false
			}
		}
		if patterns == nil && len(files) > 0 && !files[0].Dynamic {
			patterns, files = []string{files[0].Text}, files[1:]
		}
		text, ok := w.known(files, s)
		if !ok || len(patterns) != 1 || len(files) > 1 || whole && only {
			return text, false
		}
		re := w.posix(patterns[0], extended, quote, ignore)
		if re == nil || !w.spend(len(text.Text)) {
			return text, false
		}
		var out strings.Builder
		for line := range strings.Lines(text.Text) {
			bare := strings.TrimSuffix(line, "\n")
			found := re.FindAllString(bare, -1)
			matches := len(found) > 0 && (!whole || slices.Contains(found, bare))
			switch {
			case matches == inverts:
			case only:
				out.WriteString(strings.Join(found, "\n") + "\n")
			default:
				out.WriteString(bare + "\n")
			}
		}
		text.Text = out.String()
		return text, len(text.Text) <= maxText
	}
}

// maxExpression bounds an expression of sed and grep that is tried: longer ones count as unknown.
const maxExpression = 256

// posix compiles an expression as sed and grep read it, nil where that isn't possible.
func (w *walker) posix(pattern string, extended, quote, ignore bool) *regexp.Regexp {
	if len(pattern) > maxExpression {
		return nil
	}
	source := regexp.QuoteMeta(pattern)
	if !quote {
		var ok bool
		if source, ok = fromPOSIX(pattern, extended); !ok {
			return nil
		}
	}
	if ignore {
		source = "(?i)" + source
	}
	_, _, err := regex.Parse(source, regex.Limits{Work: 4096, Size: 2048}, func(work, size int) error {
		if !w.spend(8 * (work + size)) {
			return errTooMuch
		}
		return nil
	})
	if err != nil {
		return nil
	}
	re, err := regexp.Compile(source)
	if err != nil {
		return nil
	}
	return re
}

var errTooMuch = errors.New("too much")

// fromPOSIX writes a POSIX expression as Go has it: in a basic one, brackets and the like are operators behind a backslash.
func fromPOSIX(pattern string, extended bool) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		escaped := c == '\\'
		if escaped {
			if i++; i == len(pattern) {
				return "", false
			}
			c = pattern[i]
		}
		switch {
		case strings.IndexByte("(){}+?|", c) >= 0:
			if escaped == extended {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		case c == '[' && !escaped:
			end := classEnd(pattern[i:])
			if end < 0 {
				return "", false
			}
			b.WriteString(strings.ReplaceAll(pattern[i:i+end+1], `\`, `\\`))
			i += end
		case c == '*' && !escaped && (i == 0 || !extended && (strings.HasSuffix(pattern[:i], `\(`) || pattern[:i] == "^")):
			b.WriteString(`\*`)
		case escaped && '1' <= c && c <= '9':
			return "", false
		case escaped && c == 'n', escaped && strings.IndexByte("wWsSbBt", c) >= 0:
			b.WriteByte('\\')
			b.WriteByte(c)
		case escaped && isLetter(c):
			return "", false
		case escaped:
			b.WriteString(regexp.QuoteMeta(string(rune(c))))
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), true
}

// replacement is an s command of sed.
type replacement struct {
	pattern, with          string
	all, ignore, evaluates bool
	extended               bool
}

// replacements reads a script that consists of s commands, and e without a command, which runs the line.
func replacements(script string, extended bool) (list []replacement, ok bool) {
	r := sedReader{text: script}
	for r.skip(" \t\n;"); r.at < len(script); r.skip(" \t\n;") {
		if line, _, _ := strings.Cut(script[r.at:], "\n"); strings.TrimRight(line, " \t") == "e" {
			list = append(list, replacement{evaluates: true})
			r.at++
			continue
		}
		if script[r.at] != 's' || r.at+1 == len(script) {
			return nil, false
		}
		end := script[r.at+1]
		var parts [2]string
		r.at += 2
		for i := range parts {
			start := r.at
			if !r.until(end) {
				return nil, false
			}
			parts[i] = script[start : r.at-1]
		}
		s := replacement{pattern: parts[0], with: parts[1], extended: extended}
		if end != '/' {
			s.pattern, s.with = strings.ReplaceAll(s.pattern, `\`+string(end), string(end)), strings.ReplaceAll(s.with, `\`+string(end), string(end))
		}
		for ; r.at < len(script) && strings.IndexByte(" \t\n;", script[r.at]) < 0; r.at++ {
			switch script[r.at] {
			case 'g':
				s.all = true
			case 'i', 'I':
				s.ignore = true
			case 'e':
				s.evaluates = true
			case 'p', 'm', 'M', '1':
			default:
				return nil, false
			}
		}
		list = append(list, s)
	}
	return list, len(list) > 0
}

// template is the text that is put in, as Go has it; false is for what changes letters.
func (r *replacement) template() (string, bool) {
	var b strings.Builder
	for i := 0; i < len(r.with); i++ {
		switch c := r.with[i]; {
		case c == '$':
			b.WriteString("$$")
		case c == '&':
			b.WriteString("${0}")
		case c == '\\' && i+1 < len(r.with):
			i++
			switch next := r.with[i]; {
			case '0' <= next && next <= '9':
				b.WriteString("${" + string(next) + "}")
			case next == 'n':
				b.WriteByte('\n')
			case next == 't':
				b.WriteByte('\t')
			case isLetter(next):
				return "", false
			case next == '$':
				b.WriteString("$$")
			default:
				b.WriteByte(next)
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), true
}

// replaceLines carries the commands out on each line of a text. evaluated are the lines that are run.
func (w *walker) replaceLines(list []replacement, text string) (out, evaluated string, ok bool) {
	var found []*regexp.Regexp
	var templates []string
	for i := range list {
		if list[i].pattern == "" && list[i].evaluates {
			found, templates = append(found, nil), append(templates, "")
			continue
		}
		re := w.posix(list[i].pattern, list[i].extended, false, list[i].ignore)
		template, ok := list[i].template()
		if re == nil || !ok || list[i].pattern == "" {
			return "", "", false
		}
		found, templates = append(found, re), append(templates, template)
	}
	var changed, run strings.Builder
	for line := range strings.Lines(text) {
		line, hadEnd := strings.CutSuffix(line, "\n")
		for i, re := range found {
			if re == nil {
				run.WriteString(line + "\n")
				continue
			}
			if !w.spend(len(line) + len(templates[i])) {
				return "", "", false
			}
			places := re.FindAllStringSubmatchIndex(line, -1)
			if len(places) > 1 && !list[i].all {
				places = places[:1]
			}
			var next []byte
			last := 0
			for _, at := range places {
				next = append(next, line[last:at[0]]...)
				next = re.ExpandString(next, templates[i], line, at)
				if last = at[1]; len(next) > maxText {
					return "", "", false
				}
			}
			line = string(append(next, line[last:]...))
			if list[i].evaluates && len(places) > 0 {
				run.WriteString(line + "\n")
			}
		}
		if changed.WriteString(line); hadEnd {
			changed.WriteByte('\n')
		}
		if changed.Len()+run.Len() > 2*maxText || !w.spend(len(line)/16) {
			return "", "", false
		}
	}
	return changed.String(), run.String(), changed.Len() <= maxText && run.Len() <= maxText
}

// putInto is what sed puts around lines that aren't known, in a pipeline: a line such as s/^/rm -rf / makes has a known
// beginning, and "{}" in place of the rest.
func (w *walker) putInto(script string, extended bool, s scope) (argument, bool) {
	list, ok := replacements(script, extended)
	if !ok || s.pipe == 0 {
		return argument{}, false
	}
	out, _, ok := w.replaceLines(list, "{}\n")
	text := unknowable("{}", s.at)
	if text.Text = out; s.input != nil {
		text.from = s.input.from
	}
	return text, ok && strings.Contains(out, "{}") && isMoreThanMarks(out)
}

// isMoreThanMarks reports whether something of a text is known but what stands between words.
func isMoreThanMarks(text string) bool {
	return strings.Trim(strings.ReplaceAll(text, "{}", ""), " \t\n;,:|\"'") != ""
}

// foundPrints is what the -printf of find writes, with "{}" in place of what it has found.
func foundPrints(w *walker, args []argument, s scope) (argument, bool) {
	at := slices.IndexFunc(args, func(arg argument) bool { return arg.Text == "-printf" })
	if at < 0 || at+1 >= len(args) || args[at+1].Dynamic || slices.ContainsFunc(args[at+1:], func(arg argument) bool { return strings.HasPrefix(arg.Text, "-print") }) {
		return argument{}, false
	}
	var out strings.Builder
	for format := decodeEscapes(args[at+1].Text); format != ""; {
		text, rest, found := strings.Cut(format, "%")
		if out.WriteString(text); !found {
			break
		}
		rest = strings.TrimLeft(rest, "-+ #0123456789.")
		switch {
		case rest == "":
		case rest[0] == '%':
			out.WriteByte('%')
		default:
			if out.WriteString("{}"); len(rest) > 1 && strings.IndexByte("ABCT", rest[0]) >= 0 {
				rest = rest[1:]
			}
		}
		format = rest[min(1, len(rest)):]
	}
	text := unknowable("{}", s.at)
	text.Text = out.String()
	return text, w.spend(len(text.Text)) && isMoreThanMarks(text.Text)
}

// substitute is for a sed that does nothing, or only puts texts in the place of others.
func substitute(w *walker, args []argument, s scope) (argument, bool) {
	items, _ := runsBy("sed").scan(wordsOf(args), "")
	var scripts []string
	var files []argument
	extended := false
	for _, o := range items {
		switch o.name {
		case "":
			files = append(files, args[o.index])
		case "-e", "--expression":
			scripts = append(scripts, o.value)
		case "-E", "-r", "--regexp-extended":
			extended = true
		case "-u", "--unbuffered":
		default:
			return argument{}, false
		}
		if o.name != "" && args[max(o.index, o.source)].Dynamic {
			return argument{}, false
		}
	}
	if scripts == nil && len(files) > 0 && !files[0].Dynamic {
		scripts, files = []string{files[0].Text}, files[1:]
	}
	script := strings.Join(scripts, "\n")
	text, ok := w.known(files, s)
	if len(scripts) == 0 {
		return text, false
	}
	if !ok {
		return w.putInto(script, extended, s)
	}
	if script == "" {
		return text, true
	}
	list, ok := replacements(script, extended)
	if !ok || slices.ContainsFunc(list, func(r replacement) bool { return r.evaluates }) {
		return text, false
	}
	text.Text, _, ok = w.replaceLines(list, text.Text)
	return text, ok
}
