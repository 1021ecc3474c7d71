package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// read takes the next line of the input apart.
func (w *walker) read(args []argument, s *scope) {
	var names []string
	raw, array, plain := false, "", true
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		switch {
		case text == "--":
		case len(text) > 1 && text[0] == '-':
			raw = raw || strings.Contains(text, "r")
			switch text[len(text)-1] {
			case 'a':
				if i++; i < len(args) {
					array = args[i].Text
				}
			case 'd', 'i', 'n', 'N', 'p', 't', 'u':
				plain = plain && text[len(text)-1] == 'p'
				i++
			}
			if text == "-s" || text == "-e" || text == "-r" || text == "-p" || text == "-rp" || text == "-a" || text == "-ra" {
				continue
			}
			plain = false
		case syntax.ValidName(text):
			names = append(names, text)
		}
	}
	if len(names) == 0 && array == "" {
		names = []string{"REPLY"}
	}
	line, found, known := w.nextLine(plain, s)
	if len(w.loops) > 0 && plain && known {
		l := w.loops[len(w.loops)-1]
		if l.read = endRead; found {
			l.read = lineRead
		}
	}
	separators, ok := w.separators()
	for _, a := range s.assigned {
		if a.Name == "IFS" {
			separators, ok = a.Value.Text, !a.Value.Dynamic
		}
	}
	if !known || !ok || !raw && strings.Contains(line.Text, `\`) {
		w.readUnknown(append(names, array), line.from)
		return
	}
	w.readFields(names, array, line, separators)
}

// nextLine returns the next line of the input, as far as it's known.
func (w *walker) nextLine(plain bool, s *scope) (line argument, found, known bool) {
	if s.input == nil {
		return argument{at: s.at}, false, false
	}
	line = argument{at: s.at, from: s.input.from}
	line.Home = s.input.Home && s.input.taken == 0
	if s.input.Dynamic || !plain {
		// A part that is known may still be a line of its own.
		if plain && blankSource(s.input.dynamic) || !plain {
			return line, false, false
		}
	}
	text, ok := s.input.line()
	line.Text = text
	line.dynamic = within(text, s.input.dynamic)
	line.Dynamic = len(line.dynamic) > 0
	return line, ok, w.spend(len(text) / 16)
}

func (w *walker) readUnknown(names []string, from []*Command) {
	for _, text := range names {
		if text == "" {
			continue
		}
		v := unknowable("$"+text, place{})
		v.from = from
		w.assign(text, &binding{word: v})
	}
}

func (w *walker) readFields(names []string, array string, line argument, separators string) {
	at := func(text string) argument {
		v := line
		v.Text = text
		v.Home = line.Home && text != "" && strings.HasPrefix(line.Text, text)
		v.dynamic = within(text, line.dynamic)
		v.Dynamic = len(v.dynamic) > 0
		return v
	}
	text := strings.Trim(line.Text, onlyBlanks(separators))
	if array != "" {
		var list []argument
		for _, field := range splitFields(text, separators) {
			if field.text != "" || field.ended {
				list = append(list, at(field.text))
			}
		}
		w.assign(array, &binding{list: list, isList: true})
		return
	}
	if len(names) == 1 && names[0] == "REPLY" {
		text = line.Text
	}
	for i, n := range names {
		if i == len(names)-1 || separators == "" {
			w.assign(n, &binding{word: at(text)})
			text = ""
			continue
		}
		first, rest := firstField(text, separators)
		w.assign(n, &binding{word: at(first.text)})
		text = rest
	}
}

func onlyBlanks(separators string) string {
	var kept strings.Builder
	for _, c := range separators {
		if strings.ContainsRune(blanks, c) {
			kept.WriteRune(c)
		}
	}
	return kept.String()
}

// callback reports what mapfile runs with more words for every line.
func (w *walker) callback(text argument, s scope) {
	s = s.through("mapfile -C")
	words, err := Split(text.Text)
	if err != nil || len(words) == 0 || text.Dynamic {
		w.unreadable([]argument{text}, s)
		return
	}
	var line []argument
	for _, word := range words {
		line = append(line, literal(word, text.at))
	}
	w.run(append(line, unknowable("$@", text.at)), s)
}

func (w *walker) mapfile(args []argument, s *scope) {
	text, trimmed := "MAPFILE", false
	for i, arg := range args {
		switch {
		case arg.Text == "-t":
			trimmed = true
		case arg.Text == "-C" && i+1 < len(args):
			w.callback(args[i+1], *s)
			w.forgetNames(args)
			w.assign(text, nil)
			return
		case strings.HasPrefix(arg.Text, "-"):
			w.forgetNames(args)
			w.assign(text, nil)
			return
		default:
			text = arg.Text
		}
	}
	if !syntax.ValidName(text) {
		return
	}
	if s.input == nil || s.input.Dynamic || !trimmed || !w.spend(listCost*strings.Count(s.input.rest(), "\n")) {
		w.assign(text, nil)
		return
	}
	var list []argument
	for line, ok := s.input.line(); ok; line, ok = s.input.line() {
		list = append(list, literal(line, s.at))
	}
	w.assign(text, &binding{list: list, isList: true})
}
