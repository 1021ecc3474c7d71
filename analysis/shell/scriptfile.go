package shell

import (
	"strings"
)

// runFile reports what is in the file that c runs, if the line wrote it.
func (w *walker) runFile(c *Command, words []argument, s scope) {
	if len(w.programs) > 0 && strings.Contains(c.Path, "/") {
		if program, ok := w.programs[w.fileKey(words[0], &s)]; ok {
			inner := s.through(c.Path)
			inner.parent, inner.external = c, true
			w.run(append([]argument{program}, words[1:]...), inner)
		}
	}
	if len(w.files) == 0 {
		return
	}
	s.parent = c
	var texts []argument
	if strings.Contains(c.Path, "/") || words[0].Dynamic && !words[0].Glob {
		texts = w.contents(words[0], &s)
	} else {
		texts = w.onPath(words[0], &s)
	}
	for _, text := range texts {
		interpreter := interpreterOf(text.Text)
		if interpreter == nil {
			w.textWithArgs(text, c.Path, s, shellText{self: words[0], args: words[1:]})
			continue
		}
		inner := s.through(c.Path)
		inner.redirects, inner.assigned, inner.external = nil, nil, true
		var line []argument
		for _, word := range interpreter {
			line = append(line, literal(word, words[0].at))
		}
		w.run(append(append(line, words[0]), words[1:]...), inner)
	}
}

// onPath returns what is in a file that the line wrote, if the line put its
// folder on the PATH.
func (w *walker) onPath(file argument, s *scope) []argument {
	n := name{variable, "PATH"}
	if _, changed := w.env.names[n]; !changed {
		return nil
	}
	it := w.choose(n)
	if it == nil || file.Text == "" {
		return nil
	}
	for folder := range strings.SplitSeq(it.word.Text, ":") {
		if !w.spend(commandCost) {
			return nil
		}
		there := file
		there.Text = folder + "/" + file.Text
		if folder == "" {
			there.Text = file.Text
		}
		if texts := w.contents(there, s); texts != nil {
			return texts
		}
	}
	return nil
}

// interpreterOf returns the program, with its options, that the first line of a
// script asks for, nil for a shell.
func interpreterOf(text string) []string {
	line, _, _ := strings.Cut(text, "\n")
	rest, ok := strings.CutPrefix(line, "#!")
	if !ok {
		return nil
	}
	words := strings.Fields(rest)
	if len(words) > 1 && baseName(words[0]) == "env" {
		if words = words[1:]; words[0] == "-S" {
			words = words[1:]
		}
	}
	if len(words) == 0 || isShell(baseName(words[0])) {
		return nil
	}
	return words
}
