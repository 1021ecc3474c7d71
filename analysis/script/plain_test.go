package script

import (
	"strings"
	"testing"
)

func TestPlain(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		// Go
		{`os.RemoveAll("/x")`, "delete -r /x"},
		{"const dir = \"/x\"\nfunc main() { os.RemoveAll(dir) }", "delete -r /x"},
		{"dir := \"/x\"; os.RemoveAll(dir + \"/y\")", "delete -r /x/y"},
		{`os.RemoveAll(os.Getenv("HOME"))`, "delete -r ~"},
		{`exec.Command("rm", "-rf", "/x").Run()`, "run rm -rf /x"},
		{`exec.CommandContext(ctx, "rm", "-rf", dir)`, "run rm -rf $?"},
		{`os.RemoveAll(t.TempDir())`, ""},
		{`// os.RemoveAll("/x")`, ""},
		{`/* os.RemoveAll("/x") */ f()`, ""},
		{`fmt.Println("os.RemoveAll(x)")`, ""},
		// Rust
		{`std::fs::remove_dir_all("/x").unwrap();`, "delete -r /x"},
		{`Command::new("rm").arg("-rf").args(["/x", "/y"]).spawn()`, "run rm -rf /x /y"},
		{`fn f<'a>(x: &'a str) { fs::remove_file("/x") }`, "delete /x"},
		// C, C++, Java, C#, Swift, Kotlin
		{"#include <stdlib.h>\nint main() { system(\"rm -rf ~\"); }", "shell rm -rf ~"},
		{`execl("/bin/rm", "rm", "-rf", "/x", NULL);`, "run /bin/rm -rf /x $?"},
		{`std::filesystem::remove_all("/x");`, "delete -r /x"},
		{`Runtime.getRuntime().exec("rm -rf /");`, "shell rm -rf /"},
		{`new ProcessBuilder("rm", "-rf", "/x").start();`, "run rm -rf /x"},
		{`FileUtils.deleteDirectory(new File("/x"));`, "delete -r /x"},
		{`Directory.Delete("/x", true);`, "delete -r /x"},
		{`Process.Start("rm", "-rf /x");`, "shell rm -rf /x"},
		{`try FileManager.default.removeItem(atPath: "/x")`, "delete -r /x"},
		{`File("/x").deleteRecursively()`, "delete -r /x"},
		{`new File("/x").deleteDir()`, "delete -r /x"},
		{`new File(dir).deleteDir()`, ""},
		{`list("/x").deleteDir()`, ""},
		{`System.IO.Directory.Delete("/x", true)`, "delete -r /x"},
		// R, Julia, Elixir, Lisp
		{`unlink("~", recursive=TRUE)`, "delete -r ~"},
		{`rm("/x", recursive=true)`, "delete -r /x"},
		{"run(`rm -rf /x`)", "shell rm -rf /x"},
		{`File.rm_rf!("/x")`, "delete -r /x"},
		{`File.rm_rf! "/x"`, "delete -r /x"},
		{`System.cmd("rm", ["-rf", "/x"])`, "run rm -rf /x"},
		{`File.rm_rf!(System.user_home!())`, "delete -r ~"},
		{`rm(homedir(); recursive=true)`, "delete -r ~"},
		{`(delete-directory "~" t)`, "delete -r ~"},
		{`(shell-command "rm -rf ~")`, "shell rm -rf ~"},
		{`(babashka.fs/delete-tree "/x")`, "delete -r /x"},
		{`(delete-directory/files "/x")`, "delete -r /x"},
		{`(clojure.java.shell/sh "rm" "-rf" "/x")`, "run rm -rf /x"},
		{`(/ a delete-tree)`, ""},
		{`file:del_dir_r("/x").`, "delete -r /x"},
		{`Sys.command "rm -rf /x"`, "shell rm -rf /x"},
		{`rmdir("/x", "s")`, "delete -r /x"},
		{`rmdir("/x")`, ""},
		{`os.RemoveAll("`, ""},
		{`system(`, ""},
	} {
		var got []string
		for _, call := range Plain(c.source).Calls {
			words := []string{string(call.Kind)}
			if call.Recursive {
				words = append(words, "-r")
			}
			for _, arg := range call.Args {
				if arg.Dynamic {
					arg.Text += "?"
				}
				words = append(words, arg.Text)
			}
			got = append(got, strings.Join(words, " "))
		}
		if got := strings.Join(got, "; "); got != c.want {
			t.Errorf("%s: %q, want %q", c.source, got, c.want)
		}
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("const x = \"/a\"\nos.RemoveAll(x + `b`) // c\n/* d */ Command::new(\"rm\").arg('e')\n(delete-file \"f\")")
	f.Fuzz(func(t *testing.T, source string) {
		for _, call := range Plain(source).Calls {
			if len(call.Args) == 0 || call.Line < 1 {
				t.Errorf("%+v", call)
			}
		}
	})
}
