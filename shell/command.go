package shell

import "strings"

// Command is one simple command: a program, function or builtin with its
// arguments, or a statement that only assigns or only redirects.
type Command struct {
	// Name is the last element of the program's path, without ".exe". It is
	// "" when the name is dynamic and when there is no program: only
	// assignments, or redirections (those of a compound command such as a
	// loop are reported as a command of their own, before its body).
	Name string

	// Path is the word that names the program, as in "/bin/rm", with quotes
	// and backslashes resolved.
	Path string

	// Args holds the words after the name. For commands that xargs and find
	// run, a dynamic "{}" stands for what they put in.
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
	// until, select) or "function" (a body: it runs when called). It is ""
	// for a statement of its own. A command in a nested text such as that of
	// bash -c has the wrapper's context unless it has its own.
	Context string

	// Pipe numbers the pipelines of a line from 1; commands with the same
	// number are stages of the same one. It is 0 outside of pipelines.
	Pipe int

	// Via names what the command was reached through, outermost first:
	// "sudo", "xargs", "bash -c", "bash <" (text on its standard input),
	// "eval", "find -exec", "$()", "<()".
	Via []string

	// Dynamic is set when it can't be known which program runs: the name has
	// a variable, substitution or unquoted glob, the options of a wrapper
	// aren't understood, or the text for a shell is only known at run time.
	// In the last case a command for the text as a whole comes first, and
	// then what the known parts of the text say.
	Dynamic bool

	// Line and Column say where the command starts, from 1, columns in
	// bytes. Commands in a nested text are where that text is.
	Line, Column int
}

// Word is one word of a command after quote removal.
type Word struct {
	// Text is the word with quotes removed and escapes resolved. "~", globs
	// and dynamic parts are kept as they are written.
	Text string

	Dynamic bool // a part is only known at run time; that part of Text is its source
	Quoted  bool // a part is quoted, with a backslash or otherwise
	Glob    bool // an unquoted part is a file name pattern
}

// Assignment is NAME=value. Of an array or a subscript, Value.Text is the
// source and Value is dynamic.
type Assignment struct {
	Name   string
	Value  Word
	Append bool // NAME+=value
}

// Redirect is one redirection.
type Redirect struct {
	Op     string // the operator without the descriptor: ">", ">>", ">|", "<", "<>", ">&", "<&", "&>", "&>>", "<<", "<<-", "<<<"
	Fd     int    // the number before the operator, -1 when there is none
	Target Word   // the file, descriptor, delimiter, or text of a here-string
	Body   string // of a here-document, as the program gets it; dynamic parts are kept as written

	Dynamic bool // Target or Body has a part that is only known at run time
}

// place is where a word stands in the text given to Parse.
type place struct{ line, column int }

// argument is a word with what is needed to look into it further.
type argument struct {
	Word
	at      place
	dynamic []string // the sources of its dynamic parts
}

// newCommand describes the command made of words, the first of which names
// the program.
func newCommand(words []argument) *Command {
	c := &Command{Path: words[0].Text, Line: words[0].at.line, Column: words[0].at.column}
	// An unquoted pattern in the name stands for whichever file it matches.
	if c.Dynamic = words[0].Dynamic || words[0].Glob; !c.Dynamic {
		c.Name = baseName(c.Path)
	}
	if len(words) > 1 {
		c.Args = make([]Word, len(words)-1)
		for i, word := range words[1:] {
			c.Args[i] = word.Word
		}
	}
	return c
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
