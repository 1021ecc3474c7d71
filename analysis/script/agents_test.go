package script

import "testing"

// Programs of the kind that agents write to clean up, with what they do.

var pythonAgentCases = []programCase{
	{"import shutil\nfrom pathlib import Path\nfor d in Path('.').rglob('__pycache__'):\n    shutil.rmtree(d)", "shutil.rmtree:delete -r **/__pycache__"},
	{"from pathlib import Path\nfor p in Path('.').rglob('*.pyc'):\n    p.unlink()", "Path.unlink:delete **/*.pyc*"},
	{"from pathlib import Path\nfor p in Path('/data').rglob('*'):\n    if p.is_file():\n        p.unlink()", "Path.unlink:delete -r /data"},
	{"from pathlib import Path\nroot = Path.home()\nfor p in root.glob('**/*'):\n    p.unlink(missing_ok=True)", "Path.unlink:delete -r ~~"},
	{"import os\nfor root, dirs, files in os.walk('/srv/app', topdown=False):\n    for name in files:\n        os.remove(os.path.join(root, name))\n    for name in dirs:\n        os.rmdir(os.path.join(root, name))", "os.remove:delete -r /srv/app; os.rmdir:delete -r /srv/app"},
	{"import os\nfor root, dirs, files in os.walk('.'):\n    for f in files:\n        if f.endswith('.log'):\n            os.remove(os.path.join(root, f))", "os.remove:delete ./**/{f}*"},
	{"import os\nfor root, dirs, files in os.walk('.'):\n    for f in files:\n        if not f.endswith('.log'):\n            continue\n        os.remove(os.path.join(root, f))", "os.remove:delete ./**/{f}*"},
	{"import os, shutil\nd = '/var/cache/x'\nfor f in os.listdir(d):\n    p = os.path.join(d, f)\n    try:\n        if os.path.isfile(p) or os.path.islink(p):\n            os.unlink(p)\n        elif os.path.isdir(p):\n            shutil.rmtree(p)\n    except Exception as e:\n        print(e)", "os.unlink:delete -r /var/cache/x; shutil.rmtree:delete -r /var/cache/x"},
	{"import os, glob\nfor f in glob.glob('/home/u/*'):\n    os.remove(f)", "os.remove:delete -r /home/u"},
	{"import os, glob\nfor f in glob.glob('build/*.o') + glob.glob('build/*.a'):\n    os.remove(f)", "os.remove:delete build/*.o*; os.remove:delete build/*.a*"},
	{"import glob, os\n[os.remove(f) for f in glob.glob('*.tmp')]", "os.remove:delete *.tmp*"},
	{"import glob, os\nlist(map(os.remove, glob.glob('/etc/*')))", "os.remove:delete -r /etc"},
	{"import shutil, pathlib\nfor d in ['build', 'dist', '.pytest_cache']:\n    shutil.rmtree(d, ignore_errors=True)", "shutil.rmtree:delete -r build; shutil.rmtree:delete -r dist; shutil.rmtree:delete -r .pytest_cache"},
	{"import shutil, pathlib\nROOT = pathlib.Path('/')\nfor name in ('etc', 'usr'):\n    shutil.rmtree(ROOT / name)", "shutil.rmtree:delete -r /etc; shutil.rmtree:delete -r /usr"},
	{"from pathlib import Path\nimport shutil\nfor p in Path('out').iterdir():\n    shutil.rmtree(p) if p.is_dir() else p.unlink()", "shutil.rmtree:delete -r out; Path.unlink:delete -r out"},
	{"import tempfile, shutil\nd = tempfile.mkdtemp()\nshutil.rmtree(d)", `shutil.rmtree:delete -r "$(mktemp -d)"*`},
	{"import tempfile, os\nwith tempfile.NamedTemporaryFile('w', delete=False) as f:\n    f.write('x')\nos.unlink(f.name)", "os.unlink:delete f.name*"},
	{"import os\nwith os.scandir('/opt') as it:\n    for e in it:\n        os.remove(e.path)", "os.remove:delete -r /opt"},
	{"import subprocess\ntry:\n    subprocess.run(['git', 'reset', '--hard'], check=True)\nexcept subprocess.CalledProcessError:\n    pass", "subprocess.run:run git reset --hard"},
	{"import subprocess\ncmds = ['git add -A', 'git push --force']\nfor c in cmds:\n    subprocess.run(c, shell=True, check=True)", `subprocess.run:shell "git add -A"; subprocess.run:shell "git push --force"`},
	{"import subprocess\nout = subprocess.check_output(f'rm -rf {target}', shell=True)", `subprocess.check_output:shell "rm -rf {target}"*`},
	{"import sqlite3\ndb = sqlite3.connect('a.db')\ncur = db.cursor()\ncur.execute('DROP TABLE users')\ndb.commit()", `cur.execute:sql "DROP TABLE users" a.db`},
	{"import psycopg2\nwith psycopg2.connect(dsn) as c, c.cursor() as cur:\n    cur.execute(\"\"\"\n        DELETE FROM orders\n    \"\"\")\n    cur.executemany('INSERT INTO t VALUES (?)', rows)", `cur.execute:sql "\n        DELETE FROM orders\n    "; cur.executemany:sql "INSERT INTO t VALUES (?)"`},
	{"import json\nd = json.load(open('package.json'))\nd['version'] = '2'\nopen('package.json', 'w').write(json.dumps(d))", "open:write package.json <json.dumps(d)*"},
	{"from pathlib import Path\np = Path('src/a.py')\ns = p.read_text().replace('a', 'b')\np.write_text(s)", `Path.write_text:write src/a.py <"p.read_text().replace('a', 'b')"*`},
	{"import os\nhome = os.path.expanduser('~')\nfor f in os.listdir(home):\n    os.remove(home + '/' + f)", "os.remove:delete -r ~~"},
	{"import os\nfiles = [f for f in os.listdir('.') if f.endswith('.bak')]\nfor f in files:\n    os.remove(f)", "os.remove:delete f**"},
	{"import os\nfor f in sorted(os.listdir('.')):\n    print(f)", ""},
	{"import os\nfrom pathlib import Path\n\ndef clean(root: str, dry_run: bool = False) -> int:\n    n = 0\n    for p in Path(root).rglob('*'):\n        if p.is_file():\n            if not dry_run:\n                p.unlink()\n            n += 1\n    return n\n\nif __name__ == '__main__':\n    print(clean('/srv/data'))", "Path.unlink:delete -r /srv/data"},
	{"import shutil, sys\nfor t in sys.argv[1:] or ['build']:\n    shutil.rmtree(t, ignore_errors=True)", "shutil.rmtree:delete -r sys.argv[1:]*; shutil.rmtree:delete -r build"},
	{"import asyncio, os\nasync def rm(p):\n    await asyncio.to_thread(os.remove, p)\nasync def main():\n    await asyncio.gather(*[rm(p) for p in ['/a', '/b']])\nasyncio.run(main())", "os.remove:delete /a; os.remove:delete /b"},
	{"import os\npath = '/tmp/x'\nwhile True:\n    os.remove(path)\n    path = '/etc/passwd'", "os.remove:delete /tmp/x; os.remove:delete /etc/passwd"},
	{"import os\nmatch cmd:\n    case 'a':\n        p = '/a'\n    case _:\n        p = '/b'\nos.remove(p)", "os.remove:delete /a; os.remove:delete /b"},
	{"import os\ndef f(p):\n  g(p)\ndef g(q):\n  os.remove(q)\nf('/x')", "os.remove:delete /x"},
	{"import os\ndef f(p, n):\n  if n: f(p, n-1)\n  os.remove(p)\nf('/x', 3)", "os.remove:delete /x"},
	{"import functools, subprocess\nrun = functools.partial(subprocess.run, check=True, shell=True)\nrun('rm -rf /')", `subprocess.run:shell "rm -rf /"`},
	{"from sqlalchemy import text\nsession.execute(text('DROP TABLE users'))", `session.execute:sql "DROP TABLE users"`},
	{"import subprocess\nclass Git:\n    def open(self, *args):\n        return subprocess.run(['git', *args])\nopen('/etc/x', 'w')", `subprocess.run:run git args**; open:write /etc/x <""`},
}

