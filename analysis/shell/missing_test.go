package shell

import (
	"strings"
	"testing"
)

// What copies "last" writes .env; "+" before a line: only where no .env is there.
func TestMissing(t *testing.T) {
	for _, line := range strings.Split(strings.TrimSpace(missingLines), "\n") {
		want := line[0] == '+'
		text := strings.ReplaceAll(line[2:], `\n`, "\n")
		parsed := Parse(text, Options{Cwd: "/shop", Home: "/home/dev"})
		if parsed.Err != nil {
			t.Errorf("%s: %v", text, parsed.Err)
		}
		found, missing := false, true
		for _, c := range parsed.Commands {
			if files := c.Operands(); c.Name == "cp" && len(files) > 1 && files[0].Text == "last" && strings.HasSuffix(files[1].Text, ".env") {
				found = true
				missing = missing && parsed.Missing(c, "/shop/.env")
			}
		}
		if !found || missing != want {
			t.Errorf("%s: found is %v, missing %v, want %v", text, found, missing, want)
		}
	}
}

func TestMissingWithoutFolder(t *testing.T) {
	parsed := Parse(`[ -f .env ] || cp last .env`, Options{})
	last := parsed.Commands[len(parsed.Commands)-1]
	if !parsed.Missing(last, ".env") || parsed.Missing(last, "x") || (&Line{}).Missing(last, ".env") {
		t.Error("the paths of a line that starts nobody knows where aren't compared as they are written")
	}
}

// The files that the blocks around "a" write, the innermost first.
func TestBlock(t *testing.T) {
	for line, want := range map[string]string{
		`{ a; b; } > f`:              "f",
		`(b; a) >> f`:                "f",
		`for i in 1 2; do a; done>f`: "f",
		`{ a; } 2> f`:                "",
		`{ a; } < f`:                 "",
		`{ a; } >&2`:                 "",
		`a > f`:                      "",
		`{ b; } > f; a`:              "",
		`{ { a; } > g; } > f`:        "g f",
		`f() { a; }; { f; } > g`:     "g",
	} {
		var got []string
		for _, c := range Parse(line, Options{}).Commands {
			for block := c.Block; c.Name == "a" && block != nil; block = block.Block {
				got = append(got, block.Redirects[0].Target.Text)
			}
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %q, want %q", line, text, want)
		}
	}
}

