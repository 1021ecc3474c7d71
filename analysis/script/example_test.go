package script_test

import (
	"fmt"

	"github.com/luahook/luahook/analysis/script"
)

// A guard looks at the calls, and at what isn't known of them.
func ExamplePython() {
	program := script.Python(`
import os, shutil, subprocess, sys
out = "build"
print("rm -rf /")
shutil.rmtree(out)
subprocess.run(["git", "status"], cwd="/srv")
os.system("ls " + sys.argv[1])
`)
	for _, call := range program.Calls {
		fmt.Print(call.Line, " ", call.Kind, " ", call.Func)
		for _, arg := range call.Args {
			fmt.Printf(" %q", arg.Text)
			if arg.Dynamic {
				fmt.Print(" (not known)")
			}
		}
		fmt.Println()
	}
	// Output:
	// 5 delete shutil.rmtree "build"
	// 6 run subprocess.run "git" "status"
	// 7 shell os.system "ls {sys.argv[1]}" (not known)
}

func ExampleJavaScript() {
	program := script.JavaScript(`require("fs").rmSync("dist", { recursive: true })`)
	for _, call := range program.Calls {
		fmt.Println(call.Kind, call.Func, call.Args[0].Text, call.Recursive)
	}
	// Output: delete fs.rmSync dist true
}

func ExampleAwk() {
	program := script.Awk(`/x/ { system("date"); print $1 > "names" }`)
	for _, call := range program.Calls {
		fmt.Println(call.Kind, call.Args[0].Text)
	}
	// Output:
	// shell date
	// write names
}
