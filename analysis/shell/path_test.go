package shell

import (
	"path"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/luahook/luahook/analysis/shell/programs"
)

// showPaths writes paths with r, w or d for the access, "^" behind a pattern
// and "*" behind what isn't known.
func showPaths(paths []Path) string {
	var all []string
	for _, p := range paths {
		text := string(p.Access[0]) + " " + p.Text
		if p.Home != strings.HasPrefix(p.Text, "~") {
			text += "!home"
		}
		if p.Glob {
			text += "^"
		}
		if p.Dynamic {
			text += "*"
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

var pathCases = []struct{ text, want string }{
	// files
	{"rm -rf /tmp/x", "d /tmp/x"},
	{"rm -rf -- -x /y", "d -x, d /y"},
	{"rm --force /a b/../c ./d/", "d /a, d c, d d"},
	{"rm -rf ../..", "d ../.."},
	{"rm -rf a/../../b", "d ../b"},
	{"rm -rf /..//../etc/./x/", "d /etc/x"},
	{"rm -rf //", "d /"},
	{"rm -rf .", "d ."},
	{"rm -rf ~", "d ~"},
	{"rm -rf ~/a/../b", "d ~/b"},
	{"rm -rf ~/..", "d ~/.."},
	{"rm -rf ~/x/../../y", "d ~/../y"},
	{"rm -rf ~bob/x/..", "d ~bob"},
	{"rm -rf '~'", "d ./~"},
	{`rm -rf "~/x"`, "d ./~/x"},
	{"rm -rf /tmp/*", "d /tmp/*^"},
	{"rm -rf /tmp/*/../x", "d /tmp/*/../x^"},
	{"rm -rf /tmp/a/../*.o", "d /tmp/*.o^"},
	{"rm -rf '/tmp/*/../x'", "d /tmp/x"},
	{"rm -rf /../*/../x", "d /*/../x^"},
	{"rm -rf $UNKNOWN/x", "d $UNKNOWN/x*"},
	{`rm -rf "/a/$X/../b"`, "d /a/$X/../b*"},
	{`rm ""`, ""},
	{"rm -", "d -"},
	{`rm 'C:\x' C:/y`, `d C:\x, d C:/y`},
	{"rm --help /", ""},
	{"rm / --help", "d /"},
	{"grm -rf /x", "d /x"},
	{"rmdir -p a/b", "d a/b"},
	{"unlink /x", "d /x"},
	{"shred /x", "w /x"},
	{"shred -n 3 -u /x", "w /x, d /x"},
	{"shred --remove=wipe /x", "w /x, d /x"},
	{"shred --iter 3 /x", "w /x"},
	{"mv a /b", "d a, w /b"},
	{"mv a b c/", "d a, d b, w c"},
	{"mv -t /d a b", "d a, d b, w /d"},
	{"mv --target-dir=/d a", "d a, w /d"},
	{"mv -S .old a b", "d a, w b"},
	{"mv /* /dev/null", "d /*^, w /dev/null"},
	{"cp a b", "r a, w b"},
	{"cp -r a/. /b", "r a, w /b"},
	{"cp -at /d a", "r a, w /d"},
	{"cp --suffix .bak a b", "r a, w b"},
	{"cp a", "r a"},
	{"install -m 755 a /usr/bin/a", "r a, w /usr/bin/a"},
	{"install -d a b", "w a, w b"},
	{"ln -s /etc/passwd x", "w x"},
	{"ln /etc/passwd x", "r /etc/passwd, w x"},
	{"ln -s /etc/passwd", "w passwd"},
	{"ln -sfn ../a/b", "w b"},
	{"ln -s a b dir", "w dir"},
	{"ln -st dir a b", "w dir"},
	{"chmod 777 /x", "w /x"},
	{"chmod -R u+x a b", "w a, w b"},
	{"chmod -w /x", "w /x"},
	{"chmod -rwx /x", "w /x"},
	{"chmod --reference=/r /x", "w /x, r /r"},
	{"chown -R root:root /", "w /"},
	{"chown --from=a b /x", "w /x"},
	{"chgrp g /x", "w /x"},
	{"chattr -R +i /x", "w /x"},
	{"chattr -i /x", "w /x"},
	{"chattr =i /x", "w /x"},
	{"touch -r /a -d now b", "w b, r /a"},
	{"mkdir -p -m 700 /a/b", "w /a/b"},
	{"truncate -s 0 /x", "w /x"},
	{"truncate -r /r x", "w x, r /r"},
	{"dd if=/dev/zero of=/dev/sda bs=1M", "r /dev/zero, w /dev/sda"},
	{"dd of=~/x", "w ~/x"},
	{"dd 'of=~/x'", "w ./~/x"},
	{"dd bs=1M count=1", ""},
	{"dd of=$X", "w $X*"},
	{"split -l 10 in out/p", "r in, w out/p"},
	{"split in", "r in, w x"},
	{"tee -a /etc/hosts", "w /etc/hosts"},
	{"tee -", ""},
	{"rsync -a a/ b/", "r a, w b"},
	{"rsync -a --delete a/ /b", "r a, w /b, d /b"},
	{"rsync -a --del a /b", "r a, w /b, d /b"},
	{"rsync -an --delete a/ /b", "r a, r /b, r /b"},
	{"rsync --dry-run --no-dry-run a /b", "r a, w /b"},
	{"rsync -a --exclude /x a host:/b", "r a"},
	{"rsync -a --delete a host:/b", "r a"},
	{"rsync -a --delete host:/a /b", "w /b, d /b"},
	{"rsync -a rsync://host/a ./b", "w b"},
	{"rsync --remove-source-files a b", "d a, w b"},
	{"rsync --log-file=/l -e 'ssh -i /k' a b", "r a, w b, w /l"},
	{"rsync a:b/ ./c:d", "w c:d"},

	// find
	{"find /a /b -name x", "r /a, r /b"},
	{"find -name x", "r ."},
	{"find", "r ."},
	{"find /a -delete", "d /a"},
	{"find -L /a -type f -delete", "d /a"},
	{"find /a -name -delete", "r /a"},
	{"find /a -samefile -delete", "r /a, r -delete"},
	{"find /a -gid -delete", "r /a"},
	{"find /a -exec rm -delete {} ;", "r /a"},
	{`find /a -exec echo -delete \; -delete`, "d /a"},
	{`find -D tree -O3 /a \( -name x -o -name y \) -delete`, "d /a"},
	{"find /a -newer /n -fprint /o", "r /a, r /n, w /o"},
	{"find /a -fprintf /o %p", "r /a, w /o"},
	{"find . -fprint -delete", "r ., w -delete"},
	{"find ~ -maxdepth 1", "r ~"},
	{"find $X -delete", "d $X*"},
	{"gfind /a -delete", "d /a"},

	// text
	{"cat a - b", "r a, r b"},
	{"head -n 5 a", "r a"},
	{"tail -f /var/log/x", "r /var/log/x"},
	{"grep -r /etc/passwd src", "r src"},
	{"grep -e x /etc/passwd", "r /etc/passwd"},
	{"grep -f /p /x", "r /x, r /p"},
	{"grep --regexp=x a", "r a"},
	{"grep --reg x a", "r a"},
	{"rg -g '*.go' x/y src", "r src"},
	{"sed s/a/b/ f", "r f"},
	{"sed -i s/a/b/ f g", "w f, w g"},
	{"sed -i.bak -e s/a/b/ f", "w f"},
	{"sed -i '' s/a/b/ f", "w f"},
	{"sed --in-place=~ s/a/b/ f", "w f"},
	{"sed -n -f /s f", "r f, r /s"},
	{"sed -ni p f", "w f"},
	{"awk '{print}' /a x=/b", "r /a"},
	{"gawk -i inplace '{print}' /a", "w /a"},
	{"awk -f /p /a", "r /a, r /p"},
	{"sort -o /o a", "r a, w /o"},
	{"sort -k 2 --output=/o a", "r a, w /o"},
	{"sort --outp /o a", "r a, w /o"},
	{"uniq a b", "r a, w b"},
	{"patch -p1", "w ."},
	{"patch a b.diff", "w a, r b.diff"},
	{"patch -p1 -i x.diff", "r x.diff, w ."},
	{"patch --dry-run a b.diff", "r a, r b.diff"},
	{"diff a b", "r a, r b"},
	{"perl -pi -e s/a/b/ f", "w f"},
	{"perl -i.bak -ne print f", "w f"},
	{"perl -e print /x", "r /x"},
	{"perl x.pl /y z", "r x.pl, r /y"},
	{"echo /etc/passwd ~/x", ""},
	{"printf %s /x", ""},
	{"test -f /x", "r /x"},
	{"[ /a -nt b ]", "r /a, r b"},
	{"[ /a = /b ]", ""},
	{"[ -n /x ]", ""},
	{"expr 4 / 2", ""},
	{"expr /a : /b", ""},
	{"git commit -m /x", ""},
	{"git checkout origin/main", ""},

	// archives
	{"tar xf a.tar", "r a.tar, w ."},
	{"tar -xzf a.tgz -C /d", "r a.tgz, w /d"},
	{"tar xzfC a.tgz /d", "r a.tgz, w /d"},
	{"tar -C /d -xf a.tar b/c", "w /d, r a.tar"},
	{"tar --extract --file=a.tar --directory /d", "r a.tar, w /d"},
	{"tar -xOf a.tar x", "r a.tar"},
	{"tar tf a.tar x", "r a.tar"},
	{"tar czf o.tgz a /b", "w o.tgz, r a, r /b"},
	{"tar -cf o.tar -C /d x -C e y", "w o.tar, r /d/x, r /d/e/y"},
	{"tar cf - a", "r a"},
	{"tar cf o.tar --remove-files /a", "w o.tar, d /a"},
	{"tar cf host:/o.tar a", "r a"},
	{"tar -rf o.tar a", "w o.tar, r a"},
	{"tar --delete -f o.tar a", "w o.tar"},
	{"tar -czf -x y", "w -x, r y"},
	{"tar --exclude=/x -cf o.tar a", "w o.tar, r a"},
	{"tar --dir /d -x -f a", "w /d, r a"},
	{"unzip a.zip", "r a.zip, w ."},
	{"unzip -o a.zip -d /d", "r a.zip, w /d"},
	{"unzip -l a.zip", "r a.zip"},
	{"zip -r o.zip a b", "w o.zip, r a, r b"},
	{"zip -m o.zip a", "w o.zip, d a"},
	{"gzip -9 /x", "w /x"},
	{"gzip -k /x", "r /x"},
	{"gzip -dc /x", "r /x"},
	{"gunzip x.gz", "w x.gz"},
	{"zcat x.gz", "r x.gz"},
	{"xz -d --keep x.xz", "r x.xz"},
	{"zstd --rm x", "w x"},
	{"zstd x -o y", "r x, w y"},
	{"7z x a.7z -o/d", "r a.7z, w /d"},
	{"7z a a.7z /x", "w a.7z, r /x"},
	{"cpio -idm", "w ."},

	// disks
	{"mkfs.ext4 -L data /dev/sda1", "w /dev/sda1"},
	{"mkfs -t xfs /dev/sda1", "w /dev/sda1"},
	{"mkfs.f2fs -l label /dev/sda1", "w label, w /dev/sda1"},
	{"mkfs.ext4 -n /dev/sda1", "r /dev/sda1"},
	{"mke2fs -n /dev/sda1", "r /dev/sda1"},
	{"mkfs.xfs -N /dev/sda1", "r /dev/sda1"},
	{"mkfs.vfat -n BOOT /dev/sda1", "w /dev/sda1"},
	{"mkdosfs -n BOOT /dev/sda1", "w /dev/sda1"},
	{"mkfs.btrfs -n 16384 /dev/sda1", "w /dev/sda1"},
	{"mkfs -V /dev/sda1", "w /dev/sda1"},
	{"newfs_msdos -F 32 /dev/disk2s1", "w /dev/disk2s1"},
	{"sgdisk -p /dev/sda", "r /dev/sda"},
	{"sgdisk --info=1 /dev/sda", "r /dev/sda"},
	{"sgdisk -p -d 1 /dev/sda", "w /dev/sda"},
	{"sgdisk -Z /dev/sda", "w /dev/sda"},
	{"ddrescue /dev/sda out.img map", "r /dev/sda, w out.img, w map"},
	{"dcfldd if=a of=/dev/sdb", "r a, w /dev/sdb"},
	{"wipefs -a /dev/sda", "w /dev/sda"},
	{"patch -p1 <<'E'\n--- a/x.go\n+++ b/y.go\t2026\n--- /dev/null\n+++ b/z\nE", "w ., w x.go, w y.go, w z"},
	{"apply_patch <<'E'\n*** Begin Patch\n*** Update File: a b\n*** Move to: c\n*** Delete File: d\nE", "w a b, w c, d d"},
	{"apply_patch '*** Add File: a\n+x'", "w a"},
	{"parted -s /dev/sda unit GB print", "r /dev/sda"},
	{"badblocks -sv /dev/sda", "r /dev/sda"},
	{"badblocks -w /dev/sda", "w /dev/sda"},
	{"wipefs /dev/sda", "r /dev/sda"},
	{"wipefs --all --no-act /dev/sda", "r /dev/sda"},
	{"fdisk /dev/sda", "w /dev/sda"},
	{"fdisk -l /dev/sda", "r /dev/sda"},
	{"parted -s /dev/sda mklabel gpt", "w /dev/sda"},
	{"parted /dev/sda unit s print", "r /dev/sda"},
	{"cryptsetup luksFormat /dev/sda", "w /dev/sda"},
	{"cryptsetup open /dev/sda x", "r /dev/sda"},
	{"mount -o ro /dev/sda1 /mnt", "r /dev/sda1, w /mnt"},
	{"mount /mnt", "w /mnt"},
	{"umount -l /mnt", "w /mnt"},

	// other machines
	{"curl -o /x https://h/a/b", "w /x"},
	{"curl -sSLo x https://h/a", "w x"},
	{"curl -O https://h/a/b.sh?x=1", "w b.sh"},
	{"curl --output-dir /d -O https://h/b", "w /d, w /d/b"},
	{"curl -d @/etc/passwd https://h", "r /etc/passwd"},
	{"curl -d a@b https://h", ""},
	{"curl -F 'f=@/x;type=y' https://h", "r /x"},
	{"curl -T /x https://h/", "r /x"},
	{"curl file:///etc/passwd", "r /etc/passwd"},
	{"curl https://h/a/b", ""},
	{"curl -o - https://h", ""},
	{"wget https://h/a/b.sh", "w b.sh"},
	{"wget -P /d https://h/a/b", "w /d, w /d/b"},
	{"wget -P", ""},
	{"curl -O --output-dir '' https://h/b", "w b"},
	{"wget https://h", "w index.html"},
	{"wget -O /x https://h/a", "w /x"},
	{"wget -qO- https://h/a", ""},
	{"wget -r https://h/a", "w ."},
	{"scp -i /k a host:/b", "r a, r /k"},
	{"scp host:/b .", "w ."},
	{"ssh -i ~/.ssh/k host rm /x", "r ~/.ssh/k"},
	{"docker run -v /:/host alpine rm -rf /host", "w /"},
	{"docker run -v ~/x:/y:ro -v \":$X\" alpine", "r ~/x"},
	{"docker run -v $X:/y alpine", "w $X*"},
	{"docker run -v data:/x alpine ls /y", ""},
	{"docker run --mount type=bind,source=/a,target=/b,readonly x", "r /a"},
	{"docker cp box:/a /b", "w /b"},
	{"docker build -f D .", "r D, r ."},
	{"kubectl apply -f x/y.yml", "r x/y.yml"},
	{"kubectl scale deployment/x --replicas 0", ""},
	{"kubectl logs -f pod/x", ""},

	// scripts and folders
	{"cd /x", "r /x"},
	{"cd -", ""},
	{"cd", ""},
	{"pushd +1", ""},
	{". ./env", "r env"},
	{"source /x a", "r /x"},
	{"bash ./x.sh /y -f", "r x.sh, r /y"},
	{"bash -x x.sh", "r x.sh"},
	{"bash -c 'rm /z' _ /y", "r /y"},
	{"bash -c '/bin/rm z' /y", "r /y"},
	{"python3 x.py /y", "r x.py, r /y"},
	{"python3 -c 'print(1)' /y", "r /y"},
	{"python3 -m http.server", ""},
	{"node x/y.js", "r x/y.js"},
	{"sudo rm /x", ""},
	{"timeout 5 rm /x", ""},

	// programs that aren't known
	{"mytool /x a/b c .env ~/d", "r /x, r a/b, r .env, r ~/d"},
	{"mytool --config=/x -I/y --out ./z", "r /x, r /y, r z"},
	{"mytool https://h/x user@host", ""},
	{"mytool 'a text with a/slash'", ""},
	{"mytool DEST=/x", "r /x"},
	{"mytool -- /x", "r /x"},
	{"mytool -rf/x", "r /x"},
	{"make -C /d DESTDIR=/x install", "r /d, r /x"},

	// redirections
	{"mytool > /x 2>> y 2>&1", "w /x, w y"},
	{"mytool >| /x < in", "w /x, r in"},
	{"mytool &> /dev/null", "w /dev/null"},
	{"mytool &>> log", "w log"},
	{"mytool >& log", "w log"},
	{"mytool >&2 2>&- 3>&1-", ""},
	{"mytool <> f", "w f"},
	{"mytool > $X", "w $X*"},
	{"mytool <<< /x", ""},
	{"mytool <<E\n/x\nE", ""},
	{"> /etc/passwd", "w /etc/passwd"},
	{"{ ls; } > ~/x", "w ~/x"},
	{"cat /a > ~/b", "r /a, w ~/b"},
	{"xargs rm", ""},
}

func TestPaths(t *testing.T) {
	for _, c := range pathCases {
		line := Parse(c.text, Options{})
		if line.Err != nil {
			if c.want != "error" {
				t.Errorf("%s: %v", c.text, line.Err)
			}
			continue
		}
		if got := showPaths(line.Commands[0].Paths()); got != c.want {
			t.Errorf("%s:\n\t%s\nwant\t%s", c.text, got, c.want)
		}
	}
}

// TestPathsFrom checks where relative paths are seen from.
func TestPathsFrom(t *testing.T) {
	known := Options{Cwd: "/work/app", Home: "/home/me"}
	for _, c := range []struct {
		options    Options
		text, want string // of the last command
	}{
		{known, "rm x", "d /work/app/x"},
		{known, "rm ../../../x/.", "d /x"},
		{known, "rm .", "d /work/app"},
		{known, "rm ~", "d /home/me"},
		{known, "rm ~/../x", "d /home/x"},
		{known, "rm '~'", "d /work/app/~"},
		{known, "rm *.o", "d /work/app/*.o^"},
		{known, "rm ../*/../x", "d /work/*/../x^"},
		{known, "cd /; rm etc", "d /etc"},
		{known, "cd; rm x", "d /home/me/x"},
		{known, "cd sub && rm ../x", "d /work/app/x"},
		{known, "cd $X; rm x /y ~/z", "d $X/x*, d /y, d /home/me/z"},
		{known, "cd $X; rm ../x > log", "d $X/../x*, w $X/log*"},
		{known, "cd $X; tar cf o -C /d x", "w $X/o*, r /d/x"},
		{known, "(cd /; true); rm x", "d /work/app/x"},
		{known, "tar xf a -C ../d", "r /work/app/a, w /work/d"},
		{known, "tar cf a -C $X b", "w /work/app/a, r $X/b*"},
		{known, "find -delete", "d /work/app"},
		{known, "D=/; rm -rf \"$D\"", "d /"},
		{known, "sudo rm -rf etc", "d /work/app/etc"},
		{known, "ssh host rm -rf /x", ""},
		{known, "ssh localhost rm -rf x", "d /home/me/x"},
		{known, "ssh -o StrictHostKeyChecking=no root@127.0.0.1 'cd /y; rm x'", "d /y/x"},
		{known, "ssh ::1 rm /x", "d /x"},
		{known, "A=b; ssh localhost 'rm $A'", "d $A*"},
		{known, "ssh -p 22 localhost rm /x", "d /x"},
		{known, "ssh -p 2222 localhost rm /x", ""},
		{known, "ssh -oPort=2222 localhost rm /x", ""},
		{known, "ssh -o ProxyJump=h localhost rm /x", ""},
		{known, "ssh -o 'Port 2222' localhost rm /x", ""},
		{known, "ssh -J h localhost rm /x", ""},
		{known, "ssh -F config localhost rm /x", ""},
		{known, "ssh 127.0.0.1.example rm /x", ""},
		{known, "ssh host ssh localhost rm /x", ""},
		{known, "make -f <(printf 'a:\n\trm /x\n')", "d /x"},
		{known, "echo 'import os; os.remove(\"/x\")' > conftest.py; pytest", "d /x"},
		{known, "echo 'import os; os.remove(\"/x\")' > test_a.py; python3 -m pytest", "d /x"},
		{known, "echo 'import os; os.remove(\"/x\")' > other.py; pytest", ""},
		{known, "echo 'import os; os.remove(path)' > conftest.py; pytest", ""},
		{known, "echo 'File.delete \"/x\"' > Rakefile; rake", "d /x"},
		{known, "echo 'fs.rmSync(\"/x\")' > vite.config.js; npx vite", "d /x"},
		{known, "rm 'C:\\x'", `d C:\x`},
		{Options{}, "rm ../x", "d ../x"},
		{Options{}, "cd sub; rm x ..", "d sub/x, d ."},
		{Options{}, "cd ..; rm x", "d ../x"},
		{Options{}, "cd; rm x", "d ~/x"},
		{Options{}, "cd ~/a; rm ../x", "d ~/x"},
		{Options{}, "cd ~; rm ../x", "d ~/../x"},
		{Options{}, "cd /a; rm x /y", "d /a/x, d /y"},
		{Options{}, "cd /a; rm '~'", "d /a/~"},
	} {
		line := Parse(c.text, c.options)
		if got := showPaths(line.Commands[len(line.Commands)-1].Paths()); got != c.want {
			t.Errorf("%s:\n\t%s\nwant\t%s", c.text, got, c.want)
		}
	}
}

func TestPathsRemote(t *testing.T) {
	c := first("rm -rf /x > log")
	if c.Remote = true; c.Paths() != nil {
		t.Errorf("a command that runs elsewhere has paths: %s", showPaths(c.Paths()))
	}
}

// TestCleaned checks that a path names the same file when it's cleaned again.
func TestCleaned(t *testing.T) {
	fixedSeed(t)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[/~]?([.*?a~]{0,3}/){0,5}[.a*]{0,3}`).Draw(t, "path")
		if text == "" {
			return
		}
		word := Word{Text: text, Glob: rapid.Bool().Draw(t, "glob"), Home: text[0] == '~'}
		dir := Word{Text: rapid.SampledFrom([]string{"", ".", "/", "/a/b", "..", "../a", "a"}).Draw(t, "dir")}
		p := newPath(dir, word, Read)
		again := newPath(dir, Word{Text: p.Text, Glob: p.Glob, Home: p.Home}, Read)
		if strings.HasPrefix(p.Text, "/") || p.Home || dir.Text == "" {
			if again != p {
				t.Fatalf("%q from %q is %+v, and that is %+v", text, dir.Text, p, again)
			}
		}
		if !word.Glob && !word.Home && text[0] == '/' && p.Text != path.Clean(text) {
			t.Fatalf("%q is cleaned to %q, want %q", text, p.Text, path.Clean(text))
		}
		if word.Glob && strings.Count(p.Text, "*") < strings.Count(text, "*") {
			t.Fatalf("%q is cleaned to %q: a pattern is lost", text, p.Text)
		}
	})
}

func BenchmarkPaths(b *testing.B) {
	for shape, text := range map[string]string{"rm": "a/../b ", "tar": "-C x y ", "find": "-newer x ", "mytool": "--f=/x ", "curl": "-O http://h/x ", "dots": "../"} {
		for _, size := range []int{16 << 10, 32 << 10, 64<<10 - 100} {
			name := shape
			if shape == "dots" {
				name = "rm"
			}
			command := Parse(name+" "+strings.Repeat(text, size/len(text)), Options{Cwd: "/work/app"}).Commands[0]
			b.Run(shape+"/"+strconv.Itoa(size>>10)+"KiB", func(b *testing.B) {
				for b.Loop() {
					command.Paths()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*size), "ns/byte")
			})
		}
	}
}

func TestRemotePaths(t *testing.T) {
	tests := []struct{ text, want string }{
		{"rm -rf x", ""},
		{"ssh h rm -rf /srv/x", "delete /srv/x"},
		{"ssh h 'cd /srv && rm -rf x y > z'", "delete /srv/x, delete /srv/y, write /srv/z"},
		{"ssh h rm x", "delete x?"},
		{"ssh h rm '~/x'", "delete /home/kim/x"},
		{"docker exec -w /app web rm x", "delete /app/x"},
		{"kubectl exec web -- sh -c 'rm -rf /data/*'", "delete /data/*"},
		{"echo x | ssh h tee /etc/motd", "write /etc/motd"},
	}
	for _, tt := range tests {
		commands := Parse(tt.text, Options{Cwd: "/w", Home: "/home/kim"}).Commands
		last := commands[len(commands)-1]
		var got []string
		for _, p := range last.RemotePaths() {
			text := string(p.Access) + " " + p.Text
			if p.Dynamic {
				text += "?"
			}
			got = append(got, text)
		}
		if text := strings.Join(got, ", "); text != tt.want {
			t.Errorf("%s: got %q, want %q", tt.text, text, tt.want)
		}
		if last.Remote && len(last.Paths()) > 0 {
			t.Errorf("%s: it has paths here: %v", tt.text, last.Paths())
		}
	}
}

// What the paths of a line reach, as cmd:files() and tool_call.files have it. A path that is
// only read isn't listed here.
func TestReach(t *testing.T) {
	for text, want := range map[string]string{
		"rm x":                            "/w/x",
		"rm -r x":                         "/w/x /w/x/",
		"mv a b/ c":                       "/w/c /w/c/a/ /w/c/b/ /w/a /w/a/ /w/b /w/b/",
		"cp a /y/b c":                     "/w/c /w/c/a /w/c/b",
		"cp -r a/. b/ c":                  "/w/c /w/c/*?/ /w/c/*?/",
		"cp *.go $x c":                    "/w/c /w/c/*.go /w/c/*?",
		"cp -T a c":                       "/w/c",
		"rsync -a h:a/b c":                "/w/c /w/c/b/",
		"rm -r a[bc]/*":                   "/w/a[bc]/* /w/a*/* /w/a*/*/",
		"rm -r @(a|b)":                    "/w/@(a|b) /w/* /w/*/",
		"touch .e[[:lower:]]v":            "/w/.e[[:lower:]]v /w/.e*v",
		`touch .[h\]b[c]x/y[z]`:           "/w/.[h]b[c]x/y[z] /w/.*x/y*", // one class: h, ], b, [ and c
		"touch .[!]]x a[/]b":              "/w/.[!]]x /w/.*x /w/a[/]b",
		"find a -delete":                  "/w/a /w/a/",
		"find a b -name '*.[ch]' -delete": "/w/a /w/a/**/*.* /w/b /w/b/**/*.*",
		"find a -maxdepth 1 -name x -exec rm {} +": "/w/a/x",
		"find a -name x -exec rm -r {} +":          "/w/a/**/x /w/a/**/x/",
		"find a -type f | xargs sed -i s/a/b/":     "/w/a /w/a/",
		"grep -rl x a b | xargs rm":                "/w/a /w/a/**/?* /w/b /w/b/**/?*",
		"cat l | xargs -I{} rm a/{}":               "/w/a/**/?*",
		`rm "$x"`:                                  "",
		`find . -exec rm "$x" \;`:                  "",
		"tar -C a -xf b c/d":                       "/w/a /w/a/c/d /w/a/c/d/",
		"tar -C a --strip-components=1 -xf b c/d":  "/w/a /w/a/*?/",
		"git -C a rm b":                            "/w/a/b /w/a/b/",
		"git rm --cached b":                        "",
		"git clean":                                "/w /w/",
		"git clean -n":                             "",
		"git --work-tree=a checkout -- b":          "/w/a/b /w/a/b/",
		"git --work-tree=.. checkout -- b":         "/w/b /w/b/",
		"git stash push -- a":                      "/w/a /w/a/",
		"git checkout -- ':(top)a' ':!b' :/c":      "/w/a /w/a/ /w/c /w/c/",
		"git-rm a":                                 "/w/a /w/a/",
		"CDPATH=/a:b; cd c; rm -r d":               "/a/c/d /a/c/d/ /w/b/c/d /w/b/c/d/ /w/c/d /w/c/d/",
		"CDPATH=/a cd c && cd e && touch d":        "/a/c/e/d /w/c/e/d",
		"CDPATH=$x cd c && touch d":                "",
		"patch -d a <<<'+++ b/x'":                  "/w/a /w/a/x",
		"patch -d a < b":                           "/w/a /w/a/*?/",
	} {
		line := Parse(text, Options{Cwd: "/w", Home: "/home/kim"})
		var got []string
		for _, c := range line.Commands {
			for _, writes := range []bool{true, false} {
				for _, p := range c.Paths() {
					if p.Access == Write == writes && p.Access != Read && (c.Name != "rm" || c.Parent == nil || c.Parent.Name != "find" || c.Via[len(c.Via)-1] != "find -delete") {
						got = append(got, p.Reach()...)
					}
				}
			}
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s\n\treaches %s\n\twant    %s", text, got, want)
		}
	}
}

// What is noted of a command doesn't grow with the product of its words, and what many
// commands are piped into doesn't look at each again and again.
func TestReachIsBounded(t *testing.T) {
	sources := strings.Repeat("abcdefgh ", 2000)
	for _, text := range []string{
		"cp -r " + sources[:9*900] + "/" + strings.Repeat("d", 2000),
		"cp -r -t" + strings.Repeat(" a -t ", 500) + "b " + sources,
		"ls " + sources[:3600] + " | xargs cp " + strings.Repeat("{} ", 2000),
		"CDPATH=" + strings.Repeat("a:", 90) + "; cd x; cp -r " + sources[:9*150] + "y",
		"CDPATH=" + strings.Repeat("a:", 100000) + "; cd x; rm -r " + sources,
	} {
		size := 0
		for _, c := range Parse(text, Options{Cwd: "/w"}).Commands {
			for _, p := range c.Paths() {
				for _, reach := range p.Reach() {
					size += len(reach)
				}
			}
		}
		if most := 40 * len(text); size > most {
			t.Errorf("%.40s...: %d bytes are reached by a line of %d", text, size, len(text))
		}
	}
	line := Parse("ls "+sources+"| xargs rm", Options{Cwd: "/w"})
	if got := line.Commands[len(line.Commands)-1].Parent.foundFiles(); got != nil {
		t.Errorf("a command of %d bytes is looked at by each that it is piped into", len(sources))
	}
}

// What is known of the place of a path that isn't known as a whole: the folder
// that it is under, "temporary", or "".
func TestPathUnder(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`rm -rf /tmp/$X`, "/tmp"},
		{`rm -rf /tmp/job-$X/log`, "/tmp"},
		{`rm -rf /tmp/$X/../..`, ""},
		{`rm -rf "build/$X"`, "/w/build"},
		{`rm -rf "build$X"`, "/w"},
		{`rm -rf ../$X`, "/"},
		{`rm -rf ~/cache/$X`, "~/cache"},
		{`rm -rf $X`, ""},
		{`rm -rf $X/build`, ""},
		{`rm -rf ${X}build`, ""},
		{`cd sub; rm -rf lib/$X`, "/w/sub/lib"},
		{`cd $D; rm -rf lib/$X`, ""},
		{`cd /tmp/$D; rm -rf lib`, "/tmp"},
		{`cd /tmp/$D; rm -rf ../lib`, ""},
		{`cd /tmp/$D; rm -rf /srv/$X`, "/srv"},
		{`for d in packages/*; do rm -rf "$d/dist"; done`, "/w/packages"},
		{`for d in packages/*; do rm -rf "$d/../dist"; done`, ""},
		{`for d in a b; do rm -rf /srv/$d/$X; done`, "/srv/a"},
		{`D=build/$X; rm -rf "$D/out"`, "/w/build"},
		{`D=$X/build; rm -rf "$D/out"`, ""},
		{`rm -rf /tmp/$X*`, "/tmp"},
		{`T=$(mktemp -d); rm -rf "$T"`, "temporary"},
		{`T=$(mktemp -d); rm -rf "$T/work"`, "temporary"},
		{`T=$(mktemp -d); rm -rf "$T"/*`, "temporary"},
		{`T=$(mktemp -d); rm -rf "$T/../work"`, ""},
		{`T=$(mktemp -d); trap 'rm -rf "$T"' EXIT`, "temporary"},
		{`T=$(mktemp -d); cd "$T"; rm -rf work`, "temporary"},
		{`T=$(mktemp -d); T=$X; rm -rf "$T"`, ""},
		{`T=$(mktemp -d || echo /); rm -rf "$T"`, ""},
		{`N=$(date +%s); T=$(mktemp -d "/tmp/$N.XXX"); rm -rf "$T"`, "temporary"},
		{`T=$(mktemp -d "/tmp/$(git rev-parse HEAD).XXX"); rm -rf "$T"/*`, "temporary"},
		{`T=$(mktemp -d "$(cat f)XXX"; cat f); rm -rf "$T"`, ""},
		{`T=$(cat f | mktemp -d -t x.XXX); rm -rf "$T"`, "temporary"},
		{`T=$(mktemp -d | sed "s/x/$(cat f)/"); rm -rf "$T"`, ""},
		{`T=$(mktemp -d "${TMPDIR:-/tmp}/x.XXX"); trap "rm -rf $T" EXIT`, "temporary"},
		{`T=$(mktemp -d "$N.XXX"); bash -c "rm -rf '$T/x'"`, "temporary"},
		{`T=$(mktemp -d "$N.XXX"); bash -c "rm -rf '$N$T'"`, ""},
		{`T=$(mktemp -d "$N.XXX"); mktemp() { cat f; }; T=$(mktemp -d "$N.XXX"); bash -c "rm -rf $T"`, ""},
		{`bash -c "rm -rf $TMPDIR/x"`, "temporary"},
		{`TMPDIR=$X; bash -c "rm -rf $TMPDIR/x"`, ""},
		{`T=$(mktemp -d)$X; rm -rf "$T"`, "temporary"},
		{`rm -rf "/srv$(mktemp -d)"`, "/"},
		{`rm -rf "$TMPDIR/x"`, "temporary"},
		{`rm -rf "${TMPDIR}/x"`, "temporary"},
		{`rm -rf "${TMPDIR:-/tmp}/x"`, "temporary"},
		{`rm -rf "$TMPDIR"`, ""},
		{`rm -rf "$TMPDIR"/../x`, ""},
		{`TMPDIR=$X; rm -rf "$TMPDIR/x"`, ""},
	} {
		commands := Parse(c.text, Options{Cwd: "/w"}).Commands
		got := "nothing dynamic is deleted"
		for _, command := range commands {
			for _, p := range command.Paths() {
				if p.Access == Delete && p.Dynamic {
					if got = p.Under; p.Temporary {
						got = "temporary"
					}
				}
			}
			if got != "nothing dynamic is deleted" {
				break
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestChanges calls each program that is known with operands, with each of its options, and with files redirected.
func TestChanges(t *testing.T) {
	changes := 0
	for _, name := range programs.Names() {
		options := "-x"
		if p := programs.Of(name); p.Options != nil {
			for _, letter := range strings.Map(func(r rune) rune { return max(r, '0') }, p.Options.Short) {
				options += " -" + string(letter)
			}
			for long := range strings.FieldsSeq(p.Options.Long) {
				options += " --" + strings.TrimRight(long, "=?")
			}
		}
		for option := range strings.FieldsSeq(options) {
			line := Parse(name+" "+option+" a.txt /b/c ~/d < in.txt > out.txt 2>> err.txt", Options{Cwd: "/work", Home: "/home/me"})
			for _, c := range line.Commands {
				checkChanges(t, c)
				changes += len(c.Changes())
			}
		}
	}
	if changes < 10_000 {
		t.Errorf("only %d files are changed", changes)
	}
}

// A process's link to the root leads to the same files.
func TestPathsThroughTheRootOfAProcess(t *testing.T) {
	for text, want := range map[string]string{
		"rm /proc/self/root/etc/passwd":              "/etc/passwd",
		"rm /proc/1/root//proc/thread-self/root/etc": "/etc",
		"rm -r /proc/self/root":                      "/",
		"rm /proc/self/rooted/x":                     "/proc/self/rooted/x",
		"rm /proc/x/root/etc":                        "/proc/x/root/etc",
	} {
		paths := Parse(text, Options{Cwd: "/w"}).Commands[0].Paths()
		if len(paths) != 1 || paths[0].Text != want {
			t.Errorf("%s: got %v, want %s", text, paths, want)
		}
	}
}
