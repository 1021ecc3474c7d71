package shell

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/luahook/luahook/analysis/script"
	"github.com/luahook/luahook/analysis/shell/programs"
	"github.com/luahook/luahook/internal/wordlist"
)

// program is a program in another language with its arguments.
type program struct {
	*language
	name    string
	args    []argument
	at      place
	dynamic []string // sources of what isn't known of its text
	from    []*Command
	begin   int // how many commands stand before what it does

	// Only calls with known arguments count, and none on a database: tests make what they delete.
	onlyKnown bool
}

// prepared returns code with what options put before it: libraries, and
// variables.
func (l *language) prepared(code argument, r *interpreted) argument {
	var before strings.Builder
	for _, load := range r.loads {
		module, names, some := strings.Cut(load, "=")
		if some {
			module += " qw(" + strings.ReplaceAll(names, ",", " ") + ")"
		}
		before.WriteString(strings.ReplaceAll(l.Loaded, "%s", module))
	}
	sets := r.sets
	if l.Language == "awk" {
		for _, arg := range r.args {
			if name, _, ok := strings.Cut(arg.Text, "="); ok && isVariableName(name) {
				sets = append(sets, arg)
			}
		}
	}
	for _, set := range sets {
		name, value, ok := strings.Cut(set.Text, "=")
		if !ok || !isVariableName(name) {
			continue
		}
		// The escapes in it are read as those of a string are.
		value = strings.NewReplacer("\n", `\n`, `\"`, `\"`, `"`, `\"`).Replace(value)
		before.WriteString("BEGIN { " + name + ` = "` + value + `" } `)
		code.dynamic = append(code.dynamic[:len(code.dynamic):len(code.dynamic)], set.dynamic...)
		code.from = mergeCommands(code.from, set.from)
	}
	code.Text = before.String() + code.Text
	return code
}

