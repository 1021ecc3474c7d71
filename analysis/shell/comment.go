package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxComments is how often a text is read again for its comments.
const maxComments = 8

// asBash writes text so that the parser reads it as bash does: for bash, a
// backslash in front of a carriage return doesn't continue a line.
func asBash(text string) string {
	return strings.ReplaceAll(text, "\\\r\n", "\\\r\r\n")
}

// endComments returns text with the backslashes at the ends of comments
// blanked. The parser takes these for continued lines, where for a shell the
// comment ends and the next line is one of its own. It is called with what the
// parser made of text, and ok is false where nothing had to be changed.
func endComments(text string, file *syntax.File) (ended string, ok bool) {
	var changed []byte
	syntax.Walk(file, func(node syntax.Node) bool {
		comment, isComment := node.(*syntax.Comment)
		if !isComment || !strings.HasSuffix(comment.Text, "\\\n") {
			return true
		}
		// The end is looked for, because the parser drops what text has before
		// a newline or in backquotes.
		start := int(comment.Hash.Offset())
		if end := strings.Index(text[min(start, len(text)):], "\\\n"); end >= 0 {
			if changed == nil {
				changed = []byte(text)
			}
			changed[start+end] = ' '
		}
		return true
	})
	return string(changed), changed != nil
}

// mayContinue reports whether text can have a comment with a backslash at its
// end.
func mayContinue(text string) bool {
	return strings.Contains(text, "#") && strings.Contains(text, "\\\n")
}
