package command

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"github.com/luahook/luahook/internal/spelling"
)

// checkText finds what would make a guard agree to everything without a word: a test
// that sh doesn't know, whose failure "if" takes for a no, and a variable of ours that
// is misspelt, which is empty. A text that is no shell text at all is an error as well:
// the status with which sh fails at it is that of a deny.
func checkText(text string) error {
	if !utf8.ValidString(text) { // which can't be read here, and by sh can
		return nil
	}
	file, err := parse(text, syntax.LangBash)
	if err != nil {
		if file, err = parse(text, syntax.LangPOSIX); err != nil {
			return err
		}
	}
	own := map[string]bool{}
	ownNames(own, file)
	var found *placeError
	fail := func(n syntax.Node, format string, args ...any) {
		if found == nil {
			found = &placeError{n.Pos().Line(), n.Pos().Col(), fmt.Sprintf(format, args...)}
		}
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.TestClause:
			fail(n, "sh has no [[, and takes it for a program that isn't there; write case or [, or put the text into a file with #!/bin/bash")
		case *syntax.ArithmCmd:
			fail(n, "sh has no ((; write [ $((...)) -gt 0 ], or put the text into a file with #!/bin/bash")
		case *syntax.ParamExp:
			if n.Param != nil && !own[n.Param.Value] && misspelt(n.Param.Value) {
				fail(n, "there is no variable %s%s", n.Param.Value, spelling.DidYouMean(n.Param.Value, alike(n.Param.Value)))
			}
		}
		return found == nil
	})
	if found == nil {
		return nil
	}
	return found
}

// misspelt tells whether a name is in our part of the names and none of ours.
func misspelt(name string) bool {
	if name == "LUAHOOK_MANAGED" || name == "LUAHOOK_RUN" {
		return false
	}
	_, _, known := variableOf(name)
	return !known && (strings.HasPrefix(name, prefix) || strings.HasPrefix(name, "TOOL_"))
}

// alike lists our names as somebody would write them who has written this one.
func alike(name string) []string {
	list := slices.Clone(Names())
	if strings.HasPrefix(name, prefix) {
		for i := range list {
			list[i] = prefix + list[i]
		}
	}
	return list
}
