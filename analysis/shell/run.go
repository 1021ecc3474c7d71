package shell

import (
	"slices"
	"strings"
)

// run reports the command made of words and what it runs in turn.
func (w *walker) run(words []argument, s scope) {
	// Behind a wrapper the same words are reported once more.
	if !w.spend(wordCost * len(words)) {
		return
	}
	name := words[0]
	if !s.external && !name.Dynamic && w.invoke(words, s) {
		return
	}
	if w.hashes && !s.external && !name.Dynamic {
		defer w.rehashed(words, s)
	}
	c := w.newCommand(words)
	c.Assignments, c.Redirects = s.assigned, s.shared
	c.Dynamic = c.Dynamic || dynamicAssignment(s.assigned)
	c.From = name.from
	if !w.add(c, &s) {
		return
	}
	w.holds(c)
	if c.Name == "exec" && len(words) == 1 && !s.external {
		w.redirectShell(s.shared, &s)
	}
	count := len(w.line.Commands)
	if isBuiltin(c.Path) && (!s.external || isBuiltinPrefix(s.via)) {
		here := s
		w.builtin(c, words[1:], &here)
	}
	if !s.external || isBuiltinPrefix(s.via) {
		w.subscripts(c.Name, words[1:], &s)
	}
	w.unwrap(c, words, s)
	w.runFile(c, words, s)
	w.wrote(c, words[1:], s)
	if s.out != nil && (len(w.line.Commands) == count || !passesOn(c.Name)) {
		w.emit(c, words[1:], s)
	}
}

// rehashed reports the program too that hash -p has put behind a name.
func (w *walker) rehashed(words []argument, s scope) {
	if it := w.choose(name{hashed, words[0].Text}); it != nil {
		s = s.through("hash -p")
		s.external = true
		w.run(append([]argument{it.word}, words[1:]...), s)
	}
}

// isBuiltinPrefix reports whether the last wrapper runs what is part of the
// shell.
func isBuiltinPrefix(via []string) bool {
	return len(via) > 0 && (via[len(via)-1] == "command" || via[len(via)-1] == "builtin")
}

// passesOn reports whether all that a program writes comes from the commands
// that it runs.
func passesOn(name string) bool {
	_, ok := wrapperOf(name)
	return ok || isShell(name) || name == "eval" || name == "source" || name == "."
}

// alias runs what an alias of the line stands for, and the words as they are
// before, because a shell that isn't interactive takes no alias.
func (w *walker) alias(text string, words []argument, assigned []Assignment, redirects []Redirect, outer *scope) bool {
	if text == "" || !w.named[text] || slices.Contains(w.aliases, text) {
		return false
	}
	it := w.choose(name{alias, text})
	if it == nil || it.gone {
		return false
	}
	s := *outer
	mark, count := w.env.mark(), len(w.line.Commands)
	w.runWith(words, assigned, redirects, outer)
	if w.line.TooComplex || len(w.line.Commands) == count {
		return true
	}
	unaliased := w.env.take(mark)
	if s.parent = w.line.Commands[count]; s.out != nil {
		s.out.unknown = true // it's one of both
	}
	line := append([]argument{it.word}, words[1:]...)
	last := it // a value that ends with a blank lets the next word be an alias too
	for i := range line[1:] {
		word := &line[i+1]
		if last != nil && strings.HasSuffix(last.word.Text, " ") && !word.Quoted && w.named[word.Text] {
			if last = w.choose(name{alias, word.Text}); last != nil && !last.gone {
				*word = last.word
				continue
			}
		}
		if last = nil; !word.Dynamic && !word.Glob && !word.Home {
			word.Text = Quote(word.Text)
		}
	}
	aliased, _ := joined(line)
	w.aliases = append(w.aliases, text)
	w.here(aliased, "alias "+text, s)
	w.aliases = w.aliases[:len(w.aliases)-1]
	w.env.join(unaliased, w.env.take(mark))
	return true
}

// process is a shell under way.
type process struct {
	traps []pending
	input map[int]*argument // what descriptors read, from exec
	out   map[int]Redirect  // what descriptors write to, from exec
}

// pending is text that a shell runs when it ends.
type pending struct {
	text  argument
	scope scope
}

// exit runs the traps of the shell that ends.
func (w *walker) exit() {
	top := len(w.shells) - 1
	for i := 0; i < len(w.shells[top].traps) && i < maxItems; i++ {
		trap := w.shells[top].traps[i]
		w.here(trap.text, "trap", trap.scope)
	}
	w.shells = w.shells[:top]
}
