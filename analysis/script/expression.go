package script

import (
	"slices"
	"strings"
)

// reader reads the tokens of a unit, in turn, and knows what they come to.
type reader struct {
	*flow
	u     *unit
	at    int
	scope *scope
	place place // what the expression that was read last names
	mode
}

// mode says what ends the expression that is read.
type mode struct {
	plain  bool // a "{" or "do" begins the body of a statement, not a block or map
	toFile bool // ">" of awk writes to a file
	low    bool // "and" and "or" end the arguments of a call without brackets
}

// place is what can be assigned to.
type place struct {
	name string // with the dots of members: self.x
	key  values // of an entry: nil for the variable itself
}

func (r *reader) token() *token { return r.next(0) }

// next returns the nth token from here.
func (r *reader) next(n int) *token {
	r.steps++
	r.complex = r.complex || r.steps > maxSteps
	if r.complex || r.at+n >= len(r.u.tokens) || r.at+n < 0 {
		return &token{}
	}
	return &r.u.tokens[r.at+n]
}

func (t *token) is(text string) bool {
	return t.text == text && (t.kind == tokenSign || t.kind == tokenName)
}

func (r *reader) is(text string) bool { return r.token().is(text) }

func (r *reader) accept(text string) bool {
	if r.is(text) {
		r.at++
		return true
	}
	return false
}

// source returns how what was read from token start on is written.
func (r *reader) source(start int) string {
	const long = 1000
	end := min(r.at, len(r.u.tokens)) - 1
	if end < start {
		return ""
	}
	from := r.u.tokens[start].start
	return r.u.source[from:min(max(from, r.u.tokens[end].end), from+long)]
}

// here notes that what follows stands at a token.
func (r *reader) here(t *token) {
	if r.line = max(t.line, 1); r.codes == 0 {
		r.start = t.start
	}
}

// skip goes behind the bracket that was opened at token open.
func (r *reader) skip(open int) { r.at = max(open, r.u.tokens[open].match) + 1 }

// deeper notes that the reader goes down; it returns false where it's too deep.
func (r *reader) deeper() bool {
	r.depth++
	r.complex = r.complex || r.depth > 2*maxNesting || !r.spend(1)
	return !r.complex
}

// operators are those between two values, a line for each level that makes a difference, the weakest first. Words are
// operators where library.txt says so.
const operators = "\n or xor || ?? ?: // and && " +
	"\n == != === !== < > <= >= <=> =~ !~ ~ in instanceof as is not lt gt le ge eq ne cmp | ^ & .. ... " +
	"\n << >> " +
	"\n + - . " +
	"\n * / % ** @ x "

// levelJoin is that of values side by side in awk, levelOperand that of what signs stand before.
const levelJoin, levelOperand = 4, 6

// level is how strongly an operator binds, 0 for what is none.
func (r *reader) level(t *token) int {
	word := t.kind == tokenName && r.flow.is("operator", t.text) && !(r.low && oneOf(" or xor and ", t.text))
	sign := t.kind == tokenSign && !(r.name == "awk" && (oneOf(" | << >> ", t.text) || r.toFile && t.text == ">"))
	if at := strings.Index(operators, " "+t.text+" "); at >= 0 && (word || sign) {
		return strings.Count(operators[:at], "\n")
	}
	return 0
}

// assigning are the operators that assign.
const assigning = " = += -= *= /= .= %= **= ||= &&= //= ??= |= &= ^= <<= >>= >>>= := "

// expr reads an expression without commas.
func (r *reader) expr() values { return r.binary(0) }

// chosen reads the rest of x if y else z and x ? y : z, behind the first value, in which the calls from some on are.
func (r *reader) chosen(first values, calls int) values {
	t := r.token()
	if !r.accept("?") && !(r.pythonic && r.accept("if")) {
		return first
	}
	condition, value := first, first
	if t.is("?") {
		r.knowing(condition, true, func() { value = r.expr() })
	} else {
		condition = r.expr()
		r.knowAlready(condition, calls)
	}
	if r.accept(":") || r.accept("else") {
		r.knowing(condition, false, func() { value = r.union(value, r.expr()) })
	}
	return value
}

// assignment reads what is assigned to the place that was read, if something is.
func (r *reader) assignment(old values) values {
	to, operator := r.place, r.token()
	if operator.kind != tokenSign || !oneOf(assigning, operator.text) || to.name == "" {
		return old
	}
	r.at++
	value := r.expr()
	if to.name[0] == '%' && to.key == nil {
		value = r.pairsOf(value)
	}
	if sign := strings.TrimSuffix(operator.text, "="); sign != "" && sign != ":" {
		return r.grow(to, sign, old, value)
	}
	r.put(to, value)
	return value
}

