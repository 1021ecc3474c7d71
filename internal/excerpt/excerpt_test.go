package excerpt

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestSqueeze(t *testing.T) {
	for _, test := range []struct {
		name, text, want string
		left             Squeezed
	}{
		{"nothing", "a\nb\r\nc", "a\nb\r\nc", Squeezed{}},
		{"empty", "", "", Squeezed{}},
		{"colours", "\x1b[1;31mred\x1b[0m\x1b[K plain\n", "red plain\n", Squeezed{Escapes: 3}},
		{"a title and a link", "\x1b]0;make\a\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\\n", "text\n", Squeezed{Escapes: 3}},
		{"a charset", "\x1b(Bx\x1b7\x1b=\n", "x\n", Squeezed{Escapes: 3}},
		{"no sequence", "\x1b[ä \x1b]0;no end\nnext \x1b", "\x1b[ä \x1b]0;no end\nnext \x1b", Squeezed{}},
		{"progress", "get\n 10%\r 20%\r100%\ndone\n", "get\n100%\ndone\n", Squeezed{Overwritten: 2}},
		{"progress at the end", "10% of data\r20% of data\r", "20% of data", Squeezed{Overwritten: 2}},
		{"progress with CRLF", "Receiving 1%\rReceiving 2%\r\nnext\r\n", "Receiving 2%\r\nnext\r\n", Squeezed{Overwritten: 1}},
		{"lines of old systems are no progress", "first line\rsecond line\rthird line\r", "first line\rsecond line\rthird line", Squeezed{Overwritten: 1}},
		{"repetitions", "a\n" + strings.Repeat("the same line\n", 1500) + "b\n", "a\nthe same line\n[the line above 1,499 times more]\nb\n", Squeezed{Repeated: 1499}},
		{"repetitions with CRLF", strings.Repeat("the same line\r\n", 9), "the same line\r\n[the line above 8 times more]\r\n", Squeezed{Repeated: 8}},
		{"one repetition of a long line", strings.Repeat(strings.Repeat("x", 50)+"\n", 2), strings.Repeat("x", 50) + "\n[the line above once more]\n", Squeezed{Repeated: 1}},
		{"repetitions that are shorter than what stands for them", "a\n\n\n\n\nb\na\na\na\n", "a\n\n\n\n\nb\na\na\na\n", Squeezed{}},
		{"repetitions and a last line without an end", strings.Repeat("line of text\n", 10) + "line of text", "line of text\n[the line above 9 times more]\nline of text", Squeezed{Repeated: 9}},
		{"the same but for colours", strings.Repeat("\x1b[32mok ok ok\x1b[0m\nok ok ok\n", 5), "ok ok ok\n[the line above 9 times more]\n", Squeezed{Escapes: 10, Repeated: 9}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, left := Squeeze(test.text, nil)
			if got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
			if left != test.left {
				t.Errorf("left out %+v, want %+v", left, test.left)
			}
		})
	}
}

// numbered is lines of 10 bytes.
func numbered(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "line %04d\n", i)
	}
	return b.String()
}

func TestCut(t *testing.T) {
	for _, test := range []struct {
		name, text string
		o          Options
		want       string
	}{
		{"short enough", numbered(1, 10), Options{Bytes: 100, Lines: 10, Head: 1}, ""},
		{"head", numbered(1, 100), Options{Bytes: 100, Head: 1}, numbered(1, 6) + "[... 94 lines (940 bytes) cut ...]\n"},
		{"tail", numbered(1, 100), Options{Bytes: 100, Tail: 1}, "[... 94 lines (940 bytes) cut ...]\n" + numbered(95, 100)},
		{"both", numbered(1, 100), Options{Bytes: 120, Head: 0.5, Tail: 0.5}, numbered(1, 4) + "[... 92 lines (920 bytes) cut ...]\n" + numbered(97, 100)},
		{"nothing said of shares", numbered(1, 100), Options{Bytes: 100}, "[... 94 lines (940 bytes) cut ...]\n" + numbered(95, 100)},
		{"no line end at the end", strings.TrimSuffix(numbered(1, 100), "\n"), Options{Bytes: 120, Head: 0.5, Tail: 0.5}, numbered(1, 4) + "[... 92 lines (920 bytes) cut ...]\n" + strings.TrimSuffix(numbered(97, 100), "\n")},
		{"note", numbered(1, 100), Options{Bytes: 150, Head: 0.5, Tail: 0.5, Note: "all of it: /a"}, numbered(1, 4) + "[... 92 lines (920 bytes) cut; all of it: /a ...]\n" + numbered(97, 100)},
		{"a note without room", numbered(1, 100), Options{Bytes: 100, Head: 1, Note: strings.Repeat("n", 60)}, numbered(1, 6) + "[... 94 lines (940 bytes) cut ...]\n"},
		{"lines", numbered(1, 100), Options{Bytes: 5000, Lines: 5, Head: 0.5, Tail: 0.5}, numbered(1, 2) + "[... 96 lines (960 bytes) cut ...]\n" + numbered(99, 100)},
		{"too few bytes for a marker", numbered(1, 100), Options{Bytes: 25, Head: 0.5}, numbered(1, 2)},
		{"hardly any bytes", "äöü", Options{Bytes: 3, Head: 1}, "ä"},
		{"no gain", strings.Repeat("\n", 40), Options{Bytes: 5000, Lines: 38, Head: 1}, ""},
		{"inside a line", strings.Repeat("ä", 500), Options{Bytes: 101, Head: 0.5, Tail: 0.5}, strings.Repeat("ä", 16) + "\n[... 936 bytes cut ...]\n" + strings.Repeat("ä", 16)},
		{"CRLF", strings.ReplaceAll(numbered(1, 100), "\n", "\r\n"), Options{Bytes: 130, Head: 0.5, Tail: 0.5}, strings.ReplaceAll(numbered(1, 4)+"[... 92 lines (1,012 bytes) cut ...]\n"+numbered(97, 100), "\n", "\r\n")},
	} {
		t.Run(test.name, func(t *testing.T) {
			e, ok := Cut(test.text, test.o)
			if ok != (test.want != "") || e.Text != test.want && ok {
				t.Errorf("got %v\n%s\nwant\n%s", ok, e.Text, test.want)
			}
		})
	}
}

