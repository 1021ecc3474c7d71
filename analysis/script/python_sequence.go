package script

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// pyListOf returns the elements of its argument, in whatever order.
func pyListOf(in *pyInterpreter, args *pyArguments, source string) pyValue {
	v, ok := args.get(0, "iterable")
	switch {
	case !ok:
		return pyValue{kind: pyItems, text: source}
	case v.kind == pyItems:
		return v
	case v.kind == pyPairs:
		list := pyValue{kind: pyItems, text: source}
		for i := 0; i+1 < len(v.items) && in.spend(1); i += 2 {
			list.items = append(list.items, v.items[i])
		}
		return list
	case v.kind == pyUnknown:
		return pyValue{kind: pyItems, text: source, items: []pyValue{{text: v.text, rest: true}}}
	}
	return pyValue{text: source}
}

func pyFilter(in *pyInterpreter, args *pyArguments, source string) pyValue {
	rest := args.after(1)
	return pyListOf(in, &rest, source)
}

func pyEnumerate(in *pyInterpreter, args *pyArguments, source string) pyValue {
	list := pyListOf(in, args, source)
	if list.kind != pyItems {
		return list
	}
	rows := pyValue{kind: pyItems, text: source}
	for _, item := range list.items {
		row := pyValue{kind: pyItems, text: source, rest: item.rest}
		if item.rest && item.textual() {
			item.dynamic = true
		}
		item.rest = false
		row.items = []pyValue{{text: "i"}, item}
		rows.items = append(rows.items, row)
		in.spend(2)
	}
	return rows
}

func pyZip(in *pyInterpreter, args *pyArguments, source string) pyValue {
	rows := pyValue{kind: pyItems, text: source}
	for i := 0; ; i++ {
		row := pyValue{kind: pyItems, text: source}
		for j := range args.values {
			list := &args.values[j]
			if list.kind != pyItems {
				return pyValue{text: source}
			}
			if i >= len(list.items) || !in.spend(1) {
				return rows
			}
			if list.items[i].rest {
				return pyValue{text: source}
			}
			row.items = append(row.items, list.items[i])
		}
		if len(row.items) == 0 {
			return rows
		}
		rows.items = append(rows.items, row)
	}
}

func pyImported(_ *pyInterpreter, args *pyArguments, source string) pyValue {
	if name, ok := args.get(0, "name"); ok && name.whole() {
		return pyNamed(pyFullName(name.text))
	}
	return pyValue{text: source}
}

func pyBase64(in *pyInterpreter, args *pyArguments, source string) pyValue {
	if v, ok := args.get(0, "s"); ok && v.whole() && in.spend(len(v.text)/16) {
		if text, err := base64.StdEncoding.DecodeString(strings.TrimSpace(v.text)); err == nil {
			return pyKnown(string(text))
		}
	}
	return pyValue{text: source}
}

func pyHex(in *pyInterpreter, args *pyArguments, source string) pyValue {
	if v, ok := args.get(0, ""); ok && v.whole() && in.spend(len(v.text)/16) {
		if text, err := hex.DecodeString(strings.Join(strings.Fields(v.text), "")); err == nil {
			return pyKnown(string(text))
		}
	}
	return pyValue{text: source}
}

// pyDecode knows the codecs that hide text: rot13, hex and base64.
func pyDecode(in *pyInterpreter, args *pyArguments, source string) pyValue {
	v, _ := args.get(0, "obj")
	codec, _ := args.get(1, "encoding")
	if !v.whole() || !in.spend(1+len(v.text)/16) {
		return pyValue{text: source}
	}
	switch strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(codec.text)) {
	case "rot13":
		return pyKnown(strings.Map(func(r rune) rune {
			switch {
			case r >= 'a' && r <= 'z':
				return 'a' + (r-'a'+13)%26
			case r >= 'A' && r <= 'Z':
				return 'A' + (r-'A'+13)%26
			}
			return r
		}, v.text))
	case "hex", "hexcodec":
		return pyHex(in, args, source)
	case "base64", "base64codec":
		return pyBase64(in, args, source)
	case "utf8", "ascii", "":
		return v
	}
	return pyValue{text: source}
}

// pyShellSplit returns the words of a text, as shlex.split.
func pyShellSplit(in *pyInterpreter, args *pyArguments, source string) pyValue {
	v, ok := args.get(0, "s")
	if !ok || v.kind != pyStr || !in.spend(1+len(v.text)/8) {
		return pyValue{text: source}
	}
	list := pyValue{kind: pyItems, text: source}
	var word []byte
	begun, quote := false, byte(0)
	flush := func() {
		if begun {
			list.items = append(list.items, pyValue{kind: pyStr, text: string(word), dynamic: v.dynamic})
		}
		word, begun = nil, false
	}
	for i := 0; i < len(v.text); i++ {
		c := v.text[i]
		switch {
		case c == quote && quote != 0:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(v.text):
			if next := v.text[i+1]; quote == 0 || next == '"' || next == '\\' {
				i++
				c = next
			}
			word, begun = append(word, c), true
		case quote != 0:
			word = append(word, c)
		case c == '"' || c == '\'':
			quote, begun = c, true
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			flush()
		default:
			word, begun = append(word, c), true
		}
	}
	flush()
	if v.dynamic {
		list.items = append(list.items, pyValue{text: v.text, rest: true})
	}
	return list
}

func pyShellQuote(_ *pyInterpreter, args *pyArguments, source string) pyValue {
	v, ok := args.get(0, "s")
	if !ok || !v.whole() {
		return pyValue{text: source}
	}
	return pyKnown("'" + strings.ReplaceAll(v.text, "'", `'"'"'`) + "'")
}

func pyShellJoin(in *pyInterpreter, args *pyArguments, source string) pyValue {
	list, ok := args.get(0, "split_command")
	if !ok || list.kind != pyItems {
		return pyValue{text: source}
	}
	words := make([]pyValue, 0, len(list.items))
	for _, item := range list.items {
		if item.whole() {
			item = pyShellQuote(in, &pyArguments{values: []pyValue{item}}, source)
		}
		words = append(words, item)
	}
	return in.join(pyKnown(" "), words)
}
