package sql

import "sync"

// head is the beginning of a statement, as far as it has a shape of its own.
type head struct {
	*Statement
	next   int  // the token behind it
	text   int  // where the text begins that it runs; 0 for none
	silent bool // it isn't a statement of its own
	prefix bool // it only says how the statement behind it is run
	odd    bool // what follows isn't usual: the text may be prose
}

// shape reads the head at token i. It returns nil where the words only look like
// one.
type shape func(r *reading, i int) *head

// opener is how the statements of a verb are recognized.
type opener struct {
	shape shape

	// anywhere says that the shape can't be mistaken, so that it counts behind
	// another statement without a semicolon too, as in T-SQL.
	anywhere bool
}

// heads are the words that begin statements. It is set in init because the shapes look
// into it themselves.
var heads func() map[string]opener

func init() { heads = sync.OnceValue(newHeads) }

func newHeads() map[string]opener {
	openers := map[string]opener{
		"DROP": {drop, true}, "DELETE": {deletion, true}, "TRUNCATE": {truncate, true}, "UPDATE": {update, true},
		"INSERT": {insert, true}, "REPLACE": {insert, true}, "MERGE": {merge, true},
		"ALTER": {alter, true}, "CREATE": {create, true},
		"GRANT": {grant, true}, "REVOKE": {grant, true}, "DENY": {grant, true},
		"SELECT": {query, true}, "VALUES": {query, false}, "WITH": {with, false},
		"EXEC": {execution, true}, "EXECUTE": {execution, true}, "CALL": {execution, false}, "PREPARE": {prepare, false},
		"EXPLAIN": {explain, false}, "DESCRIBE": {explain, false}, "DESC": {explain, false},
		"IF": {control, false}, "WHILE": {control, false}, "BEGIN": {begin, false}, "COPY": {named, false},
	}
	for verb := range plainVerbs() {
		openers[verb] = opener{plain, false}
	}
	return openers
}

// head reads the head of a statement at token i, if one is there.
func (r *reading) head(i int) (*head, bool) {
	h, ok := heads()[r.tokens[i].upper]
	if !ok || r.at(i-1).is(". @") || r.at(i+1).is(".") {
		return nil, false
	}
	top, starts := r.top(), r.starts(i)
	switch {
	case !starts && (!h.anywhere || top == nil && r.at(i-1).kind != hole): // which may be a whole statement
		return nil, false
	case top != nil && top.parens == r.parens && top.is("GRANT REVOKE DENY") && !top.given:
		return nil, false // a privilege
	}
	found := h.shape(r, i)
	if found == nil || !starts && r.belongs(found, i) {
		return nil, false
	}
	return found, true
}

// starts reports whether a statement may begin at token i, whatever it is.
func (r *reading) starts(i int) bool {
	before := r.at(i - 1)
	switch {
	case i == 0 || i == r.content || before.kind == end || before.kind == batch || i == r.explained:
		return true
	case before.is("( BEGIN THEN ELSE DO LOOP REPEAT ATOMIC TRY CATCH INSTEAD ALSO END"):
		return true
	case before.is(">>"): // a label
		return true
	case before.is(") AS FOR IS ROW STATEMENT CONDITION"):
		return r.top() != nil && r.top().is("CREATE ALTER PREPARE DECLARE IF WHILE WITH")
	}
	return false
}

// belongs reports whether a head is a part of the ALTER in which it stands.
func (r *reading) belongs(h *head, i int) bool {
	top := r.top()
	if top == nil || top.parens != r.parens || !top.is("ALTER") || !h.is("DROP ALTER") {
		return false
	}
	return top.Object != "TABLE" || r.at(i-1).is(",") || !listed("TABLE DATABASE SCHEMA VIEW USER ROLE LOGIN", h.Object)
}

// tailed reports whether what follows a head at token i is none of the words of
// prose: the end, a mark, another head or one of the words.
func (r *reading) tailed(i int, words string) bool {
	t := r.at(i)
	if i >= len(r.tokens) || t.kind != word && t.kind != number && t.kind != quoted && t.kind != literal {
		return true
	}
	_, another := heads()[t.upper]
	return another || t.is(words) || t.is("ON END ELSE FORMAT SETTINGS GO")
}

// articles are names that are none where another word follows.
const articles = "THE A AN THIS THAT THESE THOSE ALL ANY EVERY EACH SOME MY YOUR OUR THEIR HIS HER ITS IT THEM WHICH WHAT"

// prose reports whether the name at token i is rather a word of a sentence.
func (r *reading) prose(i int, words string) bool {
	_, another := heads()[r.at(i+1).upper]
	return r.at(i).is(articles) && r.at(i+1).kind == word && !another && !r.at(i+1).is(words+" AS")
}
