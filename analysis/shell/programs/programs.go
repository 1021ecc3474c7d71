// Package programs holds what is known of programs as data: how each reads its
// options, which files it reads and writes, and which other commands it runs.
// It doesn't read command lines, and it knows no program that its text files
// don't list: that is for package shell, which also has what no list can say,
// under the names that stanzas give with "by".
//
// The text files, one for each area, consist of stanzas in alphabetical order.
// A stanza is about one program, or one subcommand such as "git push":
//
//	# zip(1) of Info-ZIP 3.0
//	zip, othername
//	  options closed
//	    short b:n:O:
//	    long output-file= password= recurse-paths
//	  paths
//	    first write
//	    each read
//	    tree -r -R --recurse-paths
//
// The other names in the first line are those of which all the same is known.
// Below it stand the fields of Program. One that is a struct is a section with
// fields of its own, of which those that are a bool may stand in its first line.
// The files have the names of fields in small letters: "remote-by" is RemoteBy.
// A line that is indented deeper continues the one above. Comments begin with
// "#". Among long options "@list" stands for the words of the stanza of that
// name.
package programs

import (
	_ "embed"
	"iter"
	"strings"
	"sync"
	"sync/atomic"
)

// Program is what is known of a program or of a subcommand. What isn't known
// is nil or empty.
type Program struct {
	Name string // under which it is listed: "tar" for gtar

	Options    *Options    // how it reads its options
	Paths      *Paths      // what it does to files
	Runs       *Runs       // how it is told to run a command
	Launches   *Options    // those before subcommands of which some run a command
	Behind     *Behind     // options behind which a command stands
	Machine    *Machine    // how its subcommand runs a command on another machine
	Git        *Git        // what a subcommand of git loses, and what git runs for it
	Calls      *Calls      // options whose value it runs, beside its work
	Interprets *Interprets // how it is told to run a program in another language
	Foreign    *Foreign    // how it is told to run a text in a language that nobody reads here

	Starts   string // options with the folder that it starts in
	Client   string // the clients of databases whose commands it has: "postgres"
	Output   string // options that name the file that a download goes to
	Versions bool   // its name may end with a version: python3.12

	OutputFolder string // options that name the folder of Output

	// Programs that it is like.
	As            string // in all that isn't said
	LaunchesAs    string // in the commands that its subcommands run
	SubcommandsAs string // in the options of subcommands that aren't listed
}

// Options says how a program reads its options. Letters and names are listed
// as for getopt: "nu:e::" is -n, -u with a value, and -e with a value only in
// the same word; "force user= color?" likewise for long options, and "arg==" is
// one that takes two words.
type Options struct {
	Short string
	Long  string
	// Rivals lists options of which only the last one given holds, those that
	// mean the same joined by commas: "f,force i n" for mv. A ";" begins
	// another such group. A name behind which "!never" stands has no say with
	// a value that begins so. --x and --no-x are rivals without being listed.
	Rivals string

	Closed  bool // the lists are complete, any other option is unknown
	Exact   bool // long options can't be abbreviated
	Negates bool // --no-x is an option for every --x that is listed, and the other way round
	Truth   bool // --x=false takes --x back, as in programs written in Go
	First   bool // options end at the first operand
	Whole   bool // "-name" is one option and not a bundle of letters
	Bare    bool // the first word is a bundle even without a dash, as tar's
	Plus    bool // words that begin with + are options too
	Dash    bool // a lone - is an option
	Global  bool // what is listed only holds before the subcommand
	Open    bool // a long option that isn't listed takes the next word, unless that is an option
}

// An Access is what is done to a file: "read", "write" or "delete".
type Access string

// Paths says which words of a program name files, and what it does to them.
// Options are listed as they are written: "-e --expression".
type Paths struct {
	First Access // to the first operand behind those skipped
	Each  Access // to every other operand
	Last  Access // to the last of several operands

	Skip   int    // how many operands before these name no files
	Unless string // options with which none is skipped
	Into   string // options whose value is the last operand: "-t --target-directory"
	Reads  string // options whose value is a file that is read
	Writes string // options whose value is a file that is written

	With string // options with which what is done to each operand changes
	Then Access // to this
	Also bool   // in addition

	Guess Access // to the operands that begin as a path does: "/", "~" or "."
	Dry   string // options with which nothing is changed, only read
	Dash  bool   // "-" is the name of a file
	Hosts bool   // operands may be on other machines: host:path

	Tree    string // options with which what is done to a folder is done to all in it; "*": always
	Fills   bool   // with Tree: what gets into a folder is made there
	Exact   string // options with which the last operand is no folder that the others are put into; "*": never
	Unpacks string // it writes into the folder that it works in, unless one of these options names another

	By string // the function of package shell that adds what the above can't say
}

