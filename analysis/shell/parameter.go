package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// parameter puts $name, ${name} or ${name...} in.
func (e *expander) parameter(p *syntax.ParamExp, q quoting, s *scope) {
	if list, ok := e.w.elements(p, s); ok {
		e.list(list, p, q)
		return
	}
	v := e.w.scalar(p, s)
	if q != unquoted && p.Exp != nil && isDefault(p.Exp.Op) && hasSingleQuotes(p.Exp.Word) {
		// Single quotes are text here, and what is between them is expanded.
		v = unknowable(sourceOf(s.source, p), e.at)
	}
	// What a default or an alternative makes keeps its own quotes.
	if q == unquoted && e.split && p.Exp != nil && isDefault(p.Exp.Op) && v.Quoted {
		e.open, e.word.Quoted = true, true
		q = inDoubleQuotes
	}
	e.add(v, q)
	e.word.Glob = e.word.Glob || v.Glob && (p.Index != nil || isPositional(p)) // what the shell has found is the element
}

// isPositional reports whether p is for one of the arguments: $1.
func isPositional(p *syntax.ParamExp) bool {
	return p.Param != nil && p.Param.Value != "" && strings.Trim(p.Param.Value, "0123456789") == ""
}

// scriptName is what $0 stands for.
func (w *walker) scriptName(s *scope) argument { return w.variable("0", "$0", s) }

// scalar returns what p stands for as one value.
func (w *walker) scalar(p *syntax.ParamExp, s *scope) argument {
	source := sourceOf(s.source, p)
	at := s.place(p.Pos())
	whole := unknowable(source, at)
	if s.isExpanded(p) {
		return w.expandedBefore(whole)
	}
	if p.Param == nil || p.NestedParam != nil || p.Flags != nil || p.Width || p.IsSet || len(p.Modifiers) > 0 || p.Names != 0 {
		w.subscript(p.Index, s)
		w.operands(p, s)
		if p.NestedParam != nil { // zsh
			whole.from = w.oneWord([]syntax.WordPart{p.NestedParam}, at, unquoted, s).from
		}
		return whole
	}
	text := p.Param.Value
	if p.Excl {
		pointed := w.lookup(text, nil, s)
		if pointed == nil || pointed.Dynamic || !syntax.ValidName(pointed.Text) || pointed.Home {
			if pointed != nil {
				w.subscripted(*pointed, s)
			}
			w.subscript(p.Index, s)
			w.operands(p, s)
			return whole
		}
		text = pointed.Text
	}
	if p.Length {
		return w.length(p, whole, s)
	}
	v := w.lookup(text, p.Index, s)
	if v == nil && p.Repl == nil && p.Slice == nil && w.namesTemporary(text) {
		whole.markTemporary()
		w.noteTemporary(whole)
	}
	if v != nil && v.Quoted { // that is how it was written, which is over
		bare := *v
		bare.Quoted = false
		v = &bare
	}
	switch {
	case p.Exp != nil && isDefault(p.Exp.Op):
		return w.defaultValue(p, text, v, whole, s)
	case v == nil:
		w.operands(p, s)
		whole.from = w.originOf(text)
		return whole
	case p.Slice == nil && p.Repl == nil && p.Exp == nil:
		return *v
	case v.Dynamic || v.Home:
		w.operands(p, s)
		whole.from = v.from
		return whole
	}
	if changed, ok := w.edit(p, *v, s); ok {
		return changed
	}
	whole.from = v.from
	return whole
}

// subscript walks what stands in brackets behind a name that isn't known to be
// an array's, for the commands in it.
func (w *walker) subscript(index syntax.ArithmExpr, s *scope) {
	if index != nil && !indexIs(index, "@") && !indexIs(index, "*") {
		w.number(index, s)
	}
}

// operands walks the words behind the name and its subscript, for the commands in
// them.
func (w *walker) operands(p *syntax.ParamExp, s *scope) {
	if p.Exp != nil {
		w.operand(p, s)
	}
	if p.Repl != nil {
		w.value(p.Repl.Orig, s)
		w.value(p.Repl.With, s)
	}
	if p.Slice != nil {
		w.number(p.Slice.Offset, s)
		w.number(p.Slice.Length, s)
	}
}

// originOf returns the commands whose output the value of a variable has, as far
// as that is all that's known of it.
func (w *walker) originOf(text string) []*Command {
	var from []*Command
	for _, it := range w.env.get(name{variable, text}) {
		from = mergeCommands(from, it.word.from)
	}
	return from
}

