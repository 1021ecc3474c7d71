package script

import (
	"strconv"
	"strings"
)

// textMethod returns what a method of a text returns.
func (in *pyInterpreter) textMethod(v pyValue, name string, args *pyArguments, e *pyExpr) pyValue {
	in.spend(1 + len(v.text)/16)
	unknown := pyValue{text: e.source}
	switch name {
	case "encode", "decode", "__str__":
		return v
	case "format":
		return in.format(v, args)
	case "join":
		list, ok := args.get(0, "")
		if !ok || list.kind != pyItems {
			break
		}
		return in.join(v, list.items)
	}
	if !v.whole() {
		return unknown
	}
	first, given := args.get(0, "")
	second, _ := args.get(1, "")
	if given && !first.whole() && first.kind != pyInt || len(args.values) > 2 {
		return unknown
	}
	cutset := " \t\r\n\v\f"
	if given {
		cutset = first.text
	}
	switch name {
	case "strip":
		return pyKnown(strings.Trim(v.text, cutset))
	case "lstrip":
		return pyKnown(strings.TrimLeft(v.text, cutset))
	case "rstrip":
		return pyKnown(strings.TrimRight(v.text, cutset))
	case "lower":
		return pyKnown(strings.ToLower(v.text))
	case "upper":
		return pyKnown(strings.ToUpper(v.text))
	case "removeprefix":
		return pyKnown(strings.TrimPrefix(v.text, first.text))
	case "removesuffix":
		return pyKnown(strings.TrimSuffix(v.text, first.text))
	case "replace":
		size := len(v.text) + (strings.Count(v.text, first.text)+1)*len(second.text)
		if len(args.values) == 2 && second.whole() && size <= maxSource && in.spend(size/16) {
			return pyKnown(strings.ReplaceAll(v.text, first.text, second.text))
		}
	case "split":
		switch {
		case !given || first.is("None"):
			return in.texts(strings.Fields(v.text), e.source)
		case first.text != "" && len(args.values) == 1 && len(args.names) == 0:
			return in.texts(strings.Split(v.text, first.text), e.source)
		}
	case "splitlines":
		return in.texts(strings.Split(strings.TrimSuffix(v.text, "\n"), "\n"), e.source)
	}
	return unknown
}

// texts returns the list of texts.
func (in *pyInterpreter) texts(list []string, source string) pyValue {
	in.spend(len(list))
	v := pyValue{kind: pyItems, text: source, items: make([]pyValue, len(list))}
	for i, text := range list {
		v.items[i] = pyKnown(text)
	}
	return v
}

// join returns the items with the separator between them.
func (in *pyInterpreter) join(separator pyValue, items []pyValue) pyValue {
	parts := make([]pyValue, 0, 2*len(items))
	for i, item := range items {
		if i > 0 {
			parts = append(parts, separator)
		}
		parts = append(parts, item)
	}
	in.spend(len(items))
	return in.concatenate(parts)
}

// percent returns what template % values makes.
func (in *pyInterpreter) percent(template, values pyValue) pyValue {
	args := []pyValue{values}
	if values.kind == pyItems {
		args = values.items
	}
	var parts []pyValue
	text := template.text
	from, used := 0, 0
	in.spend(strings.Count(text, "%"))
	for at := 0; at+1 < len(text); at++ {
		if text[at] != '%' {
			continue
		}
		parts = append(parts, pyKnown(text[from:at]))
		end := at + 1
		key := ""
		if text[end] == '(' {
			if closing := strings.IndexByte(text[end:min(len(text), end+100)], ')'); closing > 0 {
				key = text[end+1 : end+closing]
				end += closing + 1
			}
		}
		plain := end
		for end < len(text) && end < plain+20 && strings.IndexByte("#0- +.*123456789hlL", text[end]) >= 0 {
			end++
		}
		if end >= len(text) {
			from = at
			break
		}
		value := pyValue{text: text[at : end+1]}
		switch {
		case text[end] == '%':
			value = pyKnown("%")
		case key != "":
			value = in.index(values, pyKnown(key), text[at:end+1])
		case used < len(args):
			value = args[used]
			used++
		}
		if end > plain || strings.IndexByte("sdi%", text[end]) < 0 {
			value = pyValue{text: text[at : end+1]}
		}
		parts = append(parts, value)
		at, from = end, end+1
	}
	result := in.concatenate(append(parts, pyKnown(text[from:])))
	result.dynamic = result.dynamic || template.dynamic
	return result
}

// format returns what template.format(args) makes.
func (in *pyInterpreter) format(template pyValue, args *pyArguments) pyValue {
	var parts []pyValue
	text := template.text
	from, used := 0, 0
	in.spend(strings.Count(text, "{"))
	for at := 0; at < len(text); at++ {
		switch c := text[at]; {
		case (c == '{' || c == '}') && at+1 < len(text) && text[at+1] == c:
			parts = append(parts, pyKnown(text[from:at+1]))
			at++
			from = at + 1
		case c == '{':
			end := strings.IndexByte(text[at:min(len(text), at+maxReplacement)], '}')
			if end < 0 {
				return pyValue{kind: pyStr, text: text, dynamic: true}
			}
			parts = append(parts, pyKnown(text[from:at]))
			field := text[at+1 : at+end]
			at += end
			from = at + 1
			place, err := strconv.Atoi(field)
			if field == "" {
				place, err = used, nil
				used++
			}
			if err != nil {
				place = -1
			}
			value, ok := args.get(place, field)
			if !ok {
				value = pyValue{text: field}
			}
			parts = append(parts, value)
		}
	}
	result := in.concatenate(append(parts, pyKnown(text[from:])))
	result.dynamic = result.dynamic || template.dynamic
	return result
}

func pyToText(_ *pyInterpreter, args *pyArguments, source string) pyValue {
	v, ok := args.get(0, "object")
	if !ok {
		return pyKnown("")
	}
	if v.kind == pyPath || v.kind == pyStr {
		v.kind = pyStr
		return v
	}
	text, unknown := v.piece()
	if len(unknown) > 0 {
		return pyValue{text: source}
	}
	return pyKnown(text)
}

// pyBytes returns the text that a list of numbers stands for.
func pyBytes(in *pyInterpreter, args *pyArguments, source string) pyValue {
	v, _ := args.get(0, "source")
	if v.kind != pyItems {
		return pyToText(in, args, source)
	}
	text := make([]byte, 0, len(v.items))
	for _, item := range v.items {
		if item.kind != pyInt || item.number < 0 || item.number > 255 || !in.spend(1) {
			return pyValue{text: source}
		}
		text = append(text, byte(item.number))
	}
	return pyKnown(string(text))
}

func pyChr(_ *pyInterpreter, args *pyArguments, source string) pyValue {
	if v, ok := args.get(0, ""); ok && v.kind == pyInt && v.number >= 0 && v.number <= 0x10ffff {
		return pyKnown(string(rune(v.number)))
	}
	return pyValue{text: source}
}