func isVariableName(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

// programFile reports what a file does, if what is in it is known.
func (w *walker) programFile(p *program, r *interpreted, file argument, s scope) {
	if file.Text == "-" {
		if s.input != nil {
			w.program(p, p.prepared(s.input.unread(), r), p.name+" <", s)
		}
		return
	}
	if fd, ok := descriptorOf(file.Text); ok {
		if text := w.descriptor(fd, &s); text != nil {
			w.program(p, p.prepared(text.unread(), r), p.name+" <", s)
		}
		return
	}
	if file.file != nil {
		w.program(p, p.prepared(*file.file, r), p.name+" <", s)
		return
	}
	for _, text := range w.contents(file, &s) {
		w.program(p, p.prepared(text, r), p.name+" "+file.Text, s)
	}
}

// program reports what the program with the given text does.
func (w *walker) program(p *program, text argument, via string, s scope) {
	s = s.through(via)
	if strings.HasSuffix(via, " <") {
		s.input = nil
	}
	if s.depth > maxDepth || len(text.Text) > maxText || !w.spend(nestedText+textCost*len(text.Text)) {
		w.line.TooComplex = true
		return
	}
	if text.Dynamic && (len(text.from) > 0 || statementUnknown(text)) {
		w.add(&Command{Path: text.Text, Dynamic: true, NameDynamic: true, From: text.from, Line: text.at.line, Column: text.at.column}, &s)
		if text.Text == "" || slices.Contains(text.dynamic, strings.TrimSpace(text.Text)) {
			return // the command above says it all
		}
	}
	q := *p
	q.at, q.dynamic, q.from, q.begin = text.at, text.dynamic, text.from, len(w.line.Commands)
	s.at = text.at
	known := p.read(text.Text)
	w.line.TooComplex = w.line.TooComplex || known.TooComplex && !p.onlyKnown
	for i := range known.Calls {
		if w.line.TooComplex && len(w.line.Commands) == maxCommands {
			return
		}
		w.effect(&q, &known.Calls[i], s)
	}
}

// statementUnknown reports whether a part of a program that isn't known may be
// a statement: it stands alone between the ends of others. Elsewhere it's taken
// for a value, as that of awk "NR==$LINE": the interpreter's own command says
// that it is Dynamic.
func statementUnknown(text argument) bool {
	if len(text.dynamic) == 0 {
		return true
	}
	for _, source := range text.dynamic {
		for rest, offset := text.Text, 0; source != ""; {
			i := strings.Index(rest, source)
			if i < 0 {
				break
			}
			before := strings.TrimRight(text.Text[:offset+i], " \t")
			after := strings.TrimLeft(rest[i+len(source):], " \t")
			if endsStatement(before, len(before)-1) && endsStatement(after, 0) {
				return true
			}
			offset += i + len(source)
			rest = rest[i+len(source):]
		}
	}
	return false
}

// endsStatement reports whether there is nothing at i, or what ends a statement.
func endsStatement(text string, i int) bool {
	return i < 0 || i >= len(text) || strings.IndexByte(";\n\r{}:", text[i]) >= 0
}

// word returns an argument of a call as a word.
func (w *walker) word(p *program, arg *script.Arg) argument {
	a := argument{Word: Word{Text: arg.Text, Dynamic: arg.Dynamic, Quoted: !arg.Rest, Home: arg.Home}, at: p.at}
	switch {
	case len(arg.Parts) > 0:
		a.dynamic = append(a.dynamic, arg.Parts...)
	case arg.Dynamic:
		a.dynamic = []string{arg.Text}
	}
	for _, source := range p.dynamic {
		if strings.Contains(arg.Text, source) {
			a.Dynamic = true
			a.dynamic = append(a.dynamic, source)
			a.from = p.from
		}
	}
	if arg.Home && strings.HasPrefix(arg.Text, "~") {
		home := w.home()
		a.Text, a.Home = home.Text+arg.Text[1:], home.Home
		if home.Dynamic {
			a.Dynamic, a.dynamic = true, append(a.dynamic, home.dynamic...)
		}
	}
	return a
}

// wordsOf returns the arguments of a call as words. Those that are arguments of
// the program are put in their places.
func (w *walker) wordsOf(p *program, args []script.Arg) []argument {
	words := make([]argument, 0, len(args))
	for i := range args {
		if args[i].Dynamic && len(args[i].Parts) == 0 {
			if passed, ok := p.passed(args[i].Text); ok {
				words = append(words, passed...)
				continue
			}
		}
		words = append(words, w.word(p, &args[i]))
	}
	return words
}

// passed returns the arguments of the program that the source stands for.
func (p *program) passed(source string) ([]argument, bool) {
	if source == p.Arguments && source != "" {
		return p.args, true
	}
	before, after, ok := strings.Cut(p.Argument, "%")
	if !ok || !strings.HasPrefix(source, before) || !strings.HasSuffix(source, after) || len(source) <= len(before)+len(after) {
		return nil, false
	}
	n, err := strconv.Atoi(source[len(before) : len(source)-len(after)])
	if n -= p.From; err != nil || n < 0 || n >= len(p.args) {
		return nil, false
	}
	return p.args[n : n+1], true
}

// effect reports a call as the command that does the same.
func (w *walker) effect(p *program, call *script.Call, s scope) {
	if call.Dir != nil {
		s.chdir(w.word(p, call.Dir))
	}
	w.knowMissing(w.wordsOf(p, call.Missing), p.begin, &s)
	words := w.wordsOf(p, call.Args)
	if len(words) == 0 || p.onlyKnown && (call.Kind == script.SQL || slices.ContainsFunc(words, func(word argument) bool { return word.Dynamic })) {
		return
	}
	var input *argument
	if call.Input != nil {
		text := w.shellText(p, call.Input)
		input = &text
	}
	inner := s.through(call.Func)
	switch call.Kind {
	case script.Run:
		if input != nil {
			inner.input = input
		}
		w.run(words, inner)
	case script.Shell:
		if input != nil {
			s.input = input
		}
		text := w.shellText(p, &call.Args[0])
		if text.Dynamic && s.input != nil && input == nil && isAllInput(call.Args[0].Text) {
			w.text(s.input.unread(), call.Func, s)
			return
		}
		if text.Text == "" && text.Dynamic {
			inner.input = s.input
			at := p.at
			w.add(&Command{Path: call.Args[0].Text, Dynamic: true, NameDynamic: true, From: text.from, Line: at.line, Column: at.column}, &inner)
			return
		}
		w.text(text, call.Func, s)
	case script.Write:
		for _, word := range words {
			w.overwrite(word, ">", input, inner)
		}
	case script.Append:
		for _, word := range words {
			w.overwrite(word, ">>", input, inner)
		}
	case script.Send:
		w.run([]argument{literal("curl", p.at), literal("-T", p.at), words[0], words[1]}, inner)
	case script.SQL:
		text := w.shellText(p, &call.Args[0])
		c := &Command{SQL: &text.Word, Dynamic: text.Dynamic, Line: p.at.line, Column: p.at.column}
		if len(words) > 1 {
			c.Args = []Word{words[1].Word} // the database
		}
		w.add(c, &inner)
	case script.Code:
		w.unreadable(words, inner)
	default:
		w.same(call, words, inner)
	}
}

// isAllInput reports whether the source of a text, in another language, is all that stands on the standard input.
func isAllInput(source string) bool {
	if strings.ContainsAny(source, "+%#{,") {
		return false
	}
	for _, read := range [...]string{"stdin.read", "input()", "STDIN", "$<.read", "ARGF", "gets", "<>", "readFileSync(0", "/dev/stdin", "php://stdin"} {
		if strings.Contains(source, read) {
			return true
		}
	}
	return source == "$_"
}

// shellText returns an argument of a call as a text that a shell may read. What
// isn't known in it must not mean anything to the shell; of a text of which
// nothing is known nothing is left.
func (w *walker) shellText(p *program, arg *script.Arg) argument {
	text := w.word(p, arg)
	text.Quoted = false
	if !arg.Dynamic || len(arg.Parts) == 0 && !p.Parts {
		return text
	}
	if len(arg.Parts) == 0 || len(arg.Parts) == 1 && arg.Parts[0] == arg.Text {
		if passed, ok := p.passed(arg.Text); ok && len(passed) == 1 {
			return passed[0]
		}
		text.Text = ""
		return text
	}
	for i, part := range arg.Parts {
		if strings.Trim(part, "{}") != "" && strings.IndexFunc(part, notPlain) < 0 || !w.spend(len(text.Text)) {
			continue
		}
		text.Text = strings.ReplaceAll(text.Text, part, "{}")
		text.dynamic[i] = "{}"
	}
	return text
}

// notPlain reports whether a letter may mean something to a shell.
func notPlain(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '.' || r == '{' || r == '}')
}

