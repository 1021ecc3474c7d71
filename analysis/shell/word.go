package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// words returns what list expands to, as far as it can be known: there may be
// more or fewer words than in list.
func (w *walker) words(list []*syntax.Word, s *scope) []argument {
	// Lists are cut from a larger one, because there are many short ones.
	if len(list) > len(w.spareWords) {
		size := max(len(list), w.spareSize)
		w.spareWords, w.spareSize = make([]argument, size), min(w.spareSize+size, 64)
	}
	args := w.spareWords[:0:len(list)]
	w.spareWords = w.spareWords[len(list):]
	for _, word := range list {
		if w.line.TooComplex {
			break
		}
		args = w.fields(args, word, s)
	}
	return args
}

// fields appends what x expands to as words of a command.
func (w *walker) fields(args []argument, x *syntax.Word, s *scope) []argument {
	if len(x.Parts) == 1 {
		if lit, ok := x.Parts[0].(*syntax.Lit); ok && len(s.unknownSources) == 0 && isPlain(lit.Value) {
			return append(args, argument{Word: Word{Text: lit.Value}, at: s.place(x.Pos())})
		}
	}
	words, ok := w.braces(x, s)
	if !ok {
		kept := w.value(x, s)
		kept.Dynamic = true
		kept.dynamic = append(kept.dynamic, kept.Text)
		return append(args, kept)
	}
	for _, parts := range words {
		e := expander{w: w, at: s.place(x.Pos()), split: true, bracket: -1, fields: args, unknownSources: s.unknownSources}
		e.parts(parts, unquoted, s)
		args = e.finish()
	}
	return args
}

// isPlain reports whether a literal stands for itself.
func isPlain(text string) bool { return !strings.ContainsAny(text, "\\*?[~{}(") }

// value returns x as one word, as in an assignment: it isn't split, and its
// braces and globs mean nothing.
func (w *walker) value(x *syntax.Word, s *scope) argument {
	if x == nil || len(x.Parts) == 0 {
		return argument{at: s.at}
	}
	return w.oneWord(x.Parts, s.place(x.Pos()), unquoted, s)
}

// assignedValue is value with the home folder put in behind each ":" too.
func (w *walker) assignedValue(x *syntax.Word, s *scope) argument {
	if x == nil || len(x.Parts) == 0 {
		return argument{at: s.at}
	}
	e := expander{w: w, at: s.place(x.Pos()), bracket: -1, open: true, assigns: true, unknownSources: s.unknownSources}
	e.parts(x.Parts, unquoted, s)
	return e.finish()[0]
}

// oneWord expands parts to one word.
func (w *walker) oneWord(parts []syntax.WordPart, at place, q quoting, s *scope) argument {
	e := expander{w: w, at: at, bracket: -1, open: true, unknownSources: s.unknownSources}
	e.parts(parts, q, s)
	return e.finish()[0]
}

