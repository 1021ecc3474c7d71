package shell

import (
	"strings"
	"sync"

	"github.com/luahook/luahook/analysis/shell/programs"
)

// Command is one simple command: a program, function or builtin with its
// arguments, or a statement that only assigns or only redirects. All of it is
// for reading: commands share slices and point at one another.
type Command struct {
	// Name is the last element of the program's path, without ".exe". For a
	// pattern, such as /bin/r?, it is that of a program that is known and that
	// the pattern can stand for. It is "" when the name isn't known and when there is no program: only
	// assignments, or redirections (those of a compound command such as a
	// loop are reported as a command of their own, before its body).
	Name string

	// Path is the word that names the program, as in "/bin/rm", with quotes
	// and backslashes resolved. It is "" where no word does, as for what a
	// shell reads from a program whose output isn't known.
	Path string

	// Args holds the words after the name. For commands that xargs, parallel
	// and find run, a dynamic "{}" stands for what they put in, unless that
	// is known.
	Args []Word

	// Assignments holds those that stand before the command, or alone, and
	// those that env or sudo make for it.
	Assignments []Assignment

	// Redirects holds the command's own, and for a command reached through
	// sudo, env and the like the wrapper's, which it shares.
	Redirects []Redirect

	// Context says where the command stands, the innermost place first met
	// from the inside: "pipe", "and" (right of &&), "or" (right of ||),
	// "background" (before &, or coproc), "subshell", "substitution" ($(),
	// backquotes, <() and >()), "branch" (if and case), "loop" (for, while,
	// until, select) or "function" (a body that the line doesn't call). It
	// is "" for a statement of its own. A command in a nested text such as
	// that of bash -c has the wrapper's context unless it has its own.
	Context string

	// Pipe numbers the pipelines of a line from 1; commands with the same
	// number are stages of the same one. It is 0 outside of pipelines.
	Pipe int

	// Via names what the command was reached through, outermost first:
	// "sudo", "xargs", "bash -c", "bash <" (text on its standard input),
	// "bash x.sh" and "./x.sh" (a file that the line wrote), "eval",
	// "find -exec", "$()", "<()", "f()" (the function f), "trap",
	// "alias x", "git alias x", "python3 -c". A command that stands for what a
	// function of another language does ends with the name of that: "rm"
	// through "python3 -c" and "shutil.rmtree".
	Via []string

	// Parent is the command that runs this one: the last one that Via is
	// about. It is nil for the line's own.
	Parent *Command

	// Block is the command that has the redirections of the compound command in which this one stands, if they
	// take the output of it: that of "> f" for a in { a; b; } > f.
	Block *Command

	// Dynamic is set when something of the command can't be known before it
	// runs: which program it is (see NameDynamic), or one of its words.
	Dynamic bool

	// NameDynamic is set when it can't be known which program runs: the name
	// has an unknown variable or substitution, or is a pattern that stands for no
	// program that is known, the options of a
	// wrapper aren't understood, or the text for a shell is only known at run
	// time. In the last case a command for the text as a whole comes first, and
	// then what the known parts of the text say.
	NameDynamic bool

	// From holds, for a command with NameDynamic, the commands whose output
	// decides what runs, as the curl of curl URL | sh, of sh -c "$(curl URL)",
	// and of curl -o x URL; sh x. For one that is known, it holds those that
	// have decoded the text that it stands in, as the base64 of
	// echo bHM= | base64 -d | sh.
	From []*Command

	// Told holds the commands whose output stands in the arguments, as the cat
	// of curl "URL?x=$(cat file)".
	Told []*Command

	// SQL is set of what a program in another language hands to a database: it
	// is the text, and there is no program then.
	SQL *Word

	// Input is what is known of the standard input: nil where it is the
	// line's own.
	Input *Input

	cmdlet   *cmdlet      // of PowerShell or cmd.exe: its parameters, and what it does
	exported []Assignment // of git: the variables that the line exports, as far as they matter to it

	flow    *flow // see Line.Before
	isOneOf bool  // it is reported once for each value that its words may have

	meaningOf *Command // see MeaningOf

	in *container // of a Remote one that runs in a container with files of this machine

	// Dir is the folder in which the command runs: absolute, or as seen from
	// the one in which the line starts ("." for that one) where [Options] has
	// no Cwd, or from the home folder ("~/x", Home) where it has no Home. It
	// is dynamic where it isn't known.
	Dir Word

	// Multiplies is set when the command is started again and again, without an
	// end and without those before being waited for: a function that calls
	// itself in the background or in a pipe, whatever happens, and what a loop
	// without end starts in the background.
	Multiplies bool

	// Decides is set when the line fails where the command does, so that the
	// line's exit status tells that it has succeeded. It isn't where another
	// command can hide that: one that comes later (behind ";", or a "|"
	// without pipefail), "||" with anything but an exit, "!", "&"; and where
	// it may not run at all, stands in a substitution, a function, a loop or
	// a branch, or behind a program that isn't known to pass on the status.
	Decides bool

	// Remote is set when the command runs on another machine or in a
	// container: behind ssh, docker exec, kubectl exec and the like. Its
	// paths aren't those of this machine, but for what the container is
	// given of it, see [Command.Paths]. ssh to localhost is no other one,
	// unless an option leads elsewhere.
	Remote bool

	// Line and Column say where the command starts, from 1, columns in
	// bytes. Commands in a nested text are where that text is.
	Line, Column int
}

