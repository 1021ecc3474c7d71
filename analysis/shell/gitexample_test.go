package shell_test

import (
	"fmt"

	"github.com/luahook/luahook/analysis/shell"
)

// A guard looks at the facts of each command, also of those behind aliases.
func ExampleCommand_Git() {
	for _, text := range []string{
		"git push origin +main",
		"git -c alias.undo='reset --hard' undo HEAD~1",
		"git commit -m 'never git push --force'",
		"git branch -D old; git push --dry-run --mirror",
	} {
		for _, command := range shell.Parse(text, shell.Options{}).Commands {
			if g := command.Git(); g != nil && (g.DiscardsChanges || g.RewritesHistory || g.DeletesRefs) {
				fmt.Println(g.Because)
			}
		}
	}
	// Output:
	// push +main
	// reset --hard HEAD~1
	// branch -D
}
