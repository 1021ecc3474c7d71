package shell

import (
	"slices"
	"strings"
	"sync"

	"github.com/luahook/luahook/internal/wordlist"
)

// findOrXargs reports what a program runs for the files that it finds, or for what
// it reads. It returns whether c is one.
func (w *walker) findOrXargs(c *Command, args []argument, s scope) bool {
	switch c.Name {
	case "find", "gfind":
		w.find(c, args, s)
	case "xargs", "gxargs":
		w.xargs(c, args, s)
	default:
		return false
	}
	return true
}

// find reports the commands of the actions -exec and the like, and what
// -delete does.
func (w *walker) find(c *Command, args []argument, s scope) {
	parts := findParts(c.Args)
	deleted := false
	for i, part := range parts {
		switch {
		case part.kind == findRun:
			w.findRun(c.Name, part, args, s)
		case part.name == "-delete" && part.kind == findAction && !deleted:
			deleted = true // what comes first decides
			w.findDelete(c.Name, parts[:i], part, args, s)
		}
	}
}

func (w *walker) findRun(name string, part findPart, args []argument, s scope) {
	words := args[part.start+1 : part.end]
	if n := len(words) - 1; n >= 0 && (words[n].Text == ";" || words[n].Text == "+" && n > 0 && words[n-1].Text == "{}") {
		words = words[:n]
	}
	if len(words) == 0 {
		return
	}
	inner := s.through(name + " " + part.name)
	inner.placeholder, inner.external = "{}", true
	if part.name == "-execdir" || part.name == "-okdir" {
		inner.chdir(unknowable("{}", words[0].at))
	}
	w.run(fillIn(words, "{}", nil), inner)
}

// findDelete reports a -delete as the rm that it is like: of the start points
// with all that is in them, or where tests before it choose, of some file.
func (w *walker) findDelete(name string, before []findPart, action findPart, args []argument, s scope) {
	inner := s.through(name + " -delete")
	inner.external = true
	at := args[action.start].at
	starts, below, all := []argument{}, false, true
	for _, part := range before {
		switch {
		case part.kind == findStart:
			starts = append(starts, args[part.start])
		case part.name == "-files0-from":
			starts = append(starts, unknowable("{}", at))
		case part.name == "-mindepth" && part.end-part.start == 2 && args[part.start+1].Text != "0":
			below = true // all but the start points themselves
		case part.name == "-maxdepth" || part.kind == findTest && part.name != "-true":
			all = false
		}
	}
	if !all {
		w.run([]argument{literal("rm", at), literal("-f", at), unknowable("{}", at)}, inner)
		return
	}
	if len(starts) == 0 {
		starts = append(starts, literal(".", at))
	}
	words := []argument{literal("rm", at), literal("-rf", at)}
	for _, start := range starts {
		if below {
			start.Text, start.Glob = start.Text+"/*", true
		}
		words = append(words, start)
	}
	w.run(words, inner)
}

// fd reports the commands of -x and -X, which take all words up to a ";".
func (w *walker) fd(c *Command, args []argument, s scope) {
	for {
		items, _ := runsBy("fd").scan(wordsOf(args), "")
		i := slices.IndexFunc(items, func(o item) bool { return wordlist.Has("-x -X --exec --exec-batch", o.name) })
		if i < 0 || !w.spend(wordCost*len(args)) {
			return
		}
		o := &items[i]
		words, rest := args[o.index+1:], []argument(nil)
		if end := slices.IndexFunc(words, func(word argument) bool { return word.Text == ";" }); end >= 0 {
			words, rest = words[:end], words[end+1:]
		}
		if o.valued {
			words = append([]argument{valueFrom(args, o.source, o.value)}, words...)
		}
		if len(words) > 0 {
			inner := s.through(c.Name + " " + o.name)
			inner.placeholder, inner.external, inner.input = "{}", true, nil
			w.run(fdFill(words), inner)
		}
		args = rest
	}
}

// fdMarks are what fd puts what it finds in the place of.
var fdMarks = strings.NewReplacer("{/}", "{}", "{//}", "{}", "{.}", "{}", "{/.}", "{}")

// fdFill marks the words in which fd puts what it finds.
func fdFill(words []argument) []argument {
	filled, found := slices.Clone(words), false
	for i := range filled {
		filled[i].Text = fdMarks.Replace(filled[i].Text)
		found = found || strings.Contains(filled[i].Text, "{}")
	}
	if !found {
		return fillIn(words, "", nil)
	}
	return fillIn(filled, "{}", nil)
}

