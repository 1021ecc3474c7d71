package redact

import "strings"

// maxHead bounds the start tag of an element.
const maxHead = 120

// element looks at what stands behind the > at i: the text of an element of XML whose name
// says secret.
func (x *scan) element(i int) (secret, bool) {
	s := x.s
	head := s[max(x.last, i-maxHead):i]
	open := strings.LastIndexByte(head, '<')
	if open < 0 || open+1 == len(head) || strings.IndexByte(head[open:], '>') >= 0 || !isLetterOrDigit(head[open+1]) {
		return secret{}, false
	}
	name, attributes, _ := strings.Cut(head[open+1:], " ")
	if colon := strings.LastIndexByte(name, ':'); colon >= 0 {
		name = name[colon+1:]
	}
	kind := kindOfName(name)
	if strings.EqualFold(name, "pass") {
		kind = password
	}
	for _, key := range [...]string{"name=\"", "key=\""} {
		if _, value, ok := strings.Cut(attributes, key); ok && kind == "" {
			if end := strings.IndexByte(value, '"'); end > 0 {
				kind = kindOfName(value[:end])
			}
		}
	}
	if kind == "" {
		return secret{}, false
	}
	end := strings.IndexByte(s[i+1:min(len(s), i+1+maxValue)], '<')
	if end < 0 || !strings.HasPrefix(s[i+1+end:], "</") {
		return secret{}, false
	}
	value := strings.TrimSpace(s[i+1 : i+1+end])
	if strings.EqualFold(name, "pass") && (!hasDigit(value) || strings.Contains(value, " ")) {
		return secret{}, false // what did not fail
	}
	a := assignment{kind: kind, name: name}
	if value == "" || strings.Contains(value, opening) || strings.Contains(value, "\n") || stands(value) || !a.inQuotes(value) {
		return secret{}, false
	}
	at := i + 1 + strings.Index(s[i+1:], value)
	return secret{at, at + len(value), kind}, true
}
