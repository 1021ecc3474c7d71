package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// fileTest is a word of [[ ]] that is tested for a file.
type fileTest struct {
	test  *syntax.UnaryTest
	path  Path
	known bool // the word has one value
	at    int  // how many commands stand before it
}

// missingFile is a file that a test of [[ ]], or of a program, hasn't found.
type missingFile struct {
	path string
	at   int // how many commands stand before the test
}

// noteFileTest remembers what [[ ]] tests for a file, for [walker.missingBy].
func (w *walker) noteFileTest(x *syntax.UnaryTest, word argument, s *scope) {
	switch x.Op {
	case syntax.TsExists, syntax.TsRegFile, syntax.TsNoEmpty:
	default:
		return
	}
	path := newPath(w.dir(s).Word, word.Word, Read)
	known := !path.Dynamic && !path.Glob && len(w.choices) == 0 && word.Text != "" && !s.remote
	w.fileTests = append(w.fileTests, fileTest{x, path, known, len(w.line.Commands)})
}

// knowMissing notes that what is reached in s runs only where a test of a program hasn't found these files. The
// program, which begins behind so many commands, has asked for the round in which it runs.
func (w *walker) knowMissing(files []argument, begin int, s *scope) {
	if len(files) == 0 {
		return
	}
	known := flow{}
	for _, file := range files {
		if path := newPath(w.dir(s).Word, file.Word, Read); !path.Dynamic && !path.Glob {
			known.missing = append(known.missing, missingFile{path.Text, begin})
		}
	}
	s.flow, s.asked = s.flow.behind(known), true
}

// missingBy lists the files that aren't there where x, which was walked before, is true, or else false.
func (w *walker) missingBy(x syntax.TestExpr, holds bool) []missingFile {
	var missing []missingFile
	wanted := syntax.OrTest
	if holds {
		wanted = syntax.AndTest
	}
	// The parser knows no precedence: it has "! a && b" as ! (a && b).
	negated := false
	for x != nil {
		rest := syntax.TestExpr(nil)
		if binary, ok := x.(*syntax.BinaryTest); ok && (binary.Op == syntax.AndTest || binary.Op == syntax.OrTest) {
			if binary.Op != wanted {
				return nil
			}
			x, rest = binary.X, binary.Y
		}
		switch one := x.(type) {
		case *syntax.UnaryTest:
			if one.Op == syntax.TsNot && rest == nil {
				negated, x = !negated, one.X
				continue
			} else if one.Op == syntax.TsNot {
				return nil
			} else if holds == negated {
				missing = w.appendMissing(missing, one)
			}
		case *syntax.ParenTest:
			missing = append(missing, w.missingBy(one.X, holds != negated)...)
		}
		x, negated = rest, false
	}
	return missing
}

// appendMissing adds the file that a test is about, which hasn't found it.
func (w *walker) appendMissing(missing []missingFile, x *syntax.UnaryTest) []missingFile {
	for i := len(w.fileTests) - 1; i >= 0; i-- {
		if test := &w.fileTests[i]; test.test == x {
			if test.known {
				missing = append(missing, missingFile{test.path.Text, test.at})
			}
			break
		}
	}
	return missing
}

// outcomeBefore is what is known where stmt, behind which some more was walked, has succeeded, or else failed. It is
// about single commands and [[ ]].
func (w *walker) outcomeBefore(stmt *syntax.Stmt, succeeded bool) flow {
	if stmt.Negated {
		plain := *stmt
		plain.Negated = false
		return w.outcomeBefore(&plain, !succeeded)
	}
	switch cmd := stmt.Cmd.(type) {
	case *syntax.TestClause:
		if len(stmt.Redirs) == 0 && !stmt.Background {
			return flow{missing: w.missingBy(cmd.X, succeeded)}
		}
	case *syntax.CallExpr:
		if succeeded {
			return flow{after: w.beforeLast(stmt)}
		}
		return flow{failed: w.beforeLast(stmt)}
	}
	return flow{}
}

