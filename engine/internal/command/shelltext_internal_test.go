package command

import (
	"strings"
	"testing"
)

func TestQuoteNames(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"none", `echo hi; x=$y "${z:-1}"`, `echo hi; x=$y "${z:-1}"`},
		{"plain", `echo $TOOL_NAME`, `echo "${LUAHOOK_TOOL_NAME}"`},
		{"braces", `echo ${TOOL_NAME}`, `echo "${LUAHOOK_TOOL_NAME}"`},
		{"quoted", `echo "a $TOOL_NAME b"`, `echo "a ${LUAHOOK_TOOL_NAME} b"`},
		{"quoted, then letters", `echo "${TOOL_NAME}s $TOOL_NAME-x"`, `echo "${LUAHOOK_TOOL_NAME}s ${LUAHOOK_TOOL_NAME}-x"`},
		{"with the prefix", `echo $LUAHOOK_TOOL_NAME "$LUAHOOK_TOOL_NAME"`, `echo "${LUAHOOK_TOOL_NAME}" "$LUAHOOK_TOOL_NAME"`},
		{"within a word", `echo a$TOOL_NAME'b'${EVENT}c`, `echo a"${LUAHOOK_TOOL_NAME}"'b'"${LUAHOOK_EVENT}"c`},
		{"single quotes", `echo '$TOOL_NAME' $TOOL_NAME`, `echo '$TOOL_NAME' "${LUAHOOK_TOOL_NAME}"`},
		{"comment", "echo $TOOL_NAME # $TOOL_NAME", "echo \"${LUAHOOK_TOOL_NAME}\" # $TOOL_NAME"},
		{"escaped", `echo \$TOOL_NAME "\$TOOL_NAME" $EVENT`, `echo \$TOOL_NAME "\$TOOL_NAME" "${LUAHOOK_EVENT}"`},
		{"a longer name", `echo $TOOL_NAMES $EVENT`, `echo $TOOL_NAMES "${LUAHOOK_EVENT}"`},
		{"substitution in quotes", `echo "$(printf %s $TOOL_NAME)"`, `echo "$(printf %s "${LUAHOOK_TOOL_NAME}")"`},
		{"here-document", "cat <<E\n$TOOL_NAME $(echo $TOOL_NAME)\nE\n", "cat <<E\n${LUAHOOK_TOOL_NAME} $(echo \"${LUAHOOK_TOOL_NAME}\")\nE\n"},
		{"quoted here-document", "cat <<'E'\n$TOOL_NAME\nE\necho $EVENT", "cat <<'E'\n$TOOL_NAME\nE\necho \"${LUAHOOK_EVENT}\""},
		{"here-document with tabs", "cat <<-E\n\t$TOOL_NAME\n\tE\n", "cat <<-E\n\t${LUAHOOK_TOOL_NAME}\n\tE\n"},
		{"default", `echo ${X:-$TOOL_NAME} "${X:-$TOOL_NAME}"`, `echo ${X:-"${LUAHOOK_TOOL_NAME}"} "${X:-${LUAHOOK_TOOL_NAME}}"`},
		{"redirection", `echo >$CWD/log 2>"$CWD/err"`, `echo >"${LUAHOOK_CWD}"/log 2>"${LUAHOOK_CWD}/err"`},
		{"assignment", `x=$TOOL_NAME y="$TOOL_NAME" env`, `x="${LUAHOOK_TOOL_NAME}" y="${LUAHOOK_TOOL_NAME}" env`},
		{"export", `export X=$TOOL_NAME`, `export X="${LUAHOOK_TOOL_NAME}"`},
		{"case", `case $TOOL_NAME in $EVENT|"$MODEL") echo;; esac`, `case "${LUAHOOK_TOOL_NAME}" in "${LUAHOOK_EVENT}"|"${LUAHOOK_MODEL}") echo;; esac`},
		{"for", `for x in $TOOL_NAME; do echo $x; done`, `for x in "${LUAHOOK_TOOL_NAME}"; do echo $x; done`},
		{"function", `f() { echo $TOOL_NAME; }; f`, `f() { echo "${LUAHOOK_TOOL_NAME}"; }; f`},
		{"the project's program", `$PROJECT_DIR/.hooks/check.sh $TOOL_NAME`, `"${LUAHOOK_PROJECT_DIR}"/.hooks/check.sh "${LUAHOOK_TOOL_NAME}"`},
		{"numbers are counted with", `exit $((DEPTH0 + $DEPTH))`, `exit $((DEPTH0 + ${LUAHOOK_DEPTH}))`},
		{"bash only", `[[ $TOOL_NAME == bash ]] && a=($TOOL_NAME) && cat <<<$EVENT`, `[[ "${LUAHOOK_TOOL_NAME}" == bash ]] && a=("${LUAHOOK_TOOL_NAME}") && cat <<<"${LUAHOOK_EVENT}"`},
		{"an argument of a script", `sh -c 'echo "$1"' sh $TOOL_NAME`, `sh -c 'echo "$1"' sh "${LUAHOOK_TOOL_NAME}"`},
		{"an option of a script file", `bash check.sh -c $TOOL_NAME`, `bash check.sh -c "${LUAHOOK_TOOL_NAME}"`},
		{"an argument of a script file", `python3 check.py -x $TOOL_NAME`, `python3 check.py -x "${LUAHOOK_TOOL_NAME}"`},
		{"stdin of a script file", "python3 check.py <<E\n$TOOL_NAME\nE", "python3 check.py <<E\n${LUAHOOK_TOOL_NAME}\nE"},
		{"the author's own eval", `eval "$LUAHOOK_TOOL_COMMAND"`, `eval "$LUAHOOK_TOOL_COMMAND"`},
		{"printf", `printf '%s\n' $TOOL_NAME`, `printf '%s\n' "${LUAHOOK_TOOL_NAME}"`},
		{"runes before it", `echo "äöü🙂" $TOOL_NAME`, `echo "äöü🙂" "${LUAHOOK_TOOL_NAME}"`},
		{"set by itself", `MODEL=x; echo $MODEL $EVENT`, `MODEL=x; echo $MODEL "${LUAHOOK_EVENT}"`},
		{"set for one command", `MODEL=x echo $MODEL`, `MODEL=x echo $MODEL`},
		{"read", `read -r EVENT MODEL; echo $EVENT $MODEL $CWD`, `read -r EVENT MODEL; echo $EVENT $MODEL "${LUAHOOK_CWD}"`},
		{"loop variable", `for HOOK in a b; do echo $HOOK; done`, `for HOOK in a b; do echo $HOOK; done`},
		{"local", `f() { local CWD; CWD2=$CWD; }`, `f() { local CWD; CWD2=$CWD; }`},
		{"exported", `export CWD; echo $CWD`, `export CWD; echo $CWD`},
		{"assigned default", `: ${MODEL:=x}; echo $MODEL`, `: ${MODEL:=x}; echo $MODEL`},
		{"printf -v", `printf -v MODEL %s x; echo $MODEL`, `printf -v MODEL %s x; echo $MODEL`},
		{"counted", `((DEPTH += 1)); echo $DEPTH`, `((DEPTH += 1)); echo $DEPTH`},
		{"not readable, and none of ours", `if ( then ) ) $x`, `if ( then ) ) $x`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := quoteNames(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
			}
		})
	}
}

func TestQuoteNamesRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"not readable", "echo hi\necho $TOOL_NAME | | x", "2:17: "},
		{"not closed", `echo "$TOOL_NAME`, "1:6: "},
		{"operator", `echo ${TOOL_COMMAND#sudo }`, "1:6: only $TOOL_COMMAND and ${TOOL_COMMAND} are replaced; write ${LUAHOOK_TOOL_COMMAND#sudo }"},
		{"default", `echo "${MODEL:-none}"`, "write ${LUAHOOK_MODEL:-none}"},
		{"length", `echo ${#TOOL_COMMAND}`, "write ${#LUAHOOK_TOOL_COMMAND}"},
		{"bash's operator", `echo ${TOOL_COMMAND/a/b}`, "write ${LUAHOOK_TOOL_COMMAND/a/b}"},
		{"backquotes", "echo `echo $TOOL_NAME`", "write $(...)"},
		{"backquotes in quotes", "echo \"`echo \"$TOOL_NAME\"`\"", "write $(...)"},
		{"arithmetic", `echo $(($TOOL_NAME + 1))`, "1:9: $TOOL_NAME would be evaluated here"},
		{"arithmetic in quotes", `echo "$(("$TOOL_NAME" + 1))"`, "would be evaluated here"},
		{"arithmetic command", `(($TOOL_NAME > 1))`, "$TOOL_NAME"},
		{"old arithmetic", `echo $[$TOOL_NAME]`, "$TOOL_NAME"},
		{"index", `echo ${a[$TOOL_NAME]}`, "would be evaluated here"},
		{"index that is set", `a[$TOOL_NAME]=1`, "$TOOL_NAME"},
		{"slice", `echo ${a:$TOOL_NAME}`, "would be evaluated here"},
		{"let", `let x=$TOOL_NAME`, "$TOOL_NAME would be evaluated"},
		{"comparison of numbers", `[[ 1 -eq $TOOL_NAME ]]`, "$TOOL_NAME would be evaluated"},
		{"comparison of quoted numbers", `[[ "$TOOL_NAME" -eq 1 ]]`, "$TOOL_NAME would be evaluated"},
		{"is it set", `[[ -v $TOOL_NAME ]]`, "$TOOL_NAME would be evaluated"},
		{"is it set, test", `test -v "$TOOL_NAME"`, "$TOOL_NAME would be evaluated"},
		{"integer", `declare -i x=$TOOL_NAME`, "$TOOL_NAME would be evaluated"},
		{"name of a declaration", `export $TOOL_NAME=1`, "$TOOL_NAME would say which variable"},
		{"read", `read $TOOL_NAME`, "$TOOL_NAME would be evaluated"},
		{"printf -v", `printf -v $TOOL_NAME x`, "$TOOL_NAME would be evaluated"},
		{"unset", `unset "$TOOL_NAME"`, "$TOOL_NAME would be evaluated"},
		{"eval", `eval "echo $TOOL_NAME"`, "1:6: $TOOL_NAME would be run by eval"},
		{"eval behind command", `command eval $TOOL_NAME`, "would be run by eval"},
		{"trap", `trap "echo $TOOL_NAME" EXIT`, "would be run by trap"},
		{"ssh", `ssh host rm $TOOL_PATH`, "would be run by ssh"},
		{"sh -c", `sh -c "echo $TOOL_NAME"`, "let that text read $LUAHOOK_TOOL_NAME from the environment, in single quotes"},
		{"sh -c in single quotes", `sh -c 'echo $TOOL_NAME'`, "read $LUAHOOK_TOOL_NAME"},
		{"bash with options", `/bin/bash -eu -c "echo $TOOL_NAME"`, "would be run by /bin/bash"},
		{"an option with a value", `bash -o pipefail -c "echo $TOOL_NAME"`, "would be run by bash"},
		{"behind others", `env X=1 timeout 5 bash -c "echo $TOOL_NAME"`, "would be run by bash"},
		{"python", `python3.12 -c "print('$TOOL_NAME')"`, "would be run by python3.12"},
		{"perl", `perl -e"print '$TOOL_NAME'"`, "would be run by perl"},
		{"node", `node --eval "x('$TOOL_NAME')"`, "would be run by node"},
		{"a shell's stdin", "sh <<E\necho $TOOL_NAME\nE\n", "would be run by sh"},
		{"a shell's stdin with arguments", "bash -s x <<E\necho $TOOL_NAME\nE\n", "would be run by bash"},
		{"here-string", `bash <<<"echo $TOOL_NAME"`, "would be run by bash"},
		{"program", `$TOOL_COMMAND --version`, "1:1: the event would say which program is run here, as $TOOL_COMMAND"},
		{"program behind exec", `exec "$TOOL_PATH"`, "which program"},
		{"program in a pipe", `true | ./$TOOL_NAME`, "which program"},
		{"sourced file", `. "$TOOL_PATH"`, "which file is run"},
		{"pattern list", `[[ x == @($TOOL_NAME|y) ]]`, "isn't replaced in a pattern list"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := quoteNames(c.text)
			if err == nil {
				t.Fatalf("%s\nbecame %s, want an error", c.text, got)
			}
			if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s\n got %s\nwant %s", c.text, err, c.want)
			}
		})
	}
}

