package lib

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/luahook/luahook/internal/spelling"
	"github.com/luahook/luahook/luabind"
)

// maxReplaced bounds what re.replace makes.
const maxReplaced = 8 << 20

// maxReplacement bounds a replacement that has to be taken apart.
const maxReplacement = 64 << 10

func replaceRE(c call, p *program, s string) int {
	replacement := c.text(3)
	if len(replacement) > maxReplacement && strings.Contains(replacement, "$") {
		c.bad(3, fmt.Sprintf("a replacement with groups of more than %d bytes", maxReplacement))
	}
	luabind.Spend(c.LState, 1+len(replacement)/2)
	c.allocate(64 * (1 + strings.Count(replacement, "$")))
	parts, err := parseReplacement(replacement, p.first().Regexp)
	if err != nil {
		c.bad(3, err.Error())
	}
	var b strings.Builder
	copied := 0
	for m := p.scan(c, s); ; {
		at := m.next()
		if at == nil {
			break
		}
		luabind.Spend(c.LState, len(parts))
		size := at[0] - copied
		for _, part := range parts {
			size += part.size(at)
		}
		c.charge(size)
		c.allocate(size)
		// s itself may be larger than the bound; then it must not grow.
		if b.Len()+size+len(s)-at[1] > max(maxReplaced, len(s)) {
			c.fail(fmt.Sprintf("the result would be larger than %d bytes", maxReplaced))
		}
		if b.Cap() == 0 {
			c.allocate(len(s))
			b.Grow(len(s))
		}
		b.WriteString(s[copied:at[0]])
		for _, part := range parts {
			b.WriteString(part.expand(s, at))
		}
		copied = at[1]
	}
	if copied == 0 && b.Len() == 0 { // nothing has changed
		return c.giveText(s)
	}
	c.charge(len(s) - copied)
	c.allocate(len(s) - copied)
	b.WriteString(s[copied:])
	return c.giveText(b.String())
}

// replacementPart is literal text, or a group.
type replacementPart struct {
	text  string
	group int // -1 for text
}

func (p replacementPart) size(at []int) int {
	switch {
	case p.group < 0:
		return len(p.text)
	case at[2*p.group] < 0:
		return 0
	}
	return at[2*p.group+1] - at[2*p.group]
}

func (p replacementPart) expand(s string, at []int) string {
	switch {
	case p.group < 0:
		return p.text
	case at[2*p.group] < 0:
		return ""
	}
	return s[at[2*p.group]:at[2*p.group+1]]
}

var reference = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$(?:\$|(\w+)|\{(\w+)\})`) })

// parseReplacement reads a replacement as regexp.Expand does, but for a group that
// the pattern doesn't have: that is an error, because $1x is the group 1x and never
// what its author meant. A $ before anything else stands for itself.
func parseReplacement(text string, re *regexp.Regexp) (parts []replacementPart, err error) {
	begin := 0
	literal := func(end int) {
		if end > begin {
			parts = append(parts, replacementPart{text[begin:end], -1})
		}
	}
	for _, at := range reference().FindAllStringSubmatchIndex(text, -1) {
		literal(at[0])
		begin = at[1]
		name := ""
		switch {
		case at[2] >= 0:
			name = text[at[2]:at[3]]
		case at[4] >= 0:
			name = text[at[4]:at[5]]
		default:
			parts = append(parts, replacementPart{"$", -1})
			continue
		}
		n, isNumber := groupNumber(name)
		if !isNumber {
			n = re.SubexpIndex(name)
		}
		if n < 0 || n > re.NumSubexp() {
			return nil, unknownGroup(name, re)
		}
		parts = append(parts, replacementPart{group: n})
	}
	literal(len(text))
	return parts, nil
}

func groupNumber(name string) (n int, ok bool) {
	n, err := strconv.Atoi(name)
	return n, err == nil
}

var leadingDigits = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]+`) })

func unknownGroup(name string, re *regexp.Regexp) error {
	hint := spelling.DidYouMean(name, re.SubexpNames())
	if digits := leadingDigits().FindString(name); digits != "" && digits != name {
		hint = fmt.Sprintf("; write ${%s}%s for group %s and then %s", digits, name[len(digits):], digits, name[len(digits):])
	}
	return fmt.Errorf("the pattern has no group %s%s", name, hint)
}
