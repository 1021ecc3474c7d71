package luacats

import (
	"fmt"
	"strings"
)

// signature is a function as its documentation spells it: "fs.read(path: string, options?: {max: integer}): string|nil, string?".
type signature struct {
	name    string
	params  []param
	returns []param // without names; one that stands for any number of values has the name "..."
}

// param is a parameter or a result, with its type as LuaCATS spells it.
type param struct {
	name     string
	optional bool
	of       string
}

// reader reads a signature from the left.
type reader struct {
	text  string // what is left
	known func(name string) (string, error)
	depth int
}

// maxDepth bounds how deep types may stand in one another.
const maxDepth = 50

// parseSignature reads a signature. known spells the name of a type as LuaCATS does.
func parseSignature(text string, known func(name string) (string, error)) (s signature, err error) {
	r := &reader{text: text, known: known}
	name, rest, ok := strings.Cut(text, "(")
	if !ok {
		return s, fmt.Errorf("%q: no parenthesis", text)
	}
	s.name, r.text = name, "("+rest
	if s.params, s.returns, err = r.callable(true); err == nil && r.text != "" {
		err = fmt.Errorf("%q is left over", r.text)
	}
	if err != nil {
		return s, fmt.Errorf("%q: %w", text, err)
	}
	return s, nil
}

// take takes a text if it comes next.
func (r *reader) take(text string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(r.text, " "), text)
	if ok {
		r.text = rest
	}
	return ok
}

func (r *reader) need(text string) error {
	if !r.take(text) {
		return fmt.Errorf("want %q before %q", text, r.text)
	}
	return nil
}

// word takes a name, or "...".
func (r *reader) word() string {
	if r.take("...") {
		return "..."
	}
	r.text = strings.TrimLeft(r.text, " ")
	n := 0
	for n < len(r.text) && (r.text[n] == '_' || r.text[n] >= 'a' && r.text[n] <= 'z' || r.text[n] >= 'A' && r.text[n] <= 'Z' || n > 0 && r.text[n] >= '0' && r.text[n] <= '9') {
		n++
	}
	word := r.text[:n]
	r.text = r.text[n:]
	return word
}

// callable takes parameters and results: "(a: string): boolean, string?". A function that is a parameter has one result, as
// what follows it is the next parameter.
func (r *reader) callable(many bool) (params, returns []param, err error) {
	if err := r.need("("); err != nil {
		return nil, nil, err
	}
	if params, err = r.list(")"); err != nil || !r.take(":") {
		return params, nil, err
	}
	for {
		var result param
		if r.take("...") {
			result.name = "..."
		}
		if result.of, err = r.union(); err != nil {
			return nil, nil, err
		}
		if returns = append(returns, result); !many || !r.take(",") {
			return params, returns, nil
		}
	}
}

// list takes what has names and types, up to an end: "a: string, b?: {c: integer})".
func (r *reader) list(end string) (list []param, err error) {
	if r.take(end) {
		return nil, nil
	}
	if r.depth++; r.depth > maxDepth {
		return nil, fmt.Errorf("types stand more than %d deep in one another", maxDepth)
	}
	defer func() { r.depth-- }()
	for {
		p := param{name: r.word(), of: "any"}
		if p.name == "" {
			return nil, fmt.Errorf("want a name before %q", r.text)
		}
		p.optional = r.take("?")
		if r.take(":") {
			if p.optional && r.take("{") { // options: each of them may be missing
				var fields []param
				fields, err = r.list("}")
				p.of = shape(fields, true)
			} else {
				p.of, err = r.union()
			}
			if err != nil {
				return nil, err
			}
		}
		list = append(list, p)
		if r.take(end) {
			return list, nil
		}
		if err := r.need(","); err != nil {
			return nil, err
		}
	}
}

// union takes a type: "string|nil", "{name: string}[]?".
func (r *reader) union() (string, error) {
	var all []string
	for {
		one, err := r.single()
		if err != nil {
			return "", err
		}
		if all = append(all, one); !r.take("|") {
			return strings.Join(all, "|"), nil
		}
	}
}

func (r *reader) single() (text string, err error) {
	if r.depth++; r.depth > maxDepth {
		return "", fmt.Errorf("types stand more than %d deep in one another", maxDepth)
	}
	defer func() { r.depth-- }()
	switch {
	case r.take("{"):
		fields, err := r.list("}")
		if err != nil {
			return "", err
		}
		text = shape(fields, false)
	case r.take(`"`):
		literal, rest, ok := strings.Cut(r.text, `"`)
		if !ok {
			return "", fmt.Errorf("a quote isn't closed before %q", r.text)
		}
		text, r.text = `"`+literal+`"`, rest
	default:
		if text, err = r.named(); err != nil {
			return "", err
		}
	}
	for {
		switch {
		case r.take("[]"):
			text += "[]"
		case r.take("?"):
			text += "?"
		default:
			return text, nil
		}
	}
}

// named takes a type that has a name.
func (r *reader) named() (string, error) {
	name := r.word()
	switch {
	case name == "table" && r.take("<"):
		key, err := r.union()
		if err == nil {
			err = r.need(",")
		}
		if err != nil {
			return "", err
		}
		value, err := r.union()
		if err == nil {
			err = r.need(">")
		}
		return "table<" + key + ", " + value + ">", err
	case name == "function" && strings.HasPrefix(r.text, "("):
		params, returns, err := r.callable(false)
		return function(params, returns), err
	}
	return r.known(name)
}

// function is the type of a function.
func function(params, returns []param) string {
	var in, out []string
	for _, p := range params {
		in = append(in, p.name+mark(p.optional)+": "+p.of)
	}
	for _, p := range returns {
		out = append(out, p.name+p.of)
	}
	text := "fun(" + strings.Join(in, ", ") + ")"
	if len(out) > 0 {
		text += ": " + strings.Join(out, ", ")
	}
	return text
}

// shape is the type of a table with known fields, all of which may be missing if it is one of options.
func shape(fields []param, options bool) string {
	var all []string
	for _, f := range fields {
		of, optional := strings.CutSuffix(f.of, "?")
		all = append(all, f.name+mark(options || optional || f.optional)+": "+of)
	}
	return "{ " + strings.Join(all, ", ") + " }"
}

func mark(optional bool) string {
	if optional {
		return "?"
	}
	return ""
}