// sameCommands are the commands that do what calls do, with an option for all
// that is below.
var sameCommands = sync.OnceValue(func() map[script.Kind]struct{ name, option, recursive string } {
	return map[script.Kind]struct{ name, option, recursive string }{
		script.Delete: {"rm", "-f", "-rf"},
		script.Move:   {"mv", "", ""},
		script.Copy:   {"cp", "", "-r"},
		script.Mode:   {"chmod", "", "-R"},
		script.Owner:  {"chown", "", "-R"},
		script.Link:   {"ln", "-s", "-s"},
	}
})

// same reports the command that does what call does with files.
func (w *walker) same(call *script.Call, words []argument, s scope) {
	command, ok := sameCommands()[call.Kind]
	if !ok {
		w.unreadable(words, s)
		return
	}
	option := command.option
	if call.Recursive {
		option = command.recursive
	}
	switch {
	case call.Kind == script.Delete && !call.Recursive && deletesFolder(call.Func):
		command.name, option = "rmdir", ""
	case call.Kind == script.Link && linksHard(call.Func):
		option = ""
	}
	line := []argument{literal(command.name, words[0].at)}
	if option != "" {
		line = append(line, literal(option, words[0].at))
	}
	for i, word := range words {
		first := i == 0 && (call.Kind == script.Mode || call.Kind == script.Owner)
		if strings.HasPrefix(word.Text, "-") && !first {
			word.Text = "./" + word.Text // not an option
		}
		line = append(line, word)
	}
	w.run(line, s)
}

// deletesFolder reports whether a function only deletes folders with nothing in
// them.
func deletesFolder(function string) bool {
	switch function[strings.LastIndexByte(function, '.')+1:] {
	case "rmdir", "rmdirSync", "removedirs":
		return true
	}
	return function == "Dir.delete" || function == "Dir.unlink"
}

// linksHard reports whether a function makes a link that isn't symbolic.
func linksHard(function string) bool {
	switch function[strings.LastIndexByte(function, '.')+1:] {
	case "link", "linkSync", "hardlink_to", "ln":
		return true
	}
	return false
}