func snippetsOf(t *testing.T, groups ...Group) *Snippets {
	t.Helper()
	s, err := NewSnippets(groups, free, free)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCutKeepsSnippets(t *testing.T) {
	errors := Group{Name: "errors", Patterns: []string{`\berror\b`}, Except: []string{`\b0 error`, `no error`}, Before: 1, After: 2}
	traces := Group{Name: "traces", Patterns: []string{`^panic: `}, After: 30, Through: `^\s|^goroutine|^$`}
	for _, test := range []struct {
		name, middle string
		bytes        int
		groups       []Group
		has          []string
		lacks        []string
		kept         []Kept
	}{
		{"lines around", numbered(201, 210) + "an error: x\n" + numbered(211, 220), 600, []Group{errors},
			[]string{"line 0210\nan error: x\nline 0211\nline 0212\n[... "}, []string{"0209", "0213"}, []Kept{{"errors", 1, 1}}},
		{"lines that aren't meant", "0 error here\nno error there\nan error\n", 700, []Group{errors}, []string{"an error\n"}, nil, []Kept{{"errors", 1, 1}}},
		{"a trace to its end", numbered(201, 205) + "panic: boom\n\ngoroutine 1 [running]:\n\tmain.go:1\n\nnot the trace\n" + numbered(206, 209), 700, []Group{traces},
			[]string{"panic: boom\n\ngoroutine 1 [running]:\n\tmain.go:1\n[... "}, []string{"not the trace"}, []Kept{{"traces", 1, 1}}},
		{"what is important goes first", strings.Repeat("error a b c d e f g h i j k l m n\n", 100) + "panic: boom\n", 700, []Group{traces, errors}, []string{"panic: boom\n"}, nil, []Kept{{"traces", 1, 1}, {"errors", 100, 1}}},
		{"what is unlike goes before what is alike", strings.Repeat("error 1 of 2\nerror 3 of 4\n", 200) + numbered(201, 210) + "another error\n", 600, []Group{errors}, []string{"another error\n"}, nil, nil},
		{"a piece of a long line", numbered(1, 3) + strings.Repeat("x", 5000) + " error: y " + strings.Repeat("x", 5000) + "\n" + numbered(1, 3), 3000, []Group{errors}, []string{"xxx error: y xxx"}, nil, []Kept{{"errors", 1, 1}}},
		{"other case, other words", "Error: x\nterror\nerrors\n", 600, []Group{errors}, nil, []string{"rror"}, []Kept{{"errors", 0, 0}}},
		{"CRLF", strings.ReplaceAll(numbered(201, 210)+"an error\n"+numbered(211, 220), "\n", "\r\n"), 700, []Group{errors}, []string{"line 0210\r\nan error\r\nline 0211\r\nline 0212\r\n"}, []string{"0213"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := numbered(1, 200) + test.middle + numbered(301, 500)
			e, ok := Cut(text, Options{Bytes: test.bytes, Head: 0.2, Tail: 0.3, Snippets: snippetsOf(t, test.groups...)})
			if !ok || len(e.Text) > test.bytes {
				t.Fatalf("%v, %d bytes", ok, len(e.Text))
			}
			for _, want := range test.has {
				if !strings.Contains(e.Text, want) {
					t.Errorf("no %q in\n%s", want, e.Text)
				}
			}
			for _, not := range test.lacks {
				if strings.Contains(e.Text, not) {
					t.Errorf("%q in\n%s", not, e.Text)
				}
			}
			for i, want := range test.kept {
				if got := e.Snippets[i]; got.Name != want.Name || got.Found != want.Found || got.Kept < want.Kept {
					t.Errorf("got %+v, want %+v", got, want)
				}
			}
		})
	}
}

func TestNewSnippetsRefuses(t *testing.T) {
	for _, test := range []struct {
		group Group
		want  string
	}{
		{Group{Patterns: []string{"("}}, `pattern "(": error parsing regexp: missing closing )`},
		{Group{Patterns: []string{`\d+`}}, `pattern "\\d+" has no text of 2 bytes`},
		{Group{Patterns: []string{`a|error`}}, "has no text of 2 bytes"},
		{Group{Patterns: []string{`.*`}}, "has no text of 2 bytes"},
		{Group{Patterns: []string{""}}, "has no text of 2 bytes"},
		{Group{Patterns: []string{strings.Repeat("a", 1001)}}, "it is longer than 1000 bytes"},
		{Group{Patterns: []string{`(?:error){900}`}}, "it repeats too much"},
		{Group{Patterns: func() (many []string) {
			for i := range 200 {
				many = append(many, strings.Repeat(fmt.Sprintf("%03d", i), 20))
			}
			return many
		}()}, "all patterns together are too large"},
		{Group{Except: slices.Repeat([]string{`.{400}`}, 100)}, "all patterns together are too large"},
		{Group{Except: []string{"["}}, `pattern "["`},
		{Group{Through: "["}, `pattern "["`},
		{Group{Name: "g", Before: 201}, `group "g": before and after are 0 to 200 lines`},
		{Group{Patterns: strings.Split(strings.Repeat("error ", 501), " ")[:501]}, "more than 500 patterns"},
	} {
		if _, err := NewSnippets([]Group{test.group}, free, free); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %q", err, test.want)
		}
	}
	if _, err := NewSnippets(make([]Group, 17), free, free); err == nil {
		t.Error("17 groups were taken")
	}
}

