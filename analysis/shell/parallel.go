package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/luahook/luahook/internal/wordlist"
)

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
		case wordlist.Has(parallelStops, option.name):
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
		j.unclear = j.unclear || wordlist.Has(parallelChanges, name)
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
