package script

// Method is a call of a method in a program.
type Method struct {
	Name   string // "drop" in db.users.drop()
	Object string // the name before it, "users"; "" where that is no name
	Bare   bool   // its first argument says nothing: there is none, or it is {}
	Key    string // "drop" in db.runCommand({drop: "users"}): the first key of the first argument, if that is an object
	Line   int    // from 1
}

// Methods returns the calls of methods in a program in JavaScript, in the order of their names. What stands in
// texts and comments is none. A name that is made when the program runs isn't found.
func Methods(source string) []Method {
	deep := false
	return javascript.lex(source, 1, &deep).methods(nil)
}

func (u *unit) methods(all []Method) []Method {
	r := &reader{flow: &flow{language: javascript}, u: u}
	for ; r.at < len(u.tokens) && len(all) < maxCalls; r.at++ {
		t, last, object, open := r.token(), r.next(-1), r.next(-2), 1
		for _, p := range t.pieces {
			if p.code != nil {
				all = p.code.methods(all)
			}
		}
		if last.is("[") && t.kind == tokenText && r.next(1).is("]") { // db.users["drop"]()
			open = 2
		}
		if !r.next(open).is("(") || open == 1 && !last.is(".") && !last.is("?.") {
			continue
		}
		if object.is("]") { // db["users"].drop()
			object = r.next(-3)
		}
		first, key := r.next(open+1), r.next(open+2)
		m := Method{Name: t.word(), Object: object.word(), Line: t.line, Bare: first.is(")") || first.is("{") && key.is("}")}
		if first.is("{") && r.next(open+3).is(":") {
			m.Key = key.word()
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
