package shell

import (
	"strconv"
	"strings"

	"github.com/luahook/luahook/internal/wordlist"
)

// maxRuns is how often a command is reported that runs for each of several
// known values. With more of them the values count as unknown.
const maxRuns = 64

// xargsOptions is what the options of xargs say.
type xargsOptions struct {
	rest      int
	separator string // -0 and -d; "" for blanks and newlines
	replace   string // -I
	items     int    // -n; 0 for as many as fit
	lines     int    // -L
	ifEmpty   bool   // a command without items is run
	file      *argument
	dynamic   bool // an option isn't known
	readable  bool
	stops     bool
}

// xargs reports the commands that xargs runs: one for each batch of what it
// reads where that is known.
func (w *walker) xargs(c *Command, args []argument, s scope) {
	o := xargsRead(c, args)
	inner := s.through(c.Name)
	inner.external = true
	switch {
	case o.stops:
		return
	case !o.readable:
		w.unreadable(args[min(o.rest, len(args)):], inner)
		return
	}
	words := args[min(o.rest, len(args)):]
	if len(words) == 0 {
		words = []argument{literal("echo", place{c.Line, c.Column})}
	}
	input := s.input
	if o.file != nil {
		input = nil
		if texts := w.contents(*o.file, &s); len(texts) == 1 {
			input = &texts[0]
		}
	} else {
		inner.input, inner.reading = nil, nil // the commands read /dev/null
	}
	inner.redirects = nil
	if batches, ok := w.batches(&o, input); ok && o.fits(words, batches) && w.spend(len(batches)*len(words)) {
		for _, batch := range batches {
			w.run(o.insert(words, batch, input), inner)
		}
		return
	}
	var from []*Command
	if input != nil {
		from = input.from
	}
	inner.placeholder = o.replace
	w.run(fillIn(words, o.replace, from), inner)
}

// xargsRead reads the options, of xargs(1) as GNU and the BSDs have it.
func xargsRead(c *Command, args []argument) xargsOptions {
	g := wrapperOf("xargs")
	items, rest := g.options().scan(c.Args, "")
	o := xargsOptions{rest: rest, readable: true, ifEmpty: true}
	for _, option := range items {
		if option.name == "" {
			continue
		}
		if option.kind == unknown {
			o.readable, o.rest = false, option.index+1
			return o
		}
		o.set(option.name, option.value)
		if option.valued {
			value := valueFrom(args, option.source, option.value)
			o.dynamic = o.dynamic || value.Dynamic
			if option.name == "-a" || option.name == "--arg-file" {
				o.file = &value
			}
		}
		o.stops = o.stops || wordlist.Has(g.Stops, option.name)
	}
	return o
}

// set takes in one option. Of -n, -L and -I the last one counts.
func (o *xargsOptions) set(name, value string) {
	number := func(missing int) int {
		n, err := strconv.Atoi(value)
		if value == "" {
			return missing
		}
		o.dynamic = o.dynamic || err != nil || n < 1
		return n
	}
	switch name {
	case "-0", "--null":
		o.separator = "\x00"
	case "-d", "--delimiter":
		o.separator = xargsDelimiter(value)
		o.dynamic = o.dynamic || o.separator == ""
	case "-E", "-e", "--eof": // where the items end
		o.dynamic = true
	case "-r", "--no-run-if-empty":
		o.ifEmpty = false
	case "-n", "--max-args":
		o.items, o.lines, o.replace = number(0), 0, ""
	case "-L", "-l", "--max-lines":
		o.lines, o.items, o.replace = number(1), 0, ""
	case "-I", "-i", "--replace", "-J":
		if o.replace = value; value == "" {
			o.replace = "{}"
		}
		o.items, o.lines = 0, 0
		o.dynamic = o.dynamic || name == "-J" // all items take the place of one word
	}
}

// xargsDelimiter is the character that -d names, "" for what isn't one.
func xargsDelimiter(value string) string {
	switch decoded := decodeEscapes(value); {
	case value == `\0` || value == `\x00`:
		return "\x00"
	case len(decoded) == 1:
		return decoded
	}
	return ""
}