// overwrite reports that file is written, with text where it's known.
func (w *walker) overwrite(file argument, operator string, text *argument, s scope) {
	r := Redirect{Op: operator, Fd: -1, Target: file.Word, Dynamic: file.Dynamic}
	r.Empties = opensAnew(operator) && text != nil && !text.Dynamic && strings.TrimSpace(text.Text) == ""
	c := &Command{Redirects: []Redirect{r}, Dynamic: file.Dynamic, Line: file.at.line, Column: file.at.column}
	if !w.add(c, &s) {
		return
	}
	if c.Input = (&Input{Dynamic: true}); text != nil { // what is written
		c.Input = &Input{Text: text.Text, Dynamic: text.Dynamic}
	}
	if text == nil {
		text = &argument{Word: Word{Dynamic: true}, at: file.at, from: []*Command{s.parent}}
	}
	w.keepFile(file, *text, operator == ">>", &s)
}

// runFile reports what is in the file that c runs, if the line wrote it.
func (w *walker) runFile(c *Command, words []argument, s scope) {
	if len(w.programs) > 0 && strings.Contains(c.Path, "/") {
		if program, ok := w.programs[w.fileKey(words[0], &s)]; ok {
			inner := s.through(c.Path)
			inner.parent, inner.external = c, true
			w.run(append([]argument{program}, words[1:]...), inner)
		}
	}
	if len(w.files) == 0 {
		return
	}
	s.parent = c
	var texts []argument
	if strings.Contains(c.Path, "/") || words[0].Dynamic && !words[0].Glob {
		texts = w.contents(words[0], &s)
	} else if texts = w.onPath(words[0], &s); texts == nil && s.external && interpreterFor(c.Path) != "" { // uv run x.py
		texts = w.contents(words[0], &s)
	}
	for _, text := range texts {
		if language := languageOfFile(c.Path); language != "" {
			inner := s.through(c.Path)
			inner.redirects, inner.assigned, inner.external = nil, nil, true
			inner.at = words[0].at
			w.windowsText(language, text, inner)
			continue
		}
		interpreter := interpreterOf(text.Text)
		if byName := interpreterFor(c.Path); interpreter == nil && byName != "" {
			interpreter = []string{byName}
		}
		if interpreter == nil {
			w.textWithArgs(text, c.Path, s, shellText{self: words[0], args: words[1:]})
			continue
		}
		inner := s.through(c.Path)
		inner.redirects, inner.assigned, inner.external = nil, nil, true
		var line []argument
		for _, word := range interpreter {
			line = append(line, literal(word, words[0].at))
		}
		w.run(append(append(line, words[0]), words[1:]...), inner)
	}
}

// interpreterFor is the program that a script is run by, as the end of its name says.
func interpreterFor(path string) string {
	switch path[strings.LastIndexByte(path, '.')+1:] {
	case "py":
		return "python3"
	case "js", "mjs", "cjs", "ts":
		return "node"
	case "rb":
		return "ruby"
	case "pl":
		return "perl"
	case "php":
		return "php"
	}
	return ""
}

// plainSuffixes are the ends of the names of source files in languages of which only what is plain is read.
const plainSuffixes = "go rs c cc cpp cxx h hpp java kt kts cs fs fsx swift scala sc groovy gradle jl R r ex exs hs cr nim dart rkt scm lisp cl clj cljs el m tcl zig cmake"

// compilers run, or compile, the source files among their arguments.
const compilers = "rustc gcc g++ cc c++ clang clang++ tcc zig swift swiftc java javac kotlin kotlinc scala groovy csc mcs julia Rscript R elixir iex ghc runghc runhaskell crystal nim dart " +
	"racket guile sbcl clojure bb emacs octave tclsh wish cmake scriptisto rust-script nvcc ifort"

// projects run what is in the source files of a folder.
const projects = "go cargo mix dotnet gradle mvn sbt stack cabal swift zig dart shards lein dub make cmake gradlew mvnw bazel"

// compiles reports what is plain to see in source files that the line wrote, where c compiles or runs them.
func (w *walker) compiles(c *Command, args []argument, s scope) {
	project := wordlist.Has(projects, c.Name)
	if !project && !wordlist.Has(compilers, c.Name) {
		return
	}
	named := map[string]bool{}
	for _, arg := range args {
		named[w.fileKey(arg, &s)] = true
	}
	for _, key := range slices.Sorted(maps.Keys(w.files)) {
		if !named[key] && !project || !wordlist.Has(plainSuffixes, key[strings.LastIndexByte(key, '.')+1:]) {
			continue
		}
		for _, text := range w.textsIn(w.files[key]) {
			w.program(plainProgram(c.Name), text, c.Name+" "+baseName(key), s)
		}
	}
}