var javaScriptAgentTests = []callTest{
	{`const fs = require('fs'), path = require('path'); for (const f of fs.readdirSync('/srv')) { fs.rmSync(path.join('/srv', f), { recursive: true, force: true }) }`, "fs.rmSync:delete -r /srv"},
	{`import fs from 'node:fs'; import path from 'node:path'; const dir = 'dist'; fs.readdirSync(dir).forEach((f) => { fs.unlinkSync(path.join(dir, f)); });`, "fs.unlinkSync:delete -r dist"},
	{`const fs = require('fs'); fs.readdirSync('.').filter(f => f.endsWith('.log')).forEach(f => fs.unlinkSync(f))`, "fs.unlinkSync:delete f*"},
	{`const fs = require('fs'); for (const f of fs.readdirSync('.')) { if (f.endsWith('.tmp')) fs.unlinkSync(f) }`, "fs.unlinkSync:delete f*"},
	{"const fs = require('fs'); function rmdir(dir) { for (const f of fs.readdirSync(dir)) { const p = `${dir}/${f}`; if (fs.statSync(p).isDirectory()) rmdir(p); else fs.unlinkSync(p); } fs.rmdirSync(dir); } rmdir('/home/u')", "fs.unlinkSync:delete -r /home/u; fs.rmdirSync:delete /home/u"},
	{`const { execSync } = require('child_process'); try { execSync('git push --force origin main', { stdio: 'inherit' }) } catch (e) { console.error(e) }`, `child_process.execSync:shell "git push --force origin main"`},
	{`const { promisify } = require('util'); const exec = promisify(require('child_process').exec); (async () => { const { stdout } = await exec('rm -rf /'); console.log(stdout) })()`, `child_process.exec:shell "rm -rf /"`},
	{`import { rm } from 'node:fs/promises'; await Promise.all(['build', 'dist'].map(d => rm(d, { recursive: true, force: true })))`, "fs.promises.rm:delete -r build; fs.promises.rm:delete -r dist"},
	{`import { readdir, unlink } from 'fs/promises'; const files = await readdir('/etc'); for (const f of files) await unlink('/etc/' + f)`, "fs.promises.unlink:delete -r /etc"},
	{"import { execa } from 'execa'; const { stdout } = await execa('git', ['clean', '-fdx']); await $`ls`", "execa.execa:run git clean -fdx"},
	{`import { globSync } from 'glob'; for (const f of globSync('**/*.map')) fs.unlinkSync(f)`, "fs.unlinkSync:delete **/*.map*"},
	{`const os = require('os'); const path = require('path'); require('fs').rmSync(path.join(os.homedir(), '.cache', 'x'), { recursive: true })`, "fs.rmSync:delete -r ~~/.cache/x"},
	{`const fs = require('fs'); const p = JSON.parse(fs.readFileSync('package.json')); p.version = '2'; fs.writeFileSync('package.json', JSON.stringify(p, null, 2))`, `fs.writeFileSync:write package.json <"JSON.stringify(p, null, 2)"*`},
	{`const { Client } = require('pg'); const c = new Client(); c.connect().then(() => c.query('TRUNCATE users'))`, `c.query:sql "TRUNCATE users"`},
	{"await db.$executeRawUnsafe('DROP SCHEMA public CASCADE'); await knex.raw(`DELETE FROM ${t}`)", `db.$executeRawUnsafe:sql "DROP SCHEMA public CASCADE"; knex.raw:sql "DELETE FROM ${t}"*`},
	{`const s = require('child_process').spawn('npm', ['run', 'build'], { stdio: 'inherit', shell: true }); s.on('close', (code) => process.exit(code))`, `child_process.spawn:shell "npm run build"`},
	{`Deno.removeSync('/tmp/x', { recursive: true }); for (const e of Deno.readDirSync('/data')) Deno.removeSync('/data/' + e.name)`, "Deno.removeSync:delete -r /tmp/x; Deno.removeSync:delete -r /data"},
	{"const run = (cmd, opts = {}) => require('child_process').execSync(cmd, { stdio: 'inherit', ...opts });\nrun('git push --force');\nrun('rm -rf node_modules', { cwd: '/repo' });", `child_process.execSync:shell "git push --force"; child_process.execSync:shell "rm -rf node_modules" @/repo`},
	{`let p = '/a'; function f() { fs.unlinkSync(p) } p = '/b'; f();`, "fs.unlinkSync:delete /b"},
	{`r = require; r(x).execSync('id'); process.getBuiltinModule(y).execSync('ls')`, "child_process.execSync:shell id; child_process.execSync:shell ls"},
	{`switch (x) { case 1: p = '/a'; break; default: p = '/b' } fs.unlinkSync(p)`, "fs.unlinkSync:delete /a; fs.unlinkSync:delete /b"},
	{`class A { constructor() { this.d = '/x' } async clean() { fs.rmSync(this.d, {recursive:true}) } } new A().clean()`, "fs.rmSync:delete -r /x"},
	{"for (let i = 0; i < 3; i++) { fs.unlinkSync(`/f${i}`) }", "fs.unlinkSync:delete /f${i}*"},
	{`fs.readdir('/x', (err, files) => { files.forEach(f => fs.unlink('/x/' + f, () => {})) })`, "fs.unlink:delete -r /x"},
}

