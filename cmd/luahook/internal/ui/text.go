package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/luahook/luahook/hooks"
)

// grouped is a number with its thousands apart.
func grouped[N int | int64](n N) string {
	text := strconv.FormatInt(int64(n), 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// plural is a number of things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%s %ss", grouped(n), thing)
}

// indented is a value as JSON for people.
func indented(v any) string {
	text, err := hooks.EncodeJSON(v)
	if err != nil {
		return err.Error()
	}
	return indentedText(text)
}

// maxDepth is how deep JSON may be nested that is indented: each level makes all lines below it longer.
const maxDepth = 40

// indentedText is JSON with a line for each value, where it is JSON that is nested as people nest it.
func indentedText(text []byte) string {
	depth, deepest := 0, 0
	for _, c := range text { // brackets within texts make it more, which does no harm
		switch c {
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	var b bytes.Buffer
	if deepest > maxDepth || json.Indent(&b, text, "", "  ") != nil {
		return string(text)
	}
	return b.String()
}

// shortened is the beginning of a text, for a line of a list.
func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// dollars is an amount of money.
func dollars(usd float64) string {
	switch {
	case usd > 0 && usd < .01:
		return fmt.Sprintf("$%.4f", usd)
	case usd < 1e6:
		whole, cents := int64(usd), int64((usd-float64(int64(usd)))*100+.5)
		if cents == 100 {
			whole, cents = whole+1, 0
		}
		return fmt.Sprintf("$%s.%02d", grouped(whole), cents)
	case usd < 1e12:
		return "$" + grouped(int64(usd))
	}
	return fmt.Sprintf("$%.2g", usd)
}
