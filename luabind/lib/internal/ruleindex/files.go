package ruleindex

import (
	"path"
	"slices"
	"strings"

	"github.com/luahook/luahook/analysis/shell"
)

// concernsFiles reports whether a command changes files that a rule can be about, or reads some
// where rules are about that.
func (x *Index) concernsFiles(pay Payer, command *shell.Command, program programRules, line *Line) bool {
	pay.Paths(command) // also one without arguments: patch changes what its input names
	if x.reading && slices.ContainsFunc(command.Paths(), func(p shell.Path) bool { return p.Access == shell.Read }) {
		return true
	}
	for _, p := range command.Changes() {
		switch {
		case p.Access == shell.Delete || p.Dynamic || p.Glob || x.marked(pay, p.Text) || line.leadsOn(pay, p.Text):
			return true
		case p.Redirected:
			if slices.ContainsFunc(command.Redirects, empties) && line.reads(pay, command, p.Text) {
				return true
			}
		case program.puts:
			for _, operand := range command.Operands() {
				if x.marked(pay, strings.TrimSuffix(p.Text, "/")+"/"+path.Base(operand.Text)) {
					return true
				}
			}
		}
	}
	return false
}

// maxUnmarked bounds the paths that are looked at here, in bytes.
const maxUnmarked = 512

// marked reports whether a rule may be about a file that is written: judge.lua asks none about
// the others.
func (x *Index) marked(pay Payer, path string) bool {
	if path == "/dev/null" {
		return false
	} else if len(path) > maxUnmarked || slices.Contains(x.files, path) {
		return true
	}
	pay.Spend((len(x.begins) + len(x.marks.texts) + len(x.files) + len(path)) / 4)
	path = strings.ToLower(path)
	return slices.ContainsFunc(x.begins, func(begin string) bool { return strings.HasPrefix(path, begin) }) || x.marks.in(path)
}

// markIndex is a list of texts, by the byte with which they begin.
type markIndex struct {
	texts []string // sorted; none is empty
	from  [257]int // where those that begin with a byte are; they end where the next ones begin
}

func indexMarks(texts []string) markIndex {
	slices.Sort(texts)
	m := markIndex{texts: texts}
	for b := range m.from {
		m.from[b], _ = slices.BinarySearchFunc(texts, b, func(text string, b int) int { return int(text[0]) - b })
	}
	return m
}

// in reports whether one of the texts stands in another one.
func (m *markIndex) in(text string) bool {
	for i := range len(text) {
		for _, mark := range m.texts[m.from[text[i]]:m.from[int(text[i])+1]] {
			// Most are told from the text by their second byte.
			if rest := text[i:]; len(mark) == 1 || len(rest) > 1 && rest[1] == mark[1] && strings.HasPrefix(rest, mark) {
				return true
			}
		}
	}
	return false
}

// empties reports whether a shell empties the file of a redirection before the command runs.
func empties(r shell.Redirect) bool { return r.Op == ">" || r.Op == ">|" || r.Op == "&>" }