var rubyAgentTests = []callTest{
	{"require 'fileutils'\nDir.glob('**/*.rbc').each { |f| File.delete(f) }", "File.delete:delete **/*.rbc*"},
	{"require 'fileutils'\nDir.glob('/srv/app/*').each do |f|\n  FileUtils.rm_rf(f)\nend", "FileUtils.rm_rf:delete -r /srv/app"},
	{"require 'find'\nFind.find('/data') do |path|\n  File.delete(path) if File.file?(path)\nend", "File.delete:delete -r /data"},
	{"Dir.children('/home/u').each { |f| FileUtils.rm_rf(File.join('/home/u', f)) }", "FileUtils.rm_rf:delete -r /home/u"},
	{"Dir.foreach('.') do |f|\n  next if f == '.' || f == '..'\n  File.delete(f)\nend", "File.delete:delete -r ."},
	{"Dir.entries('tmp').select { |f| f.end_with?('.log') }.each { |f| File.delete(\"tmp/#{f}\") }", "File.delete:delete tmp/${f}*"},
	{"%w[build dist].each do |d|\n  FileUtils.rm_rf(d) if Dir.exist?(d)\nend", "FileUtils.rm_rf:delete -r build; FileUtils.rm_rf:delete -r dist"},
	{"Pathname.new('/var/x').children.each(&:rmtree)", "Pathname.rmtree:delete -r /var/x"},
	{"system('git', 'push', '--force') or abort 'failed'", "system:run git push --force"},
	{"ActiveRecord::Base.connection.execute('DROP TABLE users')", `ActiveRecord::Base.connection.execute:sql "DROP TABLE users"`},
	{"begin\n  FileUtils.rm_r('/opt/x')\nrescue Errno::ENOENT\n  puts 'gone'\nend", "FileUtils.rm_r:delete -r /opt/x"},
	{"File.write('a.txt', File.read('a.txt').gsub('a', 'b'))", `File.write:write a.txt <"File.read('a.txt').gsub('a', 'b')"*`},
	{"def clean(dir)\n  Dir.glob(\"#{dir}/*\").each do |f|\n    File.delete(f) if File.file?(f)\n  end\nend\nclean('/srv')", "File.delete:delete -r /srv"},
	{"class A\n  DIR = '/x'\n  def run\n    FileUtils.rm_rf(DIR)\n    system \"rm -rf #{DIR}\"\n  end\nend\nA.new.run", `FileUtils.rm_rf:delete -r /x; system:shell "rm -rf /x"`},
	{"case x\nwhen 1 then system('a')\nwhen 2\n  system('b')\nelse\n  system('c')\nend\nsystem('d')", "system:shell a; system:shell b; system:shell c; system:shell d"},
}

