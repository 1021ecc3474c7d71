package hooks

import (
	"strings"
	"testing"
)

// A command's reach is compared with a pattern as two sets of files; a pattern that is just a name never matches
// a reach that consists of folders only.
func TestPatternsMeetWhatIsReached(t *testing.T) {
	for pattern, files := range map[string]string{
		"config/prod/**":          "+config/ +config/prod/ +config/prod/a/ +config/*/ +con*/ +*/ +*/prod/ -config/pro? +config/pro?/ +c?nfig/ +/w/ +/w/s*/ +/w/shop/ +// +config/**/*.yaml +config/**/?* -config/dev/ -config/production/ -build/ -b*/ -**/*.pyc -**/?*.x/ -config/* -*/* -/x/ -/w/other/ +config/*/x -config/* +*?/ +config/*?/ -/w/*?/ +/w/*/",
		"config/prod":             "+config/ +config/prod/ +config/* +*/ +co*/p* -config/dev* -src/",
		"**/*.env":                "+a/x.env/ +a/*.env +*.env +**/*.env -build/ -*/ -* -d*/ -// -x/** +**/p*.env -prod.*",
		"*.key":                   "-build/ +*.key +a/b.key/ -con*/ -*",
		".env":                    "+.e* +a/.env/ -* -*/ -build/ -?env",
		"**/prod/**":              "+a/prod/ +prod/ +x/prod/y/ -a/ -*/ +pro*/",
		"config/*/secret.yaml":    "+config/ +config/a/ +config/a/*.yaml +config/*/ -src/ -config/a/b/ +*/*/secret.yaml",
		"{config,deploy}/prod/**": "+config/ +deploy/ +dep*/ +*/ -src/",
		"conf*/prod/**":           "+config/ +conf/ +c*/ -src/",
		"/w/shop/config/**":       "+config/ +/w/ -/w/shop/con* +/w/shop/con*/ +*/ -build/ -/x/",
		"../other/**":             "+/w/ +/w/other/ +/w/*/ +/w/o*/ -build/ -../x/",
		"src/a**b/x":              "+src/ +src/axb/ +src/a/ -src/c/ -lib/",
		"[a-c]x/y/**":             "+bx/ -dx/ +?x/",
		"a/x|config/prod/**":      "+a/ +config/ -b/",
		"/config\\/prod/":         "-config/ +config/prod/",
		".github/**":              "+.github/ +.g*/ -*/ -g*/ +../shop/",
		"**":                      "+a/ +*",
	} {
		m, err := MatchFields(map[string]string{"file": pattern})
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range strings.Fields(files) {
			if got := m.MatchFile(file[1:], "/w/shop"); got != (file[0] == '+') {
				t.Errorf("%s and %s: %t", pattern, file[1:], got)
			}
		}
	}
}

// The cost of comparing a pattern with a reach is counted beforehand, and the hook of a matcher that would cost
// too much runs.
func TestReachWorkIsBounded(t *testing.T) {
	m := filePattern(t, strings.Repeat("*a", 500)+"/{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}/**")
	file := strings.Repeat("*a", 8000) + "/"
	if got := len(m.field[0].pattern.reached); got > maxReaches {
		t.Errorf("a pattern was taken apart into %d", got)
	}
	if work := m.FileWork(file, "/w"); work < len(file)*1000 {
		t.Errorf("the work is said to be %d", work)
	}
	work := maxMatchWork - 1000
	if !m.field[0].pattern.reaches("/w/"+file, "/w", &work) || work <= maxMatchWork {
		t.Errorf("after work of %d it isn't taken for a match", work)
	}
}

func filePattern(t *testing.T, pattern string) *Matcher {
	t.Helper()
	m, err := MatchFields(map[string]string{"file": pattern})
	if err != nil {
		t.Fatal(err)
	}
	return m
}
