package shell

import (
	"strings"
	"testing"
)

// substitutionPlaces are where a substitution can stand; "@" stands for it.
var substitutionPlaces = []string{
	"wipe @", `wipe "@"`, "wipe a@b", "wipe {a,@}", "wipe @{a,b}", "@ || true", `"@" || true`, "x=@ wipe", "x=@", `x="a@"`,
	"x+=@", "x[0]=@", "x[1]+=@", "x=(@)", "x=(a @ b)", `x+=("@" b)`, "x=([1]=@)", "x=([k]=@ [j]=b)", "x+=([2]=@)",
	"declare x=@", "export y=@", "local x=@ 2>/dev/null; f() { local y=@; }; f", "readonly y=@", "declare y+=@",
	"declare y=(@)", "declare -A y=([k]=@)", "declare -a y=(a @)", "typeset -x y=@", "wipe ${x:-@}", `wipe "${x:-@}"`,
	"wipe ${x-@}", "wipe ${x:+@}", "wipe ${x+@}", "wipe ${x:=@}", "wipe ${x#@}", "wipe ${x%@}", "wipe ${x##@}",
	"wipe ${x/@/b}", "wipe ${x/b/@}", "wipe ${x//@}", "wipe ${x^@}", "wipe ${x:-${y:-@}}", "wipe ${x:-a@}",
	`wipe "${x:-"@"}"`, "wipe ${x:$(zap s >/dev/null; echo 1)}", "wipe ${x:0:$(zap s >/dev/null; echo 1)}",
	"wipe ${x[$(zap s >/dev/null; echo 0)]}", "x[$(zap s >/dev/null; echo 0)]=a", "wipe ${#x[$(zap s >/dev/null; echo 0)]}",
	"wipe ${x[@]:-@@}", `wipe "${x[@]#@@}"`, "wipe ${@:-@@}", "wipe $((1+$(zap s >/dev/null; echo 1)))",
	"((y=$(zap s >/dev/null; echo 1)))", "let y=$(zap s >/dev/null; echo 1)", "wipe $[$(zap s >/dev/null; echo 1)]",
	"wipe <<< @", "wipe <<E\n@\nE", "wipe <<E\n${x:-@}\nE", "cat <<E >/dev/null\n`zap s`\nE", "wipe >@", "wipe 2>@ <@",
	"wipe < <(@)", "wipe <(@)", "cat <(zap s) >/dev/null", ": > >(zap s)", "wipe &>@", "{ wipe; } >@",
	"while false; do :; done <@", "for y in @; do wipe $y; done", "for y in a @ b; do :; done",
	"for ((i=$(zap s >/dev/null; echo 0);i<1;i++)); do :; done",
	"for ((i=0;i<$(zap s >/dev/null; echo 1);i++)); do :; done", "select y in @; do break; done <<< 1",
	"case @ in *) wipe;; esac", "case a in @) ;; *) wipe;; esac", "case a in b|@) ;; esac", "case ${x:-@} in *) ;; esac",
	"[[ @ ]]", "[[ -n @ ]]", "[[ a == @ ]]", "[[ a =~ @ ]]", "[[ ! ( a && -z @ ) ]]",
	"[[ a -eq $(zap s >/dev/null; echo 1) ]]", "[ -n @ ]", "test @", "if @; then wipe; fi", "while @; do break; done",
	"until @; do break; done", "! @", "time @", "coproc { @; }; wait", "@ &\nwait", "(@)", "{ @; }", "@ | wipe", "wipe | @",
	"@ && wipe", "wipe && @", "f() { @; }; f", "f() { wipe @; }; f", "f() { wipe; } >@; f", "eval @", "eval 'wipe @'",
	`eval "wipe \"@\""`, "bash -c 'wipe @'", `bash -c "wipe @"`, "trap 'wipe @' EXIT", `trap "wipe @" EXIT`,
	"wipe $(echo @)", "wipe \"$(echo \"@\")\"", "wipe `echo @`", "unset y@", "read y <<< @", "printf -v y %s @", "set -- @",
	"shift $(zap s >/dev/null; echo 0)", "set -- a; wipe ${1#@}", "cd @ 2>/dev/null; wipe", "alias y=@", "env y=@ wipe",
	"env wipe @", "xargs wipe @ <<< a", "echo a | xargs wipe @", "exec 3>@", "shopt -s extglob\nwipe !(@)x",
	"echo @ > f; sh f", "cat > f <<E\nwipe @\nE\nsh f", "cat > f <<'E'\nwipe @\nE\nsh f", "@ x y", "$x@ || true",
	"x=wipe; $x @", "wipe ${x@Q}@", "wipe ${!x:-@}", `wipe $'a'@$"b"`, "y=@; wipe $y", "mapfile -t y < <(@)",
	"printf '%s\\n' @ | wipe", "return @ 2>/dev/null; wipe", "(exit $(zap s >/dev/null; echo 0))",
	"sudo() { @; }; sudo wipe", "wipe \\\n@", "getopts a o @", "[ @ ] || wipe", "wipe \"${x:+a \"@\"}\"",
	"wipe ${x:-'$(echo no)'@}", "hash @ 2>/dev/null; wipe", "export @", "declare @", "x=a y=@ z=@ wipe", "command wipe @",
	"command -v @", "timeout 5 wipe @", "nice -n $(zap s >/dev/null; echo 1) wipe",
}

// TestSubstitutionsAgainstBash runs a substitution in all places, with a
// variable there of which more or less is known.
func TestSubstitutionsAgainstBash(t *testing.T) {
	b := newBash(t)
	var lines []string
	for i, place := range substitutionPlaces {
		substitution := "$(zap s)"
		if i%3 == 2 && !strings.Contains(place, "`") {
			substitution = "`zap s`"
		}
		text := strings.NewReplacer("[@]", "[@]", "${@", "${@", "@Q", "@Q", "@@", substitution, "@", substitution).Replace(place)
		lines = append(lines, text)
		if !strings.Contains(place, "${x") && !strings.Contains(place, "x[") && !strings.Contains(place, "x+=") {
			continue
		}
		for _, before := range []string{"unset x; ", "x=abc; ", "x=(a b); ", "x=; ", "x=$(wipe); "} {
			lines = append(lines, before+text)
		}
	}
	b.checkAll(t, lines)
}
