package redact

import (
	"regexp"
	"strings"
	"sync"
)

// takesP finds the programs whose -p is a password: those that have it in the same word
// only (the next is a database), and the others.
var takesP = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[\s/;|&("'])(?:(mysql(?:dump|admin|import|pump|show)?|mariadb(?:-dump|-admin)?)|(?:sshpass|(?:docker|podman|nerdctl|buildah|skopeo|helm|oras|crane|az|oc)\s[^\n;|&]{0,100}?\blogin))\s`)
})

// passwordOfClient looks at a -p: the first one behind such a program is its.
func (x *scan) passwordOfClient(i int) (secret, bool) {
	nothing := secret{to: i + 2}
	if i == 0 || x.s[i-1] != ' ' && x.s[i-1] != '\t' {
		return nothing, true
	}
	before := x.s[min(max(x.p, x.last), i):i]
	x.p = i - 1 // no byte is searched again, but for the blank
	var found [][]int
	for _, hint := range [...]string{"mysql", "mariadb", "sshpass", "login"} { // most texts have none
		if strings.Contains(before, hint) {
			found = takesP().FindAllStringSubmatchIndex(before, -1)
			break
		}
	}
	if len(found) == 0 {
		return nothing, true
	}
	from := i + 2
	if inWord := found[len(found)-1][2] >= 0; !inWord {
		from = skipBlanks(x.s, from)
	}
	if hit, ok := x.value(assignment{kind: password, name: "p", sure: true}, from); ok {
		return hit, true
	}
	return nothing, true
}
