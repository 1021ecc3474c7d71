package shell

import (
	"strconv"
	"strings"
)

// parallelStops are the options with which parallel runs no command.
const parallelStops = "-h -V --help --version --dry-run --dryrun --dr --shell-quote --shellquote --shell_quote --citation --bibtex --min-version --minversion " +
	"--show-limits --showlimits --max-line-length-allowed --maxlinelengthallowed --number-of-cpus --numberofcpus --number-of-sockets --numberofsockets " +
	"--number-of-cores --numberofcores --number-of-threads --numberofthreads --record-env --recordenv --session --wait --embed --combine-exec --combineexec --combine-executable"

// parallelOptions is what the options of parallel say.
type parallelOptions struct {
	mark      string // in place of {}
	separator string // of items, "\n" unless it's given
	at        string // the word before values: ":::"
	files     string // the word before names of files with values: "::::"
	quote     bool
	pipe      bool // what is read is the input of the commands
	semaphore bool // the words are the command, and nothing is read
	once      bool // the command is run as it is, on each of the machines
	link      bool
	batch     int  // how many values a command gets; many for all
	unclear   bool // how values get into the command isn't known
	remote    bool
	dir       *argument
	source    []argument // the files of -a
}

// many stands for as many values as fit.
const many = 1 << 20

// parallel reports the commands that parallel runs.
func (w *walker) parallel(c *Command, args []argument, s scope) {
	items, rest := runsBy("parallel").scan(c.Args, "")
	o := parallelOptions{mark: "{}", separator: "\n", at: ":::", files: "::::", batch: 1, semaphore: c.Name == "sem"}
	for _, option := range items {
		if option.name == "" {
			continue
		}
		if option.kind == unknown {
			w.unreadable(args[min(option.index+1, len(args)):], s.through(c.Name))
			return
		}
		if listed(parallelStops, option.name) {
			return
		}
		o.set(option.name, valueFrom(args, option.source, option.value))
	}
	if o.remote {
		s = w.away(s)
	}
	if o.dir != nil {
		s.chdir(*o.dir)
	}
	args = args[min(rest, len(args)):]
	if o.semaphore {
		if text, ok := joined(args); ok {
			w.text(text, c.Name, s)
		}
		return
	}
	t := parallelTemplate{parallelOptions: o, name: c.Name}
	command, sources, known := w.sources(&o, args, &s)
	t.command(command)
	w.jobs(&t, sources, known, s)
}

// set takes in one option.
func (o *parallelOptions) set(name string, value argument) {
	switch name {
	case "-q", "--quote":
		o.quote = true
	case "--pipe", "--spreadstdin", "--pipe-part", "--pipepart", "--tee":
		o.pipe = true
	case "--nonall":
		o.once, o.remote = true, true
	case "--onall", "-S", "--sshlogin", "--sshloginfile", "--slf", "--trc":
		o.remote = o.remote || value.Text != ":"
	case "--work-dir", "--workdir", "--wd":
		o.dir = &value
	case "--link", "--xapply":
		o.link = true
	case "-I", "-i", "--replace":
		if o.mark = value.Text; o.mark == "" {
			o.mark = "{}"
		}
	case "-0", "--null":
		o.separator = "\x00"
	case "-d", "--delimiter":
		o.separator = xargsDelimiter(value.Text)
		o.unclear = o.unclear || o.separator == ""
	case "--arg-sep", "--argsep":
		o.at = value.Text
	case "--arg-file-sep", "--argfilesep":
		o.files = value.Text
	case "-a", "--arg-file", "--argfile":
		o.source = append(o.source, value)
	case "--semaphore":
		o.semaphore = true
	case "-m", "-X", "--xargs":
		o.batch = many
	case "-n", "-N", "-L", "-l", "--max-args", "--maxargs", "--max-replace-args", "--maxreplaceargs", "--max-lines", "--maxlines":
		o.batch = countOf(value.Text)
		o.unclear = o.unclear || o.batch == 0 || value.Dynamic
	case "-C", "--col-sep", "--colsep", "--csv", "--rpl", "--plus", "--parens", "--trim", "--header", "--hd", "--linkinputsource", "--xapplyinputsource",
		"--er", "--extensionreplace", "--bnr", "--basenamereplace", "--dnr", "--dirnamereplace", "--bner", "--basenameextensionreplace",
		"--seqreplace", "--slotreplace", "-U", "--template", "--tmpl", "--skip-first-line", "--skipfirstline", "-E", "-e", "--eof", "--profile", "-J":
		o.unclear = true
	}
}