var perlAgentTests = []callTest{
	{`for my $f (glob("/srv/*")) { unlink $f or warn "no $f: $!"; }`, "unlink:delete -r /srv"},
	{`unlink glob("*.tmp");`, "unlink:delete *.tmp*"},
	{`opendir(my $dh, "/data") or die; while (my $f = readdir($dh)) { next if $f =~ /^\.\.?$/; unlink "/data/$f"; } closedir($dh);`, "unlink:delete -r /data"},
	{`opendir(D, "/data"); foreach my $f (readdir(D)) { unlink("/data/$f") if $f =~ /\.log$/; }`, "unlink:delete /data/${f}*"},
	{`use File::Find; find(sub { unlink $_ if -f }, "/home/u");`, "unlink:delete -r /home/u"},
	{`use File::Find; find({ wanted => sub { unlink $File::Find::name }, no_chdir => 1 }, "/var/x");`, "unlink:delete -r /var/x"},
	{`use File::Path qw(remove_tree); remove_tree("/etc/x", { verbose => 1 });`, "remove_tree:delete -r /etc/x"},
	{`my @d = ("build", "dist"); system("rm", "-rf", @d) == 0 or die;`, "system:run rm -rf build dist"},
	{`my $out = ` + "`git status --short`" + `; print $out;`, `qx:shell "git status --short"`},
	{`use DBI; my $h = DBI->connect($dsn); $h->do("DELETE FROM users");`, `$h->do:sql "DELETE FROM users"`},
	{`my @files = grep { -f $_ } glob('/srv/*'); unlink @files;`, "unlink:delete -r /srv"},
	{`sub rm { my ($d) = @_; opendir(my $h, $d); while (my $f = readdir $h) { next if $f =~ /^\.\.?$/; unlink "$d/$f"; } } rm('/data');`, "unlink:delete -r /data"},
	{`my @a = ("rm"); push @a, "-rf", "/"; push(@a, "x"); system(@a)`, "system:run rm -rf / x"},
	{`while (my $l = <STDIN>) { push @files, $l } unlink @files`, "unlink:delete @files** <STDIN>**"},
}

