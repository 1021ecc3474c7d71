package shell

import (
	"strings"
	"testing"
)

func first(text string) *Command { return Parse(text, Options{}).Commands[0] }

func TestFlag(t *testing.T) {
	for _, c := range []struct {
		text, names string
		want        string // "-" for not found
	}{
		{"rm -rf /", "-r", "f"},
		{"rm -rf /", "-f", "/"},
		{"rm -rf /", "-R --recursive", "-"},
		{"rm -r -f /", "-f", "/"},
		{"rm -v x", "-f --force", "-"},
		{"rm --recursive --force /", "-r --recursive", ""},
		{"rm -- -rf", "-r -f", "-"},
		{"rm '-rf' x", "-f", "x"},
		{"rm file -rf", "-f", ""},
		{"rm -rf /", "r rf", "-"},
		{"rm --no-preserve-root /", "--no-preserve-root", "/"},
		{"rm --no-pres /", "--no-preserve-root", "/"},
		{"rm --no /", "--no-preserve-root", "-"},
		{"rm -r$X /", "-r", "$X"},
		{"rm -$X /", "-r -X", "-"},
		{"rm $X", "-r", "-"},
		{"git push --force origin main", "--force", "origin"},
		{"git push --forc origin main", "--force", "origin"},
		{"git push --f origin", "--force", "origin"},
		{"git push --forc origin", "--force-with-lease", "-"},
		{"git push --force origin", "--force-with-lease", "-"},
		{"git push --force-with-lease origin", "--force", "-"},
		{"git push --force-w origin", "--force-with-lease", "origin"},
		{"git push --force-with-lease=main:abc", "--force-with-lease", "main:abc"},
		{"git push --force$X", "--force", "-"},
		{"git push origin main -f", "-f --force", ""},
		{"git push -uf origin", "-f --force", "origin"},
		{"git commit -mrf", "-r -f", "-"},
		{"git commit -m -f", "-f", "-"},
		{"git commit -m -f", "-m", "-f"},
		{"git commit --message --force", "--force", "-"},
		{"git commit -am 'x -f'", "-f", "-"},
		{"git commit -am x", "-m", "x"},
		{"git commit -n -m x", "-n --no-verify", ""},
		{"git commit --no-veri", "--no-verify", ""},
		{"git -c core.hooksPath=/x commit", "-c", "core.hooksPath=/x"},
		{"git -C /x reset --hard", "--hard", ""},
		{"git reset --har", "--hard", ""},
		{"git clean -fdx", "-x", ""},
		{"git clean -f -d -e '*.log'", "-e", "*.log"},
		{"git checkout -bf", "-f", "-"},
		{"git branch -D x", "-d", "-"},
		{"find . -delete", "-delete", ""},
		{"find . -delete", "-d -e", "-"},
		{"find . -name x -delete", "-name", "x"},
		{"find . -name -delete", "-delete", ""},
		{"terraform apply -auto-approve", "-auto-approve", ""},
		{"terraform apply -auto-approve=true", "-auto-approve", "true"},
		{"terraform apply -auto-approve", "-a", "-"},
		{"curl -sSXDELETE http://x", "-X --request", "DELETE"},
		{"curl -X POST http://x", "-X --request", "POST"},
		{"curl -d @-rf x", "-r", "-"},
		{"curl --head x", "--head", "x"},
		{"head -n5 x", "-n", "5"},
		{"sudo rm -rf /", "-r -f", "-"},
		{"sudo -u root rm -rf /", "-u --user", "root"},
		{"sudo --user=root rm", "--user", "root"},
		{"bash -lc 'ls -x'", "-c", "ls -x"},
		{"docker run -v /:/host alpine rm -rf /", "-r -f", "-"},
		{"docker run --rm -v /:/host alpine", "-v --volume", "/:/host"},
		{"docker system prune -af", "-f --force", ""},
		{"kubectl -n prod delete pod x --force", "-n --namespace", "prod"},
		{"kubectl delete pod x -n prod", "-n --namespace", "prod"},
		{"tar -xzf a.tgz -C /", "-C", "/"},
		{"tar -czf -x y", "-x", "-"},
		{"ls -a -- -l", "-l", "-"},
		{"git log -n 5 -n 6", "-n", "6"},
		{"cat - -n", "-n", ""},
	} {
		value, ok := first(c.text).Flag(strings.Fields(c.names)...)
		if !ok && value == "" {
			value = "-"
		}
		if value != c.want {
			t.Errorf("%s: Flag(%s) = %q, want %q", c.text, c.names, value, c.want)
		}
	}
}

func TestOperands(t *testing.T) {
	for _, c := range []struct{ text, operands, subcommand string }{
		{"rm -rf a b", "a b", "a"},
		{"rm -- -a b", "-a b", "-a"},
		{"rm a -f b", "a b", "a"},
		{"cat -", "-", "-"},
		{"git push", "push", "push"},
		{"git -C /x -c a=b --no-pager push origin", "push origin", "push"},
		{"git --git-dir /x --work-tree=/y status", "status", "status"},
		{"git -p --exec-path=/x --namespace n log", "log", "log"},
		{"git --exec-path log", "log", "log"},
		{"git $X push", "$X push", ""},
		{"git commit -m x file", "commit file", "commit"},
		{"git commit -m x -- -file", "commit -file", "commit"},
		{"git", "", ""},
		{"kubectl -n prod --context c delete pod x", "delete pod x", "delete"},
		{"kubectl delete -f x.yml", "delete", "delete"},
		{"docker -H tcp://x --log-level debug rm x", "rm x", "rm"},
		{"docker run -e A=1 alpine rm -rf /", "run alpine rm -rf /", "run"},
		{"docker compose -f x.yml down -v", "compose down", "compose"},
		{"gh -R a/b pr merge 1", "pr merge 1", "pr"},
		{"aws --profile p s3 rm s3://x", "s3 rm s3://x", "s3"},
		{"helm -n x uninstall y", "uninstall y", "uninstall"},
		{"cargo +nightly build", "+nightly build", "build"},
		{"npm --prefix x publish", "publish", "publish"},
		{"terraform -chdir=x destroy", "destroy", "destroy"},
		{"systemctl --root /x stop y", "stop y", "stop"},
		{"sudo -u root rm -rf /", "rm -rf /", "rm"},
		{"timeout -k 5 10 rm", "10 rm", "10"},
		{"xargs -I{} git {}", "git {}", "git"},
	} {
		command := first(c.text)
		var texts []string
		for _, word := range command.Operands() {
			texts = append(texts, word.Text)
		}
		if got := strings.Join(texts, " "); got != c.operands {
			t.Errorf("%s: operands %q, want %q", c.text, got, c.operands)
		}
		if got := command.Subcommand(); got != c.subcommand {
			t.Errorf("%s: subcommand %q, want %q", c.text, got, c.subcommand)
		}
	}
}