// countOf reads a small number, 0 for what isn't one.
func countOf(text string) int {
	n := 0
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' || n > many {
			return 0
		}
		n = n*10 + int(text[i]-'0')
	}
	return n
}

// sources takes the command and the values for it apart. Each source has the
// values of one ":::", of a file, or of the standard input; known says that
// they are all there.
func (w *walker) sources(o *parallelOptions, args []argument, s *scope) (command []argument, sources [][]argument, known bool) {
	known = true
	end := 0
	for end < len(args) && !o.separates(args[end].Text) {
		end++
	}
	command = args[:end]
	for _, file := range o.source {
		values, ok := w.values(o, w.contents(file, s))
		sources, known = append(sources, values), known && ok
	}
	for end < len(args) {
		word := args[end].Text
		start := end + 1
		for end = start; end < len(args) && !o.separates(args[end].Text); {
			end++
		}
		values := args[start:end]
		o.link = o.link || strings.HasSuffix(word, "+") && word != o.at && word != o.files
		if strings.TrimSuffix(word, "+") == o.files && o.files != o.at {
			for _, file := range values {
				read, ok := w.values(o, w.contents(file, s))
				sources, known = append(sources, read), known && ok
			}
			continue
		}
		for _, value := range values {
			known = known && !value.Glob && !value.Dynamic
		}
		sources = append(sources, values)
	}
	if len(sources) > 0 || o.pipe || o.once {
		return command, sources, known
	}
	if s.input == nil {
		return command, nil, false
	}
	values, ok := w.values(o, []argument{s.input.unread()})
	if !ok {
		values = []argument{*s.input}
	}
	return command, [][]argument{values}, ok
}

func (o *parallelOptions) separates(word string) bool {
	word = strings.TrimSuffix(word, "+")
	return word == o.at || word == o.files
}

// values takes what is read apart, if there is one text that is known.
func (w *walker) values(o *parallelOptions, texts []argument) ([]argument, bool) {
	if len(texts) != 1 || texts[0].Dynamic || texts[0].Glob || o.separator == "" || !w.spend(len(texts[0].Text)) {
		return nil, false
	}
	text := strings.TrimSuffix(texts[0].Text, o.separator)
	var values []argument
	for item := range strings.SplitSeq(text, o.separator) {
		if text == "" {
			break
		}
		value := literal(item, texts[0].at)
		value.from = texts[0].from
		if values = append(values, value); len(values) > maxRuns*8 {
			return nil, false
		}
	}
	return values, true
}

// jobs reports each command with its values, or one with unknown ones.
func (w *walker) jobs(t *parallelTemplate, sources [][]argument, known bool, s scope) {
	if t.pipe || t.once {
		w.job(t, nil, s)
		return
	}
	if jobs, ok := t.choose(sources); ok && known && !t.unclear && t.fits(jobs) && w.spend(len(jobs)*len(t.words)*8) {
		for i, values := range jobs {
			t.number = i + 1
			w.job(t, values, s)
		}
		return
	}
	var from []*Command
	for _, source := range sources {
		for _, value := range source {
			from = append(from, value.from...)
		}
	}
	w.unknownJob(t, from, s)
}

// choose returns the values of each job, if they aren't too many: all
// combinations, or with --link those that are in the same place.
func (t *parallelTemplate) choose(sources [][]argument) ([][]argument, bool) {
	if t.batch > 1 && len(sources) != 1 || len(sources) == 0 {
		return nil, false
	}
	if t.batch > 1 {
		return batched(sources[0], t.batch)
	}
	count, longest := 1, 0
	for _, source := range sources {
		if len(source) == 0 {
			return nil, true
		}
		count, longest = count*len(source), max(longest, len(source))
		if !t.link && count > maxRuns {
			return nil, false
		}
	}
	if t.link {
		count = longest
	}
	if count > maxRuns || count*len(sources) > maxRuns*maxRuns {
		return nil, false
	}
	jobs := make([][]argument, count)
	for job := range jobs {
		values, left := make([]argument, len(sources)), job
		for i := len(sources) - 1; i >= 0; i-- {
			values[i] = sources[i][left%len(sources[i])]
			if !t.link {
				left /= len(sources[i])
			}
		}
		jobs[job] = values
	}
	return jobs, true
}

