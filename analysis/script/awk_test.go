package script

import "testing"

var awkCases = []programCase{

	// A shell is run.
	{`BEGIN { system("rm -rf /") }`, `system:shell "rm -rf /"`},
	{`BEGIN { system ("rm x") }`, `system:shell "rm x"`},
	{`BEGIN { "rm -rf /" | getline }`, `| getline:shell "rm -rf /"`},
	{`BEGIN { "date" | getline line; print line }`, "| getline:shell date"},
	{`BEGIN { while (("ls " d) | getline f) print f }`, `| getline:shell "ls "`},
	{`BEGIN { print "rm -rf /" | "sh" }`, `print |:shell sh <"rm -rf /\n"`},
	{`BEGIN { print "git reset " "--hard" | "/bin/sh"; print "ls" | "/bin/sh"; close("/bin/sh") }`, `print |:shell /bin/sh <"git reset --hard\nls\n"`},
	{`BEGIN { printf "rm %s\n", "x" | "sh" }`, `printf |:shell sh <"rm x\n"`},
	{`{ print $1 | "sort -u" }`, `print |:shell "sort -u" <"{$1}\n"*`},
	{`{ print | "sh" }`, `print |:shell sh <"{$0}\n"*`},
	{`BEGIN { print "x" |& "cmd"; "cmd" |& getline y }`, `print |&:shell cmd <"x\n"; |& getline:shell cmd`},
	{`{ system("rm " $1) }`, `system:shell "rm {$1}"*`},
	{`{ system("mv " $1 " " $2) }`, `system:shell "mv {$1} {$2}"*`},
	{`$1 ~ /x/ && $2 > 3 { system("rm x") }`, `system:shell "rm x"`},
	{`END { if (NR > 1) system("rm x"); else print "rm y" | "sh" }`, `system:shell "rm x"; print |:shell sh <"rm y\n"`},

	// Values.
	{`BEGIN { c = "rm -rf /"; system(c) }`, `system:shell "rm -rf /"`},
	{`BEGIN { c = "rm"; c = c " -rf /"; system(c) }`, `system:shell "rm -rf /"`},
	{`BEGIN { if (x) c = "rm a"; else c = "rm b"; system(c) }`, `system:shell "rm a"; system:shell "rm b"`},
	{`BEGIN { c = x ? "rm a" : "rm b"; system(c) }`, `system:shell "rm a"; system:shell "rm b"`},
	{`BEGIN { system("rm\x20-rf\40/") }`, `system:shell "rm -rf /"`},
	{`BEGIN { system("rm \"a\\b\"") }`, `system:shell "rm \"a\\b\""`},
	{`BEGIN { system("rm " unset "/") }`, `system:shell "rm /"`},
	{`BEGIN { system(sprintf("rm -rf %s", "/")) }`, `system:shell "rm -rf /"`},
	{`BEGIN { system(sprintf("rm %05d", 3)) }`, `system:shell "rm {%05d}"*`},
	{`BEGIN { system(tolower("RM X")) }`, `system:shell "rm x"`},
	{`BEGIN { a["x"] = "rm"; system(a["x"] " y") }`, `system:shell "rm y"`},
	{`BEGIN { for (f in files) system("rm " f) }`, `system:shell "rm {f}"*`},
	{`BEGIN { split("rm x", a); system(a[1]) }`, "system:shell a[1]*"},
	{`BEGIN { c = "ls"; sub("ls", "rm", c); system(c) }`, "system:shell c*"},
	{`BEGIN { getline c < "file"; system(c) }`, "system:shell c*"},
	{`BEGIN { "date" | getline d; system("rm " d) }`, `| getline:shell date; system:shell "rm {d}"*`},
	{`BEGIN { i++; system("rm " i) }`, `system:shell "rm {i}"*`},
	{`BEGIN { system("rm " ENVIRON["X"]); system("rm " ENVIRON["HOME"]) }`, `system:shell "rm {ENV.X}"*; system:shell "rm ${HOME}"`},
	{`function del(f) { system("rm " f) } BEGIN { del("a"); del("b") }`, `system:shell "rm a"; system:shell "rm b"`},
	{`function del(f) { system("rm " f) }`, `system:shell "rm {f}"*`},
	{`function cmd() { return "rm x" } BEGIN { system(cmd()) }`, `system:shell "rm x"`},
	{`BEGIN { f = "system"; @f("rm x") }`, `@f:code "@f(\"rm x\")"*`},
	{`{ f = $1; @f("rm x") }`, `@f:code "@f(\"rm x\")"*`},
	{"BEGIN { x = 1\n  system(\"a\") # b\n  system(\"c \\\nd\") }", `system:shell a; system:shell "c d"`},
	{"@include \"lib\"\n@load \"ext\"\nBEGIN { system(\"x\") }", "system:shell x"},
	{`BEGIN { r = 4 / 2; system("x") } # /`, "system:shell x"},

	// Files.
	{`{ print > "out" }`, "print >:write out"},
	{`{ print $1, $2 >> "log"; printf("%s", $3) > $4 ".txt" }`, "print >>:append log; printf >:write {$4}.txt*"},
	{`{ print ($1 > 2) > "out" }`, "print >:write out"},
	{`{ print > "/dev/stderr"; print "x" > "/dev/stdout" }`, "print >:write /dev/stderr; print >:write /dev/stdout"},

	// Nothing.
	{"{ print }", ""},
	{`/rm -rf \// { print $0 }`, ""},
	{`/[/]; system("x")/ { n++ }`, ""},
	{`# system("rm -rf /")`, ""},
	{`{ print "system(\"rm -rf /\")" }`, ""},
	{`{ print "rm -rf /" }`, ""},
	{`BEGIN { c = "rm -rf /"; print c }`, ""},
	{"{ if ($1 > 2) print $2 }", ""},
	{`{ print ($1 > 2) ? "a" : "b" }`, ""},
	{"$1 > 2 || $2 >= 3", ""},
	{"!seen[$0]++ { n[$1] += $2 } END { for (k in n) print k, n[k] }", ""},
	{`{ gsub(/rm -rf/, "ls"); print }`, ""},
	{`BEGIN { FS = ":"; OFS = "|" } { $1 = $1; print }`, ""},
	{`BEGIN { getline line < "rm"; print line }`, ""},
	{`function system_load(x) { return x } BEGIN { system_load("rm") }`, ""},
	{`BEGIN { system("") }`, ""},
	{`$0 ~ "system(\"rm\")" { print a / b / c }`, ""},
}

func TestAwk(t *testing.T) { check(t, Awk, awkCases) }
