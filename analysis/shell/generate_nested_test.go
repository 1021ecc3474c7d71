package shell

import (
	"fmt"
	"strings"
)

func (g *generator) function() piece {
	if g.level < 1 {
		return g.command()
	}
	level := g.number(g.level)
	name := fmt.Sprintf("f%d", level)
	if g.chance(15) {
		name = "prog2" // in place of a program; it calls what is below all
		level = 0
	}
	head := g.pick(name+"() ", "function "+name+" ", "function "+name+"() ")
	local := g.pick("", "", "local a=$1; ", "local a b=loc; ", "local -r l=5; ", "a=$1; ", "shift; ", "declare c=dec; ", "local p=wipe; ")
	leave := g.pick("", "", "", "", "return; ", "zap r && return 1; ")
	body := strings.ReplaceAll(g.below(level, true), "prog2", "prog1")
	open, end := "{ ", "}"
	if g.chance(15) {
		open, end = "( ", ")"
		head = name + "() "
	}
	text := head + open + local + g.pick("", `zap "$@"; `, "wipe $#; ", `zap "$1" $a; `) + leave + body + end
	for range g.number(3) {
		text += g.pick("; ", "\n") + g.pick("", "", "", "a=pre ") + name + " " + g.words(2)
	}
	if g.chance(10) {
		text += g.pick("; unset -f ", "; command ", "; unset ") + name + "\n" + name + " after"
	}
	return piece{text: text}
}

