package sql

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/analysis/shell"
)

func TestParse(t *testing.T) {
	for _, list := range [][]struct{ text, want string }{parseCases, harmlessCases} {
		for _, c := range list {
			if got := show(Parse(c.text, Options{}).Statements); got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
			}
		}
	}
}

func TestParseDialect(t *testing.T) {
	for _, c := range dialectCases {
		if got := show(Parse(c.text, Options{Dialect: c.dialect}).Statements); got != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", c.dialect, c.text, got, c.want)
		}
	}
}

func TestParseDynamic(t *testing.T) {
	for _, c := range dynamicCases {
		if got := show(Parse(c.text, Options{Dynamic: true}).Statements); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestUnknownDialect holds an unknown name of a dialect against none.
func TestUnknownDialect(t *testing.T) {
	if got := show(Parse("DROP TABLE `x`", Options{Dialect: "db9"}).Statements); got != "DROP TABLE x" {
		t.Errorf("got %s", got)
	}
}

// TestTooComplex gives texts over the bounds: what isn't read is said so, last.
func TestTooComplex(t *testing.T) {
	nested := "DROP TABLE x"
	for range maxNested + 1 {
		nested = "EXECUTE IMMEDIATE '" + strings.ReplaceAll(nested, "'", "''") + "'"
	}
	for name, text := range map[string]string{
		"long": strings.Repeat(" ", maxText+1), "deep": nested,
		"many": strings.Repeat("USE a;", maxStatements+1),
	} {
		script := Parse(text, Options{})
		if len(text) > maxText && !script.TooComplex {
			t.Errorf("%s: not too complex", name)
		}
		last := script.Statements[len(script.Statements)-1]
		if script.TooComplex != (last.Verb == "" && last.Dynamic) {
			t.Errorf("%s: too complex %v, and last %s", name, script.TooComplex, show(script.Statements[len(script.Statements)-1:]))
		}
		if name == "deep" && !script.TooComplex || name == "many" && !script.TooComplex {
			t.Errorf("%s: it was read to its end", name)
		}
	}
}

// TestLongTexts reads what a hostile text may be made of, to its end.
func TestLongTexts(t *testing.T) {
	for _, piece := range hostile {
		text := strings.Repeat(piece, 8_000/len(piece)) + "\n;DROP TABLE x"
		for _, dialect := range []Dialect{Unknown, MySQL, Postgres, SQLServer} {
			script := Parse(text, Options{Dialect: dialect, Dynamic: true})
			if !script.TooComplex && len(script.Statements) == 0 && strings.Trim(piece, " ;\n") != "" && !open(text, dialect) {
				t.Errorf("%s: %q gives nothing", dialect, piece)
			}
		}
	}
}

// open reports whether the text ends within a quotation or a comment.
func open(text string, dialect Dialect) bool { return scan(text, dialect, true).broken }

var hostile = []string{
	"(", ")", "'", "''", `"`, "`", "[", "$", "$$", "$a$", "$(", "${", "{", "{{", "/*", "/*!", "*/", "--", "-- x\n", "#", `\`, `\g`, ";", "a.", "a,", "x;",
	"DROP TABLE ", "DROP TABLE a, ", "DELETE FROM ", "DELETE a FROM ", "UPDATE a, ", "UPDATE a SET ", "WITH x AS (", "SELECT (", "EXECUTE a ", "EXECUTE ('a' ||", "EXEC(", "CREATE FUNCTION f() AS ",
	"CREATE TRIGGER t BEGIN ", "BEGIN ", "CASE ", "END ", "EXPLAIN ", "EXPLAIN (", "GRANT ", "GRANT a ON ", "GRANT a, ", "WHERE NOT ", "WHERE (", "DELETE FROM t WHERE ((((1=1)))) OR ", "SET @a = 'b' ", "@a = ",
	"DO 'DO ''x'''; ", "DELIMITER x\n", "GO\n", "/\n", ".x\n", "\x00", "\xff", "é", "IF EXISTS ", "ALTER TABLE t DROP a, ", "PREPARE a AS ", "IDENTIFIER(", "q'[", "x'", "E'\\",
}

func FuzzParse(f *testing.F) {
	for _, c := range parseCases {
		f.Add(c.text, "", true)
	}
	for _, c := range dialectCases {
		f.Add(c.text, string(c.dialect), false)
	}
	for _, piece := range hostile {
		f.Add(strings.Repeat(piece, 20), "", false)
	}
	f.Fuzz(func(t *testing.T, text, dialect string, dynamic bool) {
		script := Parse(text, Options{Dialect: Dialect(dialect), Dynamic: dynamic})
		for _, s := range script.Statements {
			if s.Verb != strings.ToUpper(s.Verb) || s.WhereAlways && !s.HasWhere {
				t.Errorf("%q: %+v", text, s)
			}
		}
		// What is in a string is data, wherever it stands.
		quoted := "SELECT '" + strings.NewReplacer("'", "''", `\`, "").Replace(text) + "'"
		if got := show(Parse(quoted, Options{Dialect: Postgres}).Statements); len(quoted) <= maxText && got != "SELECT" {
			t.Errorf("%q: %s", quoted, got)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	rows := strings.Repeat("INSERT INTO log (a, b) VALUES (1, 'it''s a row of some length');\n", 1000)
	for name, text := range map[string]string{
		"typical": "DELETE FROM users WHERE created_at < now() - interval '30 days'",
		"16 KiB":  rows[:16<<10], "32 KiB": rows[:32<<10], "64 KiB": (rows + rows)[:maxText],
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parse(text, Options{})
			}
		})
	}
}

func BenchmarkInCommand(b *testing.B) {
	for name, text := range map[string]string{
		"client":  `psql -h db -U app -c "DELETE FROM users WHERE id = 1" shop`,
		"another": `git commit -m "DROP TABLE users"`,
	} {
		command := shell.Parse(text, shell.Options{}).Commands[0]
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				InCommand(command)
			}
		})
	}
}

// show writes statements in a short form: "DELETE TABLE users where; ...". A "?"
// stands for a verb that isn't understood, and "*" marks what is dynamic.
func show(statements []*Statement) string {
	var all []string
	for _, s := range statements {
		words := []string{s.Verb}
		if s.Verb == "" {
			words[0] = "?"
		}
		if s.Dynamic {
			words[0] += "*"
		}
		add := func(word string, on bool) {
			if on && word != "" {
				words = append(words, word)
			}
		}
		add(s.Object, true)
		add(strings.Join(s.Names, ","), true)
		add("("+s.Action+")", s.Action != "")
		add("where", s.HasWhere)
		add("always", s.WhereAlways)
		add("limit", s.HasLimit)
		add("ifexists", s.IfExists)
		add("cascade", s.Cascade)
		add("explain", s.Explain)
		add("stored", s.Stored)
		all = append(all, strings.Join(words, " "))
	}
	return strings.Join(all, "; ")
}
