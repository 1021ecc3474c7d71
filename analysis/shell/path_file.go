package shell

// useOf says what a program does with files. The names are those under which
// ownName lists them, except where one does something else.
func useOf(name string) (u use, known bool) {
	if u, known = runUse(name); known {
		return u, true
	}
	if u, known = networkUse(name); known {
		return u, true
	}
	if u, known = diskUse(name); known {
		return u, true
	}
	if u, known = archiveUse(name); known {
		return u, true
	}
	if u, known = textUse(name); known {
		return u, true
	}
	return fileUse(name)
}

func fileUse(name string) (use, bool) {
	switch name {
	case "rm",
		"rmdir",
		"unlink",
		"srm":
		return use{each: Delete, dash: true, tree: "-r -R --recursive"}, true
	case "shred":
		return use{each: Write, with: "-u --remove", then: Delete, also: true}, true
	case "trash", "trash-put", "rimraf", "del-cli":
		return use{each: Delete, tree: "*"}, true
	case "cp":
		return use{each: Read, last: Write, into: "-t --target-directory", tree: "-r -R -a --recursive --archive", exact: "-T --no-target-directory"}, true
	case "mv":
		return use{each: Delete, last: Write, into: "-t --target-directory", dash: true, tree: "*", exact: "-T --no-target-directory"}, true
	case "install":
		return use{each: Read, last: Write, into: "-t --target-directory", with: "-d --directory", then: Write, exact: "-T --no-target-directory"}, true
	case "link":
		return use{each: Read, last: Write}, true
	case "ln":
		return use{more: (*pathReader).links}, true
	case "rename":
		return use{skip: 1, each: Write, dry: "-n --nono --no-act"}, true
	case "rsync":
		return use{each: Read, last: Write, away: true, with: "--remove-source-files --remove-sent-files", then: Delete, dry: "-n --dry-run --list-only", tree: "-r -a --recursive --archive",
			reads:  "--files-from --exclude-from --include-from --password-file --read-batch --compare-dest --copy-dest --link-dest --config",
			writes: "-T --temp-dir --partial-dir --backup-dir --log-file --write-batch --only-write-batch",
			more:   (*pathReader).mirrored}, true
	// The first operand is the mode or owner, unless that is in an option.
	case "chmod":
		return use{skip: 1, unless: "--reference -r -w -x -X -s -t -u -g -o -a -, -+ -= -0 -1 -2 -3 -4 -5 -6 -7", each: Write, reads: "--reference", tree: "-R --recursive"}, true
	case "chown",
		"chgrp":
		return use{skip: 1, unless: "--reference", each: Write, reads: "--reference", tree: "-R --recursive"}, true
	case "chcon":
		return use{skip: 1, unless: "--reference -u --user -r --role -t --type -l --range", each: Write, reads: "--reference", tree: "-R --recursive"}, true
	case "chattr":
		return use{more: (*pathReader).attributes, tree: "-R"}, true
	case "setfacl":
		return use{each: Write, tree: "-R --recursive", dry: "--test", reads: "-M --modify-file -X --remove-file --set-file --restore"}, true
	case "touch":
		return use{each: Write, reads: "-r --reference"}, true
	case "mkdir",
		"mkfifo":
		return use{each: Write, dash: true}, true
	case "mknod":
		return use{first: Write}, true
	case "mktemp":
		return use{writes: "-p --tmpdir", guess: Write, tree: "-p --tmpdir", fills: true}, true
	case "truncate":
		return use{each: Write, reads: "-r --reference"}, true
	case "tee":
		return use{each: Write}, true
	case "dd",
		"dcfldd", "dc3dd":
		return use{more: (*pathReader).blocks}, true
	case "ddrescue", "dd_rescue":
		return use{first: Read, each: Write}, true
	case "split":
		return use{first: Read, each: Write, more: (*pathReader).pieces}, true
	case "csplit":
		return use{first: Read, writes: "-f --prefix"}, true
	case "find":
		return use{more: (*pathReader).found}, true
	case "fd":
		return use{skip: 1, each: Read, reads: "--base-directory --search-path --ignore-file"}, true
	case "ls", "dir", "tree", "stat":
		return use{each: Read}, true
	case "file":
		return use{each: Read, reads: "-f --files-from -m --magic-file"}, true
	case "du":
		return use{each: Read, reads: "-X --exclude-from --files0-from"}, true
	case "df",
		"readlink":
		return use{each: Read}, true
	case "realpath":
		return use{each: Read, reads: "--relative-to --relative-base"}, true
	case "basename", "dirname":
		return use{}, true
	}
	return use{}, false
}

