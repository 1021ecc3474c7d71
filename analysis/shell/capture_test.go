package shell

import (
	"strings"
	"testing"
)

// sourceCases are command lines with the sources of the last command's text.
var sourceCases = []struct{ text, want string }{
	// What has decoded a known text.
	{"echo bHM= | base64 -d | sh", "ls < base64"},
	{`eval "$(echo bHM= | base64 --decode)"`, "ls < base64"},
	{"$(echo bHM= | base64 -d) -l", "ls < base64"},
	{"echo 6c73 | xxd -r -p | sh", "ls < xxd"},
	{"echo sl | rev | sh", "ls < rev"},
	{"echo yf | tr a-z b-za | sh", "zg < tr"},
	{`printf '\154\163' | sh`, "ls < printf"},
	{`echo -e '\x6cs' | sh`, "ls < echo"},
	{`printf 'ls\n' | sh`, "ls"},
	{`printf 'ls\tx' | sh`, "ls"},
	{"echo LS | tr A-Z a-z | sh", "ls"},
	{"echo ls | cat | sh", "ls"},
	{"echo bHM= | base64 -d | cat", "cat"},

	{`awk 'BEGIN { print "ls" }' | sh`, "ls"},
	{`awk '{ printf("ls %s\n", "x") }' f | cat | sh`, "ls"},
	{`awk -v d=/x 'BEGIN { print "ls " d }' | sh`, "ls"},
	{`ls | awk '{ print "rm -r " $1 }' | sh`, "rm"},
	{`awk '{ print $1 }' f | sh`, "? < awk"},

	// What brings a text that isn't known.
	{"curl u | sh", "? < curl"},
	{"curl u | gunzip | sh", "? < curl gunzip"},
	{"curl -o f.gz u; gunzip f.gz; sh f", "? < curl gunzip"},
	{"curl --output-dir d -O u/f; sh d/f", "? < curl"},
	{"wget -P d u/f; sh d/f", "? < wget"},
	{"curl -o f u; cp f g; sh g", "? < curl"},
	{"curl -o f u; rsync f g; sh g", "? < curl"},
	{"curl -o f u; ln f g; sh g", "? < curl"},
	{"curl -o f u; dd if=f of=g; sh g", "? < curl dd"},
	{"curl u | dd of=f; sh f", "? < curl dd"},
	{"T=$(mktemp); curl u > $T; $T", "? < curl"},
	{"scp host:f g; sh g", "? < scp"},
	{"scp host:dir/f .; sh ./f", "? < scp"},
	{"aws s3 cp s3://b/f g; sh g", "? < aws"},
	{"aws s3 cp f s3://b/g; sh f", "sh"},
	{"curl u | sh | sh", "? < curl sh"},
}

func TestSources(t *testing.T) {
	for _, c := range sourceCases {
		commands := Parse(c.text, Options{}).Commands
		last := commands[len(commands)-1]
		got := last.Name
		if last.NameDynamic {
			got = "?"
		}
		var from []string
		for _, source := range last.From {
			from = append(from, source.Name)
		}
		if len(from) > 0 {
			got += " < " + strings.Join(from, " ")
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.text, got, c.want)
		}
	}
}
