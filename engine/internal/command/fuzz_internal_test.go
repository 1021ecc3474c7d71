package command

import (
	"strings"
	"testing"
)

// FuzzQuoteNames: a text that was rewritten is one that has nothing left to rewrite,
// and what is not one of our names stays.
func FuzzQuoteNames(f *testing.F) {
	for _, text := range []string{
		`echo $TOOL_NAME "${EVENT}" '$CWD' ${X:-$MODEL}`, "cat <<E\n$TOOL_NAME\nE\n", "echo `echo $EVENT`", `[[ $EVENT == a ]]`, `echo $(($DEPTH+1))`,
		`read EVENT; $EVENT`, `trap "$EVENT" EXIT`, "a[$EVENT]=1", `export X=$EVENT Y`, "$PROJECT_DIR/x", "x() { local EVENT=$CWD; }", `case x in @($EVENT)) ;; esac`,
		"${", "$", "", "cat <<$EVENT\nx\n$EVENT\n", "echo ${TOOL_NAME", "bash <<<$EVENT", "declare -i x=$EVENT", `perl -e"$EVENT"`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := quoteNames(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: the error %q has more than one line", text, err)
			}
			return
		}
		again, err := quoteNames(got)
		if err != nil || again != got {
			t.Errorf("%q became %q, and that %q, %v", text, got, again, err)
		}
		plain := func(s string) string { return strings.NewReplacer(prefix, "", "{", "", "}", "", `"`, "").Replace(s) }
		if plain(got) != plain(text) {
			t.Errorf("%q became %q", text, got)
		}
	})
}

// FuzzAnswerIn: other text is looked through in bounded time and without a panic.
func FuzzAnswerIn(f *testing.F) {
	for _, text := range []string{"x", `x {"decision":"deny"}`, `{{{{"block":`, `x {"a":{"data":1}} {"data":1}`, "\"halt\" : {"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		key, err := answerIn(text)
		if key != "" && (err != nil || !strings.Contains(text, `"`+key+`"`)) {
			t.Errorf("%q: %q, %v", text, key, err)
		}
	})
}

// FuzzTemplate: text without our names stays as it is.
func FuzzTemplate(f *testing.F) {
	for _, text := range []string{"$TOOL_NAME", "a${EVENT}b$$EVENT", "${", "$$$EVENT", "${EVENT-x}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := parseTemplate(text)
		if err != nil {
			return
		}
		values := map[string]string{}
		for _, v := range variables {
			values[v.name] = "$" + v.name
		}
		plain := func(s string) string { return strings.NewReplacer("{", "", "}", "").Replace(s) }
		if got := parsed.with(values); plain(got) != plain(text) {
			t.Errorf("%q became %q", text, got)
		}
	})
}
