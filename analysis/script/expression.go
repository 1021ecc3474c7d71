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
	plain bool // a "{" or "do" begins the body of a statement, not a block or map
	noIn  bool // ">" of awk writes to a file
	low   bool // "and" and "or" end the arguments of a call without brackets
}

// place is what can be assigned to.
type place struct {
	name string
	key  values // of an entry: nil for the variable itself
	of   string // self.x: the name with its dots
}

var endToken = &token{}

func (r *reader) token() *token { return r.next(0) }

// next returns the nth token from here.
func (r *reader) next(n int) *token {
	if r.steps++; r.steps > maxSteps {
		r.complex = true
	}
	if r.complex || r.at+n >= len(r.u.tokens) || r.at+n < 0 {
		return endToken
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
	if end < start || start >= len(r.u.tokens) {
		return ""
	}
	from := r.u.tokens[start].start
	to := max(from, r.u.tokens[end].end)
	return r.u.source[from:min(to, from+long)]
}

// here notes that what follows stands at a token.
func (r *reader) here(t *token) {
	if r.line = max(t.line, 1); r.codes == 0 {
		r.start = t.start
	}
}

// skip goes behind the bracket that was opened at token open.
func (r *reader) skip(open int) {
	if match := r.u.tokens[open].match; match > open {
		r.at = match + 1
	} else {
		r.at = max(r.at, open+1)
	}
}

// deeper notes that the reader goes down; it returns false where it's too deep.
func (r *reader) deeper() bool {
	if r.depth++; r.depth > 4*maxNesting || !r.spend(1) {
		r.complex = true
		return false
	}
	return true
}

// level is how strongly an operator binds, 0 for what is none.
func (r *reader) level(t *token) int {
	if t.kind == tokenName {
		switch t.text {
		case "or", "xor":
			if r.low {
				return 0
			}
			if r.name == "python" {
				return 2
			}
			return 1
		case "and":
			if r.low {
				return 0
			}
			if r.name == "python" {
				return 3
			}
			return 1
		case "in", "instanceof", "is", "not", "lt", "gt", "le", "ge", "eq", "ne", "cmp", "x":
			if t.text == "in" && r.noIn || t.text == "x" && r.name != "perl" || t.text != "in" && t.text != "x" && len(t.text) == 2 && t.text != "is" && r.name != "perl" || t.text == "not" && !r.next(1).is("in") {
				return 0
			}
			return 5
		}
		return 0
	}
	if t.kind != tokenSign {
		return 0
	}
	switch t.text {
	case "||", "??", "?:", "//":
		if t.text == "//" && r.name == "python" {
			return 9
		}
		return 2
	case "&&":
		return 3
	case "|", "^", "&":
		if t.text == "|" && (r.name == "awk") {
			return 0
		}
		return 4
	case "==", "!=", "===", "!==", "<", ">", "<=", ">=", "<=>", "=~", "!~", "~":
		if r.name == "awk" && t.text == ">" && r.noIn {
			return 0
		}
		return 5
	case "..", "...":
		if r.name == "perl" || r.name == "ruby" {
			return 6
		}
	case "<<", ">>":
		if r.name == "awk" {
			return 0
		}
		return 7
	case "+", "-":
		return 8
	case ".":
		if r.join == "." {
			return 8
		}
	case "*", "/", "%", "**", "@":
		return 9
	}
	return 0
}

// assigning are the operators that assign.
const assigning = " = += -= *= /= .= %= **= ||= &&= //= ??= |= &= ^= <<= >>= >>>= := "

// expr reads an expression without commas.
func (r *reader) expr() values {
	defer func(depth int) { r.depth = depth }(r.depth)
	if !r.deeper() {
		return nil
	}
	start := r.at
	left := r.binary(1)
	if r.pythonic && r.token().is("if") && r.u.tokens[start].start < r.token().start {
		r.at++
		r.binary(1)
		if r.accept("else") {
			return r.union(left, r.expr())
		}
		return left
	}
	if r.is("?") {
		r.at++
		yes := r.expr()
		if r.accept(":") {
			return r.union(yes, r.expr())
		}
		return yes
	}
	if t := r.token(); t.kind == tokenSign && oneOf(assigning, t.text) && r.place.name+r.place.of != "" {
		return r.assignment(start, left)
	}
	return left
}

// assignment reads what is assigned to the place that was read from start on.
func (r *reader) assignment(start int, old values) values {
	to, operator := r.place, r.token().text
	pos := r.token().start
	r.at++
	if r.name == "ruby" {
		for r.token().kind == tokenNewline {
			r.at++
		}
	}
	value := r.expr()
	if (r.name == "perl" || r.name == "ruby") && r.is(",") && operator == "=" && (strings.HasPrefix(to.name, "@") || strings.HasPrefix(to.name, "%")) {
		value = listValue(append([]values{value}, r.list("")...))
	}
	if strings.HasPrefix(to.name, "%") && len(to.key) == 0 {
		value = r.pairsOf(value)
	} else if strings.HasPrefix(to.name, "@") && len(to.key) == 0 {
		value = r.flat([]values{value})
	}
	switch operator {
	case "+=", ".=":
		switch {
		case r.inLoop():
			value = unknown(strings.TrimSpace(r.u.source[r.u.tokens[start].start:pos]))
		case operator == ".=" || r.join == "+":
			value = r.plus(old, value, r.source(start))
		default:
			value = unknown(r.source(start))
		}
	case "||=", "??=", "//=", "&&=":
		value = r.union(old, value)
	case "=", ":=":
	default:
		value = unknown(r.source(start))
	}
	r.put(to, value)
	return value
}

// put assigns to a place.
func (r *reader) put(to place, now values) {
	if to.name == "" {
		return
	}
	if to.of != "" {
		if base := r.scope.find(to.name); base != nil && len(base.now) == 1 && base.now[0].kind == valueMap {
			r.put(place{name: to.name, key: textValue(to.of[len(to.name)+1:])}, now)
			return
		}
		v := r.global.declare(to.of)
		r.assign(v, now)
		return
	}
	v := r.scope.place(to.name, r.local)
	if to.key == nil {
		r.assign(v, now)
		return
	}
	base := value{kind: valueMap}
	before := r.read(v)
	if len(before) == 1 && before[0].kind == valueMap {
		base = before[0]
	} else if len(before) > 0 {
		return
	}
	key, known := r.constant(to.key)
	if !known || !r.spend(1+len(base.pairs)) {
		key = "\xff"
	}
	pairs := base.pairs[:len(base.pairs):len(base.pairs)]
	if old, ok := (values{base}).entry(key); ok && len(r.blocks) > 0 {
		now = r.union(old, now)
	}
	base.pairs = append(pairs, pair{key, now})
	r.assign(v, values{base})
}

// constant returns the text or number that v is, if it can only be one.
func (r *reader) constant(v values) (string, bool) {
	if len(v) == 1 && v[0].kind == valuePlain {
		return v[0].text, true
	}
	return v.constant()
}

// binary reads operators that bind at least as strongly as min.
func (r *reader) binary(min int) values {
	defer func(depth int) { r.depth = depth }(r.depth)
	if !r.deeper() {
		return nil
	}
	start := r.at
	left := r.unary()
	for {
		t := r.token()
		level := r.level(t)
		if r.name == "awk" && level == 0 && min <= 7 && r.beginsOperand(t) && !t.is("in") && !r.awkStop(t) {
			right := r.binary(8)
			left = r.concat([]values{left, right}, "")
			r.place = place{}
			continue
		}
		if r.name == "awk" && min <= 5 && (t.is("|") || t.is("|&")) && r.next(1).is("getline") {
			left = r.getline(left, start)
			continue
		}
		if level == 0 || level < min || t.newline && r.name == "javascript" && t.kind == tokenName && t.text != "in" && t.text != "instanceof" {
			return left
		}
		operator := t.text
		r.at++
		if operator == "not" {
			r.at++
		}
		for r.token().kind == tokenNewline && r.name != "python" {
			r.at++
		}
		choice := level <= 3
		if choice {
			r.enter(false, 0)
		}
		target := r.place
		r.place = place{}
		right := r.binary(level + 1)
		if choice {
			end := r.at
			// An assignment may stand behind "or".
			if tt := r.token(); tt.kind == tokenSign && oneOf(assigning, tt.text) && r.place.name+r.place.of != "" {
				right = r.assignment(end-1, right)
			}
			r.leave()
		}
		r.place = place{}
		left = r.operate(operator, left, right, target, start)
	}
}

// operate returns what an operator makes of two values.
func (r *reader) operate(operator string, left, right values, target place, start int) values {
	source := r.source(start)
	switch operator {
	case "+":
		if r.join == "+" {
			return r.plus(left, right, source)
		}
	case ".":
		return r.concat([]values{left, right}, "")
	case "or", "||", "??", "?:", "//":
		if operator == "//" && r.pythonic {
			return unknown(source)
		}
		return r.union(left, right)
	case "and", "&&":
		return right
	case "/":
		if path := r.pathOf(left); path || r.pathOf(right) && r.pythonic {
			return r.joinPath([]values{left, right}, true)
		}
	case "%":
		if _, isText := left.constant(); isText && (r.name == "python" || r.name == "ruby") {
			return r.format("%", left, right, source)
		}
	case "*", "x":
		if text, ok := left.constant(); ok && len(right) == 1 && right[0].kind == valuePlain {
			if n := number(right[0].text); n >= 0 && n < 1000 && r.spend(n*len(text)/16) {
				return textValue(strings.Repeat(text, n))
			}
		}
	case "<<":
		if len(left) == 1 && r.name == "ruby" && (left[0].kind == valueList || left[0].kind == valueText) && target.name != "" {
			grown := right
			if left[0].kind == valueList {
				grown = listValue(append(left[0].items[:len(left[0].items):len(left[0].items)], right))
			} else {
				grown = r.concat([]values{left, right}, "")
			}
			if r.inLoop() && left[0].kind == valueText {
				grown = unknown(target.name)
			}
			r.put(target, grown)
			return grown
		}
	case "|":
		for _, v := range [...]values{left, right} {
			for i := range v {
				if v[i].kind == valueLibrary && strings.HasSuffix(v[i].text, "O_APPEND") {
					return unknown("O_APPEND")
				}
			}
		}
	}
	return unknown(source)
}

// plus joins texts, lists and paths.
func (r *reader) plus(left, right values, source string) values {
	a, isList := left.list()
	b, also := right.list()
	switch {
	case isList && also && r.spend(len(a)+len(b)):
		return listValue(append(a[:len(a):len(a)], b...))
	case isList && r.spend(len(a)):
		return listValue(append(a[:len(a):len(a)], anyLength(right)))
	case also && r.spend(len(b)):
		return listValue(append([]values{anyLength(left)}, b...))
	case r.pathOf(left):
		return r.joinPath([]values{left, right}, true)
	case !left.has(valueText) && !right.has(valueText):
		if left.has(valuePlain) || right.has(valuePlain) || r.pythonic {
			return unknown(source)
		}
	}
	return r.concat([]values{left, right}, "")
}

func (r *reader) pathOf(v values) bool { return len(v) > 0 && v[0].path }

// unary reads a value with the operators before it.
func (r *reader) unary() values {
	defer func(depth int) { r.depth = depth }(r.depth)
	if !r.deeper() {
		return nil
	}
	start, t := r.at, r.token()
	word := t.kind == tokenName && r.flow.is("prefix", t.text) && r.beginsOperand(r.next(1))
	sign := t.kind == tokenSign && oneOf(" - ~ ! + ++ -- * ** ... & @ \\ ", t.text)
	if !word && !sign {
		return r.postfix()
	}
	if t.text == "return" {
		return r.returned()
	}
	r.at++
	if r.name == "perl" && t.text == "-" && len(r.token().text) == 1 && r.beginsOperand(r.next(1)) { // -f $x
		r.at++
	}
	if t.text == "not" {
		r.binary(4)
		return unknown(r.source(start))
	}
	value := r.unary()
	switch t.text {
	case "await", "async", "new", "clone", "scalar", "*", "**", "...", "&", "@", "\\":
		return value
	case "++", "--":
		r.put(r.place, unknown(r.place.name))
	case "-":
		if len(value) == 1 && value[0].kind == valuePlain {
			return plainValue("-" + value[0].text)
		}
	}
	return unknown(r.source(start))
}

// beginsOperand reports whether a value may begin at t.
func (r *reader) beginsOperand(t *token) bool {
	switch t.kind {
	case tokenName:
		return r.level(t) == 0 && !oneOf(" if unless while until for foreach and or not then do end else elsif elif rescue ensure when in as ", t.text) || t.text == "not"
	case tokenText, tokenNumber, tokenShell, tokenWords, tokenRegex, tokenGlob:
		return true
	case tokenSign:
		return oneOf(" ( [ { - ! ~ \\ $deref @deref %deref &deref :: -> ++ -- & * ** ... + ", t.text)
	}
	return false
}

// postfix reads a value and the members, indexes and calls behind it.
func (r *reader) postfix() values {
	start := r.at
	r.place = place{}
	value := r.primary()
	grows := place{}
	for links := 0; ; links++ {
		if links > maxChain {
			r.complex = true
		}
		t := r.token()
		if t.kind == tokenText && r.name == "javascript" && r.u.source[min(t.start, len(r.u.source)-1)] == '`' && !t.newline {
			r.at++
			value = r.apply(value, &site{args: arguments{list: []values{r.text(t)}}}, start)
			continue
		}
		if t.is("as") && r.name == "javascript" && !r.plain && r.next(1).kind == tokenName {
			r.at += 2
			continue
		}
		if t.kind != tokenSign || r.complex {
			if t.is("do") && r.name == "ruby" && !r.plain {
				value = r.apply(value, &site{args: r.rubyBlock(arguments{})}, start)
				continue
			}
			return value
		}
		old := r.place
		switch t.text {
		case ".", "?.", "&.", "->", "?->", "::":
			if t.text == "." && r.join == "." || r.next(1).kind == tokenEnd {
				return value
			}
			r.at++
			value = r.link(value, t, old, start)
			if grows = (place{}); old.key == nil && old.of == "" {
				grows = old
			}
			if r.name == "perl" && t.text == "->" && value.has(valueMethod) && !r.is("(") {
				value = r.apply(value, &site{}, start)
			}
		case "[":
			if t.space && r.name == "ruby" && t.newline {
				return value
			}
			value = r.index(value, start, old)
		case "{":
			if r.name == "perl" && old.name != "" && !t.space {
				value = r.index(value, start, old)
				continue
			}
			if r.name == "ruby" && !r.plain && value != nil && r.callable(start) {
				value = r.apply(value, &site{args: r.rubyBlock(arguments{})}, start)
				continue
			}
			return value
		case "(":
			if t.newline && (r.name == "javascript" || r.pythonic) && r.name == "python" || r.name == "ruby" && t.space || r.name == "awk" && t.space && r.next(-1).kind != tokenName {
				return value
			}
			args := r.arguments()
			if r.name == "ruby" && (r.is("{") || r.is("do")) && !r.plain {
				args = r.rubyBlock(args)
			}
			value = r.apply(value, &site{args: args, grows: grows}, start)
		case "++", "--":
			if t.newline {
				return value
			}
			r.at++
			if old.name != "" {
				r.put(old, unknown(old.name))
			}
			value = unknown(old.name)
			continue
		case "!":
			if r.name == "javascript" && !t.space && !t.newline && (r.next(1).is(".") || r.next(1).is(")") || r.next(1).is(",") || r.next(1).is("[")) { // TypeScript
				r.at++
				continue
			}
			return value
		default:
			return value
		}
	}
}

// callable reports whether what was read from start on can have a block of Ruby behind it.
func (r *reader) callable(start int) bool {
	last := r.next(-1)
	return last.is(")") || last.kind == tokenName && (last.text[0] != '@' && last.text[0] != '$') && r.scope.find(last.text) == nil
}

// link reads a member behind a dot or an arrow.
func (r *reader) link(value values, dot *token, old place, start int) values {
	t := r.token()
	switch {
	case t.is("("):
		if r.name == "ruby" || dot.text != "." { // f.(), f->(), f?.()
			return r.apply(value, &site{args: r.arguments()}, start)
		}
		return value
	case t.is("[") || t.is("{") && r.name == "perl":
		if old.name == "" {
			old.name = "-"
		}
		return r.index(value, start, old)
	case t.kind == tokenName:
		r.at++
		name := t.text
		if r.name == "php" || r.name == "perl" {
			if name[0] == '$' && dot.text != "::" { // a method whose name is known
				if text, ok := r.named(name).constant(); ok {
					name = text
				}
			}
		}
		if dot.text == "::" && (r.name == "ruby" && !r.next(0).is("(") && name[0] >= 'A' && name[0] <= 'Z') && len(value) == 1 && value[0].kind == valueLibrary {
			return libraryValue(value[0].text + "." + name)
		}
		value = r.member(value, name, r.source(start))
		if old.name != "" && old.key == nil {
			of := old.of
			if of == "" {
				of = old.name
			}
			r.place = place{name: old.name, of: of + "." + name}
			if v := r.global.names[r.place.of]; v != nil && len(v.all) > 0 {
				value = v.all
			}
		} else {
			r.place = place{}
		}
		if r.name == "ruby" {
			return r.rubyCall(value, name, start)
		}
		return value
	case t.kind == tokenText && r.name == "php", t.kind == tokenSign && t.text == "@":
		r.at++
	}
	r.place = place{}
	return unknown(r.source(start))
}

// index reads an entry of a list or map.
func (r *reader) index(of values, start int, old place) values {
	open := r.at
	r.at++
	var key values
	slice := false
	if t := r.token(); r.name == "perl" && t.kind == tokenName && r.next(1).is("}") || r.name == "php" && t.kind == tokenName && t.text[0] != '$' && r.next(1).is("]") && r.scope.find(t.text) == nil {
		key = textValue(t.text)
		r.at++
	} else {
		var bounds [3]values
		n := 0
		for !r.is("]") && !r.is("}") && r.token().kind != tokenEnd && n < 3 {
			if r.is(":") || r.is(",") {
				slice = slice || r.is(":") || r.name == "ruby"
				n++
				r.at++
				continue
			}
			before := r.at
			bounds[n] = r.expr()
			r.advance(before)
		}
		key = bounds[0]
		if slice && r.pythonic {
			r.skip(open)
			return r.slice(of, bounds, r.source(start))
		}
	}
	r.skip(open)
	if slice {
		return unknown(r.source(start))
	}
	r.place = place{}
	if old.name != "" && old.name != "-" && old.key == nil && old.of == "" {
		r.place = place{name: old.name, key: key}
		if r.place.key == nil {
			r.place.key = unknown("")
		}
	}
	return r.entryOf(of, key, r.source(start))
}

// entryOf returns what of has under key.
func (r *reader) entryOf(of, key values, source string) (all values) {
	text, known := r.constant(key)
	for i := range of {
		one := &of[i]
		switch {
		case one.kind == valueLibrary && one.text == "Dir":
			all = r.union(all, listValue([]values{r.glob(key, nil, source)}))
			continue
		case one.kind == valueLibrary && known:
			all = r.union(all, r.member(values{*one}, text, source))
			continue
		case one.kind == valueLibrary && r.name == "javascript" && oneOf(" fs child_process process globalThis global ", one.text):
			all = r.union(all, libraryValue(one.text+"[]"))
			continue
		case one.kind == valueList && known:
			n := number(text)
			if n < 0 && strings.HasPrefix(text, "-") {
				n = len(one.items) - number(text[1:])
			}
			if r.name == "awk" {
				n--
			}
			if n >= 0 && n < len(one.items) && !slices.ContainsFunc(one.items[:n+1], func(v values) bool { return len(v) == 1 && v[0].rest }) {
				all = r.union(all, one.items[n])
				continue
			}
		case one.kind == valueMap && known:
			if v, ok := (values{*one}).entry(text); ok {
				all = r.union(all, v)
				continue
			}
		case one.kind == valueMap || one.kind == valueList:
			all = r.union(all, unknown(source))
			for _, p := range one.pairs {
				all = r.union(all, p.value)
			}
			for _, v := range one.items {
				r.spend(1)
				all = r.union(all, v)
			}
			continue
		case one.kind == valueUnknown && strings.HasPrefix(one.text, anyModule) && known:
			all = r.union(all, r.member(values{*one}, text, source))
			continue
		}
		all = r.union(all, unknown(source))
	}
	if len(all) == 0 {
		all = unknown(source)
	}
	return all
}

// slice returns what x[a:b:c] of Python is.
func (r *reader) slice(of values, bounds [3]values, source string) values {
	from, _ := r.constant(bounds[0])
	to, _ := r.constant(bounds[1])
	step, _ := r.constant(bounds[2])
	if text, ok := of.constant(); ok && step == "-1" && from == "" && to == "" {
		return r.mapText(textValue(text), source, reversed)
	}
	items, isList := of.list()
	text, isText := of.constant()
	length := len(items)
	if isText {
		length = len(text)
	}
	place := func(v values, missing int) int {
		s, ok := r.constant(v)
		if len(v) == 0 {
			return missing
		}
		n := number(strings.TrimPrefix(s, "-"))
		if !ok || n < 0 {
			return -1
		}
		if strings.HasPrefix(s, "-") {
			return max(0, length-n)
		}
		return min(n, length)
	}
	a, b := place(bounds[0], 0), place(bounds[1], length)
	if (isList || isText) && a >= 0 && b >= a && len(bounds[2]) == 0 {
		if isText {
			return textValue(text[a:b])
		}
		return listValue(items[a:b])
	}
	return values{{text: source, rest: !isText}}
}

// named returns what the variable or function of that name is.
func (r *reader) named(name string) values {
	if v := r.scope.find(name); v != nil {
		if now := r.read(v); len(now) > 0 {
			return now
		}
		if _, ok := r.row(name); !ok || r.name != "javascript" {
			return values{{text: name, rest: r.name == "perl" && name[0] != '$'}}
		}
	}
	return r.globalName(name)
}

// text returns what a string is.
func (r *reader) text(t *token) values {
	parts := make([]values, 0, len(t.pieces))
	for i := range t.pieces {
		p := &t.pieces[i]
		if p.code == nil {
			parts = append(parts, textValue(p.text))
			continue
		}
		v := r.inner(p.code)
		if r.pythonic && (strings.ContainsAny(p.raw, "!:") && !strings.HasSuffix(p.raw, "!s}") && !strings.ContainsAny(p.raw, "[(\"'") || !v.has(valueText) && !v.has(valuePlain)) {
			found := (*found)(nil)
			if len(v) == 1 {
				found = v[0].found
			}
			v = values{{text: p.raw, found: found}}
		}
		if items, ok := v.list(); ok && !r.pythonic {
			v = r.concat(items, " ")
		}
		parts = append(parts, v)
	}
	return r.concat(parts, "")
}

// inner reads the code in a string, and returns its value.
func (r *reader) inner(u *unit) (all values) {
	at, outer, line := r.at, r.u, r.line
	r.at, r.u = 0, u
	all = r.statements(nil)
	r.at, r.u, r.line = at, outer, line
	r.place = place{}
	return all
}

// list reads the expressions behind a first one, with commas before them.
func (r *reader) list(string) []values {
	if !r.comma() {
		return nil
	}
	return r.items("").list
}

func (r *reader) comma() bool { return r.accept(",") || r.name == "perl" && r.accept("=>") }

// arguments reads the arguments of a call in brackets, or without any.
func (r *reader) arguments() (args arguments) {
	if !r.is("(") {
		args = r.items("")
	} else if r.token().each > 0 {
		args.list = []values{r.comprehension()}
	} else {
		args = r.items(")")
	}
	for _, arg := range args.list {
		if len(arg) == 1 && arg[0].kind == valueMap && !r.pythonic && r.spend(len(arg[0].pairs)) {
			args.named = append(args.named, arg[0].pairs...)
		}
	}
	return args
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
		if r.token().kind != tokenNewline {
			r.item(&all, close)
		}
		t := r.token()
		handle := r.name == "perl" && r.at > before && r.beginsOperand(t) && !t.newline && !oneOf(" { [ ( ", t.text)
		if !r.comma() && r.low && !handle {
			break
		}
		r.advance(before)
		for r.token().kind == tokenNewline {
			r.at++
		}
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
	inMap := close == "}"
	if r.name == "javascript" && inMap {
		for t.kind == tokenName && r.next(1).kind == tokenName { // get, async
			r.at++
			t = r.token()
		}
		if t.kind == tokenName && r.next(1).is("(") {
			r.at++
			all.named = append(all.named, pair{t.text, r.define("method", t.text)})
			return
		}
	}
	if t.kind == tokenName && (r.pythonic && next.is("=") || !r.pythonic && next.is(":") && !next.space) {
		r.at += 2
		all.named = append(all.named, pair{t.text, r.expr()})
		return
	}
	v := r.expr()
	if r.name != "perl" && r.accept("=>") || inMap && r.accept(":") {
		key, known := r.constant(v)
		if v = r.expr(); known {
			all.named = append(all.named, pair{key, v})
		}
		return
	}
	spread := t.is("*") || t.is("**") || t.is("...")
	items, isList := v.list()
	switch {
	case r.at == start:
	case t.is("&") && r.name == "ruby":
		all.block = v
	case inMap && r.name == "javascript" && t.kind == tokenName:
		all.named = append(all.named, pair{t.text, v})
	case spread && len(v) == 1 && v[0].kind == valueMap && r.spend(len(v[0].pairs)):
		all.named = append(all.named, v[0].pairs...)
	case isList && (spread || r.name == "perl" && !t.is("[")) && r.spend(len(items)):
		all.list = append(all.list, items...)
	case t.is("**"):
		all.more = true
	case spread:
		all.more = true
		all.list = append(all.list, anyLength(v))
	default:
		all.list = append(all.list, v)
	}
}

// collection is the list or the map of elements in brackets.
func (r *reader) collection(all arguments, open string) values {
	switch {
	case open == "{" && r.name == "perl":
		return r.pairsOf(listValue(all.list))
	case len(all.named) > 0 || open == "{" && len(all.list) == 0:
		return values{{kind: valueMap, pairs: all.named}}
	}
	return listValue(all.list)
}
