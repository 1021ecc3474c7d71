package sql

import (
	"strconv"
	"strings"
)

// truth is what is known of a condition.
type truth int

const (
	unknown truth = iota
	always
	never
)

// maxCondition is how many brackets of a condition are looked into.
const maxCondition = 12

// always reports whether the condition in the tokens holds for every row, as far
// as constants say.
func (r *reading) always(from, to int) bool {
	return r.disjunction(from, to, 0) == always
}

// disjunction reads alternatives.
func (r *reading) disjunction(from, to, depth int) truth {
	if depth > maxCondition {
		return unknown
	}
	result := never
	for part := range r.split(from, to, "OR ||") {
		switch r.conjunction(part[0], part[1], depth) {
		case always:
			return always
		case unknown:
			result = unknown
		}
	}
	return result
}

// conjunction reads what is joined by AND.
func (r *reading) conjunction(from, to, depth int) truth {
	result := always
	for part := range r.split(from, to, "AND &&") {
		switch r.factor(part[0], part[1], depth) {
		case never:
			return never
		case unknown:
			result = unknown
		}
	}
	return result
}

// factor reads what has neither AND nor OR outside of brackets.
func (r *reading) factor(from, to, depth int) truth {
	if r.at(from).is("NOT !") && from < to {
		switch r.disjunction(from+1, to, depth+1) {
		case always:
			return never
		case never:
			return always
		}
		return unknown
	}
	if to-from >= 2 && r.at(from).is("(") && r.matching(from, to) == to-1 {
		return r.disjunction(from+1, to-1, depth+1)
	}
	switch n := to - from; {
	case n == 1:
		return r.constant(from)
	case n == 3 && isKey(r.at(from)):
		return ofKey(r.at(from), r.at(from+1), r.at(from+2))
	case n == 3:
		return compare(r.at(from), r.at(from+1), r.at(from+2))
	case n == 4 && isKey(r.at(from)) && r.at(from+1).is("IS") && r.at(from+2).is("NOT") && r.at(from+3).is("NULL"):
		return always
	case r.at(from).is("EXISTS") && r.at(from+1).is("(") && r.matching(from+1, to) == to-1:
		return r.exists(from+2, to-1)
	case r.at(from+1).is("IN") && r.at(from+2).is("(") && r.matching(from+2, to) == to-1:
		return r.among(from, from+3, to-1)
	case n == 5 && r.at(from+1).is("BETWEEN"):
		if compare(r.at(from), &token{kind: mark, text: ">=", upper: ">="}, r.at(from+2)) == always &&
			compare(r.at(from), &token{kind: mark, text: "<=", upper: "<="}, r.at(from+4)) == always {
			return always
		}
	}
	return unknown
}

// isKey reports whether a token is a column that each row has a number in, counted from one, by its name.
func isKey(t *token) bool {
	if t.kind != word && t.kind != quoted || t.dynamic {
		return false
	}
	name := strings.ToLower(t.text)
	return name == "id" || name == "rowid"
}

// ofKey reads a comparison of a row's number: all are greater than zero.
func ofKey(key, op, right *token) truth {
	if right.kind == number && !right.dynamic {
		n, err := strconv.ParseFloat(right.text, 64)
		if err == nil && (n <= 0 && op.is("> >= <> !=") || n == 1 && op.is(">=")) {
			return always
		}
	}
	return compare(key, op, right)
}

// exists reads what stands in the brackets of EXISTS: without a table there is a row.
func (r *reading) exists(from, to int) truth {
	if !r.at(from).is("SELECT VALUES") {
		return unknown
	}
	for i := from + 1; i < to; i++ {
		if r.at(i).is("FROM WHERE HAVING LIMIT OFFSET FETCH TOP") || r.at(i).dynamic {
			return unknown
		}
	}
	return always
}

// among reads a list in which something may be.
func (r *reading) among(what, from, to int) truth {
	for part := range r.split(from, to, ",") {
		if part[1]-part[0] == 1 && compare(r.at(what), &token{kind: mark, text: "=", upper: "="}, r.at(part[0])) == always {
			return always
		}
	}
	return unknown
}

// split goes through the parts of the tokens between the words or marks outside
// of brackets and CASE ... END. The AND of a BETWEEN separates nothing.
func (r *reading) split(from, to int, words string) func(func([2]int) bool) {
	return func(yield func([2]int) bool) {
		start, inside, between := from, 0, 0
		for i := from; i < to; i++ {
			switch t := &r.tokens[i]; {
			case t.is("( CASE"):
				inside++
			case t.is(") END"):
				inside--
			case inside > 0:
			case t.is("BETWEEN"):
				between++
			case t.is("AND") && between > 0:
				between--
			case t.is(words):
				if !yield([2]int{start, i}) {
					return
				}
				start = i + 1
			}
		}
		yield([2]int{start, to})
	}
}

// matching returns the token of the bracket that closes the one at from.
func (r *reading) matching(from, to int) int {
	parens := 0
	for i := from; i < to; i++ {
		if t := &r.tokens[i]; t.is("(") {
			parens++
		} else if t.is(")") {
			if parens--; parens == 0 {
				return i
			}
		}
	}
	return to
}

func (r *reading) constant(i int) truth {
	switch t := r.at(i); {
	case t.is("TRUE"):
		return always
	case t.is("FALSE NULL"):
		return never
	case t.kind == number:
		if strings.Trim(t.text, "0.") == "" {
			return never
		}
		return always
	case t.kind == literal && t.text != "" && strings.Trim(t.text, "0123456789") == "" && strings.Trim(t.text, "0") != "":
		return always // a number to MySQL
	}
	return unknown
}

// compare reads left op right.
func compare(left, op, right *token) truth {
	if op.is("LIKE ILIKE") && right.kind == literal && right.text != "" &&
		(strings.Trim(right.text, "%") == "" || left.kind == literal && left.text == right.text && !left.dynamic) {
		return always
	}
	if left.dynamic || right.dynamic {
		return unknown
	}
	if op.is("IS") && left.is("TRUE FALSE NULL") && right.is("TRUE FALSE NULL") {
		return truthOf(left.upper == right.upper)
	}
	if left.kind != right.kind || !op.is("= == <=> <> != < > <= >=") {
		return unknown
	}
	if left.kind == word || left.kind == quoted {
		if !strings.EqualFold(left.text, right.text) {
			return unknown
		}
		return truthOf(op.is("= == <=> <= >="))
	}
	if left.kind == number {
		a, errA := strconv.ParseFloat(left.text, 64)
		b, errB := strconv.ParseFloat(right.text, 64)
		if errA == nil && errB == nil {
			return ordered(op.text, a < b, a == b)
		}
		return unknown
	}
	if left.kind != literal {
		return unknown
	}
	return ordered(op.text, left.text < right.text, left.text == right.text)
}

func ordered(op string, less, equal bool) truth {
	switch op {
	case "<>", "!=":
		return truthOf(!equal)
	case "<":
		return truthOf(less)
	case ">":
		return truthOf(!less && !equal)
	case "<=":
		return truthOf(less || equal)
	case ">=":
		return truthOf(!less)
	}
	return truthOf(equal)
}

func truthOf(b bool) truth {
	if b {
		return always
	}
	return never
}