// document returns the body of a here-document as the program gets it.
func (w *walker) document(redirect *syntax.Redirect, s *scope) argument {
	at := s.place(redirect.OpPos)
	if redirect.Hdoc == nil {
		return argument{at: at}
	}
	q := inHereDocument
	for _, part := range redirect.Word.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok || strings.Contains(lit.Value, `\`) {
			q = verbatim // a delimiter with a quoted part: nothing is expanded
		}
	}
	body := w.oneWord(redirect.Hdoc.Parts, at, q, s)
	if redirect.Op == syntax.DashHdoc {
		lines := strings.Split(body.Text, "\n")
		for i := range lines {
			lines[i] = strings.TrimLeft(lines[i], "\t")
		}
		body.Text = strings.Join(lines, "\n")
	}
	return body
}

// quoting is what a literal stands in, which decides what a backslash means.
type quoting int

const (
	unquoted quoting = iota
	inDoubleQuotes
	inHereDocument
	verbatim
)

// expander makes words of the parts of one.
type expander struct {
	w       *walker
	at      place
	split   bool // unquoted values are split into words
	assigns bool // it's assigned to a variable
	fields  []argument
	text    []byte
	word    argument // what is known of the word under way but its text
	open    bool     // there is a word under way, even if it's empty
	bracket int      // where in text an unquoted "[" is, -1 for nowhere

	unknownSources []string // those of the scope, which the methods get: it would be on the heap if it stood here
}

// endWord ends the word under way.
func (e *expander) endWord() {
	if !e.open && len(e.text) == 0 {
		return
	}
	word := e.word
	word.Text, word.at = string(e.text), e.at
	if len(e.unknownSources) > 0 && e.w.spend(len(e.unknownSources)) {
		for _, source := range e.unknownSources {
			if !word.Dynamic && strings.Contains(word.Text, source) {
				word.cutLead(source)
				if word.lead == "" && e.w.temporarySources[source] {
					word.lead, word.temporary = source, true
				}
				word.Dynamic = true
				word.dynamic = append(word.dynamic, source)
			}
		}
	}
	e.fields = append(e.fields, word)
	e.text, e.word, e.open, e.bracket = e.text[:0], argument{}, false, -1
}

func (e *expander) finish() []argument {
	e.endWord()
	return e.fields
}

func (e *expander) parts(parts []syntax.WordPart, q quoting, s *scope) {
	for i, part := range parts {
		if e.w.line.TooComplex {
			return
		}
		switch part := part.(type) {
		case *syntax.Lit:
			text := part.Value
			if e.split && q == unquoted && text != "" && text[0] == '(' && text[len(text)-1] == ')' {
				e.group(text, i == len(parts)-1, s)
				continue
			}
			if i == 0 && q == unquoted && len(e.text) == 0 && strings.HasPrefix(text, "~") {
				text = e.tilde(text, len(parts) == 1, s)
			}
			if q == unquoted && strings.Contains(text, "~") {
				text = e.innerTildes(text, i == 0, i == len(parts)-1)
			}
			e.literal(text, q)
		case *syntax.SglQuoted:
			e.open, e.word.Quoted = true, true
			if part.Dollar {
				e.text = append(e.text, decodeANSI(part.Value)...)
			} else {
				e.text = append(e.text, part.Value...)
			}
		case *syntax.DblQuoted:
			e.word.Quoted = true
			if !onlyList(part.Parts) {
				e.open = true
			}
			e.parts(part.Parts, inDoubleQuotes, s)
		case *syntax.ParamExp:
			e.parameter(part, q, s)
		case *syntax.CmdSubst:
			e.add(e.w.substitute(part, s), q)
		case *syntax.ArithmExp:
			e.add(e.w.arithmetic(part, s), q)
		case *syntax.ProcSubst:
			e.process(part, s)
		case *syntax.ExtGlob:
			e.w.pattern(part.Pattern, *s)
			e.word.Glob = true
			source := sourceOf(s.source, part)
			if part.Op == syntax.GlobZeroOrMore && i == len(parts)-1 && e.split { // for zsh, it may be all files of a kind
				if group := "(" + part.Pattern.Value + ")"; isQualifier(group) || strings.HasPrefix(group, "(e") && strings.Contains(group, " ") {
					e.text = append(e.text, '*')
					e.group(group, true, s)
					continue
				}
			}
			if strings.ContainsAny(part.Pattern.Value, "$`") {
				e.word.Dynamic = true
			}
			e.text = append(e.text, source...)
		default:
			e.add(unknowable(sourceOf(s.source, part), e.at), inDoubleQuotes)
		}
	}
}

// onlyList reports whether quotes hold "$@" alone, which may be no word at all.
func onlyList(parts []syntax.WordPart) bool {
	if len(parts) != 1 {
		return false
	}
	p, ok := parts[0].(*syntax.ParamExp)
	return ok && isAll(p, "@")
}