// variable returns the value of a variable, with source where it isn't known.
func (w *walker) variable(text, source string, s *scope) argument {
	if v := w.lookup(text, nil, s); v != nil {
		return *v
	}
	return unknowable(source, s.at)
}

// lookup returns the value of a parameter, nil where it isn't known.
func (w *walker) lookup(text string, index syntax.ArithmExpr, s *scope) *argument {
	switch {
	case text == "":
		return nil
	case text == "0":
		if it := w.choose(nameOfParameters); it != nil && it.word.Text != "" {
			return &it.word
		}
		return nil
	case text[0] >= '1' && text[0] <= '9':
		i, err := strconv.Atoi(text)
		if it := w.choose(nameOfParameters); it != nil && err == nil {
			return w.nthElement(it.list, i-1, s)
		}
		return nil
	case text == "#":
		if it := w.choose(nameOfParameters); it != nil && firstUncertain(it.list) < 0 {
			v := literal(strconv.Itoa(len(it.list)), s.at)
			return &v
		}
		return nil
	case text == "@" || text == "*":
		return nil
	}
	n := name{variable, w.referredName(text)}
	it := w.choose(n)
	if it == nil || !it.isList {
		w.subscript(index, s)
	}
	if it == nil {
		return w.shellVariable(n.text, n, s)
	}
	switch {
	case it.unset:
		return &argument{at: s.at}
	case it.isList:
		return w.element(it, index, s)
	case index != nil && !indexIs(index, "0"):
		return nil
	}
	return &it.word
}

// shellVariable returns the value that a shell itself gives a variable.
func (w *walker) shellVariable(text string, n name, s *scope) *argument {
	if _, changed := w.env.names[n]; changed {
		return nil
	}
	switch text {
	case "HOME":
		if home := w.home(); !home.Dynamic {
			return &home
		}
	case "PWD":
		if dir := w.dir(s); !dir.Dynamic && dir.Text != "." && (dir.Home || strings.HasPrefix(dir.Text, "/")) {
			return &dir
		}
	case "OLDPWD":
		if it := w.choose(name{folder, "-"}); it != nil && !it.word.Dynamic && strings.HasPrefix(it.word.Text, "/") {
			return &it.word
		}
	case "IFS":
		return &argument{Word: Word{Text: blanks}, at: s.at}
	}
	return nil
}

func hasSingleQuotes(word *syntax.Word) bool {
	if word == nil {
		return false
	}
	for _, part := range word.Parts {
		if quoted, ok := part.(*syntax.SglQuoted); ok && !quoted.Dollar {
			return true
		}
	}
	return false
}

func isDefault(op syntax.ParExpOperator) bool {
	switch op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.DefaultUnset, syntax.DefaultUnsetOrNull,
		syntax.ErrorUnset, syntax.ErrorUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		return true
	}
	return false
}

// defaultValue returns ${name:-word} and its kin. Where it isn't known whether the
// name is set, both values are possible.
func (w *walker) defaultValue(p *syntax.ParamExp, text string, v *argument, whole argument, s *scope) argument {
	set, sure := true, v != nil
	if sure && !v.Dynamic && !v.Home {
		empty := v.Text == ""
		switch p.Exp.Op {
		case syntax.AlternateUnsetOrNull, syntax.DefaultUnsetOrNull, syntax.ErrorUnsetOrNull, syntax.AssignUnsetOrNull:
			set = !empty
		default:
			it := w.choose(name{variable, text})
			set = it == nil || !it.unset
			if it == nil && empty { // a parameter that isn't there
				set = false
			}
		}
	} else if sure && v.Dynamic {
		sure = false
	}
	value := whole
	if v != nil {
		value = *v
	}
	switch p.Exp.Op {
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		if !sure || !set {
			w.operand(p, s) // of what is said then
		}
		return value
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		switch {
		case !sure:
			return w.eitherValue(p, argument{at: whole.at}, w.operand(p, s))
		case set:
			return w.operand(p, s)
		}
		return argument{at: whole.at}
	}
	if sure && set {
		return value
	}
	other := w.operand(p, s)
	if p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull {
		if !sure {
			w.env.set(name{variable, text}, &binding{word: value}, &binding{word: other})
		} else {
			w.env.set(name{variable, text}, &binding{word: other})
		}
	}
	if sure {
		return other
	}
	return w.eitherValue(p, value, other)
}

func (w *walker) operand(p *syntax.ParamExp, s *scope) argument {
	if p.Exp.Word == nil {
		return argument{at: s.at}
	}
	return w.value(p.Exp.Word, s)
}