// Runs says how a program is told to run a command.
type Runs struct {
	Options
	Operands int    // words between the options and the command, such as a duration
	Verbs    string // words of the program's own that may come next
	Assigns  bool   // then NAME=value words for the command's environment
	Stops    string // options with which it runs nothing: "-v --version"

	Text     string // options whose value is text for a shell: "-c --command"
	Also     bool   // it runs the words too when it has such text
	TextOnly bool   // it runs no words, only such text
	Joins    bool   // the words are joined to a text for a shell
	Direct   string // unless one of these is there
	Split    string // options whose value is split into options and words
	Program  string // options whose value is the command's name
	Piped    string // options whose value is text for a shell behind a "|" or "!"
	Sets     string // options whose value is NAME=value for the command's environment
	Unsets   string // options whose value is a variable that the command doesn't get
	Clears   string // options with which it gets none, "*" for always
	Chdir    string // options whose value is the folder that it runs in

	Shell    string // options with which it starts a shell when there is no command, "*" for always
	Builtins bool   // the command may be a builtin of the shell
	Remote   bool   // the command runs elsewhere
	RemoteBy string // or does with one of these
	Mounts   string // in a container that gets files of this machine with these

	Lead            bool // a word may come before the options
	UnlessOptions   bool // the operands are only there without options
	Digits          bool // the operands are only there where they begin with a digit
	Dashes          bool // a "--" may follow the operands
	Behind          bool // the command stands behind a "--", or without one behind the operands
	PackageName     bool // the command's name is that of a package: @scope/name@version
	EnvironmentName bool // the command's name may stand behind an environment's: test:name

	// By is the function of package shell that reads the arguments with these
	// options, where the above can't say what is run.
	By string
	// Subcommand reports whether a subcommand runs the command, and not the
	// program itself.
	Subcommand bool
}

// Calls says which options name commands that a program runs beside its work.
type Calls struct {
	Options
	Text    string // those whose value is text for a shell
	Program string // those whose value is a program and its arguments, without a shell
	Input   bool   // the command talks to whom the program is connected to
}

// Git says what a subcommand of git does to what it may lose, and what git runs
// for it.
type Git struct {
	Letters string // short options and the long ones that they stand for: "f=force"
	Rivals  string // options of which the last one holds
	Asks    string // the option with which a person is asked before something is lost

	// Rules has the cases in which something is lost or forced, with a ";"
	// between them. A case begins with what it does: discards, rewrites,
	// deletes or forces, with a "+" between several; then stand its
	// conditions, all of which hold:
	//
	//   - an option that is on; behind "!" one that is off;
	//   - "@drop": this is the subcommand's own; "@a|b" likewise for one of both;
	//   - the name of a function of package shell.
	Rules string

	Network    bool   // it talks to another repository
	Uses       string // what else it runs that variables and settings name
	Hooks      string // the hooks that it runs (githooks)
	Text       string // options with text for a shell
	RemoteText string // likewise, for one on the machine of the repository
	Paged      bool   // git may show what it writes with a pager
	Edits      bool   // it may open an editor
	EditsWith  string // or does with one of these options
}

// Interprets says how an interpreter of another language is told what to run.
type Interprets struct {
	Options
	Language string // the one that package script reads

	Code  string // options whose value is the program; several are joined
	Files string // options whose value is a file with the program
	Ends  string // of them: all after the value are arguments of the program
	Stops string // options with which nothing is run, or nothing that is understood

	Operand   bool   // the first operand is the program
	Printing  string // options with which it is, as node -p CODE
	Verb      string // a subcommand before it all, as in deno eval CODE
	Tool      bool   // it is a program of a project, which an interpreter runs by its file
	Verbs     string // subcommands that are interpreters, each of a stanza of its own, and nothing else is
	Load      string // options that load a library
	Loaded    string // how that is written in a program, with %s for its name
	Arguments string // how a program names its arguments
	Argument  string // how it names one, with % for its number
	From      int    // the number of the first one

	Manages bool   // it's a manager of packages too
	InPlace string // the option with which the operands are overwritten
	Folder  string // the option that names the folder to go to
	Parts   bool   // the parts of a text that aren't known are marked
}

// Foreign lists the options whose value is a text in another language.
type Foreign struct {
	Text      string
	ShellLike bool // its commands mostly look as in a shell
}

// Behind says behind which options a command stands: as words, up to the end,
// or as a text for a shell.
type Behind struct{ Words, Text string }

// Machine has the words of a subcommand that is an ssh, the options whose value
// is a text for the shell there, and other options with a value.
type Machine struct {
	Words        string
	Text, Values string
}

// Of returns what is known of the program of that name, or of "program
// subcommand"; nil is nothing. What it returns must not be changed.
func Of(name string) *Program {
	t := everything()
	at := t.find(name)
	versioned := at < 0
	if versioned { // it may be one with a version
		plain := len(name)
		for plain > 0 && (name[plain-1] == '.' || name[plain-1] >= '0' && name[plain-1] <= '9') {
			plain--
		}
		if plain == len(name) {
			return nil
		}
		at = t.find(name[:plain])
	}
	if at < 0 || strings.HasPrefix(name, "@") { // a list of words
		return nil
	}
	p := t.known[at].Load()
	if p == nil {
		var err error
		if p, err = t.parse(at); err != nil {
			panic(err) // the files are part of this package, and TestStanzas reads all
		}
		t.known[at].Store(p)
	}
	if versioned && !p.Versions {
		return nil
	}
	return p
}

