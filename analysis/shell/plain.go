package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Most of what agents run is one command of plain words: ls -la, git status, go test ./... The
// parser makes room for 32 words of any kind before it reads the first; this makes what
// there is.

// plainCommand is what the parser makes of one command that consists of words without any
// character that means something to a shell; nil for all else, which is the parser's. Its
// first word is no keyword, assigns nothing and declares nothing.
func plainCommand(text string) *syntax.File {
	count := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == ' ':
			continue
		case !isPlainByte(c):
			return nil
		case i == 0 || text[i-1] == ' ':
			count++
		}
	}
	first, _, _ := strings.Cut(strings.TrimLeft(text, " "), " ")
	if count == 0 || strings.Contains(first, "=") || hasOwnSyntax(first) {
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

// isPlainByte reports whether a byte stands for itself wherever it is in a word.
func isPlainByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_-./:,=+%@", c) >= 0
}

// hasOwnSyntax reports whether the parser reads what stands behind a first word in another way than
// as arguments, or refuses it.
func hasOwnSyntax(first string) bool {
	switch first {
	case "declare", "local", "export", "readonly", "typeset", "nameref", "let", "elif":
		return true
	}
	return syntax.IsKeyword(first)
}

func inFirstLine(offset int) syntax.Pos {
	return syntax.NewPos(uint(offset), 1, uint(offset)+1)
}
