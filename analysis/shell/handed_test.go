package shell

import (
	"strings"
	"testing"
)

// handedCases are clients of databases, and programs that run what is on their input or elsewhere, with what they run
// and read as show writes it.
var handedCases = []struct{ text, want string }{
	{"ip -b - <<< 'route del default'", "ip < > ip route del default"},
	{"ip -b - <<< \"addr show\nlink show\"", "ip < > ip addr show; ip < > ip link show"},
	{"nft -f - <<< 'flush ruleset; add table x'", "nft < > nft flush ruleset; nft < > nft add table x"},
	{"nft -c -f - <<< 'flush ruleset'", ""},
	{"lvm <<< 'lvremove -f vg0/data'", "lvm < > lvm lvremove -f vg0/data"},
	{"lvm lvs <<< 'lvremove -f vg0/data'", ""},
	{"bq shell <<< 'rm -f d.t'", "bq < > bq rm -f d.t"},
	{"bq ls <<< 'rm -f d.t'", ""},
	{"echo 'route del default' > b; ip -b b", "ip < > ip route del default"},
	{"echo 'zap' > b; ip -b c", ""},
	{`echo '\! zap -f' > x.sql; vsql -f x.sql`, `vsql < > -; vsql \! > zap -f`},
	{`echo '\! zap -f' > x.sql; psql -o x.sql`, ``},
	{`psql -f <(echo '\! zap -f')`, `<() > echo "\\! zap -f" @substitution; psql < > -; psql \! > zap -f`},
	{"consul exec -node x 'zap -f'", "consul > zap -f"},
	{"consul kv get x", ""},
	{"mco shell run 'zap -f'", "mco > zap -f"},
	{"salt '*' cmd.run 'zap -f'", "salt cmd.run > zap -f"},
	{"salt '*' test.ping zap", ""},
	{"salt-call cmd.shell 'zap -f'", "salt-call cmd.shell > zap -f"},
	{"az vm run-command invoke -g g --scripts 'zap -f'", "az --scripts > zap -f"},
	{`aws ssm send-command --parameters '{"commands":["zap \"x y\""]}'`, `aws --parameters > zap "x y"`},
	{"aws ssm send-command --parameters commands=zap", "aws --parameters > zap"},
	{"aws ecs execute-command --command 'zap -f' --task t", "aws --command > zap -f"},
	{"aws s3 cp a b", ""},
	{"ddev mysql -e x", "ddev > mysql -e x"},
	{"ddev exec zap -f", "ddev > zap -f"},
	{"ddev start", ""},
	{"corepack pnpm@8 install", "corepack > pnpm install"},
	{"corepack enable", ""},
	{"bundle e zap", "bundle e > zap"},
	{"dotnet tool run zap -- -f", "dotnet tool run > zap -- -f"},
}

func TestHanded(t *testing.T) {
	for _, c := range handedCases {
		if got := showRun(Parse(c.text, Options{})); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestHandedIsBounded gives programs much to run: it is run, or the line is too complex.
func TestHandedIsBounded(t *testing.T) {
	for _, text := range []string{
		"ip -b - <<< '" + strings.Repeat("link show\n", 20_000) + "'",
		"echo '" + strings.Repeat("a", 10_000) + "' > x; psql" + strings.Repeat(" x", 20_000),
		"aws ssm send-command --parameters '[" + strings.Repeat(`"a",`, 20_000) + "'",
	} {
		if line := Parse(text, Options{}); len(line.Commands) > maxCommands || len(line.Commands) == 0 && !line.TooComplex {
			t.Errorf("%.30s: %d commands", text, len(line.Commands))
		}
	}
}