// literal adds text that the parser left as written.
func (e *expander) literal(text string, q quoting) {
	if q == verbatim {
		e.text = append(e.text, text...)
		return
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' && i+1 < len(text) {
			next := text[i+1]
			switch {
			case next == '\n': // a continued line
				i++
				continue
			case q == unquoted,
				strings.IndexByte("$`\\", next) >= 0,
				next == '"' && q == inDoubleQuotes:
				e.open, e.word.Quoted = true, true
				e.text = append(e.text, next)
				i++
				continue
			}
		}
		if q == unquoted {
			e.pattern(c)
		}
		e.text = append(e.text, c)
	}
}

// pattern notes what an unquoted character means in a file name pattern.
func (e *expander) pattern(c byte) {
	switch c {
	case '*', '?':
		e.word.Glob = true
	case '[':
		if e.bracket < 0 {
			e.bracket = len(e.text)
		}
	case ']':
		// "[]" and a lone "[", the command, aren't patterns.
		if e.bracket >= 0 && len(e.text) > e.bracket+1 {
			e.word.Glob = true
		}
	}
}

// sourceOf returns the source of node. It is careful because the parser's
// positions are unknown where it recovered from an error.
func sourceOf(source string, node syntax.Node) string {
	start, end := node.Pos(), node.End()
	from, to := int(start.Offset()), int(end.Offset())
	if !start.IsValid() || !end.IsValid() || from > to || to > len(source) {
		return "$"
	}
	return source[from:to]
}

// noteLead notes how the word under way begins that a value is added to,
// which is the first part of it that isn't known.
func (e *expander) noteLead(value *argument, text string) {
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

// The bounds of the expansion of one word. A word over them is kept as it is
// written and is dynamic.
const (
	maxBraces   = 64 // opening braces in the word
	maxExpanded = 1024
	braceCost   = 32 // of maxWork, for each word beside its text
)

// braces returns the parts of each of the words that x stands for, false where
// these are too many.
func (w *walker) braces(x *syntax.Word, s *scope) (words [][]syntax.WordPart, ok bool) {
	braces := 0
	for _, part := range x.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			braces += strings.Count(lit.Value, "{")
		}
	}
	as := [][]syntax.WordPart{x.Parts}
	if braces == 0 {
		return as, true
	}
	split := &syntax.Word{Parts: append([]syntax.WordPart(nil), x.Parts...)}
	if braces <= maxBraces {
		if !syntax.SplitBraces(split) || !hasBraces(split.Parts) {
			return as, true
		}
		e := expansion{limit: min(maxExpanded, max(w.work, 0)/braceCost)}
		e.expand(nil, split.Parts)
		if e.over && e.limit < maxExpanded {
			w.line.TooComplex = true
		}
		if !e.over && w.spend(len(e.words)*(len(sourceOf(s.source, x))+braceCost)) {
			// {,} makes words of nothing, which bash drops
			return slices.DeleteFunc(e.words, isEmptyWord), true
		}
	}
	return nil, false
}

func hasBraces(parts []syntax.WordPart) bool {
	for _, part := range parts {
		if _, ok := part.(*syntax.BraceExp); ok {
			return true
		}
	}
	return false
}

func isEmptyWord(parts []syntax.WordPart) bool {
	for _, part := range parts {
		if lit, ok := part.(*syntax.Lit); !ok || lit.Value != "" {
			return false
		}
	}
	return true
}

// expansion collects the words of one brace expansion.
type expansion struct {
	words [][]syntax.WordPart
	limit int
	over  bool // there are more than limit
}

// expand adds done followed by everything that rest stands for.
func (e *expansion) expand(done, rest []syntax.WordPart) {
	for i, part := range rest {
		brace, ok := part.(*syntax.BraceExp)
		if !ok {
			continue
		}
		done = concatParts(done, rest[:i])
		rest = rest[i+1:]
		if brace.Sequence {
			e.sequence(brace, done, rest)
			return
		}
		for _, element := range brace.Elems {
			if e.expand(done, concatParts(element.Parts, rest)); e.over {
				return
			}
		}
		return
	}
	if len(e.words) == e.limit {
		e.over = true
		return
	}
	e.words = append(e.words, concatParts(done, rest))
}

