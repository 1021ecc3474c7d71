package script

import (
	"slices"
	"strings"
)

// missing is a file that isn't there, as it is seen from a folder.
type missing struct {
	name Arg
	dir  *Arg
}

// proof says which files aren't there where a value is true, and where it is false.
type proof struct {
	whenTrue, whenFalse []missing
}

// not is what the opposite of a value says.
func (p *proof) not() *proof {
	if p == nil {
		return nil
	}
	return &proof{whenTrue: p.whenFalse, whenFalse: p.whenTrue}
}

// proofOf returns what all of the values say alike, nil for nothing.
func proofOf(v values) *proof {
	if len(v) == 0 || slices.ContainsFunc(v, func(one value) bool { return one.proof != v[0].proof }) {
		return nil
	}
	return v[0].proof
}

// proving returns the values with what they say of files.
func proving(v values, p *proof) values {
	if p == nil && proofOf(v) == nil {
		return v
	}
	all := slices.Clone(v)
	for i := range all {
		all[i].proof = p
	}
	return all
}

// exists returns what a test is for a file.
func (r *reader) exists(file values, source string) values {
	value := unknown(source)
	if name := r.one(file, Write); len(file) > 0 && !name.Dynamic {
		value[0].proof = &proof{whenFalse: []missing{{*name, r.dir}}}
	}
	return value
}

// joined returns what left and right say where an operator stands between them.
func (r *reader) joined(operator string, left, right values) values {
	a, b := proofOf(left), proofOf(right)
	all := r.union(left, right)
	if a == nil && b == nil {
		return all
	}
	p := &proof{}
	for _, side := range [...]*proof{a, b} {
		switch {
		case side == nil:
		case isAnd(operator):
			p.whenTrue = append(p.whenTrue, side.whenTrue...)
		case isOr(operator):
			p.whenFalse = append(p.whenFalse, side.whenFalse...)
		}
	}
	return proving(all, p)
}

func isAnd(operator string) bool { return operator == "and" || operator == "&&" }
func isOr(operator string) bool  { return operator == "or" || operator == "||" || operator == "?:" }

// deciding returns what decides whether the right side of an operator is read.
func deciding(operator string, left values) values {
	if isAnd(operator) || isOr(operator) {
		return left
	}
	return nil
}

// knowing reads what runs only where a value is true, or false.
func (r *reader) knowing(of values, truth bool, read func()) {
	known, p := r.missing, proofOf(of)
	if p != nil {
		r.know(p, truth)
	}
	read()
	r.missing = known
}

// know notes that up to the end of the statements around only what is reached where a value is true, or false.
func (r *reader) know(p *proof, truth bool) {
	if p == nil {
		return
	}
	files := p.whenFalse
	if truth {
		files = p.whenTrue
	}
	if len(r.missing)+len(files) <= maxValues {
		r.missing = append(r.missing[:len(r.missing):len(r.missing)], files...)
	}
}

// knowAlready notes that the calls from some on, which were read before the condition, run where it is true.
func (r *reader) knowAlready(condition values, calls int) {
	if p := proofOf(condition); p != nil {
		for i := calls; i < len(r.calls); i++ {
			r.calls[i].miss(p.whenTrue)
		}
	}
}

// miss notes files that aren't there where c runs.
func (c *Call) miss(files []missing) {
	for _, file := range files {
		if file.dir == c.Dir {
			c.Missing = append(c.Missing, file.name)
		}
	}
}

// leavesBehind reports whether a statement with that value never comes to its end.
func (r *reader) leavesBehind(value values) bool {
	if len(value) != 1 {
		return false
	}
	name, _, _ := strings.Cut(value[0].text, "(")
	known, _ := r.row(name)
	return value[0].exits || value[0].kind == valueLibrary && known.does == "exit" && !r.pythonic || value[0].kind == valueUnknown && r.word(name) == "jump"
}