// grow assigns what an operator makes of what a place has and of another value.
func (r *reader) grow(to place, operator string, old, more values) values {
	now := r.operate(operator, old, more, to, to.name)
	if r.flow.loop() != nil && now.has(valueText) && !oneOf(" || && ?? // ", operator) {
		now = unknown(to.name) // it grows with each round
	}
	r.put(to, now)
	return now
}

// put assigns to a place.
func (r *reader) put(to place, now values) {
	v := r.scope.place(to.name, r.local && !strings.Contains(to.name, "."))
	if to.key != nil {
		old := r.read(v)
		if len(old) > 0 && !old.has(valueMap) && !old.has(valueList) {
			return
		}
		of := append(slices.Clip(old), value{})[0]
		key, known := to.key.constant()
		if known && len(old) < 2 && len(of.items) == 0 && r.spend(1+len(of.pairs)) {
			now = values{{kind: valueMap, pairs: append(slices.Clip(of.pairs), pair{key, now})}}
		} else { // what is where isn't known any more
			now = values{{text: to.name, rest: true}}
		}
	}
	r.assign(v, now)
}

// binary reads operators that bind at least as strongly as min.
func (r *reader) binary(min int) values {
	defer func(depth int) { r.depth = depth }(r.depth)
	if !r.deeper() {
		return nil
	}
	start, calls := r.at, len(r.calls)
	left := r.unary()
	for {
		t, target := r.token(), r.place
		level := r.level(t)
		switch {
		case r.name == "awk" && level == 0 && min < levelJoin && r.beginsOperand(t) && !r.awkStop(t):
			left = r.concat([]values{left, r.binary(levelJoin)}, "")
		case r.name == "awk" && min < levelJoin && (t.is("|") || t.is("|&")) && r.next(1).is("getline"):
			left = r.getline(left, start)
		case min == 0 && level == 0 && r.at > start:
			return r.chosen(r.assignment(left), calls)
		case level == 0 || level < min:
			return left
		default:
			r.at++
			r.accept("in") // not in
			var right values
			r.knowing(deciding(t.text, left), isAnd(t.text), func() {
				r.repeat(false, 0, func() { right = r.assignment(r.binary(level + 1)) }) // perhaps it isn't read
			})
			if r.leavesBehind(right) {
				r.know(proofOf(deciding(t.text, left)), isOr(t.text))
			}
			if t.is("as") && r.pythonic && r.place.name != "" {
				r.put(r.place, left)
			}
			left = r.operate(t.text, left, right, target, r.source(start))
		}
		r.place = place{}
	}
}

// operate returns what an operator makes of two values.
func (r *reader) operate(operator string, left, right values, target place, source string) values {
	switch operator {
	case "as":
		return left
	case "==", "===", "is":
		if p := proofOf(left); p != nil && (right.is("false") || right.is("False") || right.is("FALSE")) {
			return proving(unknown(source), p.not())
		}
	case "and", "&&", "or", "||", "??", "?:", "//":
		if operator != "//" || !r.pythonic {
			return r.joined(operator, left, right)
		}
	case ".":
		return r.concat([]values{left, right}, "")
	case "+", "/":
		_, isList := left.list()
		_, also := right.list()
		switch {
		case slices.ContainsFunc(slices.Concat(left, right), func(v value) bool { return v.path }):
			return r.joinPath([]values{left, right}, "topath")
		case operator != r.join:
		case isList || also:
			return r.flat([]values{anyLength(left), anyLength(right)})
		case left.has(valueText) || right.has(valueText):
			return r.concat([]values{left, right}, "")
		}
	case "%":
		if left.has(valueText) {
			return r.format("%", left, right, source)
		}
	case "<<":
		if left.has(valueList) {
			right = listValue([]values{right})
		}
		if r.name == "ruby" && (left.has(valueList) || left.has(valueText)) {
			return r.grow(target, "+", left, right)
		}
	}
	return unknown(source)
}

// unary reads a value with the operators before it.
func (r *reader) unary() values {
	start, t := r.at, r.token()
	word := t.kind == tokenName && r.flow.is("prefix", t.text) && r.beginsOperand(r.next(1))
	sign := t.kind == tokenSign && oneOf(" - ~ ! + ++ -- * ** ... & @ \\ :: ", t.text)
	if !word && !sign {
		return r.postfix()
	}
	r.at++
	test := ""
	if r.name == "perl" && t.text == "-" && len(r.token().text) == 1 && r.beginsOperand(r.next(1)) { // -f $x
		test = r.token().text
		r.at++
	}
	value := r.binary(levelOperand)
	switch t.text {
	case "not", "!":
		return proving(unknown(r.source(start)), proofOf(value).not())
	case "await", "async", "new", "clone", "scalar", "local", "*", "**", "...", "&", "@", "\\", "::":
		return value
	case "++", "--":
		r.put(r.place, unknown(r.place.name))
	case "-":
		if oneOf(" e f s ", test) {
			return r.exists(value, r.source(start))
		}
		if len(value) == 1 && value[0].kind == valuePlain {
			return plainValue("-" + value[0].text)
		}
	}
	return unknown(r.source(start))
}

