package windows

import (
	"strconv"
	"strings"
)

// form says what a value is.
type form int

const (
	textForm    form = iota
	listForm         // a list, or a table of keys and values
	truthForm        // $true and $false
	nothingForm      // $null
	foundForm        // files that are looked for
	blockForm        // a script block
	objectForm       // something of a class
	processForm      // processes
)

// value is what is known of a value.
type value struct {
	form  form
	word  Word
	list  []value
	keys  []string // of a table
	found *found
	block *block
	class string // of an object
	made  *made  // of an object that runs something
	truth bool

	missing [2][]absent // files that aren't there where it is false, and where it is true
}

// found is what Get-ChildItem finds.
type found struct {
	starts  []Word
	names   []string // patterns; none: all
	recurse bool
	files   bool // no folders
	dirs    bool // only folders
	sifted  bool // by what isn't followed
	itself  bool // the starts, and not what is in them
}

// block is a script block with what it was written in.
type block struct {
	node   *node
	source *source
	called bool
	scope  scope
}

// source is a text that is walked.
type source struct {
	text         string
	line, column int // where it stands, of a text in another; 0 for the outermost
}

func textValue(text string) value { return value{word: Word{Text: text}} }

func wordValue(word Word) value { return value{word: word} }

func truthValue(truth bool) value { return value{form: truthForm, truth: truth} }

var nothing = value{form: nothingForm}

// unknown is a value of which only the source is known.
func unknown(source string, from []*Call) value {
	source = strings.TrimSpace(source)
	if source == "" {
		source = "$()"
	}
	return value{word: Word{Text: source, Dynamic: true, Parts: []string{source}, From: from}}
}

func object(class, source string, from []*Call) value {
	v := unknown(source, from)
	v.form, v.class = objectForm, class
	return v
}

// known returns the text of a value, if it is one and known.
func (v *value) known() (string, bool) {
	switch {
	case v.form == textForm && !v.word.Dynamic:
		return v.word.Text, true
	case v.form == listForm && len(v.list) == 1 && v.keys == nil:
		return v.list[0].known()
	}
	return "", false
}

// asWord is the value as one text.
func (v *value) asWord() Word {
	switch v.form {
	case truthForm:
		if v.truth {
			return Word{Text: "True"}
		}
		return Word{Text: "False"}
	case nothingForm:
		return Word{}
	case listForm:
		if v.keys != nil {
			return Word{Text: "System.Collections.Hashtable"}
		}
		return joinWords(v.words(), " ")
	case foundForm:
		return v.found.word()
	case blockForm:
		return Word{Text: strings.TrimSpace(v.block.source.text[v.block.node.start:v.block.node.end])}
	}
	return v.word
}

// word is a path that stands for any of what was found.
func (f *found) word() Word {
	if len(f.starts) == 0 {
		return Word{Text: "{}", Dynamic: true, Parts: []string{"{}"}}
	}
	start := f.starts[0]
	name := "*"
	if len(f.names) > 0 {
		name = f.names[0]
	}
	if f.itself {
		return start
	}
	return appended(start, "/"+name, true)
}

// appended returns word with text behind it.
func appended(word Word, text string, glob bool) Word {
	word.Text = strings.TrimRight(word.Text, "/\\") + text
	word.Glob = word.Glob || glob
	return word
}

// words is the value as arguments: a list is several.
func (v *value) words() []Word {
	if v.form != listForm || v.keys != nil {
		return []Word{v.asWord()}
	}
	var words []Word
	for i := range v.list {
		if len(words) > maxItems*4 {
			break
		}
		words = append(words, v.list[i].words()...)
	}
	return words
}

// maxParts bounds the parts of a word that aren't known.
const maxParts = 256

func joinWords(words []Word, glue string) Word {
	var joined Word
	var b strings.Builder
	for i, word := range words {
		if i > 0 {
			b.WriteString(glue)
		}
		if b.Len()+len(word.Text) > maxText || len(joined.Parts)+len(word.Parts) > maxParts {
			joined.Dynamic = true
			joined.Parts = append(joined.Parts, "...")
			b.WriteString("...")
			break
		}
		if i == 0 {
			joined.Home, joined.Temporary = word.Home, word.Temporary
		}
		joined.Quoted = joined.Quoted || word.Quoted
		joined.Glob = joined.Glob || word.Glob
		joined.Dynamic = joined.Dynamic || word.Dynamic
		joined.Parts = append(joined.Parts, word.Parts...)
		joined.From = merge(joined.From, word.From)
		b.WriteString(word.Text)
	}
	joined.Text = b.String()
	return joined
}

const maxFrom = 8

func merge(a, b []*Call) []*Call {
	for _, call := range b {
		if len(a) == maxFrom {
			break
		}
		there := false
		for _, have := range a {
			there = there || have == call
		}
		if !there {
			a = append(a[:len(a):len(a)], call)
		}
	}
	return a
}

// from returns the calls whose output is in the value.
func (v *value) from() []*Call {
	from := v.word.From
	if v.keys != nil {
		return from
	}
	for i := range v.list {
		if len(from) == maxFrom || i > maxItems {
			break
		}
		from = merge(from, v.list[i].from())
	}
	return from
}

