package shell

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
)

// input returns what a program reads that is given no file.
func input(args []argument, s *scope) (argument, bool) {
	if s.input == nil || s.input.Dynamic || s.input.Home {
		return argument{}, false
	}
	for _, arg := range args {
		if arg.Dynamic || !strings.HasPrefix(arg.Text, "-") {
			return argument{}, false
		}
	}
	return s.input.unread(), true
}

// filter is a program without options.
func filter(change func(string) string) func(w *walker, args []argument, s *scope) (argument, bool) {
	return func(_ *walker, args []argument, s *scope) (argument, bool) {
		text, ok := input(args, s)
		if !ok || len(args) > 0 {
			return text, false
		}
		text.Text = change(text.Text)
		return text, true
	}
}

func reverse(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		bare := strings.TrimSuffix(line, "\n")
		runes := []rune(bare)
		for a, b := 0, len(runes)-1; a < b; a, b = a+1, b-1 {
			runes[a], runes[b] = runes[b], runes[a]
		}
		lines[i] = string(runes) + line[len(bare):]
	}
	return strings.Join(lines, "")
}

func reverseLines(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for a, b := 0, len(lines)-1; a < b; a, b = a+1, b-1 {
		lines[a], lines[b] = lines[b], lines[a]
	}
	return strings.Join(lines, "")
}

// translate is tr, for sets of characters and ranges.
func translate(_ *walker, args []argument, s *scope) (argument, bool) {
	remove := len(args) > 0 && (args[0].Text == "-d" || args[0].Text == "--delete")
	if remove {
		args = args[1:]
	}
	if len(args) == 0 || s.input == nil || s.input.Dynamic || s.input.Home {
		return argument{}, false
	}
	from, ok := characters(args[0])
	text := s.input.unread()
	if remove {
		text.Text = strings.Map(func(c rune) rune {
			if strings.ContainsRune(from, c) {
				return -1
			}
			return c
		}, text.Text)
		return text, ok && len(args) == 1
	}
	if len(args) != 2 {
		return text, false
	}
	to, ok2 := characters(args[1])
	if !ok || !ok2 || to == "" {
		return text, false
	}
	a, b := []rune(from), []rune(to)
	table := map[rune]rune{}
	for i, c := range a {
		table[c] = b[min(i, len(b)-1)]
	}
	text.Text = strings.Map(func(c rune) rune {
		if other, ok := table[c]; ok {
			return other
		}
		return c
	}, text.Text)
	return text, true
}

// characters returns a set of tr written out.
func characters(set argument) (string, bool) {
	if set.Dynamic || strings.Contains(set.Text, "[") || strings.HasPrefix(set.Text, "-") {
		return "", false
	}
	runes := []rune(decodeANSI(set.Text))
	var all []rune
	for i := 0; i < len(runes); i++ {
		if i+2 < len(runes) && runes[i+1] == '-' {
			if runes[i+2] < runes[i] || runes[i+2]-runes[i] > 256 {
				return "", false
			}
			for c := runes[i]; c <= runes[i+2]; c++ {
				all = append(all, c)
			}
			i += 2
			continue
		}
		all = append(all, runes[i])
	}
	return string(all), true
}

func decode64(_ *walker, args []argument, s *scope) (argument, bool) {
	text, ok := input(args, s)
	if !ok || len(args) != 1 || args[0].Text != "-d" && args[0].Text != "-D" && args[0].Text != "--decode" {
		return text, false
	}
	decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text.Text))
	text.Text = string(decoded)
	return text, err == nil
}

func decodeHex(_ *walker, args []argument, s *scope) (argument, bool) {
	text, ok := input(args, s)
	flags, _ := together(args, "")
	if !ok || !strings.Contains(flags.Text, "r") || !strings.Contains(flags.Text, "p") {
		return text, false
	}
	decoded, err := hex.DecodeString(strings.Join(strings.Fields(text.Text), ""))
	text.Text = string(decoded)
	return text, err == nil
}

func head(_ *walker, args []argument, s *scope) (argument, bool) {
	n := 10
	flags, _ := together(args, "")
	if flags.Text != "" {
		var err error
		if n, err = strconv.Atoi(strings.TrimPrefix(strings.TrimPrefix(flags.Text, "-"), "n")); err != nil || n < 0 {
			return argument{}, false
		}
	}
	if s.input == nil || s.input.Dynamic {
		return argument{}, false
	}
	text := s.input.unread()
	end := 0
	for ; n > 0 && end < len(text.Text); n-- {
		line := strings.IndexByte(text.Text[end:], '\n')
		if line < 0 {
			return text, true
		}
		end += line + 1
	}
	text.Text = text.Text[:end]
	return text, true
}
