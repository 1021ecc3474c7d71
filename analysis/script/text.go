package script

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"path"
	"slices"
	"strings"
)

// textFunction returns the function of texts that a word stands for, nil for none; args are its other arguments.
func textFunction(does string, args []string) func(string) string {
	// No text that was decoded stands for the home folder.
	decoded := func(data []byte, _ error) string { return strings.ReplaceAll(string(data), homeMark, " ") }
	all := map[string]func(string) string{
		"lower": strings.ToLower,
		"upper": strings.ToUpper,
		"stem":  func(text string) string { return strings.TrimSuffix(path.Base(text), path.Ext(text)) },
		"strip": func(text string) string { return strings.Trim(text, cmp.Or(strings.Join(args, ""), " \t\r\n")) },
		"reversed": func(text string) string {
			runes := []rune(text)
			slices.Reverse(runes)
			return string(runes)
		},
		"hex": func(text string) string { return decoded(hex.DecodeString(text)) },
		"base64": func(text string) string {
			letters := strings.NewReplacer("-", "+", "_", "/", "\n", "", "\r", "", " ", "", "=", "")
			return decoded(base64.RawStdEncoding.DecodeString(letters.Replace(text)))
		},
	}
	switch {
	case len(args) == 0:
		all["dirname"], all["basename"] = path.Dir, path.Base
	case len(args) == 2 && args[0] != "" && len(args[1]) <= len(args[0])+16:
		all["replace"] = func(text string) string { return strings.ReplaceAll(text, args[0], args[1]) }
		all["replacefirst"] = func(text string) string { return strings.Replace(text, args[0], args[1], 1) }
	}
	return all[does]
}

// textCall makes texts and lists of others. Of is the value whose method it is, or the first argument.
func (r *reader) textCall(s *site, known row, of values) values {
	does, args := known.does, s.args.list // besides of
	if s.self == nil {
		args = args[min(1, len(args)):]
	}
	picked, first, lost := r.picked(s, known.args), s.argument(0, ""), unknown(s.source)
	items, isList := of.list()
	switch does {
	case "entry":
		return r.entryOf(picked[0], picked[1], s.source)
	case "pairs":
		var all values
		for i := range of {
			for _, p := range of[i].pairs {
				all = r.union(all, listValue([]values{textValue(p.key), p.value}))
			}
		}
		return listValue([]values{all})
	case "zip":
		for i, list := range picked {
			picked[i] = r.elements(list, s.start+1, s.source)
		}
		return listValue([]values{listValue(picked)})
	case "push", "insert":
		at := len(items)
		if does == "insert" { // with no number, at the end
			at = int(min(uint(number(firstText(picked[0]))), uint(at)))
			picked = picked[1:]
		}
		grown := listValue(slices.Insert(slices.Clone(items), at, picked...))
		if s.grows.name != "" && r.spend(1+len(items)/8) {
			r.put(s.grows, grown)
		}
		return grown
	case "merge":
		return listValue(picked)
	case "reversed":
		if isList || len(picked) > 1 {
			slices.Reverse(picked)
			return listValue(picked)
		}
	case "split":
		text, isText := of.constant()
		separator, given := first.constant()
		switch {
		case len(args) == 0:
			return listValue(r.fields(of, strings.Join(known.args, "")))
		case !isText || !given || len(args) > 1 || !r.spend(len(text)):
			return values{{text: s.source, rest: true}}
		}
		for part := range strings.SplitSeq(text, separator) {
			picked = append(picked, textValue(part))
		}
		return listValue(picked)
	case "join":
		separator, known := picked[0].constant()
		known = known || len(picked[0]) == 0 && r.name != "javascript"
		known = known && (isList || s.self == nil || !first.has(valueText)) // the letters of a text
		if !known || slices.ContainsFunc(picked[1:], func(v values) bool { return v.any() || v.has(valueList) }) {
			return lost
		}
		return r.concat(picked[1:], separator)
	case "quoted":
		for i, item := range picked {
			if text, ok := item.constant(); ok {
				picked[i] = textValue("'" + strings.ReplaceAll(text, "'", `'\''`) + "'")
			}
		}
		return r.concat(picked, " ")
	case "format":
		return r.format(known.args[0], of, values{{kind: valueList, items: args, pairs: s.args.named}}, s.source)
	case "path", "pathbelow", "topath":
		if len(picked) == 0 {
			picked = []values{textValue(".")}
		}
		return r.joinPath(picked, does)
	case "expand":
		return r.expand(s, of)
	case "decode": // the encoding is said
		encoding, _ := s.argument(1, "encoding").constant()
		does = strings.TrimSuffix(encoding, "url")
		if len(s.args.list) < 2 && !isList || oneOf(" utf8 utf-8 ascii latin1 ", does) {
			return of
		}
	}
	var texts []string
	for _, arg := range args {
		text, ok := arg.constant()
		if !ok {
			return lost
		}
		texts = append(texts, text)
	}
	if change := textFunction(does, texts); change != nil {
		return r.mapText(of, s.source, change)
	}
	return lost
}

