package shell

import "strings"

// reexpand walks the substitutions in text that a shell expands although it
// comes from a quoted word or a variable: in arithmetic, in the subscript of
// a name, and in prompts.
func (w *walker) reexpand(text argument, via string, s scope) {
	if !strings.ContainsAny(text.Text, "$`") || len(text.Text) > maxText || !w.spend(nestedText+textCost*len(text.Text)) {
		return
	}
	s = s.through(via)
	if s.depth > maxDepth {
		w.line.TooComplex = true
		return
	}
	s.assigned, s.shared, s.external, s.input = nil, nil, false, nil
	s.source, s.at, s.nested, s.walked = text.Text, text.at, true, text.dynamic
	// Read as a here-document, in which quotes mean nothing.
	if document := w.parseDocument(text.Text); document != nil {
		w.value(document, &s)
	}
}

// subscripted walks the subscript of a name that is given as a word.
func (w *walker) subscripted(text argument, s *scope) {
	name, _, _ := strings.Cut(text.Text, "=")
	if open := strings.IndexByte(name, '['); open > 0 && strings.ContainsAny(text.Text[open:], "$`") {
		w.reexpand(text, "[]", *s)
	}
}

// takesNames is about the builtins whose words are names, which may have subscripts.
func takesNames(builtin string) bool {
	switch builtin {
	case "read", "mapfile", "readarray", "unset", "getopts", "wait",
		"export", "declare", "typeset", "readonly", "local":
		return true
	}
	return false
}

// subscripts walks the subscripts in the arguments of a builtin.
func (w *walker) subscripts(builtin string, args []argument, s *scope) {
	switch builtin {
	case "printf", "test", "[", "compgen":
	default:
		if !takesNames(builtin) {
			return
		}
	}
	for i, arg := range args {
		before := ""
		if i > 0 {
			before = args[i-1].Text
		}
		named := before == "-v" && (builtin == "printf" || builtin == "test" || builtin == "[")
		if named || takesNames(builtin) {
			w.subscripted(arg, s)
		}
		if builtin == "compgen" && before == "-W" {
			w.reexpand(arg, "compgen -W", *s)
		}
	}
}

// isPrompt is about the variables whose value is expanded when it's written.
func isPrompt(name string) bool {
	switch name {
	case "PS0", "PS1", "PS2", "PS4", "ENV", "BASH_ENV":
		return true
	}
	return false
}
