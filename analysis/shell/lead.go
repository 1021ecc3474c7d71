package shell

import "strings"

// begins returns how the text of a word begins that isn't known as a whole:
// the part that is known, or with temporary what stands for a temporary file.
// It is "" where neither is known. A text that was changed since is taken for
// one of which nothing is known.
func (w *Word) begins() (lead string, temporary bool) {
	if !w.Dynamic || w.lead == "" || !strings.HasPrefix(w.Text, w.lead) {
		return "", false
	}
	return w.lead, w.temporary
}

// continued notes how the word under way begins that a value is added to,
// which is the first part of it that isn't known.
func (e *expander) continued(value *argument, text string) {
	lead, temporary := "", false
	if strings.HasPrefix(text, value.lead) {
		lead, temporary = value.lead, value.temporary
	}
	switch {
	case len(e.text) == 0:
	case temporary:
		lead, temporary = string(e.text), false
	default:
		lead = string(e.text) + lead
	}
	e.word.lead, e.word.temporary = lead, temporary
}

// leadsTo notes how a word begins that gets unknown from source on.
func (w *Word) leadsTo(source string) {
	if w.Dynamic {
		return
	}
	if i := strings.Index(w.Text, source); i >= 0 {
		w.lead = w.Text[:i]
	}
	if i := strings.IndexAny(w.lead, "*?["); i >= 0 && w.Glob {
		w.lead = w.lead[:i]
	}
}

// isTemporary marks a value that stands for a temporary file.
func (a *argument) isTemporary() { a.lead, a.temporary = a.Text, true }

// onlyMktemp reports whether all that is written somewhere is from mktemp.
func onlyMktemp(from []*Command) bool {
	for _, c := range from {
		if c.Name != "mktemp" && c.Name != "gmktemp" {
			return false
		}
	}
	return len(from) > 0
}

// temporaryFolders lists the variables that name a folder for temporary files.
const temporaryFolders = "TMPDIR TMP TEMP RUNNER_TEMP BATS_TMPDIR BATS_TEST_TMPDIR BATS_FILE_TMPDIR BATS_SUITE_TMPDIR BATS_RUN_TMPDIR"

// namesTemporary reports whether a variable names a folder for temporary files,
// unless the line gives it another value.
func (w *walker) namesTemporary(text string) bool {
	if !listed(temporaryFolders, text) {
		return false
	}
	for e := w.env; e != nil; e = e.outer {
		if _, changed := e.names[name{variable, text}]; changed {
			return false
		}
	}
	return true
}

// locate says of a dynamic path what is known of its place.
func (p *Path) locate(dir, word *Word) {
	begin, rest := word, ""
	if !word.Dynamic {
		begin, rest = dir, "/"+word.Text
	}
	lead, temporary := begin.begins()
	rest = begin.Text[len(lead):] + rest
	if lead == "" || climbs(rest) {
		return
	}
	if temporary {
		p.Temporary = begin == dir || word.Text != lead || !strings.HasPrefix(lead, "$") || strings.HasPrefix(lead, "$(")
		return
	}
	folder := Word{Text: lead[:strings.LastIndexByte(lead, '/')+1], Home: begin.Home}
	if folder.Text == "" {
		folder.Text = "."
	}
	if begin == dir {
		dir = &Word{}
	}
	base := located(*dir, folder, p.Access)
	if p.Temporary = base.Temporary; !base.Dynamic {
		base.Under = base.Text
	}
	p.Under = base.Under
}

// climbs reports whether a part of a path leads to the folder above.
func climbs(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if part == ".." {
			return true
		}
	}
	return false
}
