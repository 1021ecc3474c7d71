package shell

import (
	"strconv"
	"strings"
)

// parallelTemplate is the command of parallel, in which values are put.
type parallelTemplate struct {
	parallelOptions
	name   string
	words  []argument
	bare   bool // the values are the commands
	raw    bool // one that doesn't quote its value
	number int  // of the job
	tokens int  // how many replacement strings the words have
}

// command takes the words of the command in. Without a replacement string
// values come at the end.
func (t *parallelTemplate) command(words []argument) {
	t.bare = len(words) == 0
	t.words = words
	for _, word := range words {
		for rest := word.Text; rest != ""; {
			_, token, after := t.next(rest)
			rest = after
			if token == "" {
				continue
			}
			t.tokens++
			if strings.HasPrefix(strings.TrimLeft(token, "{-0123456789"), "=") || token == "{%}" {
				t.unclear = true
				t.raw = t.raw || strings.Contains(token, "uq")
			}
		}
	}
	if t.tokens == 0 && !t.pipe && !t.once {
		at := place{}
		if len(words) > 0 {
			at = words[len(words)-1].at
		}
		t.words = append(words[:len(words):len(words)], literal(t.mark, at))
		t.tokens = 1
	}
}

// longestToken is how long a replacement string may be, with the Perl in it.
const longestToken = 512

// next cuts text at its first replacement string.
func (t *parallelTemplate) next(text string) (before, token, after string) {
	for i := 0; i < len(text); i++ {
		if strings.HasPrefix(text[i:], t.mark) && t.mark != "" {
			return text[:i], t.mark, text[i+len(t.mark):]
		}
		if text[i] != '{' {
			continue
		}
		end := strings.IndexByte(text[i:min(len(text), i+longestToken)], '}')
		if end < 0 {
			continue
		}
		if token := text[i : i+end+1]; t.isToken(token) {
			return text[:i], token, text[i+end+1:]
		}
	}
	return text, "", ""
}

// isToken reports whether a word in braces is replaced.
func (t *parallelTemplate) isToken(token string) bool {
	inner := token[1 : len(token)-1]
	if inner == "" {
		return t.mark == "{}"
	}
	if strings.HasPrefix(strings.TrimLeft(inner, "-0123456789"), "=") {
		return strings.HasSuffix(inner, "=") && len(inner) > 1
	}
	switch inner {
	case "#", "%":
		return true
	}
	form := strings.TrimLeft(strings.TrimPrefix(inner, "-"), "0123456789")
	numbered := form != inner
	switch form {
	case "":
		return numbered
	case ".", "/", "//", "/.":
		return true
	}
	// The names of columns, and the strings of --plus and --rpl.
	return t.unclear && !strings.ContainsAny(inner, " \t$;|&'\"(")
}

// job reports one command.
func (w *walker) job(t *parallelTemplate, values []argument, s scope) {
	if t.quote && !t.bare || t.script() {
		words := make([]argument, len(t.words))
		for i, word := range t.words {
			words[i] = t.put(word, values, func(text string) string { return text })
		}
		inner := s.through(t.name)
		inner.external = true
		w.run(words, inner)
		if t.quote {
			return
		}
	}
	quote := func(text string) string { return Quote(text) }
	if t.bare {
		quote = func(text string) string { return text }
	}
	words := make([]argument, 0, len(t.words))
	for _, word := range t.words {
		words = append(words, t.put(word, values, quote))
	}
	if text, ok := joined(words); ok {
		w.text(text, t.name, s)
	}
}

// script reports whether a shell gets a quoted text with -c. Without --quote it gets the first
// word of it only, which nobody means: both are reported.
func (t *parallelTemplate) script() bool {
	for i := 2; i < len(t.words); i++ {
		option := t.words[i-1].Text
		if strings.HasPrefix(option, "-") && strings.HasSuffix(option, "c") && strings.ContainsAny(t.words[i].Text, " \t\n") {
			return isShell(baseName(t.words[0].Text))
		}
	}
	return false
}

// fits reports whether the words aren't too long once the values are in them.
func (t *parallelTemplate) fits(jobs [][]argument) bool {
	size := 0
	for _, word := range t.words {
		size += len(word.Text)
	}
	size *= len(jobs)
	for _, values := range jobs {
		for _, value := range values {
			size += (8 + len(value.Text)) * t.tokens
		}
	}
	return size <= maxText
}