// entr reports the command that entr runs when a file changes.
func (w *walker) entr(c *Command, args []argument, s scope) {
	items, rest := runsBy(c.Name).scan(c.Args, "")
	inner := s.through(c.Name)
	inner.external, inner.input = true, nil
	text := false
	for _, o := range items {
		switch {
		case o.kind == unknown && o.name != "":
			w.unreadable(args[min(o.index+1, len(args)):], inner)
			return
		case o.name == "-h":
			return
		case o.name == "-s":
			text = true
		}
	}
	switch {
	case rest >= len(args):
	case text:
		w.text(args[rest], c.Name+" -s", s)
	default:
		words := append([]argument(nil), args[rest:]...)
		for i := range words {
			if words[i].Text == "/_" {
				words[i] = words[i].marked("/_")
			}
		}
		w.run(words, inner)
	}
}

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

// foundFiles returns which files a command names to another that it starts, or that reads them.
func (c *Command) foundFiles() (reach []string) {
	size := len(c.Dir.Text)
	for i := range c.Args {
		size += len(c.Args[i].Text) + 1
	}
	switch {
	case size > maxFinderText:
		return nil
	case c.cmdlet != nil: // what it does is a command of its own
		if c.Parent == nil {
			return nil
		}
		return c.Parent.foundFiles()
	case c.Name == "xargs" || c.Name == "gxargs" || c.Name == "parallel":
		if c.Input != nil {
			for _, from := range c.Input.From { // they are few
				if from.Name != c.Name {
					reach = append(reach, from.foundFiles()...)
				}
			}
		}
		return reach
	}
	names := []string{"**/?*"} // some of the files below
	finds := isFind(c.Name)
	if finds {
		names = findNames(c.Args)
	}
	r := pathReader{}
	for _, p := range c.Paths() {
		if p.Access != Read && !finds || p.Dynamic {
			continue
		}
		p.Access, p.below = Write, ""
		r.touchesBelow(&p, names...)
		all := p.Reach()
		if finds && names[0] != "" {
			all = all[1:] // not where it looks
		}
		reach = append(reach, all...)
	}
	return reach
}

// findNames returns what find finds below its start points, up to its first action that
// changes something: "" for all, or the names that its tests ask for.
func findNames(args []Word) []string {
	var names []string
	sought, negated, over := false, false, "**/"
	for _, part := range findParts(args) {
		value := Word{}
		if part.end-part.start == 2 {
			value = args[part.start+1]
		}
		switch {
		case part.kind == findRun || part.name == "-delete":
			if !sought {
				return []string{""}
			}
			return names
		case part.name == "-maxdepth" && value.Text == "1":
			over = ""
		case part.name == "!" || part.name == "-not":
			negated = true
			continue
		case negated && part.name == "(":
			return []string{""}
		case part.name == "-o" || part.name == "-or" || part.name == ",":
			if !sought {
				return []string{""}
			}
			sought = false
		case negated || value.Dynamic:
		case part.name == "-name":
			sought = true
			names = append(names, over+wildcards(value.Text))
		case part.name == "-path" || part.name == "-wholename":
			sought = true
			names = append(names, "**/"+strings.ReplaceAll(strings.TrimPrefix(wildcards(value.Text), "./"), "*", "**"))
		}
		negated = false
	}
	if !sought { // it only finds, for what reads it
		return []string{""}
	}
	return names
}

// maxFinderText bounds, in bytes, a command that is looked at for what it names to others:
// each of those that it is piped into does it anew.
const maxFinderText = 4 << 10

func isFind(name string) bool {
	return name == "find" || name == "gfind"
}

// findGrammar is that of find, which reads its arguments as an expression.
var findGrammar = grammar{Whole: true, Closed: true, Exact: true}

// findItems returns find's start points as operands, and the words of its
// expression as options. The value of one is its first word.
func findItems(args []Word) []item {
	parts := findParts(args)
	items := make([]item, 0, len(parts))
	for _, part := range parts {
		switch part.kind {
		case findStart:
			items = append(items, item{index: part.start})
		case findOperator:
		default:
			o := item{index: part.start, source: part.start, name: part.name, kind: alone, grammar: &findGrammar}
			if part.end > part.start+1 {
				o.kind, o.value, o.valued, o.source = required, args[part.start+1].Text, true, part.start+1
			}
			items = append(items, o)
		}
	}
	return items
}