// sequence expands {from..to..step}, which SplitBraces has checked to be of
// numbers or of single letters.
func (e *expansion) sequence(brace *syntax.BraceExp, done, rest []syntax.WordPart) {
	first, last := brace.Elems[0].Lit(), brace.Elems[1].Lit()
	from, err := strconv.ParseInt(first, 10, 64)
	to, err2 := strconv.ParseInt(last, 10, 64)
	letters := err != nil || err2 != nil
	if letters {
		from, to = int64(first[0]), int64(last[0])
	}
	step := int64(1)
	if len(brace.Elems) > 2 {
		if n, err := strconv.ParseInt(brace.Elems[2].Lit(), 10, 64); err == nil && n != 0 {
			step = max(n, -n)
		}
	}
	// In unsigned numbers, the distance of any two signed ones fits.
	distance := uint64(to) - uint64(from)
	if to < from {
		distance = uint64(from) - uint64(to)
	}
	count := distance / uint64(step)
	if count >= uint64(e.limit) {
		e.over = true
		return
	}
	width := 0
	if padded(first) || padded(last) {
		width = max(len(first), len(last))
	}
	for i := int64(0); i <= int64(count) && !e.over; i++ {
		n := from + i*step
		if to < from {
			n = from - i*step
		}
		lit := &syntax.Lit{Value: string(rune(n))}
		if !letters {
			lit.Value = pad(n, width)
		}
		e.expand(concatParts(done, []syntax.WordPart{lit}), rest)
	}
}

// padded reports whether a number has leading zeros, which sequences keep.
func padded(number string) bool {
	number = strings.TrimPrefix(number, "-")
	return len(number) > 1 && number[0] == '0'
}

func pad(n int64, width int) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	return sign + strings.Repeat("0", max(0, width-len(sign)-len(digits))) + digits
}

func concatParts(a, b []syntax.WordPart) []syntax.WordPart {
	return append(append(make([]syntax.WordPart, 0, len(a)+len(b)), a...), b...)
}

// tilde expands the home folder at the beginning of a word.
func (e *expander) tilde(text string, whole bool, s *scope) string {
	user, rest := text[1:], ""
	if i := strings.IndexByte(user, '/'); i >= 0 {
		user, rest = user[:i], user[i:]
	} else if !whole {
		return text
	}
	switch {
	case user == "":
		home := e.w.home()
		e.text = append(e.text, home.Text...)
		e.word.Home, e.word.Dynamic, e.word.dynamic = home.Home, home.Dynamic, home.dynamic
		return rest
	case user == "+" || user == "-":
		name := "PWD"
		if user == "-" {
			name = "OLDPWD"
		}
		v := e.w.variable(name, "~"+user, s)
		e.text = append(e.text, v.Text...)
		e.word.Home, e.word.Dynamic, e.word.dynamic = v.Home, v.Dynamic, v.dynamic
		return rest
	case strings.ContainsAny(user, `\*?[`):
		return text
	}
	e.word.Home = true // of a user whose home folder isn't known
	return text
}

// innerTildes expands the home folder behind the "=" of what looks like an
// assignment and behind the ":" of one. It returns what's left of text.
func (e *expander) innerTildes(text string, first, last bool) string {
	from := 0
	if !e.assigns {
		equals := strings.IndexByte(text, '=')
		if !e.split || !first || equals < 0 || !syntax.ValidName(text[:equals]) {
			return text
		}
		from = equals
	}
	for i := from; i+1 < len(text); i++ {
		if text[i] != ':' && (i != from || e.assigns) || text[i+1] != '~' {
			continue
		}
		end := len(text)
		if colon := strings.IndexByte(text[i+1:], ':'); colon >= 0 {
			end = i + 1 + colon
		}
		e.literal(text[:i+1], unquoted)
		home := e.w.home()
		if rest := text[i+2 : end]; (rest == "" && (end < len(text) || last) || strings.HasPrefix(rest, "/")) && !home.Home && !home.Dynamic {
			e.text = append(e.text, home.Text...)
			text = text[i+2:]
		} else {
			text = text[i+1:]
			e.text = append(e.text, '~')
			text = text[1:]
		}
		i = -1
		from = -1
	}
	return text
}

