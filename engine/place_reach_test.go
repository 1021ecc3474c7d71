package engine_test

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// reaching are commands that touch what lies below config/prod in a project, which they
// don't name as it stands. Where a line begins with "FOLDER: " the agent stands there.
var reaching = []string{
	// A folder above is deleted or moved.
	`rm -rf config`, `rm -r config/`, `rm -rf ./config`, `rm -rf config/prod`, `rm --recursive --force config`, `mv config old`, `mv config/prod /tmp`, `find config -delete`,
	`find config -type f -delete`, `find config -name '*.yaml' -delete`, `find config/prod -name x -exec rm {} +`, `find . -path './config/prod/*' -delete`, `find . -delete`, `find -delete`,
	`find config \( -name a -o -name b \) -delete`, `find . -name x -o -delete`, `find . ! -name x -delete`, `find . -name prod -exec rm -rf {} +`, `find config -type f -exec sed -i s/a/b/ {} +`,
	`find config -execdir rm {} \;`, `find config -type f -print0 | xargs -0 rm`, `grep -rl x config | xargs sed -i s/x/y/`, `cd config; rm -rf .`, `cd config && rm -rf ./*`, `rm -rf "$PWD"/config`,
	`rm -rf .`, `rm -rf *`, `rm -rf ./*`, `rm -rf con*`, `rm -rf c?nfig`, `rm -rf c[o]nfig`, `rm -rf {config,x}`, `rm -rf */prod`, `rm -rf ../shop`, `rm -rf ..`, `rm -rf ../*`, `mv * /tmp`, `rm config/*/db.yaml`, `rm config/prod/*`,
	`rm conf*/pr*/x`, `mv con* old`, `trash config`, `rimraf config`, `npx rimraf config`, `rm -rf config/{prod,dev}`, `sudo rm -rf config`, `python3 -c 'import shutil; shutil.rmtree("config")'`,
	`rsync -a --delete x/ config/`, `tar -czf a.tgz --remove-files config`, `zip -rm a.zip config`, `7z a -sdel a.7z config`, `cd src; rm -rf ../config`, `config: rm -rf .`, `src: rm -rf ../con*`, `src: rm -rf ..`,
	// Files of unknown or known names are put into it.
	`tar -C config/prod -xf a.tar`, `tar xf a.tar -C config`, `tar -xf a.tar`, `tar -xf a.tar config/prod/x`, `tar --directory=config -xf a.tar`, `unzip a.zip -d config/prod`, `unzip -d config a.zip`,
	`cp -t config/prod x`, `cp x config/prod`, `cp x config/prod/`, `cp a b config/prod`, `cp -r src config/prod`, `cp -r src/. config`, `cp -r src/* config`, `cp -rT src config`, `cp -r src/prod config`, `cp -a ../other/prod config/`,
	`mv x config/prod`, `mv -t config/prod x y`, `mv src/prod config`, `mv -T src config`, `mv src/* config`, `install -t config/prod x`, `install -m 644 x config/prod`, `install -d config/prod/new`, `install -D x config/prod/x`,
	`rsync -a x/ config/prod/`, `rsync -a x/ config`, `rsync -a src/prod config/`, `scp -r host:prod config`, `scp -r host:x/ config`, `scp host:prod config/prod/`, `ln -sfn ../dev config/prod`, `ln -sfn dev config`, `ln -s ../x config/prod`, `ln -s -t config/prod x`,
	`cpio -idm -D config < a`, `7z x a.7z -oconfig`, `wget -P config/prod https://x.y/z`, `curl --output-dir config/prod -O https://x.y/z`, `mktemp -p config/prod`, `patch -p1 -d config < x.patch`, `patch -p1 < x.patch`,
	`docker cp c:/x config/prod/`, `mv src/* .`, `cp -r src/. .`, `unzip a.zip`, `split x config/prod/part`, `wget -r -P config https://x.y/z`, `git clone https://x.y/z config/prod/z`, `git apply x.patch`, `git apply --directory=config x.patch`,
	// It is changed as a whole.
	`chmod -R 777 config`, `chmod -R go-r .`, `chown -R me config`, `chgrp -R g config`, `setfacl -R -m u:me:r config`, `chattr -R +i config`, `truncate -s 0 config/prod/db.yaml`, `dd if=x of=config/prod/db.yaml`,
	`sed -i s/a/b/ config/prod/db.yaml`, `sed -i s/a/b/ config/*/*.yaml`, `perl -pi -e s/a/b/ config/prod/*`, `gzip -r config`, `gunzip -r config`, `tee config/prod/x`, `touch config/prod/x`, `chmod 600 config/prod/x`, `mkdir -p config/prod/new`,
	// git
	`git clean -fdx config`, `git clean -fdx`, `git clean -fd .`, `git checkout -- config`, `git checkout -- .`, `git checkout .`, `git checkout HEAD~1 -- config`, `git checkout HEAD config`, `git restore config`, `git restore .`, `git restore -s HEAD~1 config/prod`,
	`git rm -r config`, `git rm -rf config/prod`, `git mv config old`, `git mv x config/prod/`, `git stash push -- config`, `git rm 'config/*'`, `git -C config rm prod/x`, `git -C config checkout -- .`,
	`git --work-tree=config checkout -- prod/x`, `git --git-dir=.git --work-tree config checkout -- prod`, `GIT_WORK_TREE=config git checkout -- prod/x`, `GIT_DIR=.git GIT_WORK_TREE=config git restore prod`,
	`export GIT_WORK_TREE=config; git checkout -- prod/x`, `git -c core.worktree=config checkout -- prod/x`, `git -C src rm -r ../config`, `src: git checkout -- ../config`, `config: git restore prod`, `git -C src --work-tree=../config checkout -- prod/x`,
	// It starts somewhere else.
	`tar -C config -xf a.tar prod/x`, `tar -C config -xf ../a.tar prod`, `CDPATH=config cd prod && rm x`, `export CDPATH=config; cd prod; rm x`, `CDPATH=.:config cd prod && rm -f x`, `env -C config rm prod/x`, `env --chdir=config rm prod/x`, `env -C config -S "rm -rf prod"`, `env -S "-C config rm -rf prod"`,
	`sh -c 'cd config && rm prod/x'`, `pushd config; rm prod/x`, `pushd config && popd; rm config/prod/x`, `(cd config; rm -rf prod)`, `(cd config && rm prod/x)`, `cd config; cd ..; cd -; rm prod/x`, `find config/prod -execdir rm {} \;`,
	`cd config/prod && xargs rm < list x`, `cd config/prod/.. && rm -rf prod`, `go -C config build -o prod/x .`, `cd config && find . -name '*.yaml' -delete`, `cd config && git checkout -- prod`,
	`echo x | xargs -I{} rm config/prod/{}`, `echo prod/x | (cd config && xargs rm)`, `sudo -D config rm prod/x`, `eval "cd config; rm prod/x"`, `patch -d config -p1 prod/db.yaml x.patch`, `cargo -C config build --target-dir=prod/t`,
	`npm --prefix config exec -- rm prod/x`, `pnpm -C config exec rm prod/x`, `uv run --directory config rm prod/x`, `systemd-run --working-directory=config rm prod/x`, `for d in config; do (cd $d && rm prod/x); done`, `bash -c "cd config; rm -rf *"`,
	`unshare --wd=config rm prod/x`, `bwrap --chdir config rm prod/x`, `nsenter --wd=config rm prod/x`,
}

