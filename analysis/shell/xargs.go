package shell

import (
	"slices"
	"strconv"
	"strings"
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
		inner.input = nil // the commands read /dev/null
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
		o.stops = o.stops || listed(g.Stops, option.name)
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

// parallelStops are the options with which parallel runs no command.
const parallelStops = "-h -V --help --version --dry-run --dryrun --dr --shell-quote --shellquote --shell_quote --citation --bibtex --min-version --minversion " +
	"--show-limits --showlimits --max-line-length-allowed --maxlinelengthallowed --number-of-cpus --numberofcpus --number-of-sockets --numberofsockets " +
	"--number-of-cores --numberofcores --number-of-threads --numberofthreads --record-env --recordenv --session --wait --embed --combine-exec --combineexec --combine-executable"

// parallelChanges are the options that change which values a command gets, or how:
// with them the values count as unknown.
const parallelChanges = "-0 --null -d --delimiter -a --arg-file --argfile -C --col-sep --colsep --csv --rpl --plus --parens --trim --header --hd --linkinputsource --xapplyinputsource --er --extensionreplace --bnr --basenamereplace --dnr --dirnamereplace " +
	"--bner --basenameextensionreplace --seqreplace --slotreplace -U --template --tmpl --skip-first-line --skipfirstline -E -e --eof --profile -J --arg-file-sep --argfilesep"

// parallelJob is the command of parallel, in which values are put.
type parallelJob struct {
	name      string
	mark      string // in place of {}
	separator string // the word before values: ":::"
	words     []argument
	bare      bool // the values are the commands
	quote     bool
	pipe      bool // what is read is the input of the commands
	semaphore bool // the words are the command, and nothing is read
	asIs      bool // the command is run as it is, on each of the machines
	evaluated bool // a replacement string doesn't quote its value
	unclear   bool // how values get into the command isn't known
	unknown   bool // the values aren't known
	batched   bool // a command gets several of them: as many as there are, to be safe
	remote    bool
	dir       *argument
}

// parallel reports the commands that parallel runs: one for each value, or for each
// combination of several, where these are known.
func (w *walker) parallel(c *Command, args []argument, s scope) {
	items, rest := runsBy("parallel").scan(c.Args, "")
	job := parallelJob{name: c.Name, mark: "{}", separator: ":::", semaphore: c.Name == "sem"}
	for _, option := range items {
		switch {
		case option.name == "":
		case option.kind == unknown:
			w.unreadable(args[min(option.index+1, len(args)):], s.through(c.Name))
			return
		case listed(parallelStops, option.name):
			return
		default:
			job.set(option.name, valueFrom(args, option.source, option.value))
		}
	}
	if job.remote {
		s = w.otherMachine(s)
	}
	if job.dir != nil {
		s.chdir(*job.dir)
	}
	args = args[min(rest, len(args)):]
	if job.semaphore {
		if text, ok := joinWords(args); ok {
			w.text(text, c.Name, s)
		}
		return
	}
	sources, from := job.read(args, &s)
	values, ok := combinations(sources)
	if job.batched {
		values, ok = [][]argument{slices.Concat(sources...)}, true
	}
	switch {
	case job.pipe || job.asIs:
		w.runJob(&job, nil, s)
	case job.unclear || job.unknown || !ok || !job.fits(values) || !w.spend(len(values)*len(job.words)*8):
		w.runUnknownJob(&job, from, s)
	default:
		for _, each := range values {
			w.runJob(&job, each, s)
		}
	}
}

// set takes in one option.
func (j *parallelJob) set(name string, value argument) {
	switch name {
	case "-q", "--quote":
		j.quote = true
	case "--pipe", "--spreadstdin", "--pipe-part", "--pipepart", "--tee":
		j.pipe = true
	case "--nonall":
		j.asIs, j.remote = true, true
	case "--onall", "-S", "--sshlogin", "--sshloginfile", "--slf", "--trc":
		j.remote = j.remote || value.Text != ":"
	case "--work-dir", "--workdir", "--wd":
		j.dir = &value
	case "-I", "-i", "--replace":
		if j.mark = value.Text; j.mark == "" {
			j.mark = "{}"
		}
	case "--arg-sep", "--argsep":
		j.separator = value.Text
	case "--semaphore":
		j.semaphore = true
	case "-m", "-X", "--xargs", "--link", "--xapply", "-n", "-N", "-L", "-l", "--max-args", "--maxargs", "--max-replace-args", "--maxreplaceargs", "--max-lines", "--maxlines":
		j.batched = true
	default:
		j.unclear = j.unclear || listed(parallelChanges, name)
	}
}

// read tells the words of the command from the values for it: those behind each
// ":::", or the lines of the standard input. from is what has written them.
func (j *parallelJob) read(args []argument, s *scope) (sources [][]argument, from []*Command) {
	separates := func(word string) bool {
		word = strings.TrimSuffix(word, "+")
		return word == j.separator || word == "::::"
	}
	end := 0
	for end < len(args) && !separates(args[end].Text) {
		end++
	}
	j.command(args[:end])
	for end < len(args) {
		j.unknown = j.unknown || args[end].Text != j.separator // values of files, or linked ones
		start := end + 1
		for end = start; end < len(args) && !separates(args[end].Text); end++ {
			j.unknown = j.unknown || args[end].Dynamic || args[end].Glob
			from = append(from, args[end].from...)
		}
		sources = append(sources, args[start:end])
	}
	switch {
	case len(sources) > 0 || j.pipe || j.asIs:
	case s.input == nil:
		j.unknown = true
	case s.input.Dynamic || s.input.Glob || strings.Count(s.input.Text, "\n") > maxRuns:
		j.unknown, from = true, s.input.from
	default:
		var lines []argument
		for line := range strings.Lines(s.input.unread().Text) {
			value := literal(strings.TrimSuffix(line, "\n"), s.input.at)
			value.from = s.input.from
			lines = append(lines, value)
		}
		sources, from = [][]argument{lines}, s.input.from
	}
	return sources, from
}

// combinations returns what can be taken from all sources, one value of each, if
// that isn't too much.
func combinations(sources [][]argument) (all [][]argument, ok bool) {
	if len(sources) == 0 {
		return nil, false
	}
	all = [][]argument{nil}
	for _, source := range sources {
		if len(all)*len(source) > maxRuns {
			return nil, false
		}
		var longer [][]argument
		for _, values := range all {
			for _, value := range source {
				longer = append(longer, append(values[:len(values):len(values)], value))
			}
		}
		all = longer
	}
	return all, true
}

// command takes the words of the command in. Without a replacement string values
// come at the end.
func (j *parallelJob) command(words []argument) {
	j.bare, j.words = len(words) == 0, words
	found := false
	for _, word := range words {
		for rest := word.Text; rest != ""; {
			var token string
			if _, token, rest = j.cut(rest); token == "" {
				continue
			}
			found = true
			if token == j.mark {
				continue
			}
			number := strings.Trim(token, "{}0123456789") == ""
			j.unclear = j.unclear || j.batched || !number // a part of a value, or Perl
			j.evaluated = j.evaluated || !number && strings.Contains(token, "uq")
		}
	}
	if !found && !j.pipe && !j.asIs {
		at := place{}
		if len(words) > 0 {
			at = words[len(words)-1].at
		}
		j.words = append(words[:len(words):len(words)], literal(j.mark, at))
	}
}

// longestToken is how long a replacement string may be, with the Perl in it.
const longestToken = 512

// cut cuts text at its first replacement string.
func (j *parallelJob) cut(text string) (before, token, after string) {
	for i := 0; i < len(text); i++ {
		if j.mark != "" && strings.HasPrefix(text[i:], j.mark) {
			return text[:i], j.mark, text[i+len(j.mark):]
		}
		if text[i] != '{' {
			continue
		}
		end := strings.IndexByte(text[i:min(len(text), i+longestToken)], '}')
		if end > 0 && j.isReplaced(text[i+1:i+end]) {
			return text[:i], text[i : i+end+1], text[i+end+1:]
		}
	}
	return text, "", ""
}

// isReplaced reports whether what stands in braces is put in: a number, a part of a
// path such as "/.", Perl, or behind options such as --colsep the name of a column.
func (j *parallelJob) isReplaced(inner string) bool {
	switch rest := strings.TrimLeft(inner, "-0123456789"); {
	case inner == "":
		return j.mark == "{}"
	case strings.HasPrefix(rest, "="):
		return strings.HasSuffix(inner, "=") && len(inner) > 1
	case j.unclear:
		return !strings.ContainsAny(inner, " \t$;|&'\"(")
	default:
		return strings.Trim(rest, "./#%") == ""
	}
}

// runJob reports the command with values that are known.
func (w *walker) runJob(j *parallelJob, values []argument, s scope) {
	put := func(quote func(...string) string) []argument {
		words := make([]argument, len(j.words))
		for i, word := range j.words {
			words[i] = j.put(word, values, quote)
		}
		return words
	}
	asIs := func(texts ...string) string { return strings.Join(texts, " ") }
	if j.quote && !j.bare || j.isScript() {
		inner := s.through(j.name)
		inner.external = true
		w.run(put(asIs), inner)
		if j.quote {
			return
		}
	}
	quote := Quote
	if j.bare {
		quote = asIs
	}
	if text, ok := joinWords(put(quote)); ok {
		w.text(text, j.name, s)
	}
}

// isScript reports whether a shell gets a quoted text with -c. Without --quote it gets
// the first word of it only, which nobody means: both are reported.
func (j *parallelJob) isScript() bool {
	for i := 2; i < len(j.words); i++ {
		option := j.words[i-1].Text
		if strings.HasPrefix(option, "-") && strings.HasSuffix(option, "c") && strings.ContainsAny(j.words[i].Text, " \t\n") {
			return isShell(baseName(j.words[0].Text))
		}
	}
	return false
}

// fits reports whether the words aren't too long once the values are in them.
func (j *parallelJob) fits(jobs [][]argument) bool {
	size, tokens := 0, 0
	for _, word := range j.words {
		size += len(word.Text)
		tokens += strings.Count(word.Text, "{") + strings.Count(word.Text, j.mark)
	}
	size *= len(jobs)
	for _, values := range jobs {
		for _, value := range values {
			size += (8 + len(value.Text)) * tokens
		}
	}
	return size <= maxText
}

// put replaces the replacement strings in a word.
func (j *parallelJob) put(word argument, values []argument, quote func(...string) string) argument {
	var b strings.Builder
	for rest := word.Text; rest != ""; {
		var before, token string
		before, token, rest = j.cut(rest)
		b.WriteString(before)
		if token == "" {
			continue
		}
		chosen := values
		if n, err := strconv.Atoi(strings.Trim(token, "{}")); err == nil && token != j.mark {
			chosen = nil
			if 0 < n && n <= len(values) {
				chosen = values[n-1 : n]
			}
		}
		for i, value := range chosen {
			if i > 0 {
				b.WriteByte(' ')
			}
			switch path, isHome := strings.CutPrefix(value.Text, "~/"); {
			case value.Home && isHome:
				b.WriteString("~/" + quote(path))
			case value.Home && value.Text == "~":
				b.WriteByte('~')
			default:
				b.WriteString(quote(value.Text))
			}
			word.from = mergeCommands(word.from, value.from)
		}
	}
	for _, value := range values {
		word.Home = word.Home || value.Home && value.Text == b.String()
	}
	word.Text, word.Glob = b.String(), word.Glob && len(values) == 0
	return word
}

// runUnknownJob reports the command with values that aren't known. They are quoted,
// so that they can't be more than parts of words.
func (w *walker) runUnknownJob(j *parallelJob, from []*Command, s scope) {
	words := make([]argument, len(j.words))
	for i, word := range j.words {
		var b strings.Builder
		for rest := word.Text; rest != ""; {
			var before, token string
			before, token, rest = j.cut(rest)
			if b.WriteString(before); token != "" {
				b.WriteString("{}")
			}
		}
		words[i] = word
		words[i].Text = b.String()
	}
	s.placeholder = "{}"
	if j.bare { // whole commands are read
		text := fillIn(words, "{}", from)[0]
		text.Text = "{}"
		w.text(text, j.name, s)
		return
	}
	if j.quote || j.isScript() {
		inner := s.through(j.name)
		inner.external = true
		w.run(fillIn(words, "{}", from), inner)
		if j.quote {
			return
		}
	}
	if text, ok := joinWords(words); ok {
		if j.evaluated {
			text = text.marked("{}")
		}
		w.text(text, j.name, s)
	}
}
