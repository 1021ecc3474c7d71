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
	return methodsIn(javascript.lex(source, 1, &deep), nil)
}

func methodsIn(u *unit, all []Method) []Method {
	r := &reader{flow: &flow{language: javascript}, u: u}
	for r.at = 0; r.at < len(u.tokens) && len(all) < maxMethods; r.at++ {
		t := r.token()
		for i := range t.pieces {
			if t.pieces[i].code != nil {
				all = methodsIn(t.pieces[i].code, all)
			}
		}
		name, before, open := "", r.next(-2), r.at+1
		switch last := r.next(-1); {
		case (last.is(".") || last.is("?.")) && t.kind == tokenName && r.next(1).is("("):
			name = t.text
		case last.is("[") && t.kind == tokenText && r.next(1).is("]") && r.next(2).is("("):
			name, _ = t.constant()
			open++
		}
		if name == "" || r.at < 2 {
			continue
		}
		m := Method{Name: name, Line: t.line}
		if text, ok := before.constant(); ok {
			m.Object = text
		} else if before.kind == tokenName {
			m.Object = before.text
		} else if inner, ok := r.next(-3).constant(); ok && before.is("]") {
			m.Object = inner // db["users"].drop()
		}
		n := open - r.at
		m.Bare = r.next(n+1).is(")") || r.next(n+1).is("{") && r.next(n+2).is("}")
		if key := r.next(n + 2); r.next(n+1).is("{") && r.next(n+3).is(":") {
			if text, ok := key.constant(); ok {
				m.Key = text
			} else if key.kind == tokenName {
				m.Key = key.text
			}
		}
		all = append(all, m)
	}
	return all
}
