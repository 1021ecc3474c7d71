package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Most of what agents run is one command of plain words: ls -la, git status, go test ./... The
// parser makes room for 32 words of any kind before it reads the first; this makes what
// there is.

// maxPlainText is how long a text is that plainCommand looks at.
const maxPlainText = 200

// plainCommand is what the parser makes of one command that consists of words without any
// character that means something to a shell; nil for all else, which is the parser's. Its
// first word is no keyword, assigns nothing and declares nothing.
func plainCommand(text string) *syntax.File {
	if len(text) > maxPlainText {
		return nil
	}
	count := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == ' ':
			continue
		case !plainBytes[c]:
			return nil
		case i == 0 || text[i-1] == ' ':
			count++
		}
	}
	first, _, _ := strings.Cut(strings.TrimLeft(text, " "), " ")
	if count == 0 || strings.Contains(first, "=") || syntax.IsKeyword(first) || isDeclaration(first) {
		return nil
	}
	all := new(struct {
		file  syntax.File
		stmts [1]*syntax.Stmt
		stmt  syntax.Stmt
		call  syntax.CallExpr
	})
	words := make([]struct {
		word  syntax.Word
		parts [1]syntax.WordPart
		lit   syntax.Lit
	}, count)
	all.call.Args = make([]*syntax.Word, count)
	start := 0
	for n := range words {
		for text[start] == ' ' {
			start++
		}
		end := start
		for end < len(text) && text[end] != ' ' {
			end++
		}
		w := &words[n]
		w.lit = syntax.Lit{ValuePos: inFirstLine(start), ValueEnd: inFirstLine(end), Value: text[start:end]}
		w.parts[0] = &w.lit
		w.word.Parts = w.parts[:]
		all.call.Args[n] = &w.word
		start = end
	}
	all.stmt.Position, all.stmt.Cmd = words[0].lit.ValuePos, &all.call
	all.stmts[0] = &all.stmt
	all.file.Stmts = all.stmts[:]
	return &all.file
}

// plainBytes are those that stand for themselves wherever they are in a word.
var plainBytes = func() (plain [256]bool) {
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,=+%@") {
		plain[c] = true
	}
	return plain
}()

// isDeclaration reports whether the parser reads the words behind a name in its own way.
func isDeclaration(name string) bool {
	switch name {
	case "declare", "local", "export", "readonly", "typeset", "nameref", "let", "elif":
		return true
	}
	return false
}

func inFirstLine(offset int) syntax.Pos {
	return syntax.NewPos(uint(offset), 1, uint(offset)+1)
}