// leftBy is the stretch behind a statement that leaves what it stands in, the stretch around, where a condition holds:
// [ -f x ] && exit, or if [ -f x ]; then echo; exit; fi. It is nil for other statements.
func (w *walker) leftBy(stmt *syntax.Stmt, around *flow) *flow {
	if stmt.Negated || stmt.Background || len(stmt.Redirs) > 0 {
		return nil
	}
	switch c := stmt.Cmd.(type) {
	case *syntax.BinaryCmd:
		if (c.Op == syntax.AndStmt || c.Op == syntax.OrStmt) && leaves(c.Y) {
			return around.behind(w.outcomeBefore(c.X, c.Op == syntax.OrStmt))
		}
	case *syntax.IfClause:
		if len(c.Cond) == 1 && c.Else == nil && leavesAtEnd(c.Then) {
			known := w.outcomeBefore(c.Cond[0], false)
			if test := known.failed; test != nil && test.flow != nil && test.flow.outer == around {
				around = test.flow // the condition is always asked
			}
			return around.behind(known)
		}
	}
	return nil
}

// leaves reports whether nothing that stands behind a statement is reached after it.
func leaves(stmt *syntax.Stmt) bool {
	if stmt.Background || stmt.Negated || len(stmt.Redirs) > 0 {
		return false
	}
	switch c := stmt.Cmd.(type) {
	case *syntax.Block:
		return leavesAtEnd(c.Stmts)
	case *syntax.CallExpr:
		return len(c.Args) > 0 && c.Args[0].Lit() == "exit" // return and continue don't leave everything that they stand in
	}
	return false
}

// leavesAtEnd reports whether a list of simple commands ends with one that leaves.
func leavesAtEnd(list []*syntax.Stmt) bool {
	for i, stmt := range list {
		if i == len(list)-1 {
			return leaves(stmt)
		}
		if _, simple := stmt.Cmd.(*syntax.CallExpr); !simple {
			return false
		}
	}
	return false
}

// Missing reports whether c only starts where a test of the line has found no file at path, which is one as
// [Path.Text] has it, and nothing that runs in between can have made it. The tests are -e, -f and -s of test, [
// and [[, ls and stat of one file, and those of programs in other languages, of PowerShell and cmd.exe; of -s a
// file that is empty counts as none, and of -f one that is none to write, as a folder. Commands that run elsewhere
// (Remote) and what a trap runs aren't known.
func (l *Line) Missing(c *Command, path string) bool {
	end := slices.Index(l.Commands, c)
	if end < 0 || c.Remote || l.TooComplex || slices.Contains(c.Via, "trap") {
		return false
	}
	steps := 0
	for f := c.flow; f != nil && steps < maxEarlier; f = f.outer {
		steps++
		for _, file := range f.missing {
			if file.path == path && l.leavesAlone(path, file.at, end) {
				return true
			}
		}
		for _, test := range [...]*Command{f.after, f.failed} {
			if test == nil || !test.finds(path, test == f.failed) || !isAround(test.Parent, c) || !test.flow.isAround(c.flow) {
				continue
			}
			if at := slices.Index(l.Commands[:end], test); at >= 0 && l.leavesAlone(path, at+1, end) {
				return true
			}
		}
		if f.repeats {
			return false // a round before may have made it
		}
	}
	return false
}

// isAround reports whether c is run by parent, or by what that runs; nil is the line itself.
func isAround(parent, c *Command) bool {
	if parent == nil {
		return true
	}
	for above := c.Parent; above != nil; above = above.Parent {
		if above == parent {
			return true
		}
	}
	return false
}

// isAround reports whether a stretch is another one, or one around it.
func (f *flow) isAround(inner *flow) bool {
	for steps := 0; inner != f && steps < maxEarlier; steps++ {
		if inner == nil {
			return false
		}
		inner = inner.outer
	}
	return inner == f
}

// finds reports whether c is a test that has found no file at path where it has failed, or else succeeded.
func (c *Command) finds(path string, failed bool) bool {
	if c.isOneOf || c.Dynamic || c.Remote || len(c.Assignments) > 0 || !isPlainlyRun(c) || !mutes(c.Redirects) {
		return false
	}
	switch c.Name {
	case "[", "test":
		return slices.ContainsFunc(c.notFound(failed), func(word Word) bool { return c.names(word, path) })
	case "ls", "stat":
		operands := c.Operands()
		return failed && len(operands) == 1 && c.hasOnly("1aAlhdFt") && c.names(operands[0], path)
	}
	return false
}

