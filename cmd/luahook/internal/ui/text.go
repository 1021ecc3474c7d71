package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

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

// indentedText is JSON with a line for each value, where it is JSON.
func indentedText(text []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, text, "", "  ") != nil {
		return string(text)
	}
	return b.String()
}
