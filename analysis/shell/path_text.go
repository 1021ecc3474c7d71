package shell

import "strings"

// expression says that the first operand is a pattern or a script, unless it
// is given by an option.
const (
	grepExpression = "-e --regexp -f --file"
	sedExpression  = "-e --expression -f --file"
)

func textUse(name string) (use, bool) {
	switch name {
	case "cat", "head", "tail", "more", "bat", "batcat":
		return use{each: Read}, true
	case "less":
		return use{each: Read, writes: "-o -O --log-file --LOG-FILE"}, true
	case "wc":
		return use{each: Read, reads: "--files0-from"}, true
	case "od", "hexdump", "strings",
		"nl", "tac", "rev", "cut", "paste", "column", "fold", "fmt",
		"md5sum", "sha1sum", "sha256sum", "sha512sum", "cksum", "b2sum", "base64":
		return use{each: Read}, true
	case "diff":
		return use{each: Read, reads: "-X --exclude-from --from-file --to-file"}, true
	case "cmp", "comm", "join":
		return use{each: Read}, true
	case "xxd", "uniq":
		return use{first: Read, each: Write}, true
	case "sort":
		return use{each: Read, reads: "--files0-from --random-source", writes: "-o --output"}, true
	case "shuf":
		return use{each: Read, with: "-e --echo", writes: "-o --output", reads: "--random-source"}, true
	case "iconv":
		return use{each: Read, writes: "-o --output"}, true
	case "tr":
		return use{}, true
	case "date":
		return use{reads: "-f --file -r --reference"}, true
	case "seq":
		return use{}, true
	case "bc":
		return use{each: Read}, true
	case "grep":
		return use{skip: 1, unless: grepExpression, each: Read, reads: "-f --file --exclude-from"}, true
	case "rg":
		return use{skip: 1, unless: grepExpression + " --files --type-list", each: Read, reads: "-f --file --ignore-file"}, true
	case "ag":
		return use{skip: 1, unless: "-g", each: Read}, true
	case "sed":
		return use{more: (*pathReader).edited}, true
	case "awk":
		return use{more: (*pathReader).awk}, true
	case "jq":
		return use{skip: 1, unless: "-f --from-file", each: Read, reads: "-f --from-file -L --slurpfile --rawfile --argfile"}, true
	case "yq":
		return use{skip: 1, unless: "--expression --from-file", each: Read, with: "-i --inplace", then: Write, reads: "--from-file"}, true
	case "patch":
		return use{first: Write, each: Read, dry: "--dry-run", reads: "-i --input", writes: "-o --output -r --reject-file -B --prefix", more: (*pathReader).patched}, true
	case "apply_patch", "applypatch":
		return use{more: (*pathReader).steps}, true
	case "ed", "ex", "sponge", "dos2unix", "unix2dos":
		return use{each: Write}, true
	case "vi", "vim", "nvim", "nano", "emacs", "view":
		return use{each: Read}, true
	case "git", "hub":
		return use{more: (*pathReader).gitPaths}, true
	case "test", "[":
		return use{more: (*pathReader).tested}, true
	}
	return use{}, false
}

// namesNoPath reports whether the arguments of a program are no paths, whatever
// they look like.
func namesNoPath(name string) bool {
	switch name {
	case "echo", "printf", "print", "true", "false", ":", "expr", "let", "export", "readonly", "declare", "local", "typeset", "set", "unset", "alias", "unalias", "shift", "return", "exit", "break", "continue",
		"read", "mapfile", "readarray", "getopts", "wait", "jobs", "fg", "bg", "kill", "pkill", "killall", "pgrep", "sleep", "yes", "umask", "ulimit", "hash", "type", "which", "whereis", "whatis", "man", "info", "help", "tput", "clear",
		"gh", "glab", "npm", "npx", "pnpm", "yarn", "bun", "bunx", "brew", "whoami", "id", "groups", "uname", "hostname", "date", "env", "printenv", "logger", "wall", "write", "mail", "notify-send",
		"zfs", "zpool", "psql", "mysql", "useradd", "userdel", "usermod", "groupadd", "groupdel", "groupmod", "passwd", "modprobe", "iptables", "nc", "ping", "dig", "host", "nslookup", "aws", "az", "gcloud":
		return true
	}
	return false
}

// edited adds the files of sed. Behind a -i that stands alone an empty word is
// its value in the sed of BSD and macOS.
func (r *pathReader) edited() {
	words := r.operands()
	inPlace := r.holds("-i --in-place -I")
	if inPlace && len(words) > 0 && words[0].Text == "" && !words[0].Dynamic {
		words = words[1:]
	}
	scripts := r.valuesOf("-e --expression")
	if len(words) > 0 && !r.holds(sedExpression) {
		scripts, words = words[:1], words[1:]
	}
	access := Read
	if inPlace {
		access = Write
	}
	for _, word := range words {
		r.file(word, access)
	}
	r.values("-f --file", Read)
	for _, script := range scripts {
		r.sedScript(script)
	}
}

// sedScript adds the files that the r, w and s///w of a script name.
func (r *pathReader) sedScript(script Word) {
	reader := sedReader{text: script.Text}
	for reader.next() {
	}
	for _, name := range reader.reads {
		r.file(script.rest(name), Read)
	}
	for _, name := range reader.writes {
		r.file(script.rest(name), Write)
	}
}

// awk adds the files of awk: operands that assign no variable.
func (r *pathReader) awk() {
	words := r.operands()
	if len(words) > 0 && !r.holds("-f --file -E --exec -e --source") {
		words = words[1:]
	}
	access := Read
	for _, o := range r.options("-i --include") {
		if o.value == "inplace" {
			access = Write
		}
	}
	for _, word := range words {
		if name, _, ok := strings.Cut(word.Text, "="); !ok || name == "" || strings.ContainsAny(name, "/.-~") {
			r.file(word, access)
		}
	}
	r.values("-f --file -E --exec", Read)
}

// tested adds the files that test and [ look at. What the other operators
// compare is text.
func (r *pathReader) tested() {
	const unary = "-b -c -d -e -f -g -G -h -k -L -N -O -p -r -s -S -u -w -x"
	args := r.command.Args
	for i, word := range args {
		switch {
		case i+1 < len(args) && listed(unary, word.Text) && args[i+1].Text != "]":
			r.add(args[i+1], Read)
		case i > 0 && i+1 < len(args) && listed("-nt -ot -ef", word.Text):
			r.add(args[i-1], Read)
			r.add(args[i+1], Read)
		}
	}
}
