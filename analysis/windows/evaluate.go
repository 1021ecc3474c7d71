package windows

import (
	"encoding/base64"
	"regexp"
	"strconv"
	"strings"
)

// expr walks an expression, and returns what is known of its value.
func (w *walker) expr(n *node, s scope) value {
	if n == nil {
		return nothing
	}
	if s.depth++; s.depth > 3*maxDepth || !w.spend(nodeCost) {
		w.program.TooComplex = true
		return nothing
	}
	switch n.kind {
	case stringNode:
		word := Word{Text: n.text, Quoted: n.quoted}
		if !n.quoted {
			word.Glob = strings.ContainsAny(n.text, "*?")
			word.Home = n.text == "~" || strings.HasPrefix(n.text, "~/") || strings.HasPrefix(n.text, `~\`)
		}
		w.spend(len(n.text) / 16)
		return wordValue(word)
	case numberNode:
		return textValue(n.text)
	case expandNode:
		words := make([]Word, 0, len(n.kids))
		for _, kid := range n.kids {
			v := w.expr(kid, s)
			words = append(words, v.asWord())
		}
		joined := joinWords(words, "")
		joined.Quoted = joined.Quoted || n.quoted
		if len(n.kids) > 0 && n.kids[0].kind == stringNode && !n.kids[0].quoted && strings.HasPrefix(joined.Text, "~") {
			joined.Home = true
		}
		w.spend(len(joined.Text) / 16)
		return wordValue(joined)
	case variableNode:
		return w.variable(n, &s)
	case subNode, arrayNode, parenNode:
		inner := s
		inner.input, inner.pipe = nil, 0 // it ends before the pipeline goes on
		if inner.context == "" || inner.context == "pipe" {
			inner.context = "substitution"
		}
		if n.kind == subNode {
			inner = inner.through("$()", nil)
		}
		v := w.list(n.kids[0], inner)
		if n.kind == arrayNode && v.form == nothingForm {
			return value{form: listForm}
		}
		if v.form == textForm && v.word.Dynamic && n.kind != arrayNode && !isSource(n, v.word.Text) {
			u := unknown(s.text(n), v.word.From).keep(&v.word)
			u.missing = v.missing
			return u
		}
		return v
	case commaNode:
		list := value{form: listForm}
		for _, kid := range n.kids {
			list.push(w.expr(kid, s))
		}
		return list
	case hashNode:
		table := value{form: listForm, keys: []string{}}
		for i := 0; i+1 < len(n.kids); i += 2 {
			k := w.expr(n.kids[i], s)
			key, _ := k.known()
			table.keys = append(table.keys, key)
			table.list = append(table.list, w.statement(n.kids[i+1], s))
		}
		return table
	case blockNode:
		b := &block{node: n, source: s.source, scope: s}
		w.blocks = append(w.blocks, b)
		return value{form: blockForm, block: b}
	case typeNode:
		return value{form: objectForm, class: "[" + n.text, word: Word{Text: s.text(n)}}
	case castNode:
		return w.cast(n, s)
	case memberNode:
		return w.member(n, s)
	case callNode:
		return w.method(n, s)
	case indexNode:
		return w.index(n, s)
	case unaryNode:
		return w.unaryValue(n, s)
	case binaryNode:
		return w.binary(n, s)
	case splatNode:
		return nothing
	case pipeNode, chainNode, assignNode, commandNode, valueNode, listNode:
		if n.kind == commandNode || n.kind == valueNode {
			return w.element(n, s, nil)
		}
		return w.statement(n, s)
	}
	return unknown(s.text(n), nil)
}

// isSource reports whether a text that isn't known says already what it is.
func isSource(n *node, text string) bool {
	return strings.HasPrefix(text, "$") && !strings.ContainsAny(text, " (") || n.kind == parenNode && text != ""
}

// keep takes over what is known of the beginning of another word.
func (v value) keep(other *Word) value {
	if other.Temporary {
		v.word.Temporary = true
	}
	return v
}

// variable returns what a variable stands for.
func (w *walker) variable(n *node, s *scope) value {
	name := n.text
	if variable, ok := strings.CutPrefix(name, "env:"); ok {
		return w.environmentValue(variable, s.text(n))
	}
	switch name {
	case "_", "psitem":
		if s.item != nil {
			return *s.item
		}
		if s.input != nil {
			return *s.input
		}
		return unknown("$_", nil)
	case "input":
		if s.input != nil {
			return *s.input
		}
	case "true":
		return truthValue(true)
	case "false":
		return truthValue(false)
	case "null":
		return nothing
	}
	if v, ok := w.env.values[name]; ok {
		return v
	}
	if name, ok := strings.CutPrefix(name, "function:"); ok {
		if f := w.env.functions[name]; f != nil {
			return value{form: blockForm, block: f.block}
		}
	}
	switch name {
	case "home":
		return wordValue(Word{Text: "~", Home: true})
	case "pwd":
		return wordValue(Word{Text: "."})
	case "profile":
		return wordValue(w.profile())
	case "iswindows":
		return unknown("$IsWindows", nil)
	}
	return unknown(s.text(n), nil)
}

// profile is the script that PowerShell runs when it starts.
func (w *walker) profile() Word {
	if w.options.Windows {
		return Word{Text: "~/Documents/PowerShell/Microsoft.PowerShell_profile.ps1", Home: true}
	}
	return Word{Text: "~/.config/powershell/Microsoft.PowerShell_profile.ps1", Home: true}
}

// environmentValue returns a variable of the environment.
func (w *walker) environmentValue(name, source string) value {
	for i := len(w.env.settings) - 1; i >= 0; i-- {
		if strings.EqualFold(w.env.settings[i].Name, name) {
			return wordValue(w.env.settings[i].Value)
		}
	}
	switch strings.ToLower(name) {
	case "userprofile", "home":
		return wordValue(Word{Text: "~", Home: true})
	case "appdata":
		return wordValue(Word{Text: "~/AppData/Roaming", Home: true})
	case "localappdata":
		return wordValue(Word{Text: "~/AppData/Local", Home: true})
	case "onedrive":
		return wordValue(Word{Text: "~/OneDrive", Home: true})
	case "systemroot", "windir":
		return textValue(`C:\Windows`)
	case "systemdrive", "homedrive":
		return textValue("C:")
	case "homepath":
		return textValue(`\Users\~`)
	case "programfiles", "programw6432":
		return textValue(`C:\Program Files`)
	case "programfiles(x86)":
		return textValue(`C:\Program Files (x86)`)
	case "programdata", "allusersprofile":
		return textValue(`C:\ProgramData`)
	case "commonprogramfiles":
		return textValue(`C:\Program Files\Common Files`)
	case "public":
		return textValue(`C:\Users\Public`)
	case "comspec":
		return textValue(`C:\Windows\System32\cmd.exe`)
	case "temp", "tmp", "tmpdir", "runner_temp":
		return wordValue(Word{Text: source, Dynamic: true, Parts: []string{source}, Temporary: true})
	}
	if w.options.Variable != nil {
		if word, ok := w.options.Variable(name); ok {
			return wordValue(word)
		}
	}
	return unknown(source, nil)
}

// cast is [type]value.
func (w *walker) cast(n *node, s scope) value {
	v := w.expr(n.kids[0], s)
	switch n.text {
	case "string":
		return wordValue(v.asWord())
	case "scriptblock":
		if text, ok := v.known(); ok {
			return w.blockOf(text, s)
		}
		return object("scriptblock", s.text(n), v.from())
	case "char":
		if text, ok := v.known(); ok {
			if code, ok := parseNumber(text); ok && code > 0 && code < 0x10000 {
				return textValue(string(rune(code)))
			}
		}
	case "char[]":
		if v.form == listForm {
			out := value{form: listForm}
			for _, item := range v.list {
				text, ok := item.known()
				code, isNumber := parseNumber(text)
				if !ok || !isNumber || code <= 0 || code >= 0x10000 {
					return unknown(s.text(n), v.from())
				}
				out.push(textValue(string(rune(code))))
			}
			return out
		}
		if text, ok := v.known(); ok && len(text) < 4*maxItems {
			out := value{form: listForm}
			for _, r := range text {
				out.push(textValue(string(r)))
			}
			return out
		}
	case "int", "int32", "long", "int64":
		if text, ok := v.known(); ok {
			if code, ok := parseNumber(text); ok {
				return textValue(strconv.Itoa(code))
			}
		}
	case "bool", "switch":
		if truth, known := v.holds(); known {
			return truthValue(truth)
		}
	case "wmiclass":
		text, _ := v.known()
		return object("wmi:"+strings.ToLower(text), s.text(n), nil)
	case "wmi", "wmisearcher":
		text, _ := v.known()
		return object("wmi:"+strings.ToLower(text), s.text(n), nil)
	case "adsi":
		return object("adsi", s.text(n), nil)
	case "diagnostics.processstartinfo":
		made := &made{}
		for i, key := range v.keys {
			made.set(strings.ToLower(key), v.list[i], "")
		}
		v = object(n.text, s.text(n), v.from())
		v.made = made
	case "io.fileinfo", "io.directoryinfo":
		return value{form: foundForm, found: &found{starts: []Word{v.asWord()}, itself: true}}
	}
	return v
}

func parseNumber(text string) (int, bool) {
	n, err := strconv.ParseInt(strings.TrimSpace(strings.ToLower(text)), 0, 32)
	return int(n), err == nil
}

// blockOf is a script block that is made of a text.
func (w *walker) blockOf(text string, s scope) value {
	if len(text) > maxText || !w.spend(100+textCost*len(text)) {
		w.program.TooComplex = true
		return nothing
	}
	text = WithHyphens(text)
	tree, p := parse(text)
	if p.deep {
		w.program.TooComplex = true
	}
	inner := &source{text: text}
	inner.line, inner.column = w.place(0, &s)
	n := &node{kind: blockNode, end: len(text), kids: []*node{tree}}
	b := &block{node: n, source: inner, scope: s}
	w.blocks = append(w.blocks, b)
	return value{form: blockForm, block: b}
}

func (w *walker) index(n *node, s scope) value {
	v, at := w.expr(n.kids[0], s), w.expr(n.kids[1], s)
	if v.form == foundForm || v.form == objectForm {
		return v
	}
	text, ok := at.known()
	if ok && v.form == listForm {
		if v.keys != nil {
			if item, ok := v.key(text); ok {
				return item
			}
		} else if i, ok := number(text); ok {
			if i < 0 {
				i += len(v.list)
			}
			if i >= 0 && i < len(v.list) {
				return v.list[i]
			}
		}
	}
	if base, known := v.known(); known {
		if picked, ok := pick(base, &at); ok {
			return picked
		}
	}
	return unknown(s.text(n), v.from())
}

// pick takes letters out of a text by their places.
func pick(text string, at *value) (value, bool) {
	items, ok := at.items()
	if !ok {
		return value{}, false
	}
	out := value{form: listForm}
	for _, item := range items {
		number, known := item.known()
		i, isNumber := parseNumber(number)
		if i < 0 {
			i += len(text)
		}
		if !known || !isNumber || i < 0 || i >= len(text) {
			return value{}, false
		}
		out.push(textValue(text[i : i+1]))
	}
	if len(out.list) == 1 {
		return out.list[0], true
	}
	return out, true
}

func (w *walker) unaryValue(n *node, s scope) value {
	if len(n.kids) == 0 {
		return unknown(s.text(n), nil)
	}
	v := w.expr(n.kids[0], s)
	switch n.text {
	case "++":
		if n.kids[0].kind == variableNode {
			w.env.values[n.kids[0].text] = unknown(s.text(n.kids[0]), nil)
		}
		return nothing
	case "!", "not":
		if truth, known := v.holds(); known && v.form != textForm {
			return truthValue(!truth)
		}
		u := unknown(s.text(n), v.from())
		u.missing = [2][]absent{v.missing[1], v.missing[0]}
		return u
	case "join":
		return wordValue(joinWords(v.words(), ""))
	case "-":
		if text, ok := v.known(); ok {
			return textValue("-" + text)
		}
	case "+":
		return v
	}
	return unknown(s.text(n), v.from())
}

// plus is the sum of two values.
func (w *walker) plus(a, b *value) value {
	if a.form == listForm && a.keys == nil {
		sum := value{form: listForm, list: a.list[:len(a.list):len(a.list)]}
		sum.push(*b)
		return sum
	}
	if a.form == foundForm {
		return value{form: listForm, list: []value{*a, *b}}
	}
	x, isNumber := a.known()
	y, also := b.known()
	if isNumber && also && !a.word.Quoted && !b.word.Quoted {
		if m, ok := number(x); ok {
			if n, ok := number(y); ok {
				return textValue(strconv.Itoa(m + n))
			}
		}
	}
	w.spend((len(a.word.Text) + len(b.word.Text)) / 8)
	sum := joinWords([]Word{a.asWord(), b.asWord()}, "")
	sum.Quoted = true
	return wordValue(sum)
}

func (w *walker) binary(n *node, s scope) value {
	left := w.expr(n.kids[0], s)
	if n.text == "?" && len(n.kids) == 3 {
		a, b := w.expr(n.kids[1], s), w.expr(n.kids[2], s)
		if truth, known := left.holds(); known && truth {
			return a
		} else if known {
			return b
		}
		return unknown(s.text(n), merge(a.from(), b.from()))
	}
	right := w.expr(n.kids[1], s)
	from := merge(left.from(), right.from())
	switch n.text {
	case "+":
		return w.plus(&left, &right)
	case "f":
		return w.format(&left, &right, s.text(n))
	case "join":
		glue := right.asWord()
		if !glue.Dynamic {
			return wordValue(joinWords(left.words(), glue.Text))
		}
	case "*":
		text, ok := left.known()
		times, known := right.known()
		if count, isNumber := number(times); ok && known && isNumber && count >= 0 && left.word.Quoted && count*len(text) < 4096 {
			return wordValue(Word{Text: strings.Repeat(text, count), Quoted: true})
		}
	case "replace":
		if v, ok := replace(left, &right); ok {
			return v
		}
		return unknown(s.text(n), from)
	case "split":
		text, ok := left.known()
		glue := right.asWord()
		if ok && !glue.Dynamic && glue.Text != "" && regexp.QuoteMeta(glue.Text) == glue.Text && w.spend(len(text)) {
			out := value{form: listForm}
			for part := range strings.SplitSeq(text, glue.Text) {
				if len(out.list) > maxItems {
					return unknown(s.text(n), from)
				}
				out.push(wordValue(Word{Text: part, Quoted: true}))
			}
			return out
		}
	case "..":
		first, a := left.known()
		last, b := right.known()
		x, isX := number(first)
		y, isY := number(last)
		if a && b && isX && isY && x-y < maxItems && y-x < maxItems {
			out := value{form: listForm}
			for i := x; ; {
				out.push(textValue(strconv.Itoa(i)))
				if i == y {
					return out
				}
				if x < y {
					i++
				} else {
					i--
				}
			}
		}
	case "??":
		if left.form == nothingForm {
			return right
		}
		if _, known := left.known(); known {
			return left
		}
	case "as":
		return left
	case "and", "or":
		a, isA := left.holds()
		b, isB := right.holds()
		if n.text == "and" && (isA && !a || isB && !b) {
			return truthValue(false)
		}
		if n.text == "or" && (isA && a && left.form == truthForm || isB && b && right.form == truthForm) {
			return truthValue(true)
		}
		u, when := unknown(s.text(n), from), 0
		if n.text == "and" {
			when = 1
		}
		u.missing[when] = append(left.missing[when][:len(left.missing[when]):len(left.missing[when])], right.missing[when]...)
		return u
	}
	return unknown(s.text(n), from)
}

// replace is -replace where what is replaced is a plain text.
func replace(v value, with *value) (value, bool) {
	text, ok := v.known()
	words := with.words()
	if !ok || len(words) == 0 || words[0].Dynamic {
		return value{}, false
	}
	by := ""
	if len(words) > 1 {
		if words[1].Dynamic {
			return value{}, false
		}
		by = words[1].Text
	}
	pattern := strings.ReplaceAll(words[0].Text, `\\`, `\`)
	if regexp.QuoteMeta(strings.ReplaceAll(pattern, `\`, "")) != strings.ReplaceAll(pattern, `\`, "") || len(text)*(1+len(by)) > maxText {
		expression, err := regexp.Compile("(?i)" + words[0].Text)
		if err != nil || len(words[0].Text) > 100 || len(text) > 1000 || len(by) > 100 {
			return value{}, false
		}
		return wordValue(Word{Text: expression.ReplaceAllString(text, by), Quoted: true}), true
	}
	return wordValue(Word{Text: strings.ReplaceAll(text, pattern, by), Quoted: true}), true
}

// format is the operator -f.
func (w *walker) format(pattern, args *value, source string) value {
	text, ok := pattern.known()
	if !ok {
		return unknown(source, merge(pattern.from(), args.from()))
	}
	words := args.words()
	var parts []Word
	for text != "" {
		at := strings.IndexByte(text, '{')
		if at < 0 || at+1 >= len(text) {
			break
		}
		if text[at+1] == '{' {
			parts = append(parts, Word{Text: text[:at+1]})
			text = text[at+2:]
			continue
		}
		end := strings.IndexByte(text[at:], '}')
		if end < 0 || len(parts) > 4*maxItems {
			break
		}
		index, _, _ := strings.Cut(text[at+1:at+end], ":")
		index, _, _ = strings.Cut(index, ",")
		parts = append(parts, Word{Text: text[:at]})
		if i, ok := number(index); ok && i >= 0 && i < len(words) {
			parts = append(parts, words[i])
		} else {
			return unknown(source, args.from())
		}
		text = text[at+end+1:]
	}
	parts = append(parts, Word{Text: text})
	joined := joinWords(parts, "")
	joined.Quoted = true
	w.spend(len(joined.Text) / 8)
	return wordValue(joined)
}

// decoded returns the text that base64 stands for, in UTF-16 or UTF-8.
func decoded(text string, wide bool) (string, bool) {
	bytes, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil {
		bytes, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(strings.TrimSpace(text), "="))
	}
	if err != nil {
		return "", false
	}
	return ofBytes(bytes, wide), true
}

func ofBytes(bytes []byte, wide bool) string {
	if !wide {
		return string(bytes)
	}
	runes := make([]rune, 0, len(bytes)/2)
	for i := 0; i+1 < len(bytes); i += 2 {
		runes = append(runes, rune(bytes[i])|rune(bytes[i+1])<<8)
	}
	return string(runes)
}

// Encoded returns the text that powershell -EncodedCommand runs.
func Encoded(text string) (string, bool) {
	if len(text) > 2*maxText {
		return "", false
	}
	return decoded(text, true)
}
