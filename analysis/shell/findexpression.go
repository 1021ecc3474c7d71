package shell

import (
	"strings"
	"sync"
)

// findKind says what a part of find's command line does.
type findKind int

const (
	findUnknown  findKind = iota // nothing that the manuals know: find gives up there
	findStart                    // a start point
	findOption                   // -L, -maxdepth 2: true for every file
	findOperator                 // ! -o ( )
	findTest                     // -name x: true for some files
	findAction                   // -print, -delete, -fprint x
	findRun                      // -exec and the like, with the command and its end
)

// findPart is a part of find's command line: the words from start to end, the
// first of which names it, unless it is a start point.
type findPart struct {
	kind       findKind
	name       string // "-name"; "" for a start point
	start, end int
}

// findTerm says what a word of an expression is and how many words it takes.
type findTerm struct {
	kind  findKind
	words int
}

// findTerms lists the expressions of find(1), as GNU has them and then what
// the BSDs add. Those of -newerXY are recognised by their form.
var findTerms = sync.OnceValue(func() map[string]findTerm {
	return findTable(map[findTerm]string{
		{findOption, 0}:   "-d -depth -daystart -follow -ignore_readdir_race -noignore_readdir_race -mount -noleaf -warn -nowarn -xdev -x",
		{findOption, 1}:   "-maxdepth -mindepth -regextype -files0-from",
		{findOperator, 0}: "! -not -a -and -o -or ( ) ,",
		{findTest, 0}: "-empty -executable -false -nogroup -nouser -readable -true -writable " +
			"-acl -sparse -xattr",
		{findTest, 1}: "-amin -anewer -atime -cmin -cnewer -context -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename " +
			"-links -lname -mmin -mtime -name -newer -path -perm -regex -samefile -size -type -uid -used -user -wholename -xtype " +
			"-asince -Bmin -Bnewer -Btime -csince -flags -mnewer -since -xattrname",
		{findAction, 0}: "-delete -help --help -ls -print -print0 -prune -quit -version --version -printx",
		{findAction, 1}: "-fls -fprint -fprint0 -printf",
		{findAction, 2}: "-fprintf",
		{findRun, 0}:    "-exec -execdir -ok -okdir",
	})
})

func findTable(lists map[findTerm]string) map[string]findTerm {
	table := make(map[string]findTerm)
	for term, names := range lists {
		for name := range strings.FieldsSeq(names) {
			table[name] = term
		}
	}
	return table
}

// findParts takes the arguments of find apart. A word that is the value of a
// test is a part of that test, whatever it looks like.
func findParts(args []Word) []findPart {
	parts, i := findStarts(args)
	for i < len(args) {
		part := findPart{name: args[i].Text, start: i}
		term := findTermOf(part.name)
		part.kind, part.end = term.kind, min(i+1+term.words, len(args))
		switch {
		case term.kind == findRun:
			part.end = findRunEnd(args, i)
		case part.name == "-depth" && i+1 < len(args) && isCount(args[i+1].Text): // BSD's -depth n
			part.kind, part.end = findTest, i+2
		}
		parts = append(parts, part)
		i = part.end
	}
	return parts
}

// findStarts returns the options and start points, and where the expression
// begins.
func findStarts(args []Word) (parts []findPart, i int) {
	add := func(kind findKind, words int) {
		part := findPart{kind: kind, start: i, end: min(i+words, len(args))}
		if kind != findStart {
			part.name = args[i].Text
		}
		parts = append(parts, part)
		i = part.end
	}
	for ended := false; i < len(args); {
		switch text := args[i].Text; {
		case ended || text == "" || text[0] != '-' && !findBegins(text):
			ended = true // leading options stand before the start points
			if text != "" && (text[0] == '-' || findBegins(text)) {
				return parts, i
			}
			add(findStart, 1)
		case text == "--":
			add(findOption, 1)
			ended = true
		case text == "-D":
			add(findOption, 2)
		case text == "-f" && i+1 < len(args): // BSD: a start point
			add(findOption, 1)
			add(findStart, 1)
		case strings.HasPrefix(text, "-O") || len(text) > 1 && strings.Trim(text[1:], "HLPEXdsx") == "":
			add(findOption, 1)
		default:
			return parts, i
		}
	}
	return parts, i
}

// findBegins reports whether an expression begins with text, which doesn't
// begin with a dash.
func findBegins(text string) bool {
	return text == "!" || text == "(" || text == ")" || text == ","
}

func findTermOf(name string) findTerm {
	if term, ok := findTerms()[name]; ok {
		return term
	}
	if len(name) == len("-newerXY") && strings.HasPrefix(name, "-newer") {
		return findTerm{findTest, 1}
	}
	return findTerm{}
}

// findRunEnd returns where the action at i ends: behind its ";", or behind a
// "+" that follows a "{}". Without either find gives up, but then a shell may
// have taken the ";" for its own, so the words count as the command.
func findRunEnd(args []Word, i int) int {
	for end := i + 1; end < len(args); end++ {
		if args[end].Text == ";" || args[end].Text == "+" && end > i+1 && args[end-1].Text == "{}" {
			return end + 1
		}
	}
	return len(args)
}

// isCount reports whether text is a number as find takes it: 3, +3 or -3.
func isCount(text string) bool {
	text = strings.TrimLeft(text, "+-")
	return text != "" && strings.Trim(text, "0123456789") == ""
}