func firstText(v values) string {
	if len(v) == 0 {
		return ""
	}
	return v[0].text
}

// What comes first in a template: text, and behind it a sign that stands for itself, the
// name of what takes its place, or something that isn't understood.
var (
	percentPlaces = &shape{text: `([^%]*)(?:(%%)|%\((\w+)\)s|%[sd]|%(\(\w+\).|[-+ #\d.]*(?s:.)?)|$)`}
	bracePlaces   = &shape{text: `([^{}]*)(?:(\{\{|\}\})|\{(\w*)\}|[{}]([^}]*\}?)|$)`}
)

// format puts args in the places of a template: with the sign "%" those are %s
// and %(name)s, with "{" they are {}, {0} and {name}. What others are isn't known.
func (r *reader) format(sign string, template, args values, source string) values {
	text, known := template.constant()
	if !known || !r.spend(len(text)) {
		return unknown(source)
	}
	items, _ := r.flat([]values{args}).list()
	places := percentPlaces
	if sign == "{" {
		places = bracePlaces
	}
	var parts []values
	for next := 0; text != ""; {
		place := places.compiled().FindStringSubmatch(text)
		before, literal, name, more := place[1], place[2], place[3], place[4]
		value, ok := args.entry(name)
		at := number(name)
		if name == "" && literal == "" && (sign == "%" || more == "" || !isNameStart(more[0])) {
			at = next
			next++
		}
		switch {
		case literal != "" || place[0] == before:
			value = textValue(literal[:min(1, len(literal))])
		case at >= 0 && at < len(items) && more == "" && place[0] != before+sign:
			value = items[at]
		case !ok:
			value = unknown(place[0][len(before):])
		}
		parts = append(parts, textValue(before), value)
		text = text[len(place[0]):]
	}
	return r.concat(parts, "")
}

// joinPath joins the parts of a path: an object as topath. An absolute part begins it anew, but not as pathbelow.
func (r *reader) joinPath(parts []values, as string) values {
	flat, _ := r.flat(parts).list()
	object := as == "topath" || as == "dirname"
	var kept []values
	for i, part := range flat {
		text, known := part.constant()
		last := i == len(flat)-1
		switch {
		case !known:
		case i > 0 && as == "pathbelow":
			text = strings.TrimLeft(text, "/")
		case strings.HasPrefix(text, "/") || strings.HasPrefix(text, homeMark):
			kept = nil
		case !last && (text == "" || text == "." && object):
			continue
		}
		if !last {
			text = strings.TrimRight(text, "/")
		}
		if known {
			part = textValue(text)
		}
		kept = append(kept, part)
	}
	joined := r.concat(kept, "/")
	if len(kept) == 1 && len(kept[0]) == 1 && !kept[0].has(valueText) {
		joined = slices.Clone(kept[0])
	}
	for i := range joined {
		one := &joined[i]
		if one.path = object; r.name == "javascript" && one.kind == valueText && !one.dynamic {
			one.text = path.Clean(one.text)
		}
	}
	return joined
}
