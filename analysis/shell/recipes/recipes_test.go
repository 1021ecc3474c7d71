package recipes

import (
	"strings"
	"testing"
)

func TestMake(t *testing.T) {
	const text = "D = /x\nall: build\n\t@echo $(D) $$HOME\nbuild: a.c b.c ; cc $^ -o $@\nclean:\n\t-rm -rf $(D) \\\n\t  $(HOME)\n%.o: %.c\n\tcc $<\nV := $(shell date +%s)\n"
	for goals, want := range map[string]string{
		"":             "date +%s|cc a.c b.c -o build|echo /x $HOME",
		"clean":        "date +%s|rm -rf /x \\\n\t  ${HOME}",
		"x.o":          "date +%s|cc %.c",
		"missing":      "date +%s",
		"clean, build": "date +%s|rm -rf /x \\\n\t  ${HOME}|cc a.c b.c -o build",
	} {
		var list []string
		if goals != "" {
			list = strings.Split(goals, ", ")
		}
		if got := strings.Join(Make(text, list, nil), "|"); got != want {
			t.Errorf("%s: %q, want %q", goals, got, want)
		}
	}
	if got := strings.Join(Make("a:\n\trm $(X)", nil, map[string]string{"X": "y"}), "|"); got != "rm y" {
		t.Errorf("a variable of the command line: %q", got)
	}
	if got := Make("A = $(A) $(A)\na:\n\t$(A)", nil, nil); len(got) != 1 || len(got[0]) > 4*maxExpanded {
		t.Errorf("a value of itself: %d", len(got))
	}
	many := "A = " + strings.Repeat("$(B)", 2000) + "\n"
	for c := 'B'; c < 'H'; c++ {
		many += string(c) + " = " + strings.Repeat("$("+string(c+1)+")", 2000) + "\n"
	}
	if got := Make(many+"a:\n\t$(A)", nil, nil); len(got) != 1 {
		t.Errorf("many values: %d", len(got))
	}
	if got := Make("a: b\n\tx\nb: a\n\ty", nil, nil); strings.Join(got, "|") != "y|x" {
		t.Errorf("targets in a circle: %q", got)
	}
}

func TestOthers(t *testing.T) {
	for _, c := range []struct {
		got  []string
		want string
	}{
		{Just("d := '/x'\nx a: y\n  @rm {{d}} {{a}}\ny:\n  ls\nz:\n  #!/bin/sh\n  cd /\n  ls\n", nil), "ls|rm /x ${JUST_ARGUMENT}"},
		{Just("x:\n  rm\ny:\n  ls", []string{"y"}), "ls"},
		{Just("z:\n  #!/bin/sh\n  cd /\n  ls\n", nil), "#!/bin/sh\ncd /\nls"},
		{Package(`{"scripts": {"a": "ls", "prea": "date", "b": "rm"}}`, "a"), "date|ls"},
		{Package(`{"scripts": 1`, "a"), ""},
		{Tasks("version: 3\ntasks:\n  x:\n    cmds:\n      - rm a\n      - |\n        cd /\n        ls\n  y:\n    cmd: 'date'\n  z: pwd\n", []string{"x"}), "rm a|\ncd /\nls"},
		{Tasks("tasks:\n  default: pwd\n  y:\n    cmd: 'date'", nil), "pwd"},
		{Tasks("tasks:\n  y:\n    cmd: 'date'", []string{"y"}), "date"},
		{Ninja("rule r\n  command = rm $in\nbuild x: r y"), "rm in"},
	} {
		if got := strings.Join(c.got, "|"); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func FuzzRecipes(f *testing.F) {
	f.Add("a: b\n\trm $(x)\nx = $(y)\n  - |\ncommand = x\n{{y}}")
	f.Fuzz(func(t *testing.T, text string) {
		Make(text, nil, nil)
		Just(text, nil)
		Package(text, "a")
		Tasks(text, nil)
		Ninja(text)
	})
}