// links adds the paths of ln, which makes the last of several operands, or
// else one in the current folder. What a symbolic link points to is text.
func (r *pathReader) links() {
	words := r.operands()
	into := r.options("-t --target-directory")
	target := Read
	if r.holds("-s --symbolic") {
		target = ""
	}
	for i, word := range words {
		if i > 0 && i == len(words)-1 && len(into) == 0 {
			exact := r.holds("-n -T -h --no-dereference --no-target-directory")
			r.add(word, Write)
			r.filled(len(r.paths)-1, words[:i], exact, exact)
			return
		}
		r.add(word, target)
	}
	if len(into) == 0 && len(words) == 1 {
		r.add(words[0].rest(lastPart(words[0].Text)), Write)
	}
	from := len(r.paths)
	r.values("-t --target-directory", Write)
	r.filled(from, words, false, false)
}

// lastPart returns what stands behind the last slash of a path.
func lastPart(path string) string {
	for len(path) > 1 && path[len(path)-1] == '/' {
		path = path[:len(path)-1]
	}
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[i+1:]
		}
	}
	return path
}

// mirrored adds that rsync deletes in its target what isn't in its sources.
func (r *pathReader) mirrored() {
	if !r.holds("--del --delete --delete-before --delete-during --delete-delay --delete-after --delete-excluded --delete-missing-args") {
		return
	}
	if words := r.operands(); len(words) > 1 && !isElsewhere(words[len(words)-1].Text) {
		r.add(words[len(words)-1], Delete)
		r.whole(len(r.paths) - 1)
	}
}

// attributes adds the files of chattr, in front of which stands a mode: +i, -i
// or =i.
func (r *pathReader) attributes() {
	for _, word := range r.operands() {
		if word.Text != "" && word.Text[0] != '=' {
			r.add(word, Write)
		}
	}
}

// blocks adds the files of dd.
func (r *pathReader) blocks() {
	for _, word := range r.operands() {
		for _, key := range [...]struct {
			name   string
			access Access
		}{{"if=", Read}, {"of=", Write}} {
			if len(word.Text) > len(key.name) && word.Text[:len(key.name)] == key.name {
				r.add(word.assigned(word.Text[len(key.name):]), key.access)
			}
		}
	}
}

// assigned is as rest, for a value behind NAME=, where a "~" is expanded.
func (w Word) assigned(value string) Word {
	word := w.rest(value)
	word.Home = value != "" && value[0] == '~' && !w.Quoted
	return word
}

// pieces adds what split writes where no name is given for it.
func (r *pathReader) pieces() {
	if len(r.operands()) < 2 {
		r.add(Word{Text: "x"}, Write)
	}
}

// found adds the paths of find: its start points, with all that is in them.
func (r *pathReader) found() {
	access := Read
	if r.holds("-delete") {
		access = Delete
	}
	words := r.operands()
	for _, word := range words {
		r.add(word, access)
	}
	if len(words) == 0 && !r.holds("-files0-from -help --help -version --version") {
		r.here(access)
	}
	for i := range r.paths {
		if p := &r.paths[i]; access == Delete {
			r.reaches(p, findNames(r.command.Args)...)
		}
	}
	r.values("-files0-from -newer -anewer -cnewer -samefile -Bnewer -mnewer", Read)
	r.values("-fprint -fprint0 -fprintf -fls", Write)
}
