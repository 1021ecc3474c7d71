package shell_test

import (
	"fmt"
	"strings"

	"github.com/luahook/luahook/analysis/shell"
)

func ExampleParse() {
	line := shell.Parse(`echo "rm -rf /" && sudo sh -c 'rm -rf "$DIR"'`, shell.Options{})
	for _, command := range line.Commands {
		fmt.Printf("%s via %q\n", command.Name, command.Via)
	}
	// Output:
	// echo via []
	// sudo via []
	// sh via ["sudo"]
	// rm via ["sudo" "sh -c"]
}

// A guard has to look at what isn't known, too.
func ExampleLine() {
	for _, text := range []string{`$TOOL x`, `echo 'x`, strings.Repeat("(", 50_000)} {
		line := shell.Parse(text, shell.Options{})
		switch {
		case line.TooComplex:
			fmt.Println("too complex")
		case line.Err != nil:
			fmt.Println("invalid:", line.Err)
		case line.Commands[0].NameDynamic:
			fmt.Println("only known when it runs:", line.Commands[0].Path)
		}
	}
	// Output:
	// only known when it runs: $TOOL
	// invalid: 1:6: reached EOF without closing quote `'`
	// too complex
}

func ExampleCommand_Flag() {
	push := shell.Parse("git -C /src push --force-with-lease origin main", shell.Options{}).Commands[0]
	_, forced := push.Flag("-f", "--force")
	_, leased := push.Flag("--force-with-lease")
	dir, _ := push.Flag("-C")
	fmt.Println(push.Subcommand(), forced, leased, dir)
	// Output: push false true /src
}

// What a later option takes back doesn't hold.
func ExampleCommand_Flag_last() {
	for _, text := range []string{"rm -rf x", "rm -rfi x", "mv -i -f a b", "rm --rec --fo x"} {
		_, force := shell.Parse(text, shell.Options{}).Commands[0].Flag("-f", "--force")
		fmt.Println(text, force)
	}
	// Output:
	// rm -rf x true
	// rm -rfi x false
	// mv -i -f a b true
	// rm --rec --fo x true
}

func ExampleCommand_Paths() {
	options := shell.Options{Cwd: "/work/app", Home: "/home/me"}
	line := shell.Parse(`cd .. && mv build/*.o ~/old 2> log; rm -rf "$UNKNOWN"/x`, options)
	for _, command := range line.Commands {
		for _, path := range command.Paths() {
			fmt.Println(command.Name, path.Access, path.Text, path.Glob, path.Dynamic)
		}
	}
	// Output:
	// cd read /work false false
	// mv delete /work/build/*.o true false
	// mv write /home/me/old false false
	// mv write /work/log false false
	// rm delete $UNKNOWN/x false true
}

func ExampleCommand_Operands() {
	rm := shell.Parse("rm -rf build *.log -- -x", shell.Options{}).Commands[0]
	for _, word := range rm.Operands() {
		fmt.Println(word.Text, word.Glob)
	}
	// Output:
	// build false
	// *.log true
	// -x false
}

func ExampleQuote() {
	text := shell.Quote("grep", "it's", "a file")
	words, _ := shell.Split(text)
	fmt.Println(text, len(words))
	// Output: grep 'it'\''s' 'a file' 3
}

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
