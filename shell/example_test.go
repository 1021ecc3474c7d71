package shell_test

import (
	"fmt"
	"strings"

	"github.com/luahook/luahook/shell"
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
