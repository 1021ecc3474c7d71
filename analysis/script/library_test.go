package script

import "testing"

// The functions of the languages' libraries that make what is run, deleted or
// overwritten.

var pythonLibraryCases = []programCase{
	{`import base64, os; os.system(base64.b64decode("cm0gLXJmIC8=").decode())`, `os.system:shell "rm -rf /"`},
	{`import base64; exec(base64.b64decode("aW1wb3J0IG9zOyBvcy5zeXN0ZW0oJ3JtIHgnKQ=="))`, `os.system:shell "rm x"`},
	{`import base64, os; os.system(base64.b64decode(x))`, `os.system:shell base64.b64decode(x)*`},
	{`import codecs, os; os.system(codecs.decode("726d2078", "hex"))`, `os.system:shell "rm x"`},
	{`import codecs, os; os.system(codecs.decode("ez k", "rot_13"))`, `os.system:shell "codecs.decode(\"ez k\", \"rot_13\")"*`},
	{`import os; os.system(bytes([114, 109, 32, 120]))`, `os.system:shell "bytes([114, 109, 32, 120])"*`},
	{`import os; os.system(str(b"rm x", "utf8"))`, `os.system:shell "rm x"`},
	{`import os; os.system(bytes.fromhex("726d2078").decode())`, `os.system:shell "rm x"`},
	{`import os; os.system("".join(chr(c) for c in [114, 109]))`, `os.system:shell "\"\".join(chr(c) for c in [114, 109])"*`},
	{`import os; os.remove(os.path.expandvars("$HOME/x"))`, `os.remove:delete "os.path.expandvars(\"$HOME/x\")"*`},
	{`import os; os.remove(os.path.expandvars("${HOME}/x"))`, `os.remove:delete "os.path.expandvars(\"${HOME}/x\")"*`},
	{`import os; os.remove(os.path.expandvars("/$X/y"))`, `os.remove:delete "os.path.expandvars(\"/$X/y\")"*`},
	{`import os; os.remove(os.path.basename("/a/b"))`, "os.remove:delete b"},
	{`import os; os.remove(os.path.basename(x))`, "os.remove:delete os.path.basename(x)*"},
	{`import os, pathlib; p = pathlib.Path("/a/b.txt"); os.remove(p.name); os.remove(p.stem)`, "os.remove:delete b.txt; os.remove:delete b"},
	{`import os; os.remove(str(5)); os.remove(repr(x))`, "os.remove:delete 5; os.remove:delete repr(x)*"},
	{`import os, shlex; os.system("rm " + shlex.quote("a b"))`, `os.system:shell "rm 'a b'"`},
	{`import os, shlex; os.system(shlex.join(["rm", "a b"]))`, `os.system:shell "'rm' 'a b'"`},
	{`import subprocess, shlex; subprocess.run(shlex.split("rm 'a b' c"))`, `subprocess.run:run rm "a b" c`},
	{"import os\nfor a in filter(None, [\"/a\", \"/b\"]): os.remove(a)", "os.remove:delete /a; os.remove:delete /b"},
	{"import os\nfor a, b in zip([\"/a\"], [\"/b\"]): os.rename(a, b)", "os.rename:move /a /b"},
	{"import os\nfor a, b in zip(x, y): os.rename(a, b)", "os.rename:move x* y*"},
	{`import subprocess, shlex; subprocess.run(shlex.split(f"rm -rf {x}/y"))`, "subprocess.run:run rm -rf {x}/y*"},
	{`import subprocess, shlex; subprocess.run(shlex.split("echo 'a' \"b\""))`, `subprocess.run:run "echo 'a' \"b\""**`},
	{`import subprocess; subprocess.run(*args); subprocess.Popen(c, shell=True, executable="/bin/sh")`, "subprocess.run:run args**; subprocess.Popen:shell c*"},
	{`import tarfile; tarfile.open("x", "r:xz"); tarfile.open("y", "w|gz")`, `tarfile.open:write y <""`},
	{`import pexpect; pexpect.spawn("rm 'a b'")`, `pexpect.spawn:run rm "a b"`},
	{`import pexpect; pexpect.spawn("rm", ["a", "b"])`, "pexpect.spawn:run rm a b"},
	{`import asyncio; asyncio.create_subprocess_exec("rm", "-rf", "/", cwd="/x")`, "asyncio.create_subprocess_exec:run rm -rf / @/x"},
	{`import asyncio; asyncio.create_subprocess_shell("rm x")`, `asyncio.create_subprocess_shell:shell "rm x"`},
	{`exec "import os; os.system('rm x')"`, `os.system:shell "rm x"`},
	{"import os\nfor p in (\"/a\", \"/b\")[1:]: os.remove(p)", `os.remove:delete "(\"/a\", \"/b\")[1:]"*`},
	{`import os; os.system(["rm a", "rm b"][-1])`, `os.system:shell "rm b"`},
	{`import os; os.system({"k": "rm x"}["k"])`, `os.system:shell "rm x"`},
	{`import os; os.system("rm x"[::-1][::-1])`, `os.system:shell "\"rm x\"[::-1][::-1]"*`},
	{"import subprocess\nc = [\"rm\"]\nc.append(\"/x\")\nc.extend([\"a\"])\nc.insert(1, \"-f\")\nsubprocess.run(c)", "subprocess.run:run rm -f /x a"},
	{"import os\na = '1' if x else '2'\nb = '3' if x else '4'\nc = '5' if x else '6'\nd = '7' if x else '8'\nos.remove(a + b + c + d)",
		"os.remove:delete 135{several}*; os.remove:delete 136{several}*; os.remove:delete 145{several}*; os.remove:delete 146{several}*; os.remove:delete 235{several}*; os.remove:delete 236{several}*; os.remove:delete 245{several}*; os.remove:delete 246{several}*"},
	{`import os; os.remove("/a" * 2)`, `os.remove:delete "\"/a\" * 2"*`},
	{`import os; os.system(f"rm {'x'!s}{1:>3}")`, `os.system:shell "rm x{1:>3}"*`},
}