// key returns what a table has under a name.
func (v *value) key(name string) (value, bool) {
	for i, key := range v.keys {
		if strings.EqualFold(key, name) {
			return v.list[i], true
		}
	}
	return value{}, false
}

// maxList is how many elements of a list are told apart.
const maxList = 4 * maxItems

// push adds a value to a list; a list is added element by element. Of what is too long the rest isn't known.
func (v *value) push(item value) {
	switch {
	case len(v.list) > maxList:
	case len(v.list) == maxList:
		v.list = append(v.list, unknown("$()", item.from()))
	case item.form == listForm && item.keys == nil:
		for i := range item.list {
			v.push(item.list[i])
		}
	default:
		v.list = append(v.list, item)
	}
}

// items are the values that a loop goes through, if they are known.
func (v *value) items() ([]value, bool) {
	switch {
	case v.form == listForm && v.keys == nil:
		var items []value
		for i := range v.list {
			inner, ok := v.list[i].items()
			if !ok || len(items)+len(inner) > maxItems {
				return nil, false
			}
			items = append(items, inner...)
		}
		return items, true
	case v.form == nothingForm:
		return nil, true
	case v.form == textForm && v.word.Dynamic:
		return nil, false
	}
	return []value{*v}, true
}

// holds reports whether a value counts as true, if that is known.
func (v *value) holds() (truth, known bool) {
	switch v.form {
	case truthForm:
		return v.truth, true
	case nothingForm:
		return false, true
	case textForm:
		if !v.word.Dynamic {
			return v.word.Text != "" && v.word.Text != "0", true
		}
	}
	return false, false
}

func same(a, b *value) bool {
	if a.form != b.form || a.word.Text != b.word.Text || a.word.Dynamic != b.word.Dynamic || a.truth != b.truth || len(a.list) != len(b.list) || a.found != b.found || a.block != b.block || a.class != b.class {
		return false
	}
	if len(a.list) == 0 || &a.list[0] == &b.list[0] {
		return true
	}
	for i := range a.list {
		if i > maxItems || a.keys != nil || !same(&a.list[i], &b.list[i]) {
			return false
		}
	}
	return true
}

func number(text string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	return n, err == nil
}

// path returns a word as the name of a file, with slashes.
func path(word Word) Word {
	text := strings.TrimSpace(word.Text)
	lower := strings.ToLower(text)
	for _, provider := range [...]string{`microsoft.powershell.core\filesystem::`, `filesystem::`, `\\?\`, `\??\`, `\\.\`} {
		if strings.HasPrefix(lower, provider) && len(text) > len(provider)+1 && (provider != `\\.\` || text[len(provider)+1] == ':') {
			text = text[len(provider):]
			lower = strings.ToLower(text)
			word.Glob = strings.ContainsAny(text, "*?[") && word.Glob
		}
	}
	text = plainNamesIn(strings.ReplaceAll(text, `\`, "/"))
	if len(text) > 1 && text[1] == ':' && isLetter(text[0]) && text[0] < 0x80 && text[0] != '_' {
		text = strings.ToUpper(text[:1]) + text[1:]
		if len(text) == 2 || text[2] != '/' { // C:data is below the folder that C: has in hand, whichever that is
			text = text[:2] + "/" + text[2:]
		}
	}
	if text == "~" || strings.HasPrefix(text, "~/") {
		word.Home = true
	}
	word.Text = text
	parts := make([]string, len(word.Parts))
	for i, part := range word.Parts {
		parts[i] = strings.ReplaceAll(part, `\`, "/")
	}
	word.Parts = parts
	word.Glob = word.Glob || !word.Dynamic && strings.ContainsAny(text, "*?[")
	return word
}

// slashed is a word with slashes for backslashes.
func slashed(word Word) Word {
	if !strings.Contains(word.Text, `\`) {
		return word
	}
	word.Text = strings.ReplaceAll(word.Text, `\`, "/")
	parts := make([]string, len(word.Parts))
	for i, part := range word.Parts {
		parts[i] = strings.ReplaceAll(part, `\`, "/")
	}
	word.Parts = parts
	return word
}

func paths(words []Word) []Word {
	list := make([]Word, 0, len(words))
	for _, word := range words {
		if word.Text != "" {
			list = append(list, path(word))
		}
	}
	return list
}

// drive returns the name of the drive that a path begins with, in small letters,
// where it is none of the file system: "hklm", "env".
func drive(text string) (name, rest string) {
	if lower := strings.ToLower(text); strings.HasPrefix(lower, "registry::") {
		return "registry", text[len("registry::"):]
	} else if at := strings.Index(lower, `\registry::`); at >= 0 && strings.HasPrefix(lower, "microsoft.powershell.core") {
		return "registry", text[at+len(`\registry::`):]
	}
	at := strings.IndexByte(text, ':')
	if at < 2 || strings.HasPrefix(text[at:], "://") {
		return "", text
	}
	for i := range at {
		if !isLetter(text[i]) && !isDigit(text[i]) {
			return "", text
		}
	}
	return strings.ToLower(text[:at]), strings.TrimLeft(text[at+1:], `\/`)
}
