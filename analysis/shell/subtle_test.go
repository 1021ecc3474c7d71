package shell

import "testing"

// subtleCases are lines in which a shell does something else than a quick look
// says, with what they run, as showRuns writes it.
var subtleCases = []struct{ text, want string }{
	// What is run while a value is looked for that isn't there.
	{`: ${x:?$(wipe /)}`, "wipe /"},
	{`: ${!x:-$(wipe /)}`, "wipe /"},
	{`: ${#a[$(wipe /)]}`, "wipe /"},
	{`x=$(now); : ${x#$(wipe /)}`, "now; wipe /"},

	// Options of builtins.
	{`bash -c 'set -euo pipefail; rm "$1"' x /`, "rm /"},
	{`bash -c 'set -o pipefail -- rm /; "$@"'`, "rm /"},
	{`X=wipe; printf -vX rm; $X /`, "rm /"},
	{`a=wipe; printf -v 'a[0]' rm; $a /`, "?$a /"},
	{`echo -e -n '\x72m /' | sh`, "rm /"},
	{`echo -e -E '\x72m /' | sh`, "x72m /"},
	{`declare -i x; declare +i x; x=rm; $x /`, "?$x /"},
	{`declare -i x; unset x; x=rm; $x /`, "?$x /"},
	{`declare -i x; bash -c 'x=rm; $x /'`, "rm /"},
	{`f=1; f() { rm $1; }; f /a; unset f; f /b`, "rm /a; rm /b"},

	// Folders.
	{`cd /; pushd -n /x; rm a`, "rm a in /"},
	{`cd /x; pushd /; popd -n; rm a`, "rm a in /"},
	{`cd /x; pushd /; popd +0; rm a`, "rm a in \"?\""},
	{`cd /x; pushd /; dirs -c; popd; rm a`, `dirs -c in /; rm a in "?"`},
	{`cd /; /usr/bin/cd /x; rm a`, "rm a in /"},
	{`PWD=/x; cd /; rm $PWD/a`, "rm $PWD/a* in /"},
	{`cd /; PWD=/x bash -c 'rm $PWD/a'`, "rm //a in /"},

	// What a shell of its own gets.
	{`export IFS=,; sh -c 'X="rm /"; $X'`, "rm /"},
	{`f() { sh -c '$X /'; }; X=rm f`, "rm /"},
	{`f() { bash /dev/fd/3; }; f 3<<<'rm /'`, "rm /"},

	// Traps.
	{`trap 'rm /' EXIT; trap - INT`, "rm /"},
	{`trap 'rm /' EXIT; false && trap - EXIT`, "rm /"},
	{`trap 'rm /' EXIT; trap - EXIT`, ""},

	// Ways through a line.
	{`D=/; case $x in a) D=/a ;& b) rm $D;; esac`, "rm /; rm /a"},
	{`case $x in a) D=/ ;;& b) D=/b ;; *) D=/c; esac; rm $D`, "rm /; rm /b; rm /c"},
	{"while read x && [ $x != b ]; do D=/$x; done <<< $'a\\nb'; rm $D", "rm $D*; rm /a; rm /b"},
	{`for x in '$y' "$y"; do $x /; done`, "$y /; ?$y /"},
	{`alias sudo=wipe; sudo rm /`, "sudo rm /; rm /; wipe rm /"},
	{`if t; then for v in a b; do [ $v ] || continue; done; D=/; else D=/x; fi; rm $D`, "t; rm /; rm /x"},

	{`for i in a b; do [ $x = 1 ] && D=/1 && break; [ $x = 2 ] && D=/2 && break; [ $x = 3 ] && D=/3 && break; [ $x = 4 ] && D=/4 && break; [ $x = 5 ] && D=/5 && break; [ $x = 6 ] && D=/6 && break; [ $x = 7 ] && D=/7 && break; [ $x = 8 ] && D=/8 && break; [ $x = 9 ] && D=/9 && break; [ $x = 10 ] && D=/10 && break; done; rm $D`, "rm /1; rm /2; rm /3; rm /4; rm /5; rm /6; rm /7; rm $D*"},
	// Descriptors.
	{`echo rm / >&1 | sh`, "rm /"},
	{`{ echo rm / >&2; } 2>&1 | sh`, "rm /"},
	{`echo rm / >&2 |& sh`, "rm /"},
	{`{ echo rm / >&3; } 3>&1 | sh`, "rm /"},
	{`echo rm / 2>&1 >&2 | sh`, "rm /"},
	{`echo rm / >&2 | sh`, ""},
	{`x=$(echo a >&2; echo b); rm $x`, "rm b"},
	{`echo rm / > >(sh)`, "?"},

	// Files that the line wrote.
	{`ln -s /bin/rm foo; ./foo -rf /`, "ln -s /bin/rm foo; foo -rf /; rm -rf /"},
	{`cp /bin/rm d/; d/rm -rf /`, "rm -rf /; rm -rf /"},
	{`cp /etc/hosts foo; cat foo | sh`, "?"},
	{`echo rm / >& x; sh x`, "rm /"},
	{`{ echo rm / >&2; } > x 2>&1; sh x`, "rm /"},
	{`if t; then D=/a; else D=/b; fi; echo rm $D > x; sh x`, "t; rm /a; rm /b"},
	{`if t; then echo rm a > x; else echo rm b > x; fi; cp x y; sh y`, "t; rm a; rm b"},
	{`if t; then F=x; else F=y; fi; echo wipe > x; rm $F; sh x`, "t; rm x; rm y; wipe"},
	{`echo rm / > x; tee -a x <<< wipe; sh x`, "rm /; wipe"},
	{`echo wipe > x; sed -i s/wipe/rm/ x; sh x`, "sed -i s/wipe/rm/ x; wipe; ?"},
	{`install -m755 /dev/stdin x <<< 'rm /'; ./x`, "install -m755 /dev/stdin x; x; rm /"},
	{`cp <(echo rm /) x; sh x`, "rm /"},
}

func TestSubtle(t *testing.T) {
	for _, c := range subtleCases {
		if got := showRuns(Parse(c.text, Options{Cwd: "/work", Home: "/home/me"})); got != c.want {
			t.Errorf("%s:\n\t%s\nwant\t%s", c.text, got, c.want)
		}
	}
}

// TestHomePassedOn checks that a home folder that isn't known stays one in the
// output of a program.
func TestHomePassedOn(t *testing.T) {
	for _, text := range []string{"rm $(echo ~/x)", `rm "$(printf %s ~/x)"`, "echo ~/x | { read y; rm $y; }"} {
		line := Parse(text, Options{})
		last := line.Commands[len(line.Commands)-1]
		if got := last.Args[0]; got.Text != "~/x" || !got.Home {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// TestPositionOfFile checks that what a file runs that the line wrote is where
// the file is run.
func TestPositionOfFile(t *testing.T) {
	for _, text := range []string{"echo rm / > x\nsh x", "curl -o x u\nsh x"} {
		line := Parse(text, Options{})
		if last := line.Commands[len(line.Commands)-1]; last.Line != 2 || last.Column != 1 {
			t.Errorf("%s: %d:%d", text, last.Line, last.Column)
		}
	}
}