// loader is a group of programs that run source files which nobody names to them, by the patterns of the files' names.
type loader struct{ names, files, language string }

var loaders = []loader{
	{"pytest py.test", "conftest.py test_*.py *_test.py", ""},
	{"nox fab inv invoke locust doit scons", "noxfile.py fabfile.py tasks.py locustfile.py dodo.py SConstruct SConscript", "python3"},
	{"pip pip3 uv pipx", "setup.py", ""},
	{"rake rspec thor fastlane pod vagrant guard bundle bundler", "Rakefile *.rake *_spec.rb spec_helper.rb rails_helper.rb Thorfile Fastfile Podfile Vagrantfile Guardfile Gemfile *.gemspec", "ruby"},
	{"jest vitest mocha ava tap jasmine karma playwright cypress", "*.test.js *.test.ts *.test.mjs *.spec.js *.spec.ts *.spec.mjs *.test.cjs *.config.js *.config.ts *.config.mjs *.config.cjs .mocharc.js .mocharc.cjs", ""},
	{"vite webpack rollup rspack next nuxt astro eslint prettier tailwindcss postcss babel gulp grunt esbuild parcel storybook svelte-kit remix",
		"*.config.js *.config.ts *.config.mjs *.config.cjs gulpfile.js gulpfile.mjs gulpfile.ts Gruntfile.js .eslintrc.js .eslintrc.cjs .babelrc.js .prettierrc.js", ""},
	{"phpunit pest", "*Test.php Pest.php", ""},
}

// loadersOf returns the loaders by the names of the programs.
var loadersOf = sync.OnceValue(func() map[string]loader {
	of := map[string]loader{}
	for _, l := range loaders {
		for name := range strings.FieldsSeq(l.names) {
			of[name] = l
		}
	}
	return of
})

// loads reports what c runs of the source files that the line wrote, without being told their names. Of tests most of what
// they delete is known only when they run: that doesn't count.
func (w *walker) loads(c *Command, s scope) {
	l, loads := loadersOf()[c.Name]
	if !loads {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(w.files)) {
		name := baseName(key)
		fits := slices.ContainsFunc(strings.Fields(l.files), func(pattern string) bool {
			ok, _ := path.Match(pattern, name)
			return ok
		})
		language := languageOf(cmp.Or(l.language, interpreterFor(name)))
		for _, text := range w.textsIn(w.files[key]) {
			if fits && language != nil && w.spend(commandCost) {
				w.program(&program{language: language, name: c.Name, onlyKnown: true}, text, c.Name+" "+name, s)
			}
		}
	}
}

// plainProgram is a program in a language of which only what is plain is read.
func plainProgram(name string) *program {
	return &program{language: &language{&programs.Interprets{Language: "plain"}, nil}, name: name}
}

// onPath returns what is in a file that the line wrote, if the line put its
// folder on the PATH.
func (w *walker) onPath(file argument, s *scope) []argument {
	n := name{variable, "PATH"}
	if _, changed := w.env.names[n]; !changed {
		return nil
	}
	it := w.choose(n)
	if it == nil || file.Text == "" {
		return nil
	}
	for folder := range strings.SplitSeq(it.word.Text, ":") {
		if !w.spend(commandCost) {
			return nil
		}
		there := file
		there.Text = folder + "/" + file.Text
		if folder == "" {
			there.Text = file.Text
		}
		if texts := w.contents(there, s); texts != nil {
			return texts
		}
	}
	return nil
}

// interpreterOf returns the program, with its options, that the first line of a
// script asks for, nil for a shell.
func interpreterOf(text string) []string {
	line, _, _ := strings.Cut(text, "\n")
	rest, ok := strings.CutPrefix(line, "#!")
	if !ok {
		return nil
	}
	words := strings.Fields(rest)
	if len(words) > 1 && baseName(words[0]) == "env" {
		if words = words[1:]; words[0] == "-S" {
			words = words[1:]
		}
	}
	if len(words) == 0 || isShell(baseName(words[0])) {
		return nil
	}
	return words
}
