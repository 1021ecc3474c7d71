package shell

// chdir lets what is run in s run in dir, seen from where it would run now.
func (s *scope) chdir(dir argument) {}

// file returns the contents of a file, if the line itself wrote it before.
func (w *walker) file(name argument, s scope) (text argument, ok bool) { return argument{}, false }

// literal is a word that is known.
func literal(text string, at place) argument { return argument{Word: Word{Text: text}, at: at} }

// unknowable is a word of which nothing is known but where it's from.
func unknowable(source string, at place) argument {
	return argument{Word: Word{Text: source, Dynamic: true}, at: at, dynamic: []string{source}}
}