const notOperands = " if unless while until for foreach and or then do end else elsif elif rescue ensure when in as "

// beginsOperand reports whether a value may begin at t.
func (r *reader) beginsOperand(t *token) bool {
	word := t.kind == tokenName && (t.text == "not" || r.level(t) == 0 && !oneOf(notOperands, t.text))
	sign := t.kind == tokenSign && oneOf(" ( [ { - ! ~ \\ $deref @deref %deref &deref :: -> ++ -- & * ** ... + ", t.text)
	return word || sign || t.kind >= tokenNumber && t.kind <= tokenGlob
}

// postfix reads a value and the members, indexes and calls behind it.
func (r *reader) postfix() values {
	start := r.at
	r.place = place{}
	value, grows := r.primary(), place{}
	for links := 0; !r.complex; links++ {
		t, last, old := r.token(), r.next(-1), r.place
		r.complex = links > maxChain
		switch {
		case r.name == "javascript" && t.kind == tokenText && !t.newline && r.u.source[t.start] == '`':
			r.at++
			value = r.apply(value, &site{args: arguments{list: []values{r.text(t)}}}, start)
		case r.name == "ruby" && t.is("do") && !r.plain:
			value = r.apply(value, &site{args: arguments{block: r.define("block", "")}}, start)
		case oneOf(" . ?. &. -> ?-> :: ", t.text) && (t.text != "." || r.join != "."):
			if r.at++; r.token().kind == tokenName {
				value, grows = r.link(value, old, start), old
			}
		case t.text == "[", t.text == "{" && r.name == "perl" && !t.space && (old.name != "" || oneOf(" -> ] } ", last.text)):
			value = r.index(value, start)
		case t.text == "(" && (r.name != "awk" || last.kind == tokenName) && (r.name != "ruby" || !t.space):
			args := r.arguments()
			if r.name == "ruby" && (r.is("{") || r.is("do")) && !r.plain {
				args.block = r.define("block", "")
			}
			value = r.apply(value, &site{args: args, grows: grows}, start)
		case t.text == "++" || t.text == "--":
			r.at++
			value = unknown(old.name)
			r.put(old, value)
		case t.text == "!" && r.name == "javascript" && !t.newline: // TypeScript
			r.at++
		default:
			return value
		}
	}
	return value
}

// link reads a member.
func (r *reader) link(value values, old place, start int) values {
	name := r.token().text
	r.at++
	member := r.member(value, name, r.source(start))
	r.place = place{}
	if old.name != "" && old.key == nil {
		r.place.name = old.name + "." + name
		if v := r.global.names[r.place.name]; v != nil && len(v.all) > 0 {
			member = v.all
		} else if value.has(valueMap) {
			r.place = place{name: old.name, key: textValue(name)}
		}
	}
	switch {
	case r.name == "ruby":
		return r.rubyCall(member, name, start)
	case r.name == "perl" && member.has(valueMethod) && !r.is("("):
		return r.apply(member, &site{}, start)
	}
	return member
}

// index reads an entry of a list or map.
func (r *reader) index(of values, start int) values {
	open, old := r.at, r.place
	r.at++
	t := r.token()
	key := textValue(t.text)
	if t.kind == tokenName && isNameStart(t.text[0]) && (r.name == "perl" && r.next(1).is("}") || r.name == "php" && r.next(1).is("]")) {
		r.at++
	} else {
		key = r.expr()
	}
	slice := !r.is("]") && !r.is("}")
	r.skip(open)
	r.place = place{}
	if slice {
		return values{{text: r.source(start), rest: !of.has(valueText)}}
	}
	if old.name != "" && old.key == nil {
		r.place = place{name: old.name, key: append(values{}, key...)}
	}
	return r.entryOf(of, key, r.source(start))
}

// entryOf returns what of has under key.
func (r *reader) entryOf(of, key values, source string) values {
	text, known := key.constant()
	return r.collect(of, func(of *value) values {
		all := unknown(source)
		entry, given := values{*of}.entry(text)
		switch {
		case known && given:
			return entry
		case of.kind == valueLibrary && of.text == "Dir":
			return listValue([]values{r.glob(key, nil, source)})
		case known && (of.kind == valueLibrary || r.name == "javascript" && of.kind != valueList):
			return r.member(values{*of}, text, source)
		case of.kind == valueLibrary && r.has(of.text+"[]"):
			return libraryValue(of.text + "[]")
		case known && of.kind == valueList:
			n := number(strings.TrimPrefix(text, "-"))
			if strings.HasPrefix(text, "-") {
				n = len(of.items) - n
			}
			if n >= 0 && n < len(of.items) && !slices.ContainsFunc(of.items[:n+1], values.any) {
				return of.items[n]
			}
		case !known && (of.kind == valueMap || of.kind == valueList): // any of them
			for _, p := range of.pairs {
				all = r.union(all, p.value)
			}
			for _, v := range of.items {
				all = r.union(all, v)
			}
		}
		return all
	})
}