// harmless are commands that leave config/prod alone, or that only look.
var harmless = []string{
	`ls config`, `ls -R config`, `ls`, `tree config`, `grep -r x config`, `grep -rn x .`, `find config -type f`, `find . -name '*.yaml'`, `du -sh *`, `cat config/dev/x`, `cp -r config/dev /tmp/x`, `tar -czf /tmp/a.tgz src`,
	`rm -rf build`, `rm -rf build/*`, `rm -rf config/dev`, `rm -rf config/production`, `rm -rf con`, `rm -rf *.egg-info`, `rm -f *.log`, `rm -rf dist *.tgz`, `rm -rf d*`, `rm config.yaml`, `mv a b`, `mv config.yaml config/`, `mv config/dev old`,
	`mkdir -p config/prod`, `mkdir -p config`, `cp x config`, `cp x config/`, `cp x y config/dev/`, `cp -r src/dev config/`, `mv x config`, `ln -s ../x config/`, `install -d config`, `install -m 644 x config/`, `rsync -a x/ config/dev/`,
	`tar -C build -xf a.tar`, `tar -C config -xf a.tar dev/x`, `tar -tf a.tar`, `unzip -l a.zip`, `unzip -d build a.zip`, `tar -C /elsewhere -xf a.tar`, `cp -t config x`, `touch config`, `chmod 755 config`, `chmod -R 755 build`, `chown me config`, `rmdir build`,
	`find . -name '*.pyc' -delete`, `find . -type d -name __pycache__ -exec rm -rf {} +`, `find . -name .DS_Store -delete`, `find . -path '*/node_modules/*' -delete`, `find build -delete`, `find . -name '*.go' | xargs gofmt -w`, `grep -rl x src | xargs sed -i s/x/y/`,
	`find config -type f -exec grep -l x {} +`, `find config -name '*.yaml' -exec cat {} \;`, `git status`, `git add .`, `git add -A config`, `git commit -am x`, `git diff config`, `git log -- config`, `git checkout main`, `git restore --staged config`,
	`git rm --cached -r config`, `git clean -n`, `git clean -ndx config`, `git reset config`, `git pull`, `git -C src checkout -- .`, `git clean -fd src`, `git rm -r src`, `git checkout -- src`, `git grep x config`, `git ls-files config`,
	`src: rm -rf build`, `src: rm -rf *`, `src: git checkout -- .`, `src: rm -rf config`, `src: tar -xf a.tar`, `cd src && rm -rf *`, `cd /elsewhere && rm -rf *`, `(cd config); rm prod/x`, `env -C src rm prod/x`, `make -C config`, `make -C config build`,
	`tar -C .. -xf a.tar`, `unzip -d .. a.zip`, `mv src/* ..`, `cp -r src/. ..`, `scp -r host:x config`, `npm install`, `npm ci`, `go build ./...`, `go build -o bin/app ./cmd/app`, `make test`, `echo config/prod/x`, `rm -rf "$TMP"`, `rm -rf node_modules`, `rm -rf ./dist`, `sed -i s/a/b/ src/*.go`, `sed -i s/a/b/ *.md`, `wget https://x.y/z`, `curl -O https://x.y/z`,
	`docker run -v $PWD/src:/src x`, `rsync -an x/ config/`, `rsync -a config/ host:x`, `scp -r config host:x`, `cp -r src dst`, `cp a.txt b.txt`, `mv src/*.md docs/`, `zip -r a.zip src`, `gzip a.log`, `python3 -m venv .venv`, `git stash`, `git worktree add ../x`,
}

