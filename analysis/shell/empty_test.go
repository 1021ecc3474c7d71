package shell_test

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/analysis/shell/programs"
)

// Words that are empty name no file, and are no reason to fail.
func TestEmptyWords(t *testing.T) {
	options := strings.Fields("-a -b -c -C -d -D -e -f -F -h -i -I -k -l -m -n -o -O -p -P -q -r -R -s -S -t -T -u -v -w -x -X -z " +
		"--output --file --directory --target-directory --prefix --delete --exclude --to --from --chdir --extract --create --in-place")
	tried := 0
	for _, name := range programs.Names() {
		lines := []string{name + ` ""`, name + ` "" ""`, name + ` a ""`, name + ` "" a`, name + ` a b ""`, name + ` "" -- ""`}
		for _, option := range options {
			lines = append(lines, name+" "+option+` ""`, name+" "+option+` a ""`, name+" "+option+` "" ""`, name+" "+option+`= ""`)
		}
		for _, line := range lines {
			for _, c := range shell.Parse(line, shell.Options{Cwd: "/w", Home: "/h"}).Commands {
				c.Paths()
				tried++
			}
		}
	}
	if tried < 10_000 {
		t.Errorf("only %d commands were tried", tried)
	}
}