// The work for a hostile text is linear: a text reports at most four times the work of half of it.
func TestWorkIsLinear(t *testing.T) {
	s := snippetsOf(t, Group{Name: "g", Patterns: []string{`error`, `^panic: `, `(?:fail|err)[a-z]*x`, `a.*b.*c.*zz`}, Except: []string{`(a|b)*q`}, Before: 200, After: 200, Through: `.`})
	for name, piece := range map[string]string{
		"one line": "error", "lines": "error\n", "returns": "error\r", "escapes": "\x1b[", "titles": "\x1b]0;", "repetitions": "a zz\n", "digits": "error 1\nerror 2\n", "anchors": "\npanic: ",
	} {
		work := func(n int) (units int) {
			text := strings.Repeat(piece, n)
			spend := func(n int) { units += n }
			squeezed, _ := Squeeze(text, spend)
			for _, text := range []string{text, squeezed} {
				Cut(text, Options{Bytes: 30_000, Lines: 2000, Head: 0.3, Tail: 0.3, Snippets: s, Spend: spend})
			}
			return units
		}
		if half, all := work(100_000), work(200_000); all > 4*half {
			t.Errorf("%s: %d units, %d for half of it", name, all, half)
		}
	}
}

// However many lines need regular expressions, these work for at most some milliseconds, and lines found before
// stay.
func TestRegularExpressionsHaveABudget(t *testing.T) {
	s := snippetsOf(t, Group{Name: "g", Patterns: []string{`(?:a|b|c|d)*error(?:a|b|c|d)*x$`, `^fail \d+x`}})
	var lines strings.Builder
	for i := range 100_000 { // each unlike the others
		lines.WriteString("error ")
		for n := range 20 {
			lines.WriteByte("abcd"[i>>(n%9*2)&3])
		}
		lines.WriteByte('\n')
	}
	text := "an errorx\n" + lines.String() + "fail 12x\n"
	units := 0
	found := find(text, 0, len(text), s, func(n int) { units += n })
	if found[0].count != 2 { // each expression has its own
		t.Errorf("%d lines are found", found[0].count)
	}
	if most := len(text)/16 + 100 + 2*maxSteps/64; units > most {
		t.Errorf("%d units of work, want at most %d", units, most)
	}
}

func FuzzCut(f *testing.F) {
	for _, text := range []string{"", "error\n", "\xff\xfe\r\r\n\x1b[", strings.Repeat("ä error\r\n", 100), numbered(1, 100)} {
		f.Add(text, 50, 3, 30, 40)
	}
	f.Fuzz(func(t *testing.T, text string, bytes, lines, head, tail int) {
		if bytes < 1 || lines < 0 || head < 0 || tail < 0 || head+tail > 100 || lines > 1<<30 || bytes > 1<<30 {
			return
		}
		squeezed, _ := Squeeze(text, nil)
		if len(squeezed) > len(text) {
			t.Fatalf("%d bytes became %d", len(text), len(squeezed))
		}
		e, ok := Cut(text, Options{Bytes: bytes, Lines: lines, Head: float64(head) / 100, Tail: float64(tail) / 100, Snippets: common, Note: "note"})
		if ok && (len(e.Text) >= len(text) || len(e.Text) > bytes || lines > 0 && CountLines(e.Text) > lines) {
			t.Fatalf("%d bytes and %d lines are left of %d bytes", len(e.Text), CountLines(e.Text), len(text))
		}
		if !ok && len(text) > bytes {
			t.Fatalf("%d bytes were left alone", len(text))
		}
	})
}