// put replaces the replacement strings in a word. What isn't known of it
// makes the word dynamic.
func (t *parallelTemplate) put(word argument, values []argument, quote func(string) string) argument {
	var b strings.Builder
	replaced := false
	for rest := word.Text; rest != ""; {
		before, token, after := t.next(rest)
		b.WriteString(before)
		rest = after
		if token == "" {
			continue
		}
		text, ok := t.replacement(token, values, quote)
		if !ok {
			text = token
			if !word.Dynamic {
				word = word.marked(token)
			}
		}
		replaced = true
		b.WriteString(text)
	}
	for _, value := range values {
		word.Home = word.Home || value.Home && value.Text == b.String()
		if replaced && len(word.from) == 0 {
			word.from = value.from
		}
	}
	word.Text, word.Glob = b.String(), word.Glob && len(values) == 0
	return word
}

// replacement is what a replacement string stands for. All values are known.
func (t *parallelTemplate) replacement(token string, values []argument, quote func(string) string) (text string, ok bool) {
	form := strings.Trim(token, "{}")
	if token == t.mark {
		form = ""
	}
	switch {
	case strings.HasPrefix(strings.TrimLeft(form, "-0123456789"), "="):
		return "", false
	case form == "#":
		return strconv.Itoa(t.number), true
	case form == "%":
		return "", false
	}
	kept := strings.TrimLeft(strings.TrimPrefix(form, "-"), "0123456789")
	if position := form[:len(form)-len(kept)]; position != "" {
		n, _ := strconv.Atoi(position)
		if n < 0 {
			n += len(values) + 1
		}
		if n < 1 || n > len(values) {
			return "", len(values) > 0
		}
		values = values[n-1 : n]
	}
	var texts []string
	for _, value := range values {
		part, ok := partOf(value.Text, kept)
		if !ok {
			return "", false
		}
		switch {
		case value.Home && strings.HasPrefix(part, "~/"):
			part = "~/" + quote(part[2:])
		case !value.Home || part != "~":
			part = quote(part)
		}
		texts = append(texts, part)
	}
	return strings.Join(texts, " "), len(values) > 0
}

// partOf is the part of a value that a form such as "/." asks for.
func partOf(text, form string) (string, bool) {
	base := text[strings.LastIndexByte(text, '/')+1:]
	switch form {
	case "":
		return text, true
	case "/":
		return base, true
	case "//":
		if base == text {
			return ".", true
		}
		return strings.TrimSuffix(text[:len(text)-len(base)], "/"), true
	case ".", "/.":
		from := text
		if form == "/." {
			from = base
		}
		if dot := strings.LastIndexByte(base, '.'); dot >= 0 {
			from = from[:len(from)-(len(base)-dot)]
		}
		return from, true
	}
	return "", false
}

// unknownJob reports the command with values that aren't known. They are
// quoted, so that they can't be more than parts of words.
func (w *walker) unknownJob(t *parallelTemplate, from []*Command, s scope) {
	words := make([]argument, len(t.words))
	for i, word := range t.words {
		words[i] = t.hide(word)
	}
	if t.bare || t.quote {
		inner := s.through(t.name)
		inner.mark, inner.external = "{}", true
		words = fill(words, "{}", from)
		if t.bare { // whole commands are read
			words[0].Text = "{}"
			s.mark = "{}"
			w.text(words[0], t.name, s)
			return
		}
		w.run(words, inner)
		return
	}
	if t.script() {
		inner := s.through(t.name)
		inner.mark, inner.external = "{}", true
		w.run(fill(words, "{}", from), inner)
	}
	s.mark = "{}"
	if text, ok := joined(words); ok {
		if t.raw {
			text = text.marked("{}")
		}
		w.text(text, t.name, s)
	}
}

// hide puts the same mark for every replacement string.
func (t *parallelTemplate) hide(word argument) argument {
	var b strings.Builder
	for rest := word.Text; rest != ""; {
		before, token, after := t.next(rest)
		b.WriteString(before)
		if token != "" {
			b.WriteString("{}")
		}
		rest = after
	}
	word.Text = b.String()
	return word
}