// eitherValue returns one of two values in each walk.
func (w *walker) eitherValue(p *syntax.ParamExp, a, b argument) argument {
	items := w.alternatives[p]
	if items == nil {
		if w.alternatives == nil {
			w.alternatives = map[*syntax.ParamExp][]*binding{}
		}
		items = []*binding{{word: a}, {word: b}}
		w.alternatives[p] = items
	}
	items[0].word, items[1].word = a, b
	if it := w.chosen(items); it != nil {
		return it.word
	}
	b.Text, b.Dynamic, b.dynamic, b.Home = a.Text, true, a.dynamic, false
	return b
}

// substitute reports the commands of $(...), and returns what they write.
func (w *walker) substitute(x *syntax.CmdSubst, s *scope) argument {
	at, source := s.place(x.Pos()), sourceOf(s.source, x)
	whole := unknowable(source, at)
	if s.isExpanded(x) {
		return w.expandedBefore(whole)
	}
	if text, ok := w.readsFile(x, s); ok {
		return trimmed(text, whole)
	}
	out := w.inside("$()", x.Stmts, nil, s)
	value := trimmed(out.value(at), whole)
	w.noteTemporary(value)
	return value
}

// noteTemporary notes whether a value stands for a temporary file, by its source: where it is put into a text that is
// read again, the source is all that is left of it.
func (w *walker) noteTemporary(value argument) {
	switch {
	case !value.temporary:
		delete(w.temporarySources, value.Text)
	case w.temporarySources == nil:
		w.temporarySources = map[string]bool{value.Text: true}
	default:
		w.temporarySources[value.Text] = true
	}
}

// expandedBefore returns what stands for a part of a text that was expanded before the text is read.
func (w *walker) expandedBefore(whole argument) argument {
	if w.temporarySources[whole.Text] {
		whole.markTemporary()
	}
	return whole
}

// trimmed is what a substitution puts in: the output without the newlines at
// its end, or the source where that isn't known.
func trimmed(text, whole argument) argument {
	if text.Glob || text.Dynamic && len(text.dynamic) == 0 || strings.IndexByte(text.Text, 0) >= 0 {
		whole.from = text.from
		if text.Text == "" && onlyMktemp(text.from) {
			whole.markTemporary()
		}
		return whole
	}
	text.Text = strings.TrimRight(text.Text, "\n")
	text.at = whole.at
	return text
}

// readsFile is $(<file).
func (w *walker) readsFile(x *syntax.CmdSubst, s *scope) (argument, bool) {
	if len(x.Stmts) != 1 || x.Stmts[0].Cmd != nil || len(x.Stmts[0].Redirs) != 1 || x.Stmts[0].Redirs[0].Op != syntax.RdrIn {
		return argument{}, false
	}
	text := w.fileInput(w.value(x.Stmts[0].Redirs[0].Word, s), s)
	if text == nil {
		return argument{}, false
	}
	return *text, true
}

// inside walks the commands of a substitution, and returns what they write.
func (w *walker) inside(via string, stmts []*syntax.Stmt, input *argument, s *scope) *capture {
	inner := s.through(via)
	inner.depth-- // bounded by the parser, unlike wrappers
	inner.context, inner.pipe = "substitution", 0
	inner.assigned, inner.redirects, inner.input = nil, nil, input
	inner.external = false
	out := &capture{}
	inner.out = out
	w.capturing(func() { w.subshell(func() { w.stmts(stmts, &inner) }) })
	return out
}

// process puts <(...) or >(...) in: the name of a file that is only known at
// run time, but not what is in it.
func (e *expander) process(x *syntax.ProcSubst, s *scope) {
	v := unknowable(sourceOf(s.source, x), e.at)
	if !s.isExpanded(x) {
		reads := x.Op == syntax.CmdIn || x.Op == syntax.CmdInTemp
		var input *argument // what is written to the file, which comes later
		if !reads {
			input = &argument{Word: Word{Dynamic: true}, at: e.at}
		}
		out := e.w.inside(x.Op.String()+")", x.Stmts, input, s).value(e.at)
		if reads {
			v.file, v.from = &out, out.from
		}
	}
	e.add(v, inDoubleQuotes)
	e.word.file = v.file
}

// pattern walks the substitutions in an extended glob, which the parser leaves
// as text.
func (w *walker) pattern(pattern *syntax.Lit, s scope) {
	if !strings.ContainsAny(pattern.Value, "$`") || !w.spend(textCost*len(pattern.Value)) {
		return
	}
	s.at, s.nested = s.place(pattern.Pos()), true
	s.source = pattern.Value
	// Read as a here-document, in which quotes mean nothing, this finds
	// substitutions in single quotes too: better too many than too few.
	if document := w.parseDocument(pattern.Value); document != nil {
		w.value(document, &s)
	}
}

