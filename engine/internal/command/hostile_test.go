package command_test

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/engine/internal/command"
)

// TestHostileValuesAreNoPrograms has programs that would run the value of a variable:
// as text of their own language, or as the program to start.
func TestHostileValuesAreNoPrograms(t *testing.T) {
	for _, text := range []string{
		`awk "BEGIN { x = \"$TOOL_COMMAND\" }"`, `echo a | gawk -F: "/$TOOL_NAME/"`, `/usr/bin/awk -v a=b "$TOOL_NAME"`, `awk -f $TOOL_PATH x`,
		`echo a | sed "s/a/$TOOL_COMMAND/"`, `sed -n -e p -e "$TOOL_COMMAND" file`, `sed -i"$TOOL_NAME" s/a/b/ file`, `sed -E "s/$TOOL_NAME//"`,
		`make lint FILE=$TOOL_PATH`, `make $TOOL_NAME`, `timeout 5 make X="$TOOL_COMMAND"`, `timeout 5 env A=b make $TOOL_NAME`, `find . -exec make X=$TOOL_NAME ';'`,
		`env $TOOL_NAME`, `env -i A=b $TOOL_NAME x`, `timeout 5s $TOOL_NAME`, `nice -n 5 $TOOL_NAME`, `sudo -n "$TOOL_COMMAND"`, `echo a | xargs $TOOL_NAME`,
		`find . -exec $TOOL_NAME ';'`, `watch "$TOOL_COMMAND"`,
	} {
		if _, err := command.New(text, nil); err == nil || !strings.Contains(err.Error(), "run by") {
			t.Errorf("%s\nloads: %v", text, err)
		}
	}
	for _, args := range [][]string{{"env", "$TOOL_NAME"}, {"awk", "/$TOOL_NAME/", "x"}, {"make", "X=$TOOL_PATH"}} {
		if _, err := command.New(args[0], args[1:]); err == nil {
			t.Errorf("%q loads", args)
		}
	}
	for _, text := range []string{
		`awk -v name="$TOOL_NAME" '$1 == name' file`, `awk '{ print }' "$TOOL_PATH"`, `awk -v "x=$TOOL_NAME" -f rules.awk $TOOL_PATH`, `awk -F: 1 $TOOL_PATH`,
		`sed -n p "$TOOL_PATH"`, `sed -n -e p $TOOL_PATH`, `sed -i s/a/b/ $TOOL_PATH`, `sed -e s/a/b/ -- $TOOL_PATH`,
		`env NAME=$TOOL_NAME check`, `timeout 5 check $TOOL_NAME`, `xargs grep $TOOL_NAME`, `sudo -n check "$TOOL_COMMAND"`, `find . -name "$TOOL_NAME" -exec check '{}' ';'`,
		`echo make $TOOL_NAME`, `grep env $TOOL_PATH`, `timeout 5 env A=b grep make $TOOL_PATH`,
	} {
		if _, err := command.New(text, nil); err != nil {
			t.Errorf("%s\n%v", text, err)
		}
	}
}
