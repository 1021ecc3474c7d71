// Package windows says what texts in the two languages of Windows' shells would do: those of PowerShell, on any
// system, and of cmd.exe. It is to analysis/shell what analysis/script is: it reads a text, follows what the text
// itself makes known, and returns the calls in it. What a cmdlet does to files is said by the command of a Unix
// system that does the same ([Act]), so that one set of rules judges both.
//
// It runs nothing, touches nothing, decides nothing, and is safe for concurrent use. What can only be known while
// the text runs is Dynamic, never guessed.
//
// PowerShell goes through a parser (parse.go, expression.go), which makes a tree (tree.go), and a walk through
// that (walk.go, command.go, evaluate.go, method.go). What cmdlets do stands in cmdlets.go and beside it; cmd.exe
// is read by batch.go.
package windows

import "strings"

// Program is what is known of a text.
type Program struct {
	// Calls holds the commands in the order in which they would start. Those that may run or not are all here; the
	// bodies of functions that the text never calls come last.
	Calls []*Call

	Err        *Mistake // the text isn't valid; Calls has what could be read
	TooComplex bool     // the text is too long or too deeply nested to be read to its end
}

// Mistake says where and why a text isn't valid.
type Mistake struct {
	Line, Column int // from 1; columns in bytes
	Message      string
}

// Call is one command: a cmdlet, a program, or a function or method of .NET that does something to files.
type Call struct {
	// Name is that of a cmdlet in its usual spelling, whatever alias or case it was called by: "Remove-Item". It is
	// "" for a program, which is the first of Words.
	Name  string
	Words []Word // the name as written, and the arguments

	// Parameters are those of a cmdlet, or the switches of a command that is a part of cmd.exe: those that hold,
	// with full names. The Words that belong to none are Operands.
	Parameters []Parameter
	Operands   []int // in Words

	Acts []Act // what it does, in order

	Environment []Setting // the variables of the environment that the text has set before
	Dirs        []Word    // the folders that were gone into before it, each seen from the one before
	Input       *Word     // what is known of its standard input; nil: nothing
	Redirects   []Redirect

	Context string   // as in shell.Command
	Pipe    int      // the number of its pipeline, from 1; 0: none
	Via     []string // what it was reached through, outermost first
	Parent  *Call
	From    []*Call // of a program whose name isn't known: whose output decides it; else what has decoded the text
	Remote  bool    // it runs on another machine
	Missing []Word  // files, seen from Dirs, that a test has found missing wherever it runs

	Line, Column int
}

// Parameter is a parameter of a cmdlet.
type Parameter struct {
	Name   string // "-Recurse", "/s"
	Value  string // "" for a switch
	Valued bool
	Word   int // where in Words it stands, or, of one that isn't there, len(Words)
}

// Act is something that a call does, as a command of a Unix system: Words, or the writing of File.
type Act struct {
	Words []Word
	File  *Word
	Add   bool  // File keeps what is in it
	Text  *Word // what is written, nil where that isn't known
	Code  *Word // a text is run that isn't known
	From  []*Call
	Via   string // what the act is reached through; "": the call's name
}

// Setting is a variable of the environment.
type Setting struct {
	Name  string
	Value Word
}

// Redirect is a redirection to or from a file.
type Redirect struct {
	Operator string // ">", ">>", "2>", "<" ...
	File     Word
}

// Word is one word as far as it can be known.
type Word struct {
	Text      string // of parts that can't be known their source
	Dynamic   bool
	Parts     []string // the sources in Text that can't be known
	Quoted    bool
	Glob      bool // a pattern of file names
	Home      bool // Text begins with a "~" that stands for the home folder
	Temporary bool // the first of Parts, at the beginning, stands for a folder for temporary files
	From      []*Call
}

// Options says where a text is run.
type Options struct {
	Windows bool // on Windows, as far as is known

	// Variable returns a variable of the environment, if it is known; nil: none is.
	Variable func(name string) (Word, bool)

	// File returns what is in a file that was written around the text; nil: nothing is known.
	File func(name Word) (Word, bool)

	// Spend takes from what may still be worked on; it returns false when nothing is left. nil: see maxWork.
	Spend func(n int) bool
}

// The bounds of one text.
const (
	maxText  = 64 << 10
	maxCalls = 5000
	maxDepth = 24 // of texts in texts, and calls in calls
	maxItems = 64 // rounds of a loop over known values
	maxWork  = 1 << 20

	textCost = 3  // for each byte
	nodeCost = 2  // for each node of a tree that is met
	callCost = 48 // for each call
)

// PowerShell reads a text as PowerShell does. Neither the program nor what it points to is shared.
func PowerShell(text string, options Options) *Program {
	w := newWalker(options)
	w.script(text, scope{})
	w.uncalled()
	return w.program
}

// Batch reads a line, or several, as cmd.exe does.
func Batch(text string, options Options) *Program {
	w := newWalker(options)
	w.batch(text, scope{})
	return w.program
}

func newWalker(options Options) *walker {
	w := &walker{program: new(Program), options: options, work: maxWork}
	w.env = &environment{values: map[string]value{}, functions: map[string]*function{}}
	return w
}

// spend takes n from what may still be worked on.
func (w *walker) spend(n int) bool {
	if w.options.Spend != nil {
		if !w.options.Spend(n) {
			w.program.TooComplex = true
		}
	} else if w.work -= n; w.work < 0 {
		w.program.TooComplex = true
	}
	return !w.program.TooComplex
}

func position(text string, at int) (line, column int) {
	before := text[:min(at, len(text))]
	return 1 + strings.Count(before, "\n"), len(before) - strings.LastIndexByte(before, '\n')
}
