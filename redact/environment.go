package redact

import (
	"slices"
	"strings"
)

// Bounds of the values of the environment that are searched for.
const (
	shortestValue = 8
	longestValue  = 8 << 10
	mostValues    = 256
)

// values are the secrets of an environment, by their first two bytes.
type values struct {
	gate pairs
	by   map[[2]byte][]variable
}

type variable struct{ value, what string }

func valuesOf(environ []string) *values {
	var v *values
	n := 0
	for _, entry := range environ {
		name, value, ok := strings.Cut(entry, "=")
		if !ok || n == mostValues || !secretVariable(name) || !unmistakable(value) {
			continue
		}
		what := ofEnvironment + name
		if !nameOfVariable(name) {
			what = "secret"
		}
		if n++; v == nil {
			v = &values{by: map[[2]byte][]variable{}}
		}
		v.gate.open(value[0], value[1])
		key := [2]byte{value[0], value[1]}
		v.by[key] = append(v.by[key], variable{value, what})
	}
	if n == 0 {
		return nil
	}
	v.gate.open(opening[0], opening[1])
	for _, list := range v.by { // a value that begins with another comes first
		slices.SortStableFunc(list, func(a, b variable) int { return len(b.value) - len(a.value) })
	}
	return v
}

// secretVariable is wider than SecretName: the names of an environment are few.
func secretVariable(name string) bool {
	if SecretName(name) {
		return true
	}
	_, last := lastWords(name)
	return last == "key" || last == "dsn" || last == "sas" || last == "auth" || last == "pat"
}

// nameOfVariable says whether a mark may have the name.
func nameOfVariable(name string) bool {
	for i := range len(name) {
		if !isWord(name[i]) {
			return false
		}
	}
	return len(name) <= maxName && secretVariable(name)
}

// unmistakable is true for a value that no other text has by chance.
func unmistakable(value string) bool {
	if len(value) < shortestValue || len(value) > longestValue || strings.Contains(value, strings.TrimSpace(opening)) || stands(value) {
		return false
	}
	switch value[0] {
	case '/', '~', '.':
		if !strings.ContainsAny(value, "+=") {
			return false // a path
		}
	}
	if len(value) < 16 && (allDigits(value) || strings.Trim(value, "abcdefghijklmnopqrstuvwxyz-_ ") == "" || strings.Trim(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_ ") == "") {
		return false // a word, a port, a date
	}
	return !strings.HasPrefix(value, "http://") && !strings.HasPrefix(value, "https://") || strings.ContainsAny(value, "@?")
}

// redact replaces the values wherever they stand.
func (v *values) redact(s string, keeps func(secret string) bool) (text string, found int) {
	var out strings.Builder
	kept := 0
	for i := v.gate.next(s, 0); i+1 < len(s); i = v.gate.next(s, i) {
		if n := markAt(s[i:]); n > 0 {
			i += n
			continue
		}
		hit := v.at(s[i:])
		if hit.what == "" {
			i++
			continue
		}
		if keeps(hit.value) {
			i += len(hit.value)
			continue
		}
		out.WriteString(s[kept:i])
		out.WriteString(mark(hit.what))
		i += len(hit.value)
		kept = i
		found++
	}
	if found == 0 {
		return s, 0
	}
	out.WriteString(s[kept:])
	return out.String(), found
}

func (v *values) at(s string) variable {
	for _, candidate := range v.by[[2]byte{s[0], s[1]}] {
		if strings.HasPrefix(s, candidate.value) {
			return candidate
		}
	}
	return variable{}
}