// written is a text as a word.
func (g *generator) written(text string) string {
	switch g.number(4) {
	case 0:
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(text) + `"`
	case 1:
		return "$'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`).Replace(text) + "'"
	default:
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
}

// printed is a command that writes a text.
func (g *generator) printed(text string) string {
	if strings.ContainsAny(text, `\`) { // one echo keeps backslashes, another doesn't
		return g.pick("printf '%s\n' ", "printf %s ") + g.written(text)
	}
	return g.pick("echo ", "echo -n ", "printf '%s\n' ", "printf %s ") + g.written(text)
}

func (g *generator) document(text string) (open, rest string) {
	g.names++
	end := fmt.Sprintf("E%d", g.names)
	text = strings.TrimSuffix(text, "\n") + "\n"
	switch g.number(4) {
	case 0:
		return "<<" + end, strings.NewReplacer(`\`, `\\`, "$", `\$`, "`", "\\`").Replace(text) + end + "\n"
	case 1:
		return `<<"` + end + `"`, text + end + "\n"
	default:
		return "<<'" + end + "'", text + end + "\n"
	}
}

func (g *generator) eval() piece {
	switch g.number(4) {
	case 0:
		return piece{text: "eval " + g.program() + " " + g.pick("", "x", "-rf /", "'$a'", `\"\$b\"`, "$a", "'a b'", `"'a b'"`, "x '; wipe y'")}
	case 1:
		return piece{text: g.pick(`x='zap e'; eval "$x"`, `x='zap "$a"'; eval "$x"`, "eval 'a=$b'; zap $a", `eval "v=\$$n"; zap "$v"`, `eval "$n=ev"`, `x='a=5; zap $a'; eval $x`, "a=tmp eval 'zap $a'")}
	default:
		inner := *g
		text := strings.TrimRight(inner.body(), "; ")
		g.budget, g.names = inner.budget, inner.names
		return piece{text: "eval " + g.written(text)}
	}
}

// shell is a text that another shell runs.
func (g *generator) shell() piece {
	shell := g.pick("bash", "sh", "bash", "bash --norc", "env bash", "command bash", "exec bash")
	if strings.HasPrefix(shell, "exec") && g.depth == 0 {
		shell = "bash"
	}
	switch g.number(7) {
	case 0, 1:
		return piece{text: shell + " -c " + g.written(g.text()) + g.pick("", "", " _ k l", ` _ "$a" $b`, " name", ` _ "$@"`)}
	case 2:
		open, rest := g.document(g.text())
		return piece{shell + g.pick("", "", " -s", " -s k l", " /dev/stdin") + " " + open, rest}
	case 3:
		return piece{text: shell + " <<< " + g.written(g.text())}
	case 4:
		return piece{text: g.printed(g.text()) + " | " + shell}
	case 5:
		g.names++
		end := fmt.Sprintf("E%d", g.names)
		return piece{"bash <<" + end, g.pick("zap $a\n", "zap \"$b\"\n", "zap \\$a $c\n", "a=in; zap $a \\$a\n", "zap $(printf d)\n") + end + "\n"}
	default:
		return piece{text: g.pick(`bash -c "zap $a"`, `bash -c "zap '$b'"`, `bash -c 'zap "$1" $0' "$a" k`, `bash -c "$p x"`, `x='zap y'; bash -c "$x"`, `echo "zap $a" | bash`, `sh -c "$(printf 'zap z')"`)}
	}
}

// script is a file that is written and then run.
func (g *generator) script() piece {
	if g.level < 1 {
		return g.command()
	}
	level := g.number(g.level)
	name := fmt.Sprintf("s%d", level)
	text := g.below(level, false)
	var write piece
	switch g.number(5) {
	case 0:
		write.text = g.printed(text) + " > " + name
	case 1:
		open, rest := g.document(text)
		write = piece{"cat > " + name + " " + open, rest}
	case 2:
		open, rest := g.document(text)
		write = piece{g.pick("tee ", "cat | tee ") + name + g.pick(" ", " >/dev/null ") + open, rest}
		if strings.HasPrefix(write.text, "cat |") {
			write.text = "cat " + open + " | tee " + name
		}
	case 3:
		write.text = "{ echo " + g.pick("zap g", "wipe h") + "; echo " + g.pick("zap i", "'zap $1'") + "; } > " + name
	default:
		write.text = "echo 'zap one' > " + name + "; echo 'wipe two $1' >> " + name
	}
	run := g.pick("sh "+name, "bash ./"+name, ". ./"+name, "source ./"+name+" k", "chmod +x "+name+" && ./"+name+" x", "bash "+name+` "$a" z`, "bash < "+name, "cat "+name+" | sh",
		"cp "+name+" copy"+name+"; sh copy"+name, "mv "+name+" moved"+name+"; bash moved"+name, "sh < "+name, "env bash "+name, `eval "$(cat `+name+`)"`, `bash -c "$(<`+name+`)"`, "x="+name+"; sh $x", "bash \"$PWD/"+name+`"`)
	if write.documents == "" {
		return piece{text: write.text + g.pick("; ", "\n", " && ") + run}
	}
	return piece{text: write.text + "\n" + write.documents + run}
}

func (g *generator) alias() piece {
	value := g.pick("zap -a", "wipe", "prog1 $a", "zap -a; wipe", "command zap ", "f9")
	name := g.pick("al", "prog2", "al")
	return piece{text: "shopt -s expand_aliases\nalias " + name + "='" + value + "'\n" + name + " " + g.words(2) + g.pick("", "", "\nunalias "+name+"\n"+name+" u", "\n\\"+name+" q")}
}

func (g *generator) builtin() piece {
	return piece{text: g.pick("set -- "+g.words(3), "shift", "unset "+g.pick("a", "b", "r", "'r[0]'", "u"), "readonly k=5; k=6; zap $k", "wait", "set -- \"$@\" more", "set a b",
		"export a; bash -c 'zap \"$a\"'", "declare -i m=3+4; zap $m", "let m=2+3; zap $m", "((m=4)); zap $m", "declare -n w=a; zap \"$w\"", "declare -A h=([k]=v); zap ${h[k]}",
		"declare -u up=low; zap $up", "zap \"${a@Q}\"", "shift 2", "set -f; zap *; set +f", "IFS=,; zap $a; IFS=$' \\t\\n'", "getopts ab o -a; zap $o", "m=1; ((m++)); zap $m",
		"hash -p "+g.pick("none", "/nowhere/zap")+" q9; true", "type zap", "zap $(type -t zap)", "x=('z z'); zap \"${x[@]}\"", "a=$p", "export p; sh -c '$p e'", "declare p; $p y",
		"set -o posix; zap; set +o posix", "exec 3<<<'zap fd'; . /dev/fd/3", "local q=1 2>/dev/null; zap", "builtin printf x", "[[ abc =~ b ]] && zap", "printf '%s\\n' zap | xargs -n1 true", "a=${a:-x}; zap $a", ": ${u:=def}; zap $u; unset u", "zap ${x[9]-none}", "zap \"$#\" ${@:1:1}")}
}

func (g *generator) wrapped() piece {
	wrapper := g.pick("env", "command", "nohup", "nice", "nice -n 1", "timeout 9", "timeout -k 1 9", "env a=w", "env -u a", "time", "env -C /", "stdbuf -oL", "setsid -w", "env -S 'zap s'", "flock lock", "nice -5", "command --", "env -- ", "env b=1 a=2")
	switch g.number(6) {
	case 0:
		return piece{text: g.pick("echo x y", "printf '%s\\n' a 'b c'", `echo "$a"`) + " | xargs " + g.pick("", "-n1 ", "-I{} ", "-r ") + g.pick("zap", "wipe {}", "zap -q", "sh -c 'zap \"$@\"' _", "env zap")}
	case 1:
		return piece{text: "( exec " + g.pick("", "-c ", "-l ") + g.pick("zap", "wipe", "prog1") + " " + g.words(2) + " )"}
	case 2:
		return piece{text: g.pick(`find . -maxdepth 0 -exec zap {} \;`, `find . -maxdepth 0 -exec sh -c 'zap "$1"' _ {} +`, "find . -maxdepth 0 -exec wipe -x {} ';'", `find . -maxdepth 0 -execdir zap f \;`)}
	case 3:
		return piece{text: wrapper + " " + g.pick("bash", "sh") + " -c " + g.written(g.text())}
	default:
		return piece{text: wrapper + " " + g.pick("zap", "wipe", "prog1", "env zap", "nice prog2", "$p", `"$p"`) + " " + g.words(3)}
	}
}

// folder changes to one, or runs something in one.
func (g *generator) folder() piece {
	make := "{ mkdir -p d/e; "
	return piece{text: make + g.pick("cd d", "cd d/e", "cd ./d", `cd "$PWD/d"`, "cd; cd work", "cd ~; cd -", "cd d && zap in && cd ..", "pushd d; zap p; popd", "(cd d; zap sub)", "cd d || zap no",
		"x=d; cd $x/e; zap", "cd /; zap root; cd ~/work", "cd -- d; cd - >/dev/null", "cd d/../d; zap", "cd -P d; zap", "env -C d zap", "pushd d; pushd e; popd; zap; popd", "cd d; cd e; cd ../..", "cd $(printf d); zap; cd ..", "cd ~+; zap",
		"(cd nowhere && zap)", "(cd nowhere || zap)", "bash -c 'cd d; zap'; zap", "cd d | zap", "cd d & wait; zap", "CDPATH=d; cd e; zap; unset CDPATH") + "; " + g.pick("zap", `wipe "$PWD"`, "zap $OLDPWD", "prog1") + "; }"}
}

func (g *generator) trap() piece {
	if g.chance(30) {
		return piece{text: g.pick("trap 'zap ret' RETURN", "trap - EXIT", "trap '' INT", "trap 'zap usr' USR1; kill -USR1 $$", "trap 'zap err' ERR; false; trap - ERR", "( trap 'wipe sub' EXIT )")}
	}
	inner := *g
	text := strings.TrimRight(inner.body(), "; ")
	g.budget, g.names = inner.budget, inner.names
	return piece{text: "trap " + g.written(text) + " " + g.pick("EXIT", "0", "exit", "INT EXIT")}
}

func (g *generator) background() piece {
	return piece{text: g.pick("zap bg & wait", "a=bg & wait; zap $a", "{ wipe x; a=9; } & wait", "coproc zap; wait", "(zap x &) ; wait", "zap x & wipe y & wait")}
}

// child is what another program gets from this shell.
func (g *generator) child() piece {
	return piece{text: g.pick(
		"export a; bash -c 'zap \"$a\"'", "a=one bash -c 'zap \"$a\"'", "env a=two sh -c 'zap $a'", "bash -c 'zap $a$b'", "export p=wipe; bash -c '$p c'",
		"(a=sub; zap $a); zap $a", "f() { zap fn; }; export -f f; bash -c f", "unset p; ${p:-zap} d", "export -n a; bash -c 'zap $a'", "set -a; b=auto; set +a; bash -c 'zap $b'",
		"bash -c 'a=7; bash -c \"zap \\$a\"'", "cat <(zap ps)", "zap x > >(cat >/dev/null); wait", "x=$(zap o; echo k); wipe $x", "zap y | cat | wipe z", "diff=$(a=in; zap $a); zap $a",
		"while false; do a=never; done; zap $a", "if false; then p=burn; fi; $p m", "a=1; { a=2; }; zap $a", "a=1; (a=2); zap $a", "a=1 | a=2; zap $a", "echo q | read a; zap $a",
		"false && a=no; zap $a", "true || a=no; zap $a", "! a=neg; zap $a", "a=x; for a in; do :; done; zap $a", "for a in k l; do :; done; zap $a", "case x in y) a=no;; esac; zap $a")}
}