// isPlainlyRun reports whether the program is that of the system, and not one of the same name elsewhere.
func isPlainlyRun(c *Command) bool {
	return c.Path == c.Name || c.Path == "/bin/"+c.Name || c.Path == "/usr/bin/"+c.Name
}

// mutes reports whether redirections can't fail: they go to /dev/null, or to where something goes already.
func mutes(redirects []Redirect) bool {
	return !slices.ContainsFunc(redirects, func(r Redirect) bool {
		return r.Target.Text != "/dev/null" && !(r.Op == ">&" && (r.Target.Text == "1" || r.Target.Text == "2"))
	})
}

// names reports whether a word names the file at path.
func (c *Command) names(word Word, path string) bool {
	if word.Text == "" || word.Dynamic || word.Glob {
		return false
	}
	p := newPath(c.Dir, word, Read)
	return !p.Dynamic && p.Text == path
}

// hasOnly reports whether the options of c are some of these letters.
func (c *Command) hasOnly(letters string) bool {
	return !slices.ContainsFunc(c.Args, func(word Word) bool {
		return strings.HasPrefix(word.Text, "-") && (len(word.Text) < 2 || strings.Trim(word.Text[1:], letters) != "")
	})
}

// notFound lists the files that aren't there where a command of test has failed, or else succeeded. It knows single
// tests, and those that are joined by -a, or by -o.
func (c *Command) notFound(failed bool) (words []Word) {
	args := c.Args
	if c.Name == "[" {
		if len(args) == 0 || args[len(args)-1].Text != "]" {
			return nil
		}
		args = args[:len(args)-1]
	}
	joint := "-a"
	if failed {
		joint = "-o"
	}
	for begin := 0; begin < len(args); {
		negated := args[begin].Text == "!"
		if negated {
			begin++
		}
		if begin+2 > len(args) || begin+2 < len(args) && args[begin+2].Text != joint {
			return nil // it isn't written so, or is joined otherwise
		}
		switch args[begin].Text {
		case "-e", "-f", "-s":
			if negated != failed {
				words = append(words, args[begin+1])
			}
		case "-d", "-r", "-w", "-x", "-L", "-h", "-n", "-z":
		default:
			return nil
		}
		if begin += 3; begin == len(args) {
			return nil // it ends with the joint
		}
	}
	return words
}

// leavesAlone reports whether none of the commands from begin up to end, some of which may be the one at end runs
// in, can make a file at path. It knows programs all of whose files are among their paths.
func (l *Line) leavesAlone(path string, begin, end int) bool {
	for _, c := range l.Commands[begin:end] {
		if isAround(c, l.Commands[end]) {
			continue
		}
		if c.NameDynamic || c.Remote || c.Name != "" && !isSilent(c.Name) && pureOf(c.Name) == nil && !writesOnlyPaths(c.Name) {
			return false
		}
		for _, p := range c.Changes() {
			if !p.Redirected && makesNoFile(c.Name) {
				continue
			}
			if p.Text != "/dev/null" && (p.Dynamic || p.Glob || isWithin(path, p.Text) || isWithin(p.Text, path)) {
				return false
			}
		}
	}
	return true
}

// isWithin reports whether a path is that of a folder, or lies in it.
func isWithin(path, folder string) bool {
	return path == folder || folder == "." || strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/")
}

// makesNoFile is about programs that put nothing into the files that they change.
func makesNoFile(name string) bool {
	switch name {
	case "mkdir", "touch", "chmod", "chown":
		return true
	}
	return false
}

// writesOnlyPaths is about programs that change no file but those that their [Command.Paths] are.
func writesOnlyPaths(name string) bool {
	switch name {
	case "echo", "printf", "mkdir", "ls", "cat", "cp", "mv", "rm", "touch", "chmod", "chown", "ln", "grep", "head", "tail", "stat", "which", "command", "type",
		"date", "openssl", "pwd", "install", "whoami", "hostname", "uname", "id",
		"Test-Path", "Write-Host", "Write-Output", "Get-Content", "Get-ChildItem", "Get-Item", "Copy-Item", "New-Item", "Set-Location":
		return true
	}
	return false
}