func batched(values []argument, size int) (jobs [][]argument, ok bool) {
	for len(values) > 0 {
		n := min(size, len(values))
		jobs, values = append(jobs, values[:n]), values[n:]
		if len(jobs) > maxRuns {
			return nil, false
		}
	}
	return jobs, true
}

// parallelTemplate is the command of parallel, in which values are put.
type parallelTemplate struct {
	parallelOptions
	name   string
	words  []argument
	bare   bool // the values are the commands
	raw    bool // one that doesn't quote its value
	number int  // of the job
	tokens int  // how many replacement strings the words have
}

// command takes the words of the command in. Without a replacement string
// values come at the end.
func (t *parallelTemplate) command(words []argument) {
	t.bare = len(words) == 0
	t.words = words
	for _, word := range words {
		for rest := word.Text; rest != ""; {
			_, token, after := t.next(rest)
			rest = after
			if token == "" {
				continue
			}
			t.tokens++
			if strings.HasPrefix(strings.TrimLeft(token, "{-0123456789"), "=") || token == "{%}" {
				t.unclear = true
				t.raw = t.raw || strings.Contains(token, "uq")
			}
		}
	}
	if t.tokens == 0 && !t.pipe && !t.once {
		at := place{}
		if len(words) > 0 {
			at = words[len(words)-1].at
		}
		t.words = append(words[:len(words):len(words)], literal(t.mark, at))
		t.tokens = 1
	}
}

// longestToken is how long a replacement string may be, with the Perl in it.
const longestToken = 512

// next cuts text at its first replacement string.
func (t *parallelTemplate) next(text string) (before, token, after string) {
	for i := 0; i < len(text); i++ {
		if strings.HasPrefix(text[i:], t.mark) && t.mark != "" {
			return text[:i], t.mark, text[i+len(t.mark):]
		}
		if text[i] != '{' {
			continue
		}
		end := strings.IndexByte(text[i:min(len(text), i+longestToken)], '}')
		if end < 0 {
			continue
		}
		if token := text[i : i+end+1]; t.isToken(token) {
			return text[:i], token, text[i+end+1:]
		}
	}
	return text, "", ""
}

// isToken reports whether a word in braces is replaced.
func (t *parallelTemplate) isToken(token string) bool {
	inner := token[1 : len(token)-1]
	if inner == "" {
		return t.mark == "{}"
	}
	if strings.HasPrefix(strings.TrimLeft(inner, "-0123456789"), "=") {
		return strings.HasSuffix(inner, "=") && len(inner) > 1
	}
	switch inner {
	case "#", "%":
		return true
	}
	form := strings.TrimLeft(strings.TrimPrefix(inner, "-"), "0123456789")
	numbered := form != inner
	switch form {
	case "":
		return numbered
	case ".", "/", "//", "/.":
		return true
	}
	// The names of columns, and the strings of --plus and --rpl.
	return t.unclear && !strings.ContainsAny(inner, " \t$;|&'\"(")
}

// job reports one command.
func (w *walker) job(t *parallelTemplate, values []argument, s scope) {
	if t.quote && !t.bare || t.script() {
		words := make([]argument, len(t.words))
		for i, word := range t.words {
			words[i] = t.put(word, values, func(text string) string { return text })
		}
		inner := s.through(t.name)
		inner.external = true
		w.run(words, inner)
		if t.quote {
			return
		}
	}
	quote := func(text string) string { return Quote(text) }
	if t.bare {
		quote = func(text string) string { return text }
	}
	words := make([]argument, 0, len(t.words))
	for _, word := range t.words {
		words = append(words, t.put(word, values, quote))
	}
	if text, ok := joined(words); ok {
		w.text(text, t.name, s)
	}
}

// script reports whether a shell gets a quoted text with -c. Without --quote it gets the first
// word of it only, which nobody means: both are reported.
func (t *parallelTemplate) script() bool {
	for i := 2; i < len(t.words); i++ {
		option := t.words[i-1].Text
		if strings.HasPrefix(option, "-") && strings.HasSuffix(option, "c") && strings.ContainsAny(t.words[i].Text, " \t\n") {
			return isShell(baseName(t.words[0].Text))
		}
	}
	return false
}

