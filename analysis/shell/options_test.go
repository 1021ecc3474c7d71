package shell

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
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
		{"rm --no /", "--no-preserve-root", "/"},
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
		{"find . -name -delete", "-delete", "-"},
		{"find . -name -delete", "-name", "-delete"},
		{"find . -samefile -delete -print", "-delete", "-"},
		{"find . -newermt -delete", "-delete", "-"},
		{"find . -gid -delete -delete", "-delete", ""},
		{"find . -exec rm -delete {} +", "-delete", "-"},
		{`find . -exec rm -delete {} \; -delete`, "-delete", ""},
		{`find . ! -name x \( -empty -o -delete \)`, "-delete", ""},
		{"find . -fprintf /x -delete -print", "-delete", "-"},
		{"find . -printf -delete", "-delete", "-"},
		{"find -L . -maxdepth 2 -delete", "-maxdepth", "2"},
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
		{"docker run -v=/:/host alpine", "-v --volume", "/:/host"},
		{"kubectl -n=prod get pods", "-n --namespace", "prod"},
		{"docker rm -f=false web", "-f --force", "-"},
		{"podman --log-level debug rm -f web", "-f --force", "web"},
		{"docker-compose -f dev.yml down -v", "-v --volumes", ""},
		{"terraform -chdir=prod apply -target x -auto-approve", "-auto-approve", ""},
		{"pulumi -C infra up --yes", "-y --yes", ""},
		{"restic -r /srv/backup forget -n latest", "-n --dry-run", "latest"},
		{"docker system prune -af", "-f --force", ""},
		{"kubectl -n prod delete pod x --force", "-n --namespace", "prod"},
		{"kubectl delete pod x -n prod", "-n --namespace", "prod"},
		{"tar -xzf a.tgz -C /", "-C", "/"},
		{"tar -czf -x y", "-x", "-"},
		{"ls -a -- -l", "-l", "-"},
		{"git log -n 5 -n 6", "-n", "6"},
		{"cat - -n", "-n", ""},

		// What is said later holds.
		{"rm -i -f /x", "-f --force", "/x"},
		{"rm -f -i /x", "-f --force", "-"},
		{"rm -fi /x", "-f --force", "-"},
		{"rm -if /x", "-f --force", "/x"},
		{"rm -f -I /x", "-f --force", "-"},
		{"rm -f -i -f /x", "-f", "/x"},
		{"rm --force -i /x", "-f --force", "-"},
		{"rm -f --interactive=always /x", "-f --force", "-"},
		{"rm -f --inter /x", "-f --force", "-"},
		{"rm -f --interactive=never /x", "-f --force", ""},
		{"rm -i -f /x", "-i --interactive", "-"},
		{"rm -f -v -r /x", "-f", ""},
		{"rm -r -i /x", "-r", ""},
		{"rm --no-preserve-root --preserve-root /", "--no-preserve-root", "-"},
		{"rm --preserve-root --no-preserve-root /", "--no-preserve-root", "/"},
		{"rm --no-preserve-root --preserve-root=all /", "--preserve-root", "all"},
		{"chmod --no-p --pres 777 /", "--no-preserve-root", "-"},
		{"mv -n -f a b", "-n --no-clobber", "-"},
		{"mv -f -n a b", "-n --no-clobber", "a"},
		{"mv -f -n a b", "-f --force", "-"},
		{"cp -n -i a b", "-n", "-"},
		{"cp --no-clob a b", "-n --no-clobber", "a"},
		{"cp -P -L a b", "-P --no-dereference", "-"},
		{"ln -f -i a b", "-f", "-"},
		{"apt-get -y --assume-no install x", "-y --yes", "-"},
		{"mount -o rw -r -w /x", "-r --read-only", "-"},
		{"grep -E -F x", "-E", "-"},
		{"curl --fail --no-fail u", "--fail", "-"},
		{"curl --no-fail --fail u", "--no-fail", "-"},
		{"rsync --delete --no-delete a b", "--delete", "-"},
		{"npm i --save --no-save", "--save", "-"},
		{"mytool --force --no-force", "--force", "-"},
		{"mytool --no-verify --verify", "--no-verify", "-"},
		{"mytool --no-verify", "--verify", "-"},
		{"mytool --force --no-forceful", "--force", ""},
		{"git commit --no-verify --verify", "--no-verify", "-"},
		{"git push --force --no-force origin", "--force", "-"},
		{"kubectl delete pod x --force=false", "--force", "-"},
		{"kubectl delete pod x --force --force=false", "--force", "-"},
		{"kubectl delete pod x --force=true", "--force", "true"},
		{"kubectl delete pod x --dry-run=none", "--dry-run", "none"},
		{"kubectl delete pod x --cascade=false", "--cascade", "false"},
		{"docker system prune --force=0", "-f --force", "-"},
		{"terraform destroy -auto-approve=false", "-auto-approve", "-"},
		{"terraform destroy --auto-approve", "-auto-approve", ""},
		{"mytool --color=false", "--color", "false"},

		// Abbreviations.
		{"rm --rec --fo /x", "--recursive", ""},
		{"rm --rec --fo /x", "-f --force", "/x"},
		{"rm --r /x", "-r --recursive", "/x"},
		{"rm --recursiv --x /x", "--recursive", ""},
		{"rm --recursively /x", "--recursive", "-"},
		{"cp --re a b", "--recursive --reflink --remove-destination", "a"},
		{"cp --rec a b", "--reflink --remove-destination", "-"},
		{"cp --target=/x a", "-t --target-directory", "/x"},
		{"cp --target /x a", "-t --target-directory", "/x"},
		{"sort --out x y", "-o --output", "x"},
		{"tar --del -f x y", "--delete", ""},
		{"tar --dele -f x y", "--delete", ""},
		{"tar --remove x", "--remove-files", "x"},
		{"kubectl delete --forc", "--force", "-"},
		{"docker run --privil x", "--privileged", "-"},
		{"rsync --delet a b", "--delete", "-"},
		{"wget --no-check u", "--no-check-certificate", "u"},
		{"mytool --forc", "--force", ""},

		// Bundles, values, and the words that end options.
		{"rm -vrf /x", "-f", "/x"},
		{"rm -Zrf /x", "-r", "f"},
		{"cp -at /x a", "-t", "/x"},
		{"cp -t/x a", "-t", "/x"},
		{"cp -ta a", "-a", "-"},
		{"install -m 755 -d a", "-m --mode", "755"},
		{"install -m -d a", "-d", "-"},
		{"sed -ni p f", "-i --in-place", "p"},
		{"sed -in p f", "-n", "-"},
		{"sed -n -i.bak p f", "-i", ".bak"},
		{"grep -re -f x", "-f", "-"},
		{"chmod -R 777 x", "-R --recursive", "777"},
		{"chmod -x -R x", "-R", "x"},
		{"chmod -rw x", "-w", "-"},
		{"tar xzf a.tgz", "-x", "zf"},
		{"tar xzf a.tgz", "-f", "a.tgz"},
		{"tar cfC a.tar /x b", "-C", "/x"},
		{"tar cfC a.tar /x b", "-f", "a.tar"},
		{"tar a.tar -x", "-a", "-"},
		{"tar -cf x -- -x", "-x", "-"},
		{"shred -n 3 -u x", "-u --remove", "x"},
		{"shred -nu x", "-u", "-"},
		{"kill -9 1", "-9", "1"},
		{"kill -KILL 1", "-KILL", "1"},
		{"kill -KILL 1", "-L", "-"},
		{"kill -s KILL 1", "-s --signal", "KILL"},
		{"pkill -9 -f x", "-f --full", "x"},
		{"ssh -p 22 host rm -f x", "-f", "-"},
		{"ssh -fN host", "-f", "N"},
		{"python3 -W error x.py -c y", "-c", "-"},
		{"docker compose exec -T web rm -f x", "-f", "-"},
		{"docker container run --rm -v /:/h alpine rm -f", "-v --volume", "/:/h"},
		{"kubectl logs -f pod", "-f --follow", "pod"},
		{"kubectl -n prod logs pod -f -n x", "-n", "x"},
		{"dig +short x", "+short", "-"},
		{"dig +s x", "+s", "x"},
		{"unzip -o a.zip -d /x", "-d", "/x"},
		{"curl -sSfLo /x u", "-o --output", "/x"},
		{"curl -so/x u", "-s", "o/x"},
		{"wget -qO- u", "-O --output-document", "-"},
		{"useradd -m -s /bin/sh x", "-s --shell", "/bin/sh"},
		{"iptables -t nat -F", "-t --table", "nat"},
		{"gtruncate --size=0 x", "-s --size", "0"},
		{"python3.12 -c x -m y", "-c", "x"},

		// Operands with a name.
		{"dd if=/x of=/y bs=1M", "of=", "/y"},
		{"dd of=/x of=/y", "of=", "/y"},
		{"dd if=/x", "of=", "-"},
		{"dd 'of=/a b'", "of=", "/a b"},
		{"dd oflag=direct", "of=", "-"},
		{"sudo dd of=/x", "of=", "-"},
		{"make X=1", "X=", "1"},
		{"mytool --of=x", "of=", "-"},
		{"dd of=", "of=", ""},
	} {
		value, ok := first(c.text).Flag(strings.Fields(c.names)...)
		found := ok || value != ""
		if !ok && value == "" {
			value = "-"
		}
		if value != c.want || found != ok || !ok && c.want != "-" {
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
		{"atlas --projectId p clusters delete c", "clusters delete c", "clusters"},
		{"bosh -d shop -e prod delete-deployment", "delete-deployment", "delete-deployment"},
		{"celery -A shop purge", "purge", "purge"},
		{"eksctl --region r delete cluster c", "delete cluster c", "delete"},
		{"fastly --token t -s s service delete", "service delete", "service"},
		{"hcloud --context c server delete s", "server delete s", "server"},
		{"hdfs dfs -rm -r /x", "dfs /x", "dfs"},
		{"juju -m m remove-application a", "remove-application a", "remove-application"},
		{"nats -s n stream rm s", "stream rm s", "stream"},
		{"oci --profile p os bucket delete", "os bucket delete", "os"},
		{"scw -p p instance server delete s", "instance server delete s", "instance"},
		{"talosctl -n 10.0.0.2 reset", "reset", "reset"},
		{"vultr-cli --config f instance delete i", "instance delete i", "instance"},
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
		{"aws --no-cli-pager --output json s3 ls", "s3 ls", "s3"},
		{"aws ec2 describe-instances --filters delete-x --dry-run y", "ec2 describe-instances y", "ec2"},
		{"aws --unheard of ec2 stop-instances --quiet", "ec2 stop-instances", "ec2"},
		{"az --subscription s vm delete --name n --yes x", "vm delete x", "vm"},
		{"az vm show --os-type delete", "vm show", "vm"},
		{"gcloud --project p beta run services delete s --region=r", "beta run services delete s", "beta"},
		{"gcloud -q sql instances delete db --async", "sql instances delete db", "sql"},
		{"gsutil -m -h A:b rm -r gs://x", "rm gs://x", "rm"},
		{"vault -namespace=admin kv delete -mount=secret x", "kv delete x", "kv"},
		{"vault -namespace admin delete x", "delete x", "delete"},
		{"mc --config-dir d rb m/b", "rb m/b", "rb"},
		{"fly -a shop apps destroy shop", "apps destroy shop", "apps"},
		{"mongo --quiet --eval x shop", "shop", "shop"},
		{"gh pr review -r -b text 5", "pr review 5", "pr"},
		{"gh issue close 5 -r done -c text", "issue close 5", "issue"},
		{"heroku apps:destroy -a shop", "apps:destroy", "apps:destroy"},
		{"helm -n x uninstall y", "uninstall y", "uninstall"},
		{"cargo +nightly build", "+nightly build", "build"},
		{"npm --prefix x publish", "publish", "publish"},
		{"terraform -chdir=x destroy", "destroy", "destroy"},
		{"systemctl --root /x stop y", "stop y", "stop"},
		{"sudo -u root rm -rf /", "rm -rf /", "rm"},
		{"timeout -k 5 10 rm", "10 rm", "10"},
		{"xargs -I{} git {}", "git {}", "git"},
		{"find /a b -name x -delete", "/a b", "/a"},
		{"find -L -D tree /a -exec rm {} ;", "/a", "/a"},
		{"find -name x", "", ""},
		{"rm --unknown x", "x", "x"},
		{"cp -S .b a b", "a b", "a"},
		{"cp --suf .b a b", "a b", "a"},
		{"mv -t d a b", "a b", "a"},
		{"chmod -w a", "a", "a"},
		{"chmod u+w a", "u+w a", "u+w"},
		{"tar xf a.tar b", "b", "b"},
		{"tar -x -f a.tar b", "b", "b"},
		{"tar help", "help", "help"},
		{"sed -e p -n f", "f", "f"},
		{"grep -A 3 -e x f", "f", "f"},
		{"head -5 f", "f", "f"},
		{"tail +5 f", "f", "f"},
		{"dd if=a of=b", "if=a of=b", "if=a"},
		{"curl -o x -d a=b u", "u", "u"},
		{"wget -P d u", "u", "u"},
		{"ssh -p 22 h ls -l", "h ls -l", "h"},
		{"scp -P 22 a h:b", "a h:b", "a"},
		{"rsync -e 'ssh -p 1' --exclude x a b", "a b", "a"},
		{"kill -9 1 2", "1 2", "1"},
		{"docker system prune -af --filter x=y", "system prune", "system"},
		{"docker container exec -u root c rm -f x", "container exec c rm -f x", "container"},
		{"kubectl rollout undo -n x d/y --to-revision 3", "rollout undo d/y", "rollout"},
		{"kubectl logs -f pod", "logs pod", "logs"},
		{"npm -w a run b", "run b", "run"},
		{"pip install -r x -t y z", "install z", "install"},
		{"apt-get -o A=b install x", "install x", "install"},
		{"systemctl -H h restart x", "restart x", "restart"},
		{"mkfs.ext4 -L x /dev/y", "/dev/y", "/dev/y"},
		{"mkfs.btrfs -L x /dev/y", "/dev/y", "/dev/y"},
		{"perl -i -pe s/a/b/ f", "f", "f"},
		{"perl -pi.bak -e s/a/b/ f", "f", "f"},
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

// TestBundle checks that letters mean the same together and apart, for every
// program whose options are all known.
func TestBundle(t *testing.T) {
	lone := make(map[string]string) // program to letters without a value
	var names []string
	for _, name := range programNames(t) {
		g := grammarOf(name)
		if !g.Closed || g.Whole || strings.Contains(name, " ") {
			continue
		}
		var letters strings.Builder
		for i := range len(g.Short) {
			if isLetter(g.Short[i]) && g.letter(g.Short[i]) == alone {
				letters.WriteByte(g.Short[i])
			}
		}
		if letters.Len() > 0 {
			lone[name] = letters.String()
			names = append(names, name)
		}
	}
	fixedSeed(t)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "program")
		letters := rapid.SliceOfN(rapid.SampledFrom([]byte(lone[name])), 1, 6).Draw(t, "letters")
		together := &Command{Name: name, Args: []Word{{Text: "-" + string(letters)}, {Text: "x"}}}
		apart := &Command{Name: name}
		for _, letter := range letters {
			apart.Args = append(apart.Args, Word{Text: letterName('-', letter)})
		}
		apart.Args = append(apart.Args, Word{Text: "x"})
		for _, letter := range []byte(lone[name]) {
			_, one := together.Flag(letterName('-', letter))
			if _, other := apart.Flag(letterName('-', letter)); one != other {
				t.Fatalf("%s %s: -%c is found %v, with separate letters %v", name, letters, letter, one, other)
			}
		}
		if a, b := together.Operands(), apart.Operands(); !slices.Equal(a, b) {
			t.Fatalf("%s %s: operands %v, with separate letters %v", name, letters, a, b)
		}
		if a, b := showPaths(together.Paths()), showPaths(apart.Paths()); a != b {
			t.Fatalf("%s %s: paths %s, with separate letters %s", name, letters, a, b)
		}
	})
}

