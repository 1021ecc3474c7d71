package redact

import "strings"

// element looks at what stands behind the > at i: the text of an element of XML whose name
// says secret.
func (x *scan) element(i int) (secret, bool) {
	s, from := x.s, i
	for from > x.last && i-from <= maxName && (isName(s[from-1]) || s[from-1] == ':') {
		from--
	}
	if from == i || from == x.last || s[from-1] != '<' {
		return secret{}, false
	}
	name := s[from:i]
	if colon := strings.LastIndexByte(name, ':'); colon >= 0 {
		name = name[colon+1:]
	}
	kind := kindOfName(name)
	if kind == "" {
		return secret{}, false
	}
	end := strings.IndexByte(s[i+1:min(len(s), i+1+maxValue)], '<')
	if end < 0 || !strings.HasPrefix(s[i+1+end:], "</") {
		return secret{}, false
	}
	value := strings.TrimSpace(s[i+1 : i+1+end])
	a := assignment{kind: kind, name: name}
	if value == "" || strings.Contains(value, opening) || strings.Contains(value, "\n") || stands(value) || !a.inQuotes(value) {
		return secret{}, false
	}
	at := i + 1 + strings.Index(s[i+1:], value)
	return secret{at, at + len(value), kind}, true
}