// Input is what a command reads from its standard input.
type Input struct {
	Text    string     // as far as it is known
	Dynamic bool       // Text isn't all, or not what is read
	From    []*Command // the commands whose output it is, empty for a here-document

	// Where a file is read that a redirection around the command names, as of a
	// loop, a function, bash -c or exec, Text is "", and From holds the command
	// that has the redirection.
}

// Word is one word of a command, expanded as far as it can be known.
type Word struct {
	// Text is the word with quotes removed, escapes resolved and known values
	// put in. Globs and dynamic parts are kept as they are written, and a "~"
	// or $HOME at the beginning is "~" where [Options] has no Home.
	Text string

	Dynamic bool // a part is only known at run time; that part of Text is its source
	Quoted  bool // a part is quoted, with a backslash or otherwise
	Glob    bool // an unquoted part is a file name pattern
	Home    bool // Text begins with a "~" that stands for a home folder

	// How a Dynamic Text begins, as far as that is known: see [Word.begins].
	lead      string
	temporary bool

	places string // of an empty Dynamic Text, where it may be, with NULs between
}

// Assignment is NAME=value. Of an array or a subscript, Value.Text is the
// source and Value is dynamic.
type Assignment struct {
	Name   string
	Value  Word
	Append bool // NAME+=value

	from []*Command // whose output is in the value
	file *argument  // what is in the file that it names, of <(...)
}

// Redirect is one redirection.
type Redirect struct {
	Op     string // the operator without the descriptor: ">", ">>", ">|", "<", "<>", ">&", "<&", "&>", "&>>", "<<", "<<-", "<<<"
	Fd     int    // the number before the operator, -1 when there is none
	Target Word   // the file, descriptor, delimiter, or text of a here-string
	Body   string // of a here-document, as the program gets it; dynamic parts are kept as written

	Dynamic bool // Target or Body has a part that is only known at run time

	// Empties is set where the file is opened anew and nothing but blanks is
	// written to it: "> f", ": > f", "cat /dev/null > f".
	Empties bool
}

// place is where a word stands in the text given to Parse.
type place struct{ line, column int }

// argument is a word with what is needed to look into it further.
type argument struct {
	Word
	at      place
	dynamic []string   // the sources of its dynamic parts
	from    []*Command // whose output is in it
	file    *argument  // what is in the file that it names, of <(...)
	taken   int        // how much of it was read, as an input
}

// newCommand describes the command made of words, the first of which names
// the program.
func (w *walker) newCommand(words []argument) *Command {
	// Commands are cut from a larger piece, because there are many.
	if len(w.commands) == 0 {
		w.commands = make([]Command, min(max(1, len(w.line.Commands)), 32))
	}
	c := &w.commands[0]
	w.commands = w.commands[1:]
	c.Path, c.Line, c.Column = words[0].Text, words[0].at.line, words[0].at.column
	switch {
	case words[0].Dynamic:
		c.NameDynamic = true
	case words[0].Glob && isPattern(baseName(c.Path)):
		c.Name = startedByPattern(c.Path)
		c.NameDynamic, c.Dynamic = c.Name == "", true
	default:
		c.Name = programName(c.Path)
	}
	c.Dynamic = c.Dynamic || c.NameDynamic
	if len(words) > 1 {
		c.Args = make([]Word, len(words)-1)
		for i := range c.Args {
			if word := &words[i+1]; word.Glob && standsForInput(word.Text) {
				word.Text, word.Glob = "/dev/stdin", false
			}
			c.Args[i] = words[i+1].Word
			c.Dynamic = c.Dynamic || words[i+1].Dynamic
			if from := words[i+1].from; len(from) > 0 {
				c.Told = mergeCommands(c.Told, from)
			}
		}
	}
	return c
}

