package script

// Method is a call of a method in a program.
type Method struct {
	Name   string // "drop" in db.users.drop()
	Object string // the name before it, "users"; "" where that is no name
	Bare   bool   // its first argument says nothing: there is none, or it is {}
	Key    string // "drop" in db.runCommand({drop: "users"}): the first key of the first argument, if that is an object
	Line   int    // from 1
}

// maxMethods bounds what Methods lists.
const maxMethods = 1000

// Methods returns the calls of methods in a program in JavaScript, in the order of
// their names. What stands in texts and comments is none. A name that is made
// when the program runs isn't found.
func Methods(source string) []Method {
	if len(source) > maxSource {
		return nil
	}
	deep := false
	return javascript.lex(source, 1, &deep).methods(nil)
}

func (u *unit) methods(all []Method) []Method {
	r := &reader{flow: &flow{language: javascript}, u: u}
	for r.at = 0; r.at < len(u.tokens) && len(all) < maxMethods; r.at++ {
		t, last, before, open := r.token(), r.next(-1), r.next(-2), 1
		for i := range t.pieces {
			if t.pieces[i].code != nil {
				all = t.pieces[i].code.methods(all)
			}
		}
		switch {
		case (last.is(".") || last.is("?.")) && t.kind == tokenName:
		case last.is("[") && t.kind == tokenText && r.next(1).is("]"):
			open = 2
		default:
			continue
		}
		if !r.next(open).is("(") {
			continue
		}
		first := r.next(open + 1)
		m := Method{Name: t.word(), Line: t.line, Object: before.word(), Bare: first.is(")") || first.is("{") && r.next(open+2).is("}")}
		if before.is("]") {
			m.Object = r.next(-3).word() // db["users"].drop()
		}
		if first.is("{") && r.next(open+3).is(":") {
			m.Key = r.next(open + 2).word()
		}
		all = append(all, m)
	}
	return all
}

// word returns a name, or the text of a string.
func (t *token) word() string {
	if text, ok := t.constant(); ok || t.kind != tokenName {
		return text
	}
	return t.text
}
