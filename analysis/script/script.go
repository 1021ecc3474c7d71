// Package script finds the calls in a program of another language that run other programs, that delete or
// overwrite files, or that hand SQL to a database: what a guard has to know of python -c '...', node -e '...' and
// awk '...'. It doesn't read the shell's language, and it doesn't decide anything.
//
// It reads programs as text, runs nothing, and knows only the obvious: calls of the language's own library by
// their names, with arguments that are constants or were assigned constants before. A function is read where it's
// called, with what it's called with; a loop once for all of its rounds. What is found in a folder is known as
// such. What can't be known before the program runs is Dynamic, never guessed.
//
// A program goes through one lexer (lex.go, quotes.go) and one reader, whatever its language: statements
// (statement.go), expressions (expression.go, primary.go), functions and variables (function.go, scope.go). What
// the functions of a library do says the table library.txt, which library.go applies; files.go, process.go and
// text.go do it.
package script

import "slices"

// Kind says what a call does.
type Kind string

// What calls do. Args are what the kind says.
const (
	Run    Kind = "run"    // runs a program: its name and arguments
	Shell  Kind = "shell"  // has a shell run the text Args[0]
	Delete Kind = "delete" // deletes the files Args
	Write  Kind = "write"  // makes or empties the files Args, and writes to them
	Append Kind = "append" // writes to the end of the files Args
	Move   Kind = "move"   // renames Args[0] to Args[1]
	Copy   Kind = "copy"   // copies Args[0] to Args[1]
	Mode   Kind = "mode"   // changes the mode to Args[0], octal or dynamic, of the files Args[1:]
	Owner  Kind = "owner"  // changes the owner to Args[0] of the files Args[1:]
	Link   Kind = "link"   // makes Args[1] a symbolic link to Args[0]
	SQL    Kind = "sql"    // has a database run the statements in the text Args[0]; Args[1], if it's there, is the database's file or address
	Send   Kind = "send"   // sends what is in the file Args[0] to the address Args[1]
	Code   Kind = "code"   // runs code of the same language that isn't known: exec(x), eval(x)
)

// Call is one call that matters.
type Call struct {
	Func      string // as it is known in the language: "shutil.rmtree", "fs.rmSync", "unlink"
	Kind      Kind
	Args      []Arg
	Recursive bool  // Delete, Copy, Mode and Owner: with all that is below
	Dir       *Arg  // the folder that it runs in, nil for the program's own
	Input     *Arg  // what it is given on standard input, and of Write and Append what is written; nil for nothing known
	Missing   []Arg // files, seen from Dir, that a test has found missing wherever it runs: os.path.exists(x) or open(x, "w")
	Line      int   // from 1
	start     int   // where it stands in the program
	anew      bool  // it opens a file that it leaves nothing in
}

// Arg is one argument.
type Arg struct {
	Text    string   // the value; of what can't be known, its source
	Dynamic bool     // a part can't be known
	Rest    bool     // Dynamic, and stands for any number of arguments
	Parts   []string // the parts of Text that can't be known, as they stand in it; none: all of it, if it's Dynamic
	Home    bool     // Text begins with a "~" that stands for the home folder
}

// Program is what is known of a program.
type Program struct {
	Calls      []Call
	TooComplex bool // it is too long or too deeply nested to be read to its end
}

// Python returns what a program in Python 3 or 2 does.
func Python(source string) Program { return python.program(source) }

// JavaScript returns what a program for node, bun or deno does: a module, a script or the text of node -e, or TypeScript.
func JavaScript(source string) Program { return javascript.program(source) }

// Perl returns what a program in Perl 5 does.
func Perl(source string) Program { return perl.program(source) }

// Ruby returns what a program in Ruby does.
func Ruby(source string) Program { return ruby.program(source) }

// PHP returns what a program in PHP does: the text of a file with <?php in it, or that of php -r.
func PHP(source string) Program { return php.program(source) }

// Awk returns what a program in awk does.
func Awk(source string) Program { return awk.program(source) }