// standsForInput reports whether a pattern means the standard input: /de[v]/stdin.
func standsForInput(pattern string) bool {
	if !strings.HasPrefix(pattern, "/") {
		return false
	}
	pattern = cleanText(pattern, true, false)
	for _, file := range [...]string{"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "/proc/thread-self/fd/0"} {
		if _, says := standsForPath(pattern, file); says {
			return true
		}
	}
	return false
}

// starters are programs that start others, or run what they are handed.
var starters = [...]string{"sh", "bash", "dash", "zsh", "ksh", "fish", "busybox", "sudo", "doas", "su", "env", "nohup", "timeout", "nice", "setsid", "xargs", "find",
	"python", "python3", "node", "perl", "ruby", "php", "awk"}

// startedByPattern returns which of these, or else of all that are known, a pattern stands for that names the program,
// as in /bin/b?sh, and "" for none.
func startedByPattern(path string) string {
	for _, name := range starters {
		if startsAs(path, name) {
			return name
		}
	}
	for _, name := range knownNames() {
		if startsAs(path, name) {
			return name
		}
	}
	return ""
}

// knownNames are those of programs that are known.
var knownNames = sync.OnceValue(func() (names []string) {
	for _, name := range programs.Names() {
		if !strings.Contains(name, " ") {
			names = append(names, name)
		}
	}
	return names
})

// programName is the name of the program that a word names. File systems that
// don't tell case apart find rm as RM, too: a name is that of the program that
// is known under its lower-case form.
func programName(path string) string {
	name := baseName(path)
	if isLower(name) {
		return name
	}
	if lower := strings.ToLower(name); isKnown(lower) && !isKnown(name) {
		return lower
	}
	return name
}

func isLower(name string) bool {
	for i := range len(name) {
		if 'A' <= name[i] && name[i] <= 'Z' || name[i] >= 0x80 {
			return false
		}
	}
	return true
}

// isKnown reports whether there is something to say about the program of that
// name, beyond what its arguments are.
func isKnown(name string) bool {
	if grammarOf(name) != nil || isShell(name) || isSilent(name) {
		return true
	}
	if wrapperOf(name) != nil || pureOf(name) != nil || languageOf(name) != nil {
		return true
	}
	foreign := foreignOf(name)
	return foreign != nil && foreign.ShellLike || isSpecialProgram(name)
}

// isSpecialProgram is about programs that are known by what they do, though not by their
// options.
func isSpecialProgram(name string) bool {
	switch name {
	case "xargs", "parallel", "find", "eval", "source", "shutdown", "reboot", "halt",
		"poweroff", "init", "telinit", "killall5", "truncate", "dd", "mkfs", "socat",
		"powershell", "pwsh", "cmd", "http", "https", "nc", "ncat":
		return true
	}
	return false
}

// baseName drops the directory and ".exe". Backslashes count as separators
// because a shell on Windows takes both.
func baseName(path string) string {
	start := 0
	for i := range len(path) {
		if (path[i] == '/' || path[i] == '\\') && i+1 < len(path) {
			start = i + 1
		}
	}
	name := path[start:]
	if n := len(name) - len(".exe"); n > 0 && strings.EqualFold(name[n:], ".exe") {
		name = name[:n]
	}
	return name
}

// literal is a word that is known.
func literal(text string, at place) argument { return argument{Word: Word{Text: text}, at: at} }

// unknowable is a word of which nothing is known but where it's from.
func unknowable(source string, at place) argument {
	return argument{Word: Word{Text: source, Dynamic: true}, at: at, dynamic: []string{source}}
}

// wordsOf returns the words as a command has them.
func wordsOf(args []argument) []Word {
	words := make([]Word, len(args))
	for i, arg := range args {
		words[i] = arg.Word
	}
	return words
}

// marked says that source, a part of the word, isn't known.
func (a argument) marked(source string) argument {
	a.cutLead(source)
	a.Dynamic = true
	a.dynamic = append(a.dynamic[:len(a.dynamic):len(a.dynamic)], source)
	return a
}