// batches returns what each command gets, if it is known and not too much.
func (w *walker) batches(o *xargsOptions, input *argument) ([][]string, bool) {
	if input == nil || input.Dynamic || input.Glob || o.dynamic {
		return nil, false
	}
	text := input.unread().Text
	if !w.spend(len(text)) {
		return nil, false
	}
	lines, ok := o.split(text)
	if !ok {
		return nil, false
	}
	var batches [][]string
	var batch []string
	held := 0 // lines in batch
	flush := func() {
		if len(batch) > 0 {
			batches = append(batches, batch)
		}
		batch, held = nil, 0
	}
	for _, line := range lines {
		for _, item := range line {
			batch = append(batch, item)
			if o.items > 0 && len(batch) == o.items || o.replace != "" {
				flush()
			}
			if len(batches) > maxRuns {
				return nil, false
			}
		}
		if held++; o.lines > 0 && held == o.lines {
			flush()
		}
	}
	flush()
	if len(batches) == 0 && o.ifEmpty && o.replace == "" {
		batches = [][]string{nil}
	}
	return batches, len(batches) <= maxRuns
}

// split returns the items of each line of the input. With -I a line is one
// item, whatever its blanks.
func (o *xargsOptions) split(text string) (lines [][]string, ok bool) {
	if o.separator != "" {
		for item := range strings.SplitSeq(strings.TrimSuffix(text, o.separator), o.separator) {
			if text != "" {
				lines = append(lines, []string{item})
			}
		}
		return lines, true
	}
	reader := xargsReader{text: text, whole: o.replace != ""}
	for reader.at < len(text) {
		line, ok := reader.line()
		if !ok {
			return nil, false
		}
		if len(line) > 0 {
			lines = append(lines, line)
		}
	}
	return lines, true
}

// xargsReader takes input apart as xargs does without -0 and -d: at blanks,
// but for those in quotes and behind a backslash.
type xargsReader struct {
	text  string
	at    int
	whole bool // only newlines separate
}

// line returns the items up to a newline that doesn't follow a blank: such a
// line goes on in the next. It fails where a quote isn't closed.
func (r *xargsReader) line() (items []string, ok bool) {
	var item []byte
	inItem := false
	end := func() {
		if inItem {
			items = append(items, string(item))
		}
		item, inItem = item[:0], false
	}
	for r.at < len(r.text) {
		c := r.text[r.at]
		r.at++
		switch {
		case c == '\n':
			end()
			if blank := r.at > 1 && (r.text[r.at-2] == ' ' || r.text[r.at-2] == '\t'); len(items) > 0 && (r.whole || !blank) {
				return items, true
			}
		case (c == ' ' || c == '\t') && (!r.whole || !inItem):
			end()
		case c == '\'' || c == '"':
			length := strings.IndexByte(r.text[r.at:], c)
			if length < 0 || strings.IndexByte(r.text[r.at:r.at+length], '\n') >= 0 {
				return nil, false
			}
			inItem = true
			item = append(item, r.text[r.at:r.at+length]...)
			r.at += length + 1
		case c == '\\' && r.at < len(r.text):
			inItem = true
			item = append(item, r.text[r.at])
			r.at++
		default:
			inItem = true
			item = append(item, c)
		}
	}
	end()
	return items, true
}

// fits reports whether the words aren't too long once the items are in them.
func (o *xargsOptions) fits(words []argument, batches [][]string) bool {
	if o.replace == "" {
		return true
	}
	marks, size := 0, 0
	for _, word := range words {
		marks += strings.Count(word.Text, o.replace)
		size += len(word.Text)
	}
	size *= len(batches)
	for _, batch := range batches {
		size += marks * len(batch[0])
	}
	return size <= maxText
}

// insert makes the words of a command that gets the items of a batch.
func (o *xargsOptions) insert(words []argument, batch []string, input *argument) []argument {
	made := make([]argument, 0, len(words)+len(batch))
	for _, word := range words {
		if o.replace != "" && strings.Contains(word.Text, o.replace) {
			word.Text = strings.ReplaceAll(word.Text, o.replace, batch[0])
			word.Glob = false
		}
		made = append(made, word)
	}
	if o.replace == "" {
		for _, item := range batch {
			word := literal(item, input.at)
			word.from = input.from
			made = append(made, word)
		}
	}
	return made
}
