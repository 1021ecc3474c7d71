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
	tokens := jsTokens(source, 1)
	var methods []Method
	for i := 1; i < len(tokens) && len(methods) < maxMethods; i++ {
		name, open := methodName(tokens, i)
		if name == "" {
			continue
		}
		m := Method{Name: name, Line: tokens[i].line, Bare: bare(tokens, open), Key: firstKey(tokens, open)}
		if before := i - 2; before > 0 {
			if object := &tokens[before]; object.kind == curlyName || object.kind == curlyText {
				m.Object = object.text
			} else if object.text == "]" && tokens[before-1].kind == curlyText {
				m.Object = tokens[before-1].text // db["users"].drop()
			}
		}
		methods = append(methods, m)
	}
	return methods
}

// methodName returns the name of the method that is called at token i, "" for
// none, and where its "(" stands.
func methodName(tokens []curlyToken, i int) (name string, open int) {
	next := func(n int) *curlyToken { return &tokens[min(i+n, len(tokens)-1)] }
	before := &tokens[i-1]
	if before.kind != curlyMark {
		return "", 0
	}
	switch t := &tokens[i]; {
	case before.text == "." && t.kind == curlyName && next(1).text == "(" && next(1).kind == curlyMark:
		return t.text, i + 1
	case before.text == "[" && t.kind == curlyText && next(1).text == "]" && next(2).text == "(" && next(2).kind == curlyMark:
		return t.text, i + 2
	}
	return "", 0
}

// firstKey returns the first key of the object that is the first argument behind an
// open bracket, "" for none.
func firstKey(tokens []curlyToken, open int) string {
	next := func(n int) *curlyToken { return &tokens[min(open+n, len(tokens)-1)] }
	if key := next(2); next(1).text == "{" && next(1).kind == curlyMark && next(3).text == ":" && (key.kind == curlyName || key.kind == curlyText) {
		return key.text
	}
	return ""
}

// bare reports whether the first argument behind an open bracket says nothing.
func bare(tokens []curlyToken, open int) bool {
	next := func(n int) string { return tokens[min(open+n, len(tokens)-1)].text }
	return next(1) == ")" || next(1) == "{" && next(2) == "}"
}
