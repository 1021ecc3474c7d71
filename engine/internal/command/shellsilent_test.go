package command_test

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/engine/internal/command"
)

// What would make a guard agree to everything without a word is an error when it loads.
func TestTextsThatWouldApprove(t *testing.T) {
	for text, want := range map[string]string{
		`if [[ $TOOL_COMMAND == rm* ]]; then exit 2; fi`:       "1:4: sh has no [[",
		`true && (( x > 3 )) && exit 2`:                        "sh has no ((",
		`case $TOOL_COMAND in rm*) exit 2;; esac`:              `1:6: there is no variable TOOL_COMAND; did you mean "TOOL_COMMAND"?`,
		`case $LUAHOOK_TOOL_COMAND in rm*) exit 2;; esac`:      `there is no variable LUAHOOK_TOOL_COMAND; did you mean "LUAHOOK_TOOL_COMMAND"?`,
		`echo "${TOOL_INPUT}"`:                                 "there is no variable TOOL_INPUT",
		`if then`:                                              "1:1: ",
		`echo 'unfinished`:                                     "1:6: ",
		`TOOL_DIR=x; echo $TOOL_DIR`:                           "",
		`echo $TOOLS $MY_TOOL_NAME $LUAHOOK_MANAGED '$TOOL_X'`: "",
		`bash -c '[[ -n $LUAHOOK_TOOL_NAME ]]'`:                "",
		`[ "$TOOL_NAME" = bash ] && echo $((1 + 2))`:           "",
		`diff <(echo a) <(echo b)`:                             "", // sh says so itself
		"echo \xff":                                            "",
	} {
		_, err := command.New(text, nil)
		if got := message(err); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", text, got, want)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