const missingLines = `
+ python3 -c "import os,shutil; os.path.exists('.env') or shutil.copy('last', '.env')"
+ python3 -c "import os,shutil\nif not os.path.isfile('.env'):\n  shutil.copy('last', '.env')"
+ python3 -c "import os,shutil\nif os.path.exists('.env'):\n  print(1)\nelse:\n  shutil.copy('last', '.env')"
+ python3 -c "import os,shutil\nif os.path.exists('x'):\n  pass\nelif not os.path.exists('.env'):\n  shutil.copy('last', '.env')"
+ python3 -c "import os,shutil\nif os.path.exists('.env'):\n  pass\nelif x:\n  shutil.copy('last', '.env')"
+ python3 -c "import os,shutil,sys\nif os.path.exists('.env'):\n  sys.exit(0)\nshutil.copy('last', '.env')"
+ python3 -c "import os,shutil\nshutil.copy('last', '.env') if not os.path.exists('.env') else 0"
+ python3 -c "import os,shutil\nx = os.path.exists('.env')\nif not x and y: shutil.copy('last', '.env')"
+ python3 -c "import shutil; from pathlib import Path; p = Path('.env'); p.exists() or shutil.copy('last', p)"
+ python3 -c "import os; os.path.exists('.env') or os.system('cp last .env')"
+ python3 -c "import os,subprocess; os.path.exists('.env') or subprocess.run(['cp', 'last', '.env'])"
+ python3 -c "import os,shutil\ndef f(p):\n  if not os.path.exists(p): shutil.copy('last', p)\nf('.env')"
+ python3 -c "import os,shutil\nfor p in ['.env']:\n  if not os.path.exists(p): shutil.copy('last', p)"
+ php -r "file_exists('.env') || copy('last', '.env');"
+ php -r "if (!file_exists('.env')) { copy('last', '.env'); }"
+ php -r "if (file_exists('.env')) exit; copy('last', '.env');"
+ php -r "file_exists('.env') && exit(0); copy('last', '.env');"
+ php -r "file_exists('.env') ?: copy('last', '.env');"
+ php -r "if (file_exists('.env') === false) copy('last', '.env');"
+ node -e "const fs=require('fs'); fs.existsSync('.env') || fs.copyFileSync('last', '.env')"
+ node -e "const fs=require('fs'); if (!fs.existsSync('.env')) { fs.copyFileSync('last', '.env') }"
+ node -e "const fs=require('fs'); if (fs.existsSync('.env')) process.exit(0); fs.copyFileSync('last', '.env')"
+ node -e "const fs=require('fs'); fs.existsSync('.env') ? 0 : fs.copyFileSync('last', '.env')"
+ node -e "const fs=require('fs'); fs.exists('.env', yes => { if (!yes) fs.copyFileSync('last', '.env') })"
+ ruby -e "FileUtils.cp('last', '.env') unless File.exist?('.env')"
+ perl -e 'copy("last", ".env") unless -e ".env"'
+ perl -e '-f ".env" or copy("last", ".env")'
+ perl -e 'exit if -e ".env"; copy("last", ".env")'
+ pwsh -Command "if (!(Test-Path .env)) { Copy-Item last .env }"
+ pwsh -Command "if (-not (Test-Path .env) -and \$x) { Copy-Item last .env }"
+ pwsh -Command "if (Test-Path .env) { 1 } else { Copy-Item last .env }"
+ pwsh -Command "if (Test-Path .env) { exit }; Copy-Item last .env"
+ cmd /c "if not exist .env copy last .env"
+ cmd /c "if exist .env (echo yes) else (copy last .env)"
- python3 -c "import os,shutil; os.path.exists('.env') and shutil.copy('last', '.env')"
- python3 -c "import os,shutil; os.path.exists('x') or shutil.copy('last', '.env')"
- python3 -c "import os,shutil; os.path.isdir('.env') or shutil.copy('last', '.env')"
- python3 -c "import os,shutil\nif os.path.exists('.env'):\n  shutil.copy('last', '.env')"
- python3 -c "import os,shutil\nif not os.path.exists('.env') or x:\n  shutil.copy('last', '.env')"
- python3 -c "import os,shutil\nif not os.path.exists('.env'):\n  print(1)\nshutil.copy('last', '.env')"
- python3 -c "import os,shutil\nif not os.path.exists('.env'):\n  print(1)\nelse:\n  shutil.copy('last', '.env')"
- python3 -c "import os,shutil,sys\nif x:\n  if os.path.exists('.env'):\n    sys.exit(0)\nshutil.copy('last', '.env')"
- python3 -c "import os,shutil,sys\nif os.path.exists('.env'):\n  print(1)\nelif x:\n  sys.exit(0)\nshutil.copy('last', '.env')"
- python3 -c "import os,shutil\nif not os.path.exists('.env'):\n  for i in x: shutil.copy('last', '.env')"
- python3 -c "import os,shutil\nx = os.path.exists('.env')\nos.chdir('..')\nif not x: shutil.copy('last', '.env')"
- python3 -c "import os,shutil\nos.rename('a', '.env')\nos.path.exists('.env') or shutil.copy('last', '.env')"
- python3 -c "import os,shutil\nos.path.exists('.env') or (exec(x), shutil.copy('last', '.env'))"
- php -r "!file_exists('.env') || copy('last', '.env');"
- php -r "file_exists('last') || exit; copy('last', '.env');"
- php -r "file_exists('.env') . copy('last', '.env');"
- node -e "const fs=require('fs'); fs.existsSync('.env') ? fs.copyFileSync('last', '.env') : 0"
- perl -e 'copy("last", ".env") if -e ".env"'
- perl -e 'exit unless -e ".env"; copy("last", ".env")'
- pwsh -Command "if (Test-Path .env) { Copy-Item last .env }"
- pwsh -Command "if (!(Test-Path .env) -or \$x) { Copy-Item last .env }"
- pwsh -Command "if (!(Test-Path .env)) { 1 }; Copy-Item last .env"
- pwsh -Command "if (!(Test-Path .env)) { foreach (\$i in 1..3) { Copy-Item last .env } }"
- pwsh -Command "\$x = Test-Path .env; cd src; if (!\$x) { Copy-Item last .env }"
- python3 -c "import os,shutil\nos.chdir('src')\nx = os.path.exists('.env')\nos.chdir('/shop')\nif not x: shutil.copy('last', '.env')"
- python3 -c "import os,shutil,sys\ndef f():\n  shutil.copy('last', '.env')\nf()\nif os.path.exists('.env'):\n  sys.exit(0)"
- python3 -c "import os; os.path.exists('.env') or os.system('yes | xargs -I{} cp last .env')"
- pwsh -Command "if (!(Test-Path .env)) { foreach (\$i in \$x) { Copy-Item last .env } }"
- pwsh -Command "if (!(Test-Path .env)) { while (\$x) { Copy-Item last .env } }"
- pwsh -Command "if (!(Test-Path .env)) { \$b = { Copy-Item last .env } }; x \$b"
- pwsh -Command "if (Test-Path .env) { 1 }; Copy-Item last .env"
- pwsh -Command "cd src; \$x = Test-Path .env; cd /shop; if (!\$x) { Copy-Item last .env }"
- cmd /c "if not exist .e* copy last .env"
- cmd /c "if exist .env copy last .env"
- cmd /c "if not exist x copy last .env"
+ [ -f .env ] || cp last .env
+ [ -e .env ] || cp last .env
+ [ -s .env ] || cp last .env
+ test -f .env || cp last .env
+ /usr/bin/test -f .env || cp last .env
+ [ -f /shop/.env ] || cp last .env
+ [ -f ./x/../.env ] || cp last .env
+ cd x; [ -f ../.env ] || cp last ../.env
+ [ ! -f .env ] && cp last .env
+ [ ! -f .env ] && cp last .env || true
+ ! [ -f .env ] && cp last .env
+ ! test -e .env && cp last .env
+ [ ! -f .env -a -f x ] && cp last .env
+ [ -f x -a ! -f .env ] && cp last .env
+ [ -f .env -o -f x ] || cp last .env
+ [ -f x ] && [ ! -f .env ] && cp last .env
+ [ ! -f .env ] && [ -f x ] && cp last .env
+ [[ -f .env ]] || cp last .env
+ [[ ! -f .env ]] && cp last .env
+ ! [[ -e .env ]] && cp last .env
+ [[ ! -e .env && -f x ]] && cp last .env
+ [[ -e x && ( ! -e .env ) ]] && cp last .env
+ [[ -f .env || -f x ]] || cp last .env
+ [[ -d x && ! -f .env ]] && cp last .env
+ [[ -f x || -f .env ]] || cp last .env
+ f=.env; [[ -f $f ]] || cp last $f
+ f=.env; [ -f "$f" ] || cp last "$f"
+ if [ ! -f .env ]; then cp last .env; fi
+ if [[ ! -f .env ]]; then echo no; cp last .env; fi
+ if ! test -e .env; then cp last .env; fi
+ if [ -f .env ]; then echo yes; else cp last .env; fi
+ if [ ! -e ".env" ]; then cp last .env; fi && npm ci
+ if [ ! -f .env ]; then if [ -d x ]; then cp last .env; fi; fi
+ [ -f .env ] || { echo no; cp last .env; }
+ [ -f .env ] || (cp last .env)
+ [ -f .env ] || sudo cp last .env
+ [ -f .env ] || bash -c 'cp last .env'
+ bash -c '[ -f .env ] || cp last .env'
+ [ -f .env ] 2>/dev/null || cp last .env
+ ls .env 2>/dev/null || cp last .env
+ ls -la .env >/dev/null 2>&1 || cp last .env
+ stat .env > /dev/null || cp last .env
+ for i in a b; do [ -f .env ] || cp last .env; done
+ for f in .env a; do [ -f $f ] || cp last $f; done
+ f() { [ -f .env ] || cp last .env; }; f
+ f() { [ -f "$1" ] || cp last "$1"; }; f .env
+ f() { [ -f .env ] || cp last .env; }
+ [ -f .env ] && exit; cp last .env
+ [ -f .env ] && { echo yes; exit 0; }; cp last .env
+ [[ -f .env ]] && exit 0; cp last .env
+ [[ ! -f .env ]] || exit 0; cp last .env
+ if [ -f .env ]; then echo yes; exit 0; fi; cp last .env
+ if [[ -f .env ]]; then exit 0; fi; echo no; cp last .env
+ [ ! -f .env ] || exit 0; cp last .env
+ set -e; [ ! -f .env ]; cp last .env
+ [ -f .env ] || { mkdir -p x; touch x/a; cp last .env; }
+ [ -f .env ] || (cp a x.txt && cp last .env)
- [ -f .env ] && cp last .env
- [ ! -f .env ] || cp last .env
- [ -f other ] || cp last .env
- [ -f .env ] || true; cp last .env
- [ -f .env ] || true && cp last .env
- [ ! -f .env ] || true && cp last .env
- [ -d .env ] || cp last .env
- [ -r .env ] || cp last .env
- [ -L .env ] || cp last .env
- [ -f .env ] || echo no && cp last .env
- [ -f .env ] || x || cp last .env
- [ -f .env -a -f x ] || cp last .env
- [ ! -f .env -o -f x ] && cp last .env
- [ \( -f .env -o -f x \) -a -f y ] || cp last .env
- [ ! -f .env ] ; cp last .env
- [ ! -f .env ] & cp last .env
- [ ! -f .env ] | cat && cp last .env
- ! { [ ! -f .env ]; } && cp last .env
- [ -f .env x ] || cp last .env
- [ -f .env || cp last .env
- [ -f $x ] || cp last .env
- [ -f .en* ] || cp last .env
- [ -f .env ] > x/y || cp last .env
- [ -f .env ] < x || cp last .env
- ./test -f .env || cp last .env
- ~/bin/test -f .env || cp last .env
- sudo test -f .env || cp last .env
- timeout 1 test -f .env || cp last .env
- ssh host test -f .env || cp last .env
- docker exec web test -f .env || cp last .env
- test() { false; }; test -f .env || cp last .env
- cd x && [ -f .env ] || cp last ../.env
- [ -f .env ] || { mv prod.env .env; cp last .env; }
- [ -f .env ] || { echo A=1 > .env; cp last .env; }
- [ -f .env ] || { ./setup.sh; cp last .env; }
- [ -f .env ] || { cp -r backup/. .; cp last .env; }
- [ -f .env ] || { mv x $y; cp last .env; }
- [ -f .env ] || { git stash pop; cp last .env; }
- [ -f .env ] || for f in a b; do mv $f .env; cp last .env; done
- [ -f .env ] || while x; do cp last .env; mv a .env; done
- [ -f .env ] || xargs -I{} cp last .env
- [ -f .env ] || cp a .env; cp last .env
- [ -f .env ] || find . -exec cp last .env ';'
- [[ -f .env ]] && cp last .env
- [[ ! -f .env ]] || cp last .env
- [[ ! -f .env && -f x || -f y ]] && cp last .env
- [[ -f x || ! -f .env && -f y ]] && cp last .env
- [[ ! ( -f .env && -f x ) ]] && cp last .env
- [[ ! -f .env || -f x ]] && cp last .env
- [[ -f .env && -f x ]] || cp last .env
- [[ -d .env ]] || cp last .env
- [[ -f .env ]] < x || cp last .env
- [[ -f $x ]] || cp last .env
- [[ -f .env ]]; cp last .env
- [[ ! -f .env ]] && true; cp last .env
- [[ -f .env ]] || { mv prod.env .env; cp last .env; }
- for f in .env a; do [[ -f $f ]] || cp last .env; done
- for f in .env a; do [ -f $f ] || cp last .env; done
- for f in a .env; do [ -f $f ] || cp last .env; done
- f=.env; while x; do [[ -f $f ]] || cp last .env; f=a; done
- if x; then f=.env; else f=a; fi; [ -f $f ] || cp last .env
- if x; then f=.env; else f=a; fi; [[ -f $f ]] || cp last .env
- if [ -f .env ]; then cp last .env; fi
- if [ ! -f .env ]; then echo no; else cp last .env; fi
- if [ ! -f .env ]; then echo no; fi; cp last .env
- if [ ! -f .env ] || x; then cp last .env; fi
- if x; then [ ! -f .env ]; fi && cp last .env
- if [ -f .env ]; then x || exit 0; fi; cp last .env
- if [ -f .env ]; then (exit 0); fi; cp last .env
- if [ -f .env ]; then exit 0 & fi; cp last .env
- if [ -f .env ] && x; then exit 0; fi; cp last .env
- if [ ! -f .env ]; then exit 0; fi; cp last .env
- [ -f .env ] && x && exit; cp last .env
- x && [ -f .env ] && exit; cp last .env
- [ -f .env ] || exit; cp last .env
- [ -f .env ] && exit & cp last .env
- ([ -f .env ] && exit); cp last .env
- [ -f .env ] && break; cp last .env
- [ -f .env ] && return; cp last .env
- [[ -f .env ]] || exit 0; cp last .env
- set -e; [ ! -f .env ] || true; cp last .env
- [ ! -f .env ]; (( x )) && cp last .env
- [ ! -f .env ]; [[ x ]] && cp last .env
- trap 'cp last .env' EXIT; [ -f .env ] || exit 1
- [ -f .env ] || trap 'cp last .env' EXIT
- case x in *) [ ! -f .env ];; esac; cp last .env
- [ -f .env ] || f() { cp last .env; }
- ls .env a || cp last .env
- ls -x .env || cp last .env
- ls .env > x || cp last .env
- ls .env && cp last .env
- ls || cp last .env
- X=1 ls .env || cp last .env
`
