package shell

// wrapper says how a program that runs another command is called.
type wrapper struct {
	grammar
	operands int    // words between the options and the command, such as a duration
	verbs    string // words of the wrapper's own that may come next
	assigns  bool   // then NAME=value words for the command's environment
	stops    string // options with which it runs nothing: "-v --version"

	text     string // options whose value is text for a shell: "-c --command"
	also     bool   // it runs the words too when it has such text
	textOnly bool   // it runs no words, only such text
	joins    bool   // the words are joined to a text for a shell
	direct   string // unless one of these is there
	split    string // options whose value is split into options and words
	program  string // options whose value is the command's name
	piped    string // options whose value is text for a shell behind a "|" or "!"
	sets     string // options whose value is NAME=value for the command's environment
	unsets   string // options whose value is a variable that the command doesn't get
	clears   string // options with which it gets none, "*" for always
	chdir    string // options whose value is the folder that it runs in

	shell    string // options with which it starts a shell when there is no command, "*" for always
	builtins bool   // the command may be a builtin of the shell
	remote   bool   // the command runs elsewhere
	remoteBy string // or does with one of these

	lead   bool // a word may come before the options
	unless bool // the operands are only there without options
	digits bool // the operands are only there where they begin with a digit
	dashes bool // a "--" may follow the operands
	behind bool // the command stands behind a "--", or without one behind the operands

	entrypoint func(argument) argument // makes the command's name of its first word
}

// wrapperOf returns the program of that name that is seen through; the name may
// have the "g" that GNU programs have on other systems. Their options are listed
// in full: where one isn't known, what follows can't be told apart, and the
// command behind it is dynamic.
func wrapperOf(name string) (wrapper, bool) {
	switch name {
	case "gchroot", "genv", "gnice", "gnohup", "gstdbuf", "gtime", "gtimeout", "gxargs":
		name = name[1:]
	}
	if w, ok := userWrapper(name); ok {
		return w, true
	}
	if w, ok := resourceWrapper(name); ok {
		return w, true
	}
	if w, ok := sandboxWrapper(name); ok {
		return w, true
	}
	if w, ok := traceWrapper(name); ok {
		return w, true
	}
	return environmentWrapper(name)
}

// isShell is about the programs that run the text that -c gives them or that is on
// their standard input.
func isShell(name string) bool {
	switch name {
	case "bash", "sh", "zsh", "dash", "ksh", "ksh93", "mksh",
		"ash", "rbash", "yash":
		return true
	}
	return false
}

// shellGrammar is what the shells have in common. That -c has its text as the
// first operand, and not as its value, is why it is no option with a value.
var shellGrammar = grammar{short: "o:O:", long: "rcfile= init-file=", first: true, plus: true, dash: true}

func wraps(short, long string) grammar {
	return grammar{short: short, long: long, closed: true, first: true}
}

// anywhere is for those that take options after operands too.
func anywhere(short, long string) grammar {
	return grammar{short: short, long: long, closed: true}
}

// wrapsOpen is for those whose options are too many to list: those that aren't
// here have no value, or have it in the same word.
func wrapsOpen(short, long string) grammar {
	return grammar{short: short, long: long, first: true}
}

func dashed(g grammar) grammar {
	g.dash = true
	return g
}