// add puts a value in, split into words where the shell does that.
func (e *expander) add(v argument, q quoting) {
	if q != unquoted || !e.split {
		e.append(v, v.Text)
		return
	}
	if v.Text == "" {
		return
	}
	separators, ok := e.w.separators()
	if !ok {
		v.Dynamic = true
	}
	e.word.Glob = e.word.Glob || !v.Dynamic && strings.ContainsAny(v.Text, "*?[")
	if v.Dynamic && blankSource(v.dynamic) || !strings.ContainsAny(v.Text, separators) {
		e.append(v, v.Text)
		return
	}
	if !e.w.spend(len(v.Text) / 4) {
		return
	}
	fields := splitFields(v.Text, separators)
	if !e.w.spend(fieldCost * len(fields)) {
		return
	}
	for i, field := range fields {
		if i > 0 {
			e.endWord()
		}
		part := v
		if v.Dynamic {
			if !e.w.spend(len(v.dynamic)) {
				return
			}
			part.dynamic = containedIn(field.text, v.dynamic)
			part.Dynamic = len(part.dynamic) > 0
		}
		part.Home = v.Home && i == 0
		e.word.Glob = e.word.Glob || !part.Dynamic && strings.ContainsAny(field.text, "*?[")
		if e.open = e.open || field.ended; field.text != "" {
			e.append(part, field.text)
		}
	}
}

// append adds a value to the word under way.
func (e *expander) append(v argument, text string) {
	if !e.w.spend(wordCost + len(text)/4 + len(v.dynamic)) {
		return
	}
	e.word.Home = e.word.Home || v.Home && len(e.text) == 0
	if v.Dynamic && !e.word.Dynamic {
		e.noteLead(&v, text)
	}
	e.text = append(e.text, text...)
	if v.Dynamic {
		e.word.Dynamic = true
		for _, source := range v.dynamic {
			if len(e.word.dynamic) < maxSources && !slices.Contains(e.word.dynamic, source) {
				e.word.dynamic = append(e.word.dynamic[:len(e.word.dynamic):len(e.word.dynamic)], source)
			}
		}
	}
	e.word.from = mergeCommands(e.word.from, v.from)
	if len(e.text) > maxText {
		e.text = e.text[:0]
		e.word.Dynamic = true
		e.w.line.TooComplex = true
	}
}

// separators returns the characters that split values into words.
func (w *walker) separators() (string, bool) {
	n := name{variable, "IFS"}
	if items, changed := w.env.names[n]; items == nil {
		return blanks, !changed // a shell doesn't take it from outside
	}
	it := w.choose(n)
	switch {
	case it == nil || it.word.Dynamic || it.isList:
		return blanks, false
	case it.unset:
		return blanks, true
	}
	return it.word.Text, true
}

const blanks = " \t\n"

// split is a part of a value that was split.
type split struct {
	text  string
	ended bool // by a separator that isn't blank, so that it's a word even if empty
}

// splitFields breaks text up at separators. The first field is "" where text
// begins with a separator, so that it ends a word under way, and so is the
// last one where it ends with one.
func splitFields(text, separators string) []split {
	var fields []split
	for strings.ContainsAny(text, separators) {
		field, rest := firstField(text, separators)
		fields, text = append(fields, field), rest
	}
	return append(fields, split{text: text})
}

// firstField returns the part of text before the first separator, and what is
// behind that.
func firstField(text, separators string) (first split, rest string) {
	is := func(i int) bool { return i < len(text) && strings.IndexByte(separators, text[i]) >= 0 }
	blank := func(i int) bool { return is(i) && strings.IndexByte(blanks, text[i]) >= 0 }
	i := 0
	for i < len(text) && !is(i) {
		i++
	}
	first.text = text[:i]
	for blank(i) {
		i++
	}
	if is(i) && !blank(i) {
		first.ended = true
		for i++; blank(i); {
			i++
		}
	}
	return first, text[i:]
}