// edit returns v as ${name#x}, ${name/x/y} and the like change it.
func (w *walker) edit(p *syntax.ParamExp, v argument, s *scope) (argument, bool) {
	if v.Dynamic || v.Home {
		return v, false
	}
	if p.Slice != nil {
		runes := []rune(v.Text)
		from, to, ok := w.bounds(p.Slice, len(runes), s)
		if !ok || !w.spend(len(v.Text)/4) {
			return v, false
		}
		v.Text = string(runes[from:max(from, to)])
		return v, true
	}
	if p.Repl != nil {
		return w.replace(p.Repl, v, s)
	}
	if p.Exp == nil {
		return v, true
	}
	if p.Exp.Op == syntax.OtherParamOps && p.Exp.Word.Lit() == "P" {
		w.reexpand(v, "@P", *s)
		return v, false
	}
	operand := w.operand(p, s)
	if operand.Dynamic || operand.Home {
		return v, false
	}
	text, ok := trim(p.Exp.Op, v.Text, operand)
	v.Text = text
	return v, ok && w.spend(len(v.Text)/16)
}

// bounds returns the part of a value of length n that a slice is for.
func (w *walker) bounds(sl *syntax.Slice, n int, s *scope) (from, to int, ok bool) {
	read := func(x syntax.ArithmExpr, absent int) int {
		if x == nil {
			return absent
		}
		i, known := w.number(x, s)
		ok = ok && known
		return int(min(max(i, -maxText), maxText))
	}
	ok = true
	if from = read(sl.Offset, 0); from < 0 {
		if from += n; from < 0 {
			return 0, 0, ok
		}
	}
	from = min(from, n)
	length := read(sl.Length, n)
	if to = min(from+length, n); length < 0 {
		to = max(n+length, from)
	}
	return from, to, ok
}

func (w *walker) replace(r *syntax.Replace, v argument, s *scope) (argument, bool) {
	from, to := w.value(r.Orig, s), argument{}
	if r.With != nil {
		to = w.value(r.With, s)
	}
	if from.Dynamic || to.Dynamic || from.Home || to.Home || from.Text == "" || strings.ContainsAny(from.Text, `*?[\(&`) || strings.Contains(to.Text, "&") {
		return v, false
	}
	times := 1
	if r.All {
		times = -1
	}
	switch from.Text[0] {
	case '#', '%': // anchored
		return v, false
	}
	if !w.spend(len(v.Text)/4 + strings.Count(v.Text, from.Text)*len(to.Text)/4) {
		return v, false
	}
	v.Text = strings.Replace(v.Text, from.Text, to.Text, times)
	return v, true
}

// trim applies an operator such as # to text. It knows patterns that are
// literal but for a star at one end.
func trim(op syntax.ParExpOperator, text string, operand argument) (string, bool) {
	pattern := operand.Text
	switch op {
	case syntax.UpperAll, syntax.LowerAll, syntax.UpperFirst, syntax.LowerFirst:
		if pattern != "" {
			return text, false
		}
		if text == "" {
			return text, true
		}
		first, size := utf8.DecodeRuneInString(text)
		switch op {
		case syntax.UpperAll:
			return strings.ToUpper(text), true
		case syntax.LowerAll:
			return strings.ToLower(text), true
		case syntax.UpperFirst:
			return strings.ToUpper(string(first)) + text[size:], true
		}
		return strings.ToLower(string(first)) + text[size:], true
	}
	if operand.Quoted && operand.Glob {
		return text, false
	}
	prefix := op == syntax.RemSmallPrefix || op == syntax.RemLargePrefix
	suffix := op == syntax.RemSmallSuffix || op == syntax.RemLargeSuffix
	large := op == syntax.RemLargePrefix || op == syntax.RemLargeSuffix
	literal := pattern
	star := false
	if operand.Glob {
		if prefix {
			literal, star = strings.CutPrefix(pattern, "*")
		} else {
			literal, star = strings.CutSuffix(pattern, "*")
		}
		if strings.ContainsAny(literal, `*?[\`) || strings.ContainsAny(literal, "(") {
			return text, false
		}
	}
	switch {
	case !prefix && !suffix || strings.Contains(pattern, "("):
		return text, false
	case prefix && !star:
		return strings.TrimPrefix(text, literal), true
	case suffix && !star:
		return strings.TrimSuffix(text, literal), true
	}
	at := strings.Index(text, literal)
	if prefix == large {
		at = strings.LastIndex(text, literal)
	}
	switch {
	case at < 0:
		return text, true
	case prefix:
		return text[at+len(literal):], true
	}
	return text[:at], true
}