// fillIn marks the words in which something is put that isn't known, and whose
// output it is. Without a mark to replace, it is added at the end.
func fillIn(words []argument, replace string, from []*Command) []argument {
	filled := append(make([]argument, 0, len(words)+1), words...)
	if replace == "" {
		added := unknowable("{}", words[len(words)-1].at)
		added.from = from
		return append(filled, added)
	}
	for i := range filled {
		if strings.Contains(filled[i].Text, replace) {
			filled[i] = filled[i].marked(replace)
			filled[i].from = append(filled[i].from[:len(filled[i].from):len(filled[i].from)], from...)
		}
	}
	return filled
}

// joinWords returns words as one text with blanks between them.
func joinWords(words []argument) (argument, bool) { return concatenate(words, " ") }

func concatenate(words []argument, glue string) (argument, bool) {
	if len(words) == 0 {
		return argument{}, false
	}
	text := argument{at: words[0].at, Word: Word{Home: words[0].Home}}
	texts := make([]string, len(words))
	for i, word := range words {
		texts[i] = word.Text
		text.Dynamic = text.Dynamic || word.Dynamic
		text.Glob = text.Glob || word.Glob
		text.dynamic = append(text.dynamic, word.dynamic...)
		text.from = mergeCommands(text.from, word.from)
	}
	text.Text = strings.Join(texts, glue)
	return text, true
}

func mergeCommands(a, b []*Command) []*Command {
	if len(a) == 0 && len(b) <= maxFrom {
		return b[:len(b):len(b)]
	}
	for _, c := range b {
		if len(a) == maxFrom {
			break
		}
		known := false
		for _, have := range a {
			known = known || have == c
		}
		if !known {
			a = append(a[:len(a):len(a)], c)
		}
	}
	return a
}

// containedIn returns those of sources that are in text.
func containedIn(text string, sources []string) []string {
	var found []string
	for _, source := range sources {
		if strings.Contains(text, source) {
			found = append(found, source)
		}
	}
	return found
}

// blankSource reports whether one of the sources of what isn't known would be
// split itself.
func blankSource(sources []string) bool {
	for _, source := range sources {
		if strings.ContainsAny(source, blanks) {
			return true
		}
	}
	return len(sources) == 0
}

// maxSources is how many different parts of one word that aren't known are told
// apart.
const maxSources = 16

// maxFrom is how many commands are kept as the origin of a text.
const maxFrom = 8

// argument is the value that is assigned, as a word.
func (a *Assignment) argument(at place) argument {
	value := argument{Word: a.Value, at: at, from: a.from, file: a.file}
	if value.Dynamic {
		value.dynamic = []string{value.Text}
	}
	return value
}

// rest is what of an input hasn't been read yet.
func (a *argument) rest() string {
	if a.taken > len(a.Text) {
		return ""
	}
	return a.Text[a.taken:]
}

// line reads the next line of an input.
func (a *argument) line() (text string, ok bool) {
	rest := a.rest()
	if rest == "" {
		return "", false
	}
	line, _, found := strings.Cut(rest, "\n")
	if a.taken += len(line); found {
		a.taken++
	}
	return line, true
}

// unread is what of an input hasn't been read yet, as text.
func (a *argument) unread() argument {
	b := *a
	b.Text, b.taken = a.rest(), 0
	return b
}

// knownStart returns how the text of a word begins that isn't known as a whole:
// the part that is known, or with temporary what stands for a temporary file.
// It is "" where neither is known. A text that was changed since is taken for
// one of which nothing is known.
func (w *Word) knownStart() (lead string, temporary bool) {
	if !w.Dynamic || w.lead == "" || !strings.HasPrefix(w.Text, w.lead) {
		return "", false
	}
	return w.lead, w.temporary
}

// cutLead notes how a word begins that gets unknown from source on.
func (w *Word) cutLead(source string) {
	if w.Dynamic {
		return
	}
	if i := strings.Index(w.Text, source); i >= 0 {
		w.lead = w.Text[:i]
	}
	if i := strings.IndexAny(w.lead, "*?["); i >= 0 && w.Glob {
		w.lead = w.lead[:i]
	}
}

// markTemporary marks a value that stands for a temporary file.
func (a *argument) markTemporary() { a.lead, a.temporary = a.Text, true }
