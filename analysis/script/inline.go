// Package inline finds the calls in a program of another language that run
// other programs, or that delete or overwrite files: what a guard has to know
// of python -c '...', node -e '...' and awk '...'.
//
// It reads programs as text, runs nothing, and knows only the obvious: calls
// of the language's own library by their names, with arguments that are
// constants or were assigned constants before. What can't be known before the
// program runs is Dynamic, never guessed.
package script

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
	Code   Kind = "code"   // runs code of the same language that isn't known: exec(x), eval(x)
)

// Call is one call that matters.
type Call struct {
	Func      string // as it is known in the language: "shutil.rmtree", "fs.rmSync", "unlink"
	Kind      Kind
	Args      []Arg
	Recursive bool // Delete, Copy, Mode and Owner: with all that is below
	Dir       *Arg // the folder that it runs in, nil for the program's own
	Input     *Arg // what it is given on standard input, and of Write and Append what is written; nil for nothing known
	Line      int  // from 1
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