func TestTemplate(t *testing.T) {
	values := map[string]string{"TOOL_NAME": "a $EVENT b", "EVENT": "e"}
	for text, want := range map[string]string{
		"":                         "",
		"plain $ text":             "plain $ text",
		"$TOOL_NAME":               "a $EVENT b",
		"x${TOOL_NAME}y$EVENT.":    "xa $EVENT bye.",
		"$$TOOL_NAME $$":           "$$TOOL_NAME $$",
		"$TOOL_NAMES ${UNKNOWN} $": "$TOOL_NAMES ${UNKNOWN} $",
		"$LUAHOOK_TOOL_NAME":       "$LUAHOOK_TOOL_NAME",
		"${EVENT":                  "error",
		"${EVENT:-x}":              "error",
	} {
		parsed, err := parseTemplate(text)
		got := parsed.with(values)
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%q: got %q (%v), want %q", text, got, err, want)
		}
	}
}

func TestAnswerIn(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "",
		"all is well {":                        "",
		"loading...\n{\"decision\":\"deny\"}":  "decision",
		"loading... {\"block\" : true} done":   "block",
		"{oops {\"halt\":true}":                "halt",
		"x {\"a\":{\"decision\":\"deny\"}}":    "",
		"x {\"a\":1} {\"decision\":\"allow\"}": "decision",
		"x {\"level\":\"info\",\"data\":{}}":   "",
		"x {\"data\":{}}":                      "data",
		"x {\"reason\":\"because\",\"input\":{}, \"decision\":0}": "decision",
		"the key \"decision\": is a word":                         "",
	} {
		if got, err := answerIn(text); got != want || err != nil {
			t.Errorf("%q: got %q, %v; want %q", text, got, err, want)
		}
	}
	if _, err := answerIn("x " + strings.Repeat(`{"block":`, 100000)); err == nil {
		t.Error("no error for a text that takes too long to look through")
	}
}

func TestLastLines(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		"one\n":                  "one",
		"1\n2\n\n3\n4\n":         "2 / 3 / 4",
		"\x1b[31mred\x1b[0m":     "[31mred [0m",
		strings.Repeat("ä", 500): "..." + strings.Repeat("ä", 250),
	} {
		if got := lastLines(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