func TestPythonLibrary(t *testing.T) { check(t, Python, pythonLibraryCases) }

var javaScriptLibraryTests = []callTest{
	{`const { Worker } = require("worker_threads"); new Worker("require('fs').rmSync('/x')", { eval: true })`, "fs.rmSync:delete /x"},
	{`new Worker("x.js")`, ""},
	{`Deno.removeSync(Deno.env.get("HOME") + "/x")`, "Deno.removeSync:delete ~~/x"},
	{`const m = { a: "/a", b: "/b" }; fs.unlinkSync(m[k])`, "fs.unlinkSync:delete m[k]*; fs.unlinkSync:delete /a; fs.unlinkSync:delete /b"},
	{`child_process.execSync(Buffer.from("cm0geA==", "base64").toString())`, `child_process.execSync:shell "rm x"`},
	{`child_process.execSync(Buffer.from("726d2078", "hex").toString())`, `child_process.execSync:shell "rm x"`},
	{`child_process.execSync("x mr".split("").reverse().join(""))`, `child_process.execSync:shell "rm x"`},
	{`child_process.execSync("RM X".toLowerCase())`, `child_process.execSync:shell "rm x"`},
	{`child_process.execSync("rm y".replace("y", "x"))`, `child_process.execSync:shell "rm x"`},
	{`child_process.execSync("\x72\u006d\u{20}x")`, `child_process.execSync:shell "rm x"`},
	{`child_process.execSync(["rm", "x"].join(" "))`, `child_process.execSync:shell "rm x"`},
	{`child_process.execSync(["rm"].concat(["x"]).join(" "))`, `child_process.execSync:shell "rm x"`},
	{`const o = {}; o.f = "/x"; fs.rmSync(o.f)`, "fs.rmSync:delete /x"},
	{`new Function("require('fs').rmSync('/x')")()`, "fs.rmSync:delete /x"},
}

func TestJavaScriptLibrary(t *testing.T) { checkCalls(t, JavaScript, javaScriptLibraryTests, nil) }

var perlLibraryTests = []callTest{
	{`use Fcntl; sysopen(my $f, "/x", O_WRONLY|O_TRUNC)`, "sysopen:write /x"},
	{`sysopen(my $f, "/x", O_RDONLY)`, ""},
	{`use IO::File; IO::File->new("/x", "w"); IO::File->new("/y", "a"); IO::File->new("> /z"); IO::File->new("/r", "r")`,
		"IO::File.new:write /x; IO::File.new:append /y; IO::File.new:write /z"},
	{`open(F, "-|") or exec("x"); open(STDERR, ">&STDOUT"); open(my $g, ">", \my $b); open(G, $c ? ">/a" : "ls|")`, `exec:shell x; open:write /a; open:shell ls`},
	{`system("\x72m \x{78}")`, `system:shell "rm x"`},
	{`sub f { my $x = shift; unlink $x } f("/a")`, "unlink:delete /a"},
}

func TestPerlLibrary(t *testing.T) { checkCalls(t, Perl, perlLibraryTests, nil) }

var rubyLibraryTests = []callTest{
	{`open("|ls -l", "r"); open(url).read; IO.read("|id")`, `open:shell "ls -l"; IO.read:shell id`},
	{`require "open3"; Open3.pipeline("cat x", ["rm", "-rf", "/"])`, `Open3.pipeline:code "Open3.pipeline(\"cat x\", [\"rm\", \"-rf\", \"/\"])"*`},
	{`def f; yield "/x"; end; f { |p| File.delete(p) }`, "File.delete:delete p*"},
	{`not system("rm x")`, `system:shell "rm x"`},
	{`BEGIN { system("rm x") }`, `system:shell "rm x"`},
	{`system("x mr".reverse); system("RM X".downcase); system("rm y".sub("y", "x"))`, `system:shell "rm x"; system:shell "rm x"; system:shell "\"rm y\".sub(\"y\", \"x\")"*`},
	{`system(["rm", "x"].join(" ")); system("rm x".strip)`, `system:shell "rm x"; system:shell "rm x"`},
	{`def f(a, b = "/y", *c, d: 1, &e) File.delete(a, b) end; f("/x")`, "File.delete:delete /x /y"},
}

func TestRubyLibrary(t *testing.T) { checkCalls(t, Ruby, rubyLibraryTests, nil) }

var phpLibraryTests = []callTest{
	{`$f = create_function('$a', 'unlink("/x");');`, "unlink:delete /x"},
	{`system(base64_decode("cm0geA==")); system(strrev("x mr")); system(strtolower("RM X")); system(hex2bin("726d2078"))`,
		`system:shell "rm x"; system:shell "rm x"; system:shell "rm x"; system:shell "rm x"`},
	{`system(implode(" ", ["rm", "x"])); system(str_replace("y", "x", "rm y")); system(chr(114) . chr(109))`,
		`system:shell "rm x"; system:shell "str_replace(\"y\", \"x\", \"rm y\")"*; system:shell ${chr_114}${chr_109}*`},
	{`array_map("unlink", ["/a", "/b"]); call_user_func("system", "rm x")`, `unlink:delete /a; unlink:delete /b; system:shell "rm x"`},
}

func TestPHPLibrary(t *testing.T) { checkCalls(t, PHP, phpLibraryTests, nil) }