// TestAbbreviation checks that in a complete list every option is found under
// its own name, and under the shortest beginning that no other has.
func TestAbbreviation(t *testing.T) {
	for _, name := range programNames(t) {
		g := grammarOf(name)
		if !g.Closed || strings.Contains(name, " ") {
			continue
		}
		for option := range strings.FieldsSeq(g.Long) {
			_, full := takes(option)
			if _, got := g.word(full); got != full {
				t.Errorf("%s --%s is read as %q", name, full, got)
			}
			for n := 1; n < len(full) && !g.Exact; n++ {
				others := 0
				for other := range strings.FieldsSeq(g.Long) {
					if strings.HasPrefix(other, full[:n]) {
						others++
					}
				}
				if _, got := g.word(full[:n]); others == 1 && got != full {
					t.Errorf("%s --%s is read as %q, not %q", name, full[:n], got, full)
				} else if others > 1 && got == full && full[:n] != full {
					t.Errorf("%s --%s is one of %d and read as %q", name, full[:n], others, got)
				}
			}
		}
	}
}

func BenchmarkFlag(b *testing.B) {
	for shape, word := range map[string]string{"bundles": "-rv ", "long": "--forc ", "rivals": "-f -i ", "letters": "v", "operands": "x "} {
		for _, size := range []int{8 << 10, 16 << 10, 32 << 10, 64<<10 - 10} {
			text := strings.Repeat(word, size/len(word))
			if shape == "letters" {
				text = "-" + text
			}
			command := first("rm " + text)
			b.Run(shape+"/"+strconv.Itoa(size>>10)+"KiB", func(b *testing.B) {
				for b.Loop() {
					command.Flag("-f", "--force")
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*size), "ns/byte")
			})
		}
	}
}