// A guard of a folder sees what touches the files in it, whether or not the command names them.
func TestFoldersAboveAPattern(t *testing.T) {
	root := tree(t, "-- shop/.git/HEAD --\n-- shop/.hooks/guard.lua --\n"+`
on("pre_tool_call", { name = "by_file", match = { kind = "shell", file = "config/prod/**" } }, function() return context("by_file") end)
on("pre_tool_call", { name = "by_list", match = { kind = "shell" } }, function(ev)
  for _, file in ipairs(ev.tool_call.files) do
    if path.match("config/prod/**", file) then return context("by_list") end
  end
end)
on("pre_tool_call", { name = "by_name", match = { kind = "shell", file = "**/*.env|*.key" } }, function() return context("by_name") end)
`+"-- shop/config/prod/db.yaml --\n-- shop/src/x --\n") + "/shop"
	p, err := engine.FindProject(root)
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine(t, engine.WithProject(p), engine.WithoutBuiltins())
	guard := newEngine(t, engine.WithoutBuiltins(), engine.WithHooksDir(t.TempDir(), root), engine.WithBuiltin("safety-guard", map[string]any{"protect_paths": []any{"config/prod/**"}}))
	for _, list := range []struct {
		lines   []string
		reaches bool
	}{{reaching, true}, {harmless, false}} {
		for _, line := range list.lines {
			cwd, command := root, line
			if folder, rest, ok := strings.Cut(line, ": "); ok && !strings.ContainsAny(folder, " ;") {
				cwd, command = root+"/"+folder, rest
			}
			call := at(t, cwd, "Bash", map[string]any{"command": command})
			seen := fire(t, e, call)
			told := func(name string) bool { return strings.Contains(seen.NewContext, name) }
			if told("by_file") != list.reaches || told("by_list") != list.reaches || told("by_name") {
				t.Errorf("%s: by match %t, by tool_call.files %t, want %t; by name %t; files %q", line, told("by_file"), told("by_list"), list.reaches, told("by_name"), call.ToolCall.Files())
			}
			r := fire(t, guard, call)
			if stops := r.Decision == hooks.Deny || r.Decision == hooks.Ask; list.reaches && !stops || !list.reaches && strings.Contains(r.Reason, "protect_paths") {
				t.Errorf("%s: safety-guard with protect_paths: %q %s, want %t", line, r.Decision, r.Reason, list.reaches)
			}
		}
	}
}
