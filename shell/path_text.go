package shell

import "strings"

// expression says that the first operand is a pattern or a script, unless it
// is given by an option.
const (
	grepExpression = "-e --regexp -f --file"
	sedExpression  = "-e --expression -f --file"
)

var textUses = map[string]use{
	"cat": {each: Read}, "head": {each: Read}, "tail": {each: Read}, "more": {each: Read}, "bat": {each: Read}, "batcat": {each: Read},
	"less": {each: Read, writes: "-o -O --log-file --LOG-FILE"},
	"wc":   {each: Read, reads: "--files0-from"}, "od": {each: Read}, "hexdump": {each: Read}, "strings": {each: Read},
	"nl": {each: Read}, "tac": {each: Read}, "rev": {each: Read}, "cut": {each: Read}, "paste": {each: Read}, "column": {each: Read}, "fold": {each: Read}, "fmt": {each: Read},
	"md5sum": {each: Read}, "sha1sum": {each: Read}, "sha256sum": {each: Read}, "sha512sum": {each: Read}, "cksum": {each: Read}, "b2sum": {each: Read}, "base64": {each: Read},
	"diff": {each: Read, reads: "-X --exclude-from --from-file --to-file"}, "cmp": {each: Read}, "comm": {each: Read}, "join": {each: Read},
	"xxd": {first: Read, each: Write}, "uniq": {first: Read, each: Write},
	"sort":  {each: Read, reads: "--files0-from --random-source", writes: "-o --output"},
	"shuf":  {each: Read, with: "-e --echo", writes: "-o --output", reads: "--random-source"},
	"iconv": {each: Read, writes: "-o --output"},
	"tr":    {}, "date": {reads: "-f --file -r --reference"}, "seq": {}, "bc": {each: Read},

	"grep": {skip: 1, unless: grepExpression, each: Read, reads: "-f --file --exclude-from"},
	"rg":   {skip: 1, unless: grepExpression + " --files --type-list", each: Read, reads: "-f --file --ignore-file"},
	"ag":   {skip: 1, unless: "-g", each: Read},
	"sed":  {more: (*pathReader).edited},
	"awk":  {more: (*pathReader).awk},
	"jq":   {skip: 1, unless: "-f --from-file", each: Read, reads: "-f --from-file -L --slurpfile --rawfile --argfile"},
	"yq":   {skip: 1, unless: "--expression --from-file", each: Read, with: "-i --inplace", then: Write, reads: "--from-file"},

	"patch":       {first: Write, each: Read, dry: "--dry-run", reads: "-i --input", writes: "-o --output -r --reject-file -B --prefix", more: (*pathReader).patched},
	"apply_patch": {more: (*pathReader).steps}, "applypatch": {more: (*pathReader).steps},
	"ed": {each: Write}, "ex": {each: Write}, "sponge": {each: Write}, "dos2unix": {each: Write}, "unix2dos": {each: Write},
	"vi": {each: Read}, "vim": {each: Read}, "nvim": {each: Read}, "nano": {each: Read}, "emacs": {each: Read}, "view": {each: Read},

	"test": {more: (*pathReader).tested}, "[": {more: (*pathReader).tested},
}

// textOnly lists the programs whose arguments are no paths, whatever they look
// like. Those of git are, but only git knows which: its facts have them.
const textOnly = "echo printf print true false : expr let export readonly declare local typeset set unset alias unalias shift return exit break continue " +
	"read mapfile readarray getopts wait jobs fg bg kill pkill killall pgrep sleep yes umask ulimit hash type which whereis whatis man info help tput clear " +
	"git hub gh glab npm npx pnpm yarn bun bunx brew whoami id groups uname hostname date env printenv logger wall write mail notify-send " +
	"zfs zpool psql mysql useradd userdel usermod groupadd groupdel groupmod passwd modprobe iptables nc ping dig host nslookup aws az gcloud"

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