// fits reports whether the words aren't too long once the values are in them.
func (t *parallelTemplate) fits(jobs [][]argument) bool {
	size := 0
	for _, word := range t.words {
		size += len(word.Text)
	}
	size *= len(jobs)
	for _, values := range jobs {
		for _, value := range values {
			size += (8 + len(value.Text)) * t.tokens
		}
	}
	return size <= maxText
}

// put replaces the replacement strings in a word. What isn't known of it
// makes the word dynamic.
func (t *parallelTemplate) put(word argument, values []argument, quote func(string) string) argument {
	var b strings.Builder
	replaced := false
	for rest := word.Text; rest != ""; {
		before, token, after := t.next(rest)
		b.WriteString(before)
		rest = after
		if token == "" {
			continue
		}
		text, ok := t.replacement(token, values, quote)
		if !ok {
			text = token
			if !word.Dynamic {
				word = word.marked(token)
			}
		}
		replaced = true
		b.WriteString(text)
	}
	for _, value := range values {
		word.Home = word.Home || value.Home && value.Text == b.String()
		if replaced && len(word.from) == 0 {
			word.from = value.from
		}
	}
	word.Text, word.Glob = b.String(), word.Glob && len(values) == 0
	return word
}

// replacement is what a replacement string stands for. All values are known.
func (t *parallelTemplate) replacement(token string, values []argument, quote func(string) string) (text string, ok bool) {
	form := strings.Trim(token, "{}")
	if token == t.mark {
		form = ""
	}
	switch {
	case strings.HasPrefix(strings.TrimLeft(form, "-0123456789"), "="):
		return "", false
	case form == "#":
		return strconv.Itoa(t.number), true
	case form == "%":
		return "", false
	}
	kept := strings.TrimLeft(strings.TrimPrefix(form, "-"), "0123456789")
	if position := form[:len(form)-len(kept)]; position != "" {
		n, _ := strconv.Atoi(position)
		if n < 0 {
			n += len(values) + 1
		}
		if n < 1 || n > len(values) {
			return "", len(values) > 0
		}
		values = values[n-1 : n]
	}
	var texts []string
	for _, value := range values {
		part, ok := partOf(value.Text, kept)
		if !ok {
			return "", false
		}
		switch {
		case value.Home && strings.HasPrefix(part, "~/"):
			part = "~/" + quote(part[2:])
		case !value.Home || part != "~":
			part = quote(part)
		}
		texts = append(texts, part)
	}
	return strings.Join(texts, " "), len(values) > 0
}

// partOf is the part of a value that a form such as "/." asks for.
func partOf(text, form string) (string, bool) {
	base := text[strings.LastIndexByte(text, '/')+1:]
	switch form {
	case "":
		return text, true
	case "/":
		return base, true
	case "//":
		if base == text {
			return ".", true
		}
		return strings.TrimSuffix(text[:len(text)-len(base)], "/"), true
	case ".", "/.":
		from := text
		if form == "/." {
			from = base
		}
		if dot := strings.LastIndexByte(base, '.'); dot >= 0 {
			from = from[:len(from)-(len(base)-dot)]
		}
		return from, true
	}
	return "", false
}

// unknownJob reports the command with values that aren't known. They are
// quoted, so that they can't be more than parts of words.
func (w *walker) unknownJob(t *parallelTemplate, from []*Command, s scope) {
	words := make([]argument, len(t.words))
	for i, word := range t.words {
		words[i] = t.hide(word)
	}
	if t.bare || t.quote {
		inner := s.through(t.name)
		inner.mark, inner.external = "{}", true
		words = fill(words, "{}", from)
		if t.bare { // whole commands are read
			words[0].Text = "{}"
			s.mark = "{}"
			w.text(words[0], t.name, s)
			return
		}
		w.run(words, inner)
		return
	}
	if t.script() {
		inner := s.through(t.name)
		inner.mark, inner.external = "{}", true
		w.run(fill(words, "{}", from), inner)
	}
	s.mark = "{}"
	if text, ok := joined(words); ok {
		if t.raw {
			text = text.marked("{}")
		}
		w.text(text, t.name, s)
	}
}

// hide puts the same mark for every replacement string.
func (t *parallelTemplate) hide(word argument) argument {
	var b strings.Builder
	for rest := word.Text; rest != ""; {
		before, token, after := t.next(rest)
		b.WriteString(before)
		if token != "" {
			b.WriteString("{}")
		}
		rest = after
	}
	word.Text = b.String()
	return word
}