// Names returns the names of all programs and subcommands.
func Names() []string {
	var all []string
	t := everything()
	for i := range t.known {
		for _, name := range t.stanza(i).names() {
			if !strings.HasPrefix(name, "@") {
				all = append(all, name)
			}
		}
	}
	return all
}

// table says where the stanzas are. They are read when they are asked for.
type table struct {
	files []area
	index string                    // see the constants below
	known []atomic.Pointer[Program] // those that were read, as in the index
}

// The index begins with slots, which are found by the hash of a name: the number of its stanza
// from 1, 0 for a slot that is free, and where in the stanza's text the name stands. Behind
// them are the stanzas: their file's number, and where in it they begin and end.
const (
	slots      = 1 << 12
	slotSize   = 2 + 2 + 1 // the stanza, the place and the length of the name
	stanzaSize = 1 + 3 + 3 // the file, the beginning and the end
)

// number is that in the first size bytes of a text.
func number(text string, size int) (n int) {
	for i := size - 1; i >= 0; i-- {
		n = n<<8 | int(text[i])
	}
	return n
}

type stanza struct {
	file    *area
	at, end int // in the text of the file
}

func (t *table) stanza(i int) stanza {
	of := t.index[slots*slotSize+i*stanzaSize:]
	return stanza{file: &t.files[of[0]], at: number(of[1:], 3), end: number(of[4:], 3)}
}

// maxName is how long a name may be.
const maxName = 64

// find returns the number of the stanza with a name, -1 for none.
func (t *table) find(name string) int {
	if len(name) > maxName {
		return -1
	}
	for i := hash(name); ; i++ {
		slot := t.index[i%slots*slotSize:]
		n := number(slot, 2)
		if n == 0 {
			return -1
		} else if int(slot[4]) != len(name) {
			continue
		}
		if at := number(slot[2:], 2); t.stanza(n - 1).text()[at:at+len(name)] == name {
			return n - 1
		}
	}
}

// hash is FNV-1a.
func hash(name string) uint32 {
	h := uint32(2166136261)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return h
}

// area is one of the text files.
type area struct{ name, text string }

var (
	//go:embed archive.txt
	archiveText string
	//go:embed backup.txt
	backupText string
	//go:embed cloud.txt
	cloudText string
	//go:embed code.txt
	codeText string
	//go:embed containers.txt
	containersText string
	//go:embed databases.txt
	databasesText string
	//go:embed disks.txt
	disksText string
	//go:embed files.txt
	filesText string
	//go:embed git.txt
	gitText string
	//go:embed infrastructure.txt
	infrastructureText string
	//go:embed languages.txt
	languagesText string
	//go:embed network.txt
	networkText string
	//go:embed packages.txt
	packagesText string
	//go:embed shell.txt
	shellText string
	//go:embed system.txt
	systemText string
	//go:embed terminals.txt
	terminalsText string
	//go:embed text.txt
	textText string
	//go:embed wrappers.txt
	wrappersText string
)

func areas() []area {
	return []area{
		{"archive.txt", archiveText},
		{"backup.txt", backupText},
		{"cloud.txt", cloudText},
		{"code.txt", codeText},
		{"containers.txt", containersText},
		{"databases.txt", databasesText},
		{"disks.txt", disksText},
		{"files.txt", filesText},
		{"git.txt", gitText},
		{"infrastructure.txt", infrastructureText},
		{"languages.txt", languagesText},
		{"network.txt", networkText},
		{"packages.txt", packagesText},
		{"shell.txt", shellText},
		{"system.txt", systemText},
		{"terminals.txt", terminalsText},
		{"text.txt", textText},
		{"wrappers.txt", wrappersText},
	}
}

// index is made of the files by `go test ./analysis/shell/programs -update`: a new process would
// take longer to make it than to judge a command.
//
//go:embed index.bin
var index string

// everything is the table of all files.
var everything = sync.OnceValue(func() *table { return newTable(areas(), index) })

func newTable(files []area, index string) *table {
	return &table{files: files, index: index, known: make([]atomic.Pointer[Program], (len(index)-slots*slotSize)/stanzaSize)}
}

func (s stanza) text() string { return s.file.text[s.at:s.end] }

// names yields the names of a stanza, and where in its text they stand.
func (s stanza) names() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		text := s.text()
		for start, i := 0, 0; i <= len(text); i++ {
			if i < len(text) && text[i] != ',' && text[i] != '\n' {
				continue
			}
			if !yield(start, text[start:i]) || i == len(text) || text[i] == '\n' {
				return
			}
			for i++; i < len(text) && (text[i] == ' ' || text[i] == '\n'); i++ {
			}
			start = i
			i--
		}
	}
}

// name returns the first name.
func (s stanza) name() string {
	for _, name := range s.names() {
		return name
	}
	return ""
}

// rest returns what stands behind the names, and where in the stanza.
func (s stanza) rest() (text string, at int) {
	text = s.text()
	if at = strings.Index(text, "\n ") + 1; at == 0 {
		at = len(text)
	}
	return text[at:], at
}
