package ui

import "strings"

// luaWords are the keywords of Lua.
const luaWords = " and break do else elseif end false for function goto if in local nil not or repeat return then true until while "

// lexLua takes a text of Lua apart for its colours: emit gets all of it, piece by piece, each with the class that it has
// on the page; "" is none. What isn't Lua comes out as it is.
func lexLua(text string, emit func(class, text string)) {
	plain := 0 // from here to i, nothing has a colour
	give := func(class string, from, to int) (next int) {
		emit("", text[plain:from])
		emit(class, text[from:to])
		plain = to
		return to
	}
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case strings.HasPrefix(text[i:], "--"):
			end := longEnd(text, i+2)
			if end < 0 {
				end = len(text)
				if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
					end = i + n
				}
			}
			i = give("lua-comment", i, end)
		case c == '"' || c == '\'':
			i = give("lua-string", i, stringEnd(text, i))
		case c == '[' && longEnd(text, i) >= 0:
			i = give("lua-string", i, longEnd(text, i))
		case isDigit(c) || c == '.' && i+1 < len(text) && isDigit(text[i+1]):
			end := i + 1
			for end < len(text) && (isWord(text[end]) || text[end] == '.' || (text[end] == '-' || text[end] == '+') && strings.IndexByte("eEpP", text[end-1]) >= 0 && !isHex(text[i:end])) {
				end++
			}
			i = give("lua-number", i, end)
		case isWord(c):
			end := i + 1
			for end < len(text) && isWord(text[end]) {
				end++
			}
			if strings.Contains(luaWords, " "+text[i:end]+" ") {
				give("lua-word", i, end)
			}
			i = end
		default:
			i++
		}
	}
	emit("", text[plain:])
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWord(c byte) bool {
	return c == '_' || isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// isHex reports whether a number is one in which e is a digit.
func isHex(number string) bool {
	return len(number) > 1 && number[1]|0x20 == 'x' && number[len(number)-1]|0x20 == 'e'
}

// stringEnd is where the string ends whose first character is at i: at the end of the line if it has no other.
func stringEnd(text string, i int) int {
	for end := i + 1; end < len(text); end++ {
		switch text[end] {
		case '\\':
			end++
		case text[i]:
			return end + 1
		case '\n':
			return end
		}
	}
	return len(text)
}

// longEnd is where the long bracket ends that begins at i; -1: none does.
func longEnd(text string, i int) int {
	level := i + 1
	for level < len(text) && text[level] == '=' {
		level++
	}
	if i >= len(text) || text[i] != '[' || level >= len(text) || text[level] != '[' {
		return -1
	}
	bracket := "]" + text[i+1:level] + "]"
	if n := strings.Index(text[level:], bracket); n >= 0 {
		return level + n + len(bracket)
	}
	return len(text)
}

// lexYAML is lexLua for YAML: comments that have a line to themselves, and keys.
func lexYAML(text string, emit func(class, text string)) {
	for line := range strings.Lines(text) {
		body := strings.TrimLeft(line, " -")
		indent := line[:len(line)-len(body)]
		key := strings.IndexByte(body, ':')
		switch {
		case strings.HasPrefix(body, "#"):
			emit("lua-comment", line)
		case key > 0 && strings.Trim(body[:key], "abcdefghijklmnopqrstuvwxyz_") == "":
			emit("", indent)
			emit("lua-word", body[:key])
			emit("", body[key:])
		default:
			emit("", line)
		}
	}
}