// language is what the lexer and the reader have to know of a language.
type language struct {
	name                string
	pythonic            bool   // blocks are indented
	lines               bool   // the end of a line ends a statement
	parts               string // what may be in a name, besides letters
	comments, signs     *shape
	variables           *shape // names with a sigil
	regexes             *shape // regular expressions in slashes
	quotes, codes, here *shape // what begins a string, code in a string, and a here-document
	braces              bool   // what isn't known in a text is written {x}, not ${x}
	join                string // the operator that joins texts
	local               bool   // a variable that is assigned belongs to the function
	paths               string // what path objects are called
	backticks           string // what a text between command quotes is called
}

var (
	python = &language{name: "python", paths: "Path.", pythonic: true, lines: true, braces: true, join: "+", local: true,
		comments: comments, signs: &shape{text: `//=?|` + longSigns}, parts: "$",
		quotes: pythonQuotes, codes: pythonCode}
	javascript = &language{name: "javascript", paths: "Bun.file.", join: "+",
		comments: jsComments, signs: &shape{text: `\?\.|` + longSigns}, parts: "$", quotes: quotes, codes: jsCode, regexes: regexes}
	perl = &language{name: "perl", backticks: "qx", paths: "Path::Tiny.", join: ".",
		comments: perlComments, signs: &shape{text: `//=?|::|` + longSigns}, parts: "::", variables: perlVariables,
		quotes: perlQuotes, codes: perlCode, regexes: regexes, here: hereMarks}
	ruby = &language{name: "ruby", backticks: "%x", paths: "Pathname.", lines: true, join: "+", local: true,
		comments: rubyComments, signs: &shape{text: `&\.|::|` + longSigns}, variables: rubyVariables,
		quotes: rubyQuotes, codes: rubyCode, regexes: regexes, here: hereMarks}
	php = &language{name: "php", backticks: "shell_exec", join: ".", local: true,
		comments: phpComments, signs: &shape{text: `\?->|\?:|::|` + longSigns}, parts: `\`, variables: phpVariables,
		quotes: quotes, codes: phpCode, here: hereMarks}
	awk = &language{name: "awk", lines: true, braces: true,
		comments: comments, signs: &shape{text: `\|&|` + longSigns}, variables: awkVariables, quotes: quotes, regexes: regexes}
)

// The bounds of the work on one program.
const (
	maxCalls = 1000
	maxWork  = 2_000_000
	maxSteps = 5_000_000 // of the reader, in one reading
	maxCode  = 8         // of code in texts that are run
)

// flow is what is known while a program is read.
type flow struct {
	*language
	global                *scope
	units                 map[string]*unit
	calls                 []Call
	dir                   *Arg
	line, start           int // in the source, of what is read
	work, steps           int
	depth, codes, calling int // of expressions and statements, of code in texts, of calls of functions
	skimming              int // functions are passed over, and nothing is noted
	tick, late            int // of blocks and assignments; when what nobody calls began to be read
	complex               bool
	blocks                []block // what perhaps runs, or several times
	tests                 int     // conditions that choose among files
	chosen                map[int]bool
	functions             []*function
	defined               map[*token]*function // by where their parameters begin
	known                 map[string]row
	included              []string // modules whose functions are known without their names
	prints                []values // of awk: what it writes
	databases             values   // those that it has opened
	missing               []missing
	leaves                bool // nothing behind the statement that was read last is reached from there
}

func (l *language) program(source string) Program {
	f := l.read(source)
	return Program{Calls: f.calls, TooComplex: f.complex}
}

func (l *language) read(source string) *flow {
	deep := false
	f := &flow{language: l, chosen: map[int]bool{}, defined: map[*token]*function{}, global: &scope{}, units: map[string]*unit{}, work: maxWork}
	r := &reader{flow: f, u: l.lex(source, 1, &deep), scope: f.global}
	r.statements(nil)
	for i := 0; i < len(r.functions); i++ { // that nobody calls, or that are handed to what isn't known
		if fn := r.functions[i]; fn.reads == 0 || fn.late {
			r.dir, r.tests, r.blocks, r.missing, fn.reads = fn.dir, 0, nil, nil, 0
			r.tick++
			r.late = r.tick
			r.call(fn, nil, true)
		}
	}
	slices.SortStableFunc(f.calls, func(a, b Call) int { return a.start - b.start })
	f.complex = f.complex || deep
	return f
}

// spend takes n from the work that may be done. It returns false where there is none left.
func (f *flow) spend(n int) bool {
	if f.work -= n; f.work < 0 {
		f.complex = true
	}
	return f.work >= 0
}