var phpAgentTests = []callTest{
	{`<?php foreach (scandir('/srv') as $f) { if ($f === '.' || $f === '..') continue; unlink("/srv/$f"); }`, "unlink:delete -r /srv"},
	{`array_map('unlink', glob("cache/*"));`, "unlink:delete -r cache"},
	{`foreach (glob("*.log") as $f) unlink($f);`, "unlink:delete *.log*"},
	{`$it = new RecursiveIteratorIterator(new RecursiveDirectoryIterator('/data', FilesystemIterator::SKIP_DOTS), RecursiveIteratorIterator::CHILD_FIRST); foreach ($it as $f) { $f->isDir() ? rmdir($f->getPathname()) : unlink($f->getRealPath()); }`, "rmdir:delete -r /data; unlink:delete -r /data"},
	{`exec('rm -rf ' . escapeshellarg($dir), $out, $code); if ($code !== 0) { exit(1); }`, `exec:shell "rm -rf ${dir}"*`},
	{`$d = opendir('/x'); while (($f = readdir($d)) !== false) { unlink('/x/' . $f); }`, "unlink:delete -r /x"},
	{`$pdo = new PDO($dsn); $pdo->exec('DROP DATABASE shop'); $pdo->query('SELECT 1');`, `$pdo->exec:sql "DROP DATABASE shop"; $pdo->query:sql "SELECT 1"`},
	{`file_put_contents('.env', str_replace('a', 'b', file_get_contents('.env')));`, `file_put_contents:write .env <"str_replace('a', 'b', file_get_contents('.env'))"*`},
	{`<?php function rrmdir($dir) { foreach (scandir($dir) as $f) { if ($f == '.' || $f == '..') continue; if (is_dir("$dir/$f")) rrmdir("$dir/$f"); else unlink("$dir/$f"); } rmdir($dir); } rrmdir('/srv');`, "unlink:delete -r /srv; rmdir:delete /srv"},
	{`<?php foreach (glob('/x/*') as $f): unlink($f); endforeach; shell_exec('ls');`, "unlink:delete -r /x; shell_exec:shell ls"},
	{`<?php class Files { function unlink($f) { return unlink($f); } }`, "unlink:delete $f*"},
}

var awkAgentCases = []programCase{
	{`{ system("rm -rf " $9) }`, `system:shell "rm -rf {$9}"*`},
	{`NR > 1 { print "kill -9 " $2 | "sh" }`, `print |:shell sh <"kill -9 {$2}\n"*`},
	{`{ cmd = "git branch -D " $1; system(cmd); close(cmd) }`, `system:shell "git branch -D {$1}"*`},
	{`{ print > $1 ".csv" }`, "print >:write {$1}.csv*"},
	{`BEGIN { while (("find . -name x" | getline f) > 0) system("rm -f " f) }`, `| getline:shell "find . -name x"; system:shell "rm -f {f}"*`},
	{`{ sum += $3 } END { printf "%d\n", sum > "/etc/motd" }`, "printf >:write /etc/motd"},
	{`function rm(f) { system("rm -rf " f) } { rm($1) } END { rm("/x") }`, `system:shell "rm -rf {$1}"*; system:shell "rm -rf /x"`},
	{`{ a[NR] = $0 } END { for (i in a) print a[i] > "/etc/out" }`, "print >:write /etc/out"},
}

func TestAgents(t *testing.T) {
	check(t, Python, pythonAgentCases)
	check(t, Awk, awkAgentCases)
	checkCalls(t, JavaScript, javaScriptAgentTests, nil)
	checkCalls(t, Ruby, rubyAgentTests, nil)
	checkCalls(t, Perl, perlAgentTests, nil)
	checkCalls(t, PHP, phpAgentTests, nil)
}