// named returns what the variable or function of that name is.
func (r *reader) named(name string) values {
	if v := r.scope.find(name); v != nil {
		if now := r.read(v); len(now) > 0 {
			return now
		}
	}
	return r.globalName(name)
}

// text returns what a string is.
func (r *reader) text(t *token) values {
	parts := make([]values, 0, len(t.pieces))
	for _, p := range t.pieces {
		v := textValue(p.text)
		if p.code != nil {
			v = r.inner(p.code)
		}
		formatted := strings.ContainsAny(p.raw, "!:") && !strings.HasSuffix(p.raw, "!s}") && !strings.ContainsAny(p.raw, "[(\"'")
		if r.name == "perl" {
			v = r.words([]values{v})
		} else if r.pythonic && (formatted || !v.has(valueText) && !v.has(valuePlain)) {
			v = r.collect(v, func(one *value) values { return values{{text: p.raw, found: one.found}} })
		}
		parts = append(parts, v)
	}
	return r.concat(parts, "")
}

// inner reads the code in a string, and returns its value.
func (r *reader) inner(u *unit) values {
	defer func(line int) { r.line = line }(r.line)
	return (&reader{flow: r.flow, u: u, scope: r.scope}).statements(nil)
}

// list reads the expressions behind a first one, with commas before them.
func (r *reader) list() []values {
	if !r.comma() {
		return nil
	}
	return r.items("").list
}

func (r *reader) comma() bool { return r.accept(",") || r.name == "perl" && r.accept("=>") }

// arguments reads the arguments of a call in brackets, or without any.
func (r *reader) arguments() arguments {
	switch {
	case !r.is("("):
		return r.items("")
	case r.token().each > 0:
		return arguments{list: []values{r.comprehension()}}
	}
	return r.items(")")
}

// items reads what has commas between it: the elements of a list, the entries of a map or the arguments of a
// call. They stand in brackets, which end with close; without it, they go on as long as there are commas.
func (r *reader) items(close string) (all arguments) {
	open, outer := r.at, r.mode
	if r.low = close == ""; !r.low {
		r.mode = mode{}
		r.at++
	}
	for r.token().kind != tokenEnd && !r.is(close) && (!r.low || r.beginsOperand(r.token())) {
		before := r.at
		r.item(&all, close)
		if !r.comma() && r.low {
			break
		}
		r.advance(before)
	}
	if close != "" {
		r.skip(open)
	}
	r.mode, r.place = outer, place{}
	return all
}

// item reads one of the elements before close.
func (r *reader) item(all *arguments, close string) {
	start, t, next := r.at, r.token(), r.next(1)
	var key values
	if t.kind == tokenName && (r.pythonic && next.is("=") || !r.pythonic && next.is(":") && !next.space) {
		r.at += 2
		key = textValue(t.text)
	}
	v := r.expr()
	switch {
	case r.name != "perl" && r.accept("=>"), close == "}" && r.accept(":"):
		key, v = v, r.expr()
	case close == "}" && r.name == "javascript" && t.kind == tokenName && key == nil: // {a, b}
		key = textValue(t.text)
	}
	name, known := key.constant()
	spread := t.is("*") || t.is("**") || t.is("...")
	flat := spread || r.name == "perl" && !t.is("[") && v.has(valueList)
	switch {
	case known:
		all.named = append(all.named, pair{name, v})
	case key != nil || r.at == start:
	case t.is("&") && r.name == "ruby":
		all.block = v
	case flat && len(v) == 1 && (v[0].kind == valueList || v[0].kind == valueMap) && r.spend(len(v[0].items)+len(v[0].pairs)):
		all.list = append(all.list, v[0].items...)
		all.named = append(all.named, v[0].pairs...)
	case spread:
		if all.more = true; !t.is("**") {
			all.list = append(all.list, anyLength(v))
		}
	default:
		all.list = append(all.list, v)
	}
}

// collection is the list, the map or the value that brackets have in them.
func (r *reader) collection(all arguments, open string) values {
	n := len(all.list)
	switch {
	case open == "{" && r.name == "perl":
		return r.pairsOf(listValue(all.list))
	case len(all.named) > 0 || open == "{" && n == 0:
		return values{{kind: valueMap, pairs: all.named}}
	case open != "(" || n == 0 || r.pythonic && (n > 1 || r.next(-2).is(",")) || r.name == "perl" && (n > 1 || !all.list[0].has(valueList)):
		return listValue(all.list)
	}
	return all.list[n-1]
}
