package script

import (
	"strconv"
	"strings"
)

// effect says what a function of a language's library does.
type effect struct {
	kind Kind

	// args are the indexes of the arguments in the order of [Call.Args]; "*"
	// stands for all that come after. For Owner the first two are user and group,
	// "-" for none.
	args string

	deep    bool // Recursive always
	options int  // index of the argument that is a map with options, 0 for none
}

// effect reports a call that does e.
func (f *flow) effect(s *site, e *effect, name string) {
	call := Call{Func: name, Kind: e.kind, Recursive: e.deep}
	var args []facts
	picks, next := e.args, 0
	if e.kind == Owner {
		args = append(args, f.owner(s, picks[:2]))
		next = strings.Count(picks[:2], "0") + strings.Count(picks[:2], "1") // of user and group first
		picks = picks[2:]
	}
	for i := range len(picks) {
		if picks[i] == '*' {
			if next < len(s.args) && f.spend(len(s.args)-next) {
				args = append(args, s.args[next:]...)
			}
			break
		}
		n := int(picks[i] - '0')
		next = max(next, n+1)
		args = append(args, f.argument(s, n))
	}
	if e.kind == Mode && len(args) > 0 {
		args[0] = f.mode(args[0])
	}
	f.report(s, call, args...)
}

// argument returns argument n of a call, which is unknown where it's missing.
func (f *flow) argument(s *site, n int) facts {
	for i := range min(n+1, len(s.args)) {
		if len(s.args[i]) == 1 && s.args[i][0].rest {
			return s.args[i]
		}
	}
	if n >= len(s.args) || len(s.args[n]) == 0 {
		return unknownFact("")
	}
	return s.args[n]
}

func (f *flow) owner(s *site, picks string) facts {
	user := unnamed(f.argument(s, int(picks[0]-'0')))
	if picks[1] == '-' {
		return user
	}
	group := unnamed(f.argument(s, int(picks[1]-'0')))
	if text, ok := group.constant(); ok && text == "" {
		return user
	}
	return f.concat([]facts{user, group}, ":")
}

// unnamed makes a text of what stands for "as it is": nil or -1.
func unnamed(value facts) facts {
	if len(value) == 1 && value[0].kind == factPlain && strings.Trim(value[0].text, "0123456789") != "" {
		return textFact("")
	}
	return value
}

// mode writes numbers in octal.
func (f *flow) mode(value facts) (all facts) {
	for _, one := range value {
		if one.kind == factPlain {
			n, err := strconv.ParseInt(strings.ToLower(one.text), 0, 32)
			if err != nil || n < 0 {
				one = fact{text: one.text}
			} else {
				one = fact{kind: factText, text: strconv.FormatInt(n, 8)}
			}
		}
		all = f.union(all, facts{one})
	}
	return all
}

// report notes a call, once for each combination of what args may be.
func (f *flow) report(s *site, call Call, args ...facts) {
	if call.Func == "" {
		call.Func = s.name
	}
	if call.Dir == nil {
		call.Dir = f.dir
	}
	call.Line = s.tree.line
	for _, row := range f.rows(args) {
		if len(f.calls) == maxCalls {
			f.work = -1
			return
		}
		one := call
		one.Args = make([]Arg, 0, len(row))
		for i := range row {
			one.Args = append(one.Args, argOf(&row[i], call.Kind))
		}
		if len(one.Args) > 0 {
			f.calls = append(f.calls, one)
		}
	}
}

// rows returns the combinations of what args may be, lists spread out. Where
// there are too many, what has several values isn't known.
func (f *flow) rows(args []facts) [][]fact {
	rows := [][]fact{nil}
	for _, arg := range args {
		choices := f.choices(arg)
		if len(choices) == 0 {
			choices = [][]fact{{{}}}
		}
		if len(rows)*len(choices) > maxFacts {
			choices = [][]fact{{{text: "several", rest: len(choices[0]) != 1}}}
		}
		if len(choices) == 1 {
			for i := range rows {
				f.spend(len(choices[0]))
				rows[i] = append(rows[i], choices[0]...)
			}
			continue
		}
		product := make([][]fact, 0, len(rows)*len(choices))
		for _, row := range rows {
			for _, choice := range choices {
				if !f.spend(len(row) + len(choice)) {
					return rows
				}
				product = append(product, append(row[:len(row):len(row)], choice...))
			}
		}
		rows = product
	}
	return rows
}

func (f *flow) choices(arg facts) (all [][]fact) {
	for i := range arg {
		if arg[i].kind != factList {
			all = append(all, []fact{arg[i]})
		} else if f.spend(len(arg[i].items)) {
			all = append(all, f.rows(arg[i].items)...)
		}
	}
	return all
}

// argOf writes what is known of an argument.
func argOf(one *fact, kind Kind) Arg {
	text, known := one.written()
	if one.kind != factText && !known {
		return Arg{Text: strings.ReplaceAll(one.text, homeMark, "~"), Dynamic: true, Rest: one.rest}
	}
	arg := Arg{Text: text, Dynamic: !known}
	for _, part := range one.parts {
		if len(arg.Parts) < maxFacts && strings.Contains(text, part) {
			arg.Parts = append(arg.Parts, part)
		}
	}
	if len(one.parts) > maxFacts {
		arg.Parts = nil // all of it
	}
	switch at := strings.LastIndex(text, homeMark); {
	case at < 0:
	case kind == Shell: // which finds it in quotes, too
		arg.Text = strings.ReplaceAll(text, homeMark, "${HOME}")
	default:
		arg.Text = strings.ReplaceAll(text, homeMark, "~")
		arg.Home = text[0] == homeMark[0]
		arg.Dynamic = arg.Dynamic || at > 0 // it isn't written like that
	}
	return arg
}

// directory returns the folder that one is for [Call.Dir].
func directory(value facts) *Arg {
	if len(value) != 1 {
		return &Arg{Text: "several", Dynamic: true}
	}
	arg := argOf(&value[0], Delete)
	return &arg
}

// input returns the text that value is for [Call.Input].
func input(value facts) *Arg {
	if len(value) != 1 {
		return &Arg{Text: "several", Dynamic: true}
	}
	arg := argOf(&value[0], Code)
	return &arg
}

// chdir notes that the program changes to a folder.
func (f *flow) chdir(value facts) {
	dir := directory(value)
	if !strings.HasPrefix(dir.Text, "/") && !dir.Home && f.dir != nil {
		dir.Text, dir.Dynamic, dir.Home = f.dir.Text+"/"+dir.Text, dir.Dynamic || f.dir.Dynamic, f.dir.Home
	}
	// Where it perhaps doesn't, it isn't known where what follows runs.
	dir.Dynamic = dir.Dynamic || f.place != nil
	f.dir = dir
}
