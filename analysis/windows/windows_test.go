package windows

import (
	"strings"
	"testing"
)

// show writes what a text does on one line: commands in brackets are what a cmdlet does.
func show(p *Program) string {
	var parts []string
	for _, c := range p.Calls {
		text := c.Name
		if text == "" && len(c.Words) > 0 {
			text = line(c.Words)
		}
		for _, parameter := range c.Parameters {
			text += " " + parameter.Name
			if parameter.Valued {
				text += "=" + parameter.Value
			}
		}
		for _, act := range c.Acts {
			switch {
			case act.Code != nil:
				text += " [?]"
			case act.File != nil && act.Add:
				text += " [>> " + act.File.Text + "]"
			case act.File != nil:
				text += " [> " + act.File.Text + "]"
			default:
				text += " [" + line(act.Words) + "]"
			}
		}
		parts = append(parts, strings.TrimSpace(text))
	}
	if p.Err != nil {
		parts = append(parts, "error: "+p.Err.Message)
	}
	return strings.Join(parts, "; ")
}

func line(words []Word) string {
	var texts []string
	for _, word := range words {
		text := word.Text
		if word.Dynamic {
			text = "<" + text + ">"
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, " ")
}

var powershellCases = []struct{ text, want string }{
	{`ri -r -fo 'a b'`, `Remove-Item -Recurse -Force [rm -r -f -- a b]`},
	{`Remove-Item -Recurse:$true x`, `Remove-Item -Recurse=True [rm -r -- x]`},
	{`Remove-Item -Recurse:$false x`, `Remove-Item [rm -- x]`},
	{`Remove-Item x -WhatIf`, `Remove-Item -WhatIf`},
	{`Remove-Item x -WhatIf:$false`, `Remove-Item [rm -- x]`},
	{`Remove-Item a, b,c`, `Remove-Item [rm -- a b c]`},
	{`for (; $i -lt 3; ) { ri x }`, `Remove-Item [rm -- x]`},
	{`for (;;) { ri x }`, `Remove-Item [rm -- x]`},
	{"data { ConvertFrom-StringData @'\na = it's\n'@ }; ri x", `Remove-Item [rm -- x]`},
	{`Clear-Content x`, `Clear-Content [truncate -s 0 -- x]`},
	{`Clear-Content x -Stream Zone.Identifier`, `Clear-Content -Stream=Zone.Identifier`},
	{`Remove-Item -Path:x`, `Remove-Item -Path=x [rm -- x]`},
	{`Remove-Item Env:\X`, `Remove-Item`},
	{`Remove-Item HKCU:\A\B`, `Remove-Item [reg delete HKCU\A\B /f]`},
	{`rm -rf x`, `rm -rf x`},
	{`ls -la`, `ls -la`},
	{`curl -s x`, `curl -s x`},
	{`curl x -OutFile y`, `Invoke-WebRequest -OutFile=y [curl -o y x]`},
	{`sc query x`, `sc query x`},
	{`sc f x`, `Set-Content [> f]`},
	{`"a" > f`, `[> f]`},
	{`git log >> f`, `git log [>> f]`},
	{`git log 2>&1 > $null`, `git log`},
	{`$x = 'a'; "$x b" | Out-File "$x.txt"`, `Out-File [> a.txt]`},
	{`$x = 'a'; Remove-Item "$x/$y"`, `Remove-Item [rm -- <a/$y>]`},
	{`$a = @{Path='x'; Recurse=$true}; ri @a`, `Remove-Item -Path=x -Recurse=True [rm -r -- x]`},
	{`gci -r -fi *.log | ri`, `Get-ChildItem -Recurse -Filter=*.log [find .]; Remove-Item [find . -name *.log -delete]`},
	{`gci a | ? Name -eq b | ri -r`, `Get-ChildItem [ls -- a]; Where-Object -EQ; Remove-Item -Recurse [rm -r -- a/b]`},
	{`1,2 | % { ri "f$_" }`, `ForEach-Object; Remove-Item [rm -- f1]; Remove-Item [rm -- f2]`},
	{`foreach ($d in 'a','b') { ri $d }`, `Remove-Item [rm -- a]; Remove-Item [rm -- b]`},
	{`if ($x) { ri a } elseif ($y) { ri b } else { ri c }`, `Remove-Item [rm -- a]; Remove-Item [rm -- b]; Remove-Item [rm -- c]`},
	{`function f($p) { ri $p }; f a`, `f; Remove-Item [rm -- a]`},
	{`cd a; ri b`, `Set-Location; Remove-Item [rm -- b]`},
	{"ri `\n a", `Remove-Item [rm -- a]`},
	{"ri a # b\nri c", `Remove-Item [rm -- a]; Remove-Item [rm -- c]`},
	{"$x = @'\nri a\n'@\nri b", `Remove-Item [rm -- b]`},
	{`git show stash@{0}`, `git show stash@{0}`},
	{`npm --% run a;b "c d"`, `npm run a;b c d`},
	{`& 'C:\a b\x.exe' y`, `C:/a b/x.exe y`},
	{`iex 'ri a'`, `Invoke-Expression; Remove-Item [rm -- a]`},
	{`iex (irm u)`, `Invoke-RestMethod [curl u]; Invoke-Expression [?]`},
	{`iex $x`, `Invoke-Expression [?]`},
	{`[IO.Directory]::Delete('a', $true)`, `[rm -rf -- a]`},
	{`[IO.File]::WriteAllText('a', 'b')`, `[> a]`},
	{`'{0}-{1}' -f 'a','b' | % { ri $_ }`, `ForEach-Object; Remove-Item [rm -- a-b]`},
	{`ri ('a' + 'b')`, `Remove-Item [rm -- ab]`},
	{`ri "$HOME\x"`, `Remove-Item [rm -- ~/x]`},
	{`ri $env:SystemRoot`, `Remove-Item [rm -- C:/Windows]`},
	{`$env:A = 'x'; ri $env:A`, `Remove-Item [rm -- x]`},
	{`Start-Process cmd '/c del "a b"'`, `Start-Process [cmd /c del a b]`},
	{`Get-Process node | Stop-Process`, `Get-Process; Stop-Process [pkill node]`},
	{`Invoke-Sqlcmd "DROP TABLE t"`, `Invoke-Sqlcmd [sqlcmd -Q DROP TABLE t]`},
	{`Get-Foo -Bar baz`, `Get-Foo -Bar=baz`},
	{`ri "a`, `Remove-Item [rm -- a]; error: a quote isn't closed`},
	{`if ($x) { ri a`, `Remove-Item [rm -- a]; error: a { isn't closed`},
	{`gci a | % -MemberName Delete`, `Get-ChildItem [ls -- a]; ForEach-Object -MemberName=Delete; [rm -f -- a/*]`},
	{"''!-fk\xe5", "fk\xe5"},
	{`ri –r a`, `Remove-Item -Recurse [rm -r -- a]`},
	{"Remove-It`em a", `Remove-Item [rm -- a]`},
	{`$function:f = { ri a }; f`, `f; Remove-Item [rm -- a]`},
	{`Set-Content f 'ri a'; iex (gc f -Raw)`, `Set-Content [> f]; Get-Content -Raw [cat -- f]; Invoke-Expression; Remove-Item [rm -- a]`},
	{`[powershell]::Create().AddCommand('ri').AddParameter('Recurse').AddArgument('a').Invoke()`, `Remove-Item -Recurse=True [rm -r -- a]`},
	{`ri HOOKS~1\a.lua`, `Remove-Item [rm -- .hooks/a.lua]`},
	{`[IO.File]::Open('a', 'Open', 'Read')`, ``},
	{`[IO.File]::Open('a', [IO.FileMode]::Create)`, `[> a]`},
	{`ri a )`, `Remove-Item [rm -- a]; error: unexpected ')'`},
}

func TestPowerShell(t *testing.T) {
	for _, c := range powershellCases {
		if got := show(PowerShell(c.text, Options{})); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

var batchCases = []struct{ text, want string }{
	{`del /q a b`, `del /q [rm -f -- a b]`},
	{`del/s/q *.log`, `del /s /q [find . -type f -name *.log -delete]`},
	{`rd /s /q "a b"`, `rd /s /q [rm -rf -- a b]`},
	{`rd a`, `rd [rmdir -- a]`},
	{`r^d /s a&dir`, `rd /s [rm -rf -- a]; dir [ls --]`},
	{`cd a && git push > f 2>&1`, `cd; git push [> f]`},
	{`set A=x& rd /s %A%\y`, `set; rd /s [rm -rf -- x/y]`},
	{`rd /s %A%`, `rd /s [rm -rf -- <%A%>]`},
	{`for %i in (a b) do @rd /s %i`, `rd /s [rm -rf -- a]; rd /s [rm -rf -- b]`},
	{`if not exist a (md a) else rd a`, `md [mkdir -p -- a]; rd [rmdir -- a]`},
	{`rem del a`, ``},
	{`echo del a > f`, `echo [> f]`},
	{`start "" /b git push`, `start /b; git push`},
	{`rd;/s,/q=a`, `rd /s /q [rm -rf -- a]`},
	{`set X=abrd& call %X:~2% a`, `set; call; rd [rmdir -- a]`},
	{`set X=rd /s a& %X%`, `set /s; rd /s [rm -rf -- a]`},
	{`for /f "tokens=1*" %a in ("rd /s a") do %a %b`, `rd /s [rm -rf -- a]`},
	{`rd /s \\?\C:\a`, `rd /s [rm -rf -- C:/a]`},
	{`(echo a& echo b) > f`, `echo; echo; [> f]`},
	{`type a | findstr b`, `type [cat -- a]; findstr b`},
}

func TestBatch(t *testing.T) {
	for _, c := range batchCases {
		if got := show(Batch(c.text, Options{})); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestLanguage holds that no line of a shell of Unix is taken for one of Windows.
func TestLanguage(t *testing.T) {
	for _, text := range []string{
		"ls", "rm -rf build", "git log --format=%h", "grep -rn Get-ChildItem docs", "echo Remove-Item -Recurse -Force", "man Get-Foo", "./Get-Foo -Bar", "get-foo --bar", "apt-get install -y x",
		"docker-compose up -d", "git-lfs pull", "update-alternatives --config java", "add-apt-repository ppa:x/y", "start-stop-daemon --stop", "test-runner --watch", "npx create-react-app x",
		"cat <<'EOF' > x.ps1\nRemove-Item -Recurse -Force x\n$env:A = 'b'\nEOF", "echo 'Remove-Item -Recurse x' > x.ps1", "pwsh -c 'Remove-Item -Recurse x'", "ssh win 'Remove-Item -Recurse x'",
		"sed -i 's/Get-Item/Get-ChildItem/' x.ps1", "git commit -m 'Remove-Item -Recurse -Force'", "git commit -m \"$env:X = 1; Remove-Item\"", "X=$(Get-Foo) make", "FOO=1 Remove-Item -Recurse x",
		"if [ -f x ]; then Remove-Item -Recurse x; fi", "for f in *; do Get-Item -Path $f; done", "export A=b\nGet-Item -Path x", "docker push repo/$env:latest", "echo $env:production", "aws s3 ls s3://b --region $env",
		"cp -Rp a b", "ls -Al", "rm -Rf x", "find . -Name x", "sort -Force", "rmdir /tmp/s", "del /tmp", "copy /etc/hosts /tmp", "dir /s/x", "for i in /s; do x; done", "if [ /s ]; then x; fi",
		"perl -e '$x = 1; print $x'", "awk '{ $x = 1 }'", "php -r '$a = 1;'", "$CC -c x.c", "$x", "\"$x\" = y", "[ $a = b ]", "[[ $a == b ]]", "curl -F 'a=b' x", "openssl x509 -In x", "java -Xmx1g -Dfoo=Bar x",
		"kubectl get pods -o jsonpath='{.items[*]::name}'", "g++ -o x a::b.cc", "cargo test foo::bar", "python -c 'x[1]::2'", "xcodebuild -Scheme x", "Rscript -e 'x'", "set -e\nGet-Item -Path x",
	} {
		if got := Language(text); got != "" {
			t.Errorf("%s: taken for %s", text, got)
		}
	}
	for text, want := range map[string]string{
		"Remove-Item -Recurse x": "powershell", "remove-item x": "powershell", "$env:A = 'b'": "powershell", "$x = Get-Item y": "powershell", "[IO.File]::Delete('x')": "powershell",
		"git status; Remove-Item x": "powershell", "Get-Foo -Bar x": "powershell", "rm -Recurse x": "powershell", "ri C:\\x -r": "powershell", "gci -Recurse": "powershell", "ls $env:USERPROFILE": "powershell",
		"del /s /q x": "cmd", "rd /s/q x": "cmd", "@rd /S x": "cmd", "for %f in (*.txt) do type %f": "cmd",
	} {
		if got := Language(text); got != want {
			t.Errorf("%s: taken for %q, want %s", text, got, want)
		}
	}
	for text, want := range map[string]bool{"$c = 'Get-Item'; & $c x": true, "sleep 1; echo (": false} {
		if got := IsLikelyPowerShell(text); got != want {
			t.Errorf("%s: likely PowerShell: %v", text, got)
		}
	}
}

// hostileTexts are such as multiply or nest.
func hostileTexts() map[string]string {
	n := 2000
	return map[string]string{
		"parens":     strings.Repeat("(", n) + strings.Repeat(")", n),
		"subs":       strings.Repeat("$(", n),
		"braces":     strings.Repeat("{", n),
		"quotes":     strings.Repeat(`"$("`, n),
		"members":    "$a" + strings.Repeat(".a", n),
		"indexes":    "$a" + strings.Repeat("[0]", n),
		"commas":     "ri " + strings.Repeat("a,", n),
		"unary":      strings.Repeat("-not ", n) + "$x",
		"casts":      strings.Repeat("[int]", n) + "1",
		"doubling":   "$a = 'x'; " + strings.Repeat("$a = $a + $a; ", 200) + "ri $a",
		"lists":      "$a = 'x','y'; " + strings.Repeat("$a = $a,$a; ", 60) + "$a | % { ri $_ }",
		"recursion":  "function f { f; f }; f",
		"functions":  strings.Repeat("function f { g; g; g; g }; function g { f; f; f; f };", 20) + "f",
		"iex":        "$a = 'iex $a; iex $a'; iex $a",
		"loops":      strings.Repeat("1..60 | % { ", 8) + "ri x" + strings.Repeat(" }", 8),
		"branches":   strings.Repeat("if ($x) { $a = 1 } else { $a = 2 }; ", 300),
		"statements": strings.Repeat("ri a;", 10000),
		"repeat":     "'a' * 100000",
		"replace":    "$a = 'a' * 4000; " + strings.Repeat("$a = $a.Replace('a', 'aa'); ", 40),
		"for":        strings.Repeat("for %a in (1 2 3 4 5 6 7 8) do ", 10) + "rd %a",
		"groups":     strings.Repeat("(", n),
		"pipes":      strings.Repeat("a|", n),
		"percent":    strings.Repeat("%a", n),
	}
}

func TestBounds(t *testing.T) {
	for name, text := range hostileTexts() {
		for _, p := range []*Program{PowerShell(text, Options{}), Batch(text, Options{})} {
			check(t, name, p)
		}
		Language(text)
	}
	if p := PowerShell("1..60 | % { 1..60 | % { 1..60 | % { 1..60 | % { ri x } } } }", Options{}); !p.TooComplex {
		t.Error("60 to the power of 4 calls aren't too complex")
	}
	if p := Batch(strings.Repeat("set a=%a%%a%&", 4500)+"del %a%", Options{}); !p.TooComplex {
		t.Error("a variable that doubles is followed for ever")
	}
	if p := PowerShell(strings.Repeat("a", maxText+1), Options{}); !p.TooComplex {
		t.Error("a text of more than 64 KiB isn't too complex")
	}
}

// check holds what a program says together.
func check(t *testing.T, name string, p *Program) {
	t.Helper()
	if len(p.Calls) > maxCalls {
		t.Errorf("%s: %d calls", name, len(p.Calls))
	}
	size := 0
	seen := map[*Call]bool{}
	for _, c := range p.Calls {
		if c.Parent != nil && !seen[c.Parent] {
			t.Errorf("%s: the parent of %q isn't reported before it", name, line(c.Words))
		}
		seen[c] = true
		for _, word := range c.Words {
			size += len(word.Text)
		}
		for _, act := range c.Acts {
			if act.File == nil && act.Code == nil && len(act.Words) == 0 {
				t.Errorf("%s: %q has an act that does nothing", name, line(c.Words))
			}
			for _, word := range act.Words {
				size += len(word.Text)
			}
		}
		for _, at := range c.Operands {
			if at < 1 || at >= len(c.Words) {
				t.Errorf("%s: operand %d of %q", name, at, line(c.Words))
			}
		}
	}
	if size > 1000*maxText {
		t.Errorf("%s: %d bytes", name, size)
	}
}

func FuzzWindows(f *testing.F) {
	for _, c := range powershellCases {
		f.Add(c.text)
	}
	for _, c := range batchCases {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		check(t, text, PowerShell(text, Options{}))
		check(t, text, Batch(text, Options{}))
		Language(text)
		IsLikelyPowerShell(text)
	})
}
