package shell

import (
	"strings"

	"github.com/luahook/luahook/internal/wordlist"
)

// cpio adds the folder that cpio -i unpacks into.
func (r *pathReader) cpio() {
	if r.holds("-i --extract") {
		r.unpacked("-D --directory", "-t --list --to-stdout --only-verify-crc")
	}
}

// unpacked adds the current folder as one that is written, unless an option
// names another or has the archive only looked at.
func (r *pathReader) unpacked(into, looks string) {
	if r.holds(looks) {
		r.onlyRead()
	} else if len(r.options(into)) == 0 && len(r.items) > 0 {
		r.here(Write)
	}
}

// sevenZip adds the paths of 7z, whose first operand says what to do.
func (r *pathReader) sevenZip() {
	words := r.operands()
	if len(words) < 2 {
		return
	}
	archive, members := Read, Access("")
	unpacks := false
	switch words[0].Text {
	case "a", "u":
		archive, members = Write, Read
		for _, arg := range r.command.Args {
			if arg.Text == "-sdel" {
				members = Delete
			}
		}
	case "d", "rn":
		archive = Write
	case "x", "e":
		unpacks = true
	}
	r.add(words[1], archive)
	for _, word := range words[2:] {
		r.add(word, members)
	}
	if !unpacks {
		return
	}
	if into := r.valuesOf("-o"); len(into) > 0 {
		r.add(into[len(into)-1], Write)
		return
	}
	r.here(Write)
}

// tarModes are the operations of tar that aren't extract.
const (
	tarWrites  = "-c --create -r --append -u --update -A --catenate --concatenate"
	tarDeletes = "--delete"
	tarUnpacks = "-x --extract --get"
)

// tar adds the paths of tar. Each -C holds for the members behind it, and for
// what is unpacked the last one does.
func (r *pathReader) tar() {
	packs, unpacks := r.holds(tarWrites), r.holds(tarUnpacks)
	local := r.holds("--force-local")
	archive, member := Read, Access("")
	switch {
	case packs:
		archive, member = Write, Read
		if r.holds("--remove-files") {
			member = Delete
		}
	case r.holds(tarDeletes):
		archive = Write
	case r.holds("-d --diff --compare"):
		member = Read
	}
	start, moved, named := r.dir, false, r.operands()
	if r.holds("--strip-components --transform --xform -s --wildcards --strip") {
		named = nil
	}
	unpacked := func(dir Word) { // the members that are named, else any
		if r.add(dir, Write); len(named) > 0 {
			for _, member := range named {
				if member.Dynamic {
					member.Text = "*"
				}
				r.touchesBelow(r.latest(), member.Text, strings.TrimSuffix(member.Text, "/")+"/")
			}
		}
		if len(named) == 0 {
			r.unpacks()
		}
	}
	for i := range r.items {
		o := &r.items[i]
		switch {
		case o.name == "":
			if r.add(r.command.Args[o.index], member); member == Delete {
				r.touchesAll(len(r.paths) - 1)
			}
			continue
		case !o.valued:
			continue
		}
		value := r.value(o)
		switch o.name {
		case "-C", "--directory":
			moved = true
			if unpacks {
				unpacked(value)
			}
			r.chdir(value)
			continue
		}
		// Files of tar itself are seen from where it starts.
		dir := r.dir
		r.dir = start
		switch o.name {
		case "-f", "--file":
			if local || !isElsewhere(value.Text) {
				r.file(value, archive)
			}
		case "-T", "--files-from", "-X", "--exclude-from":
			r.file(value, Read)
		case "-g", "--listed-incremental", "--index-file", "--volno-file":
			r.add(value, Write)
		}
		if r.dir = dir; o.name == "--one-top-level" && unpacks {
			unpacked(value)
			moved = true
		}
	}
	if unpacks && !moved && !r.holds("-O --to-stdout --to-command") {
		unpacked(Word{Text: "."})
	}
}

// curl adds the files that curl writes, and those that "@" has it read.
func (r *pathReader) curl() {
	start := r.dir
	for _, o := range r.options("-d --data --data-ascii --data-binary --data-urlencode --json -H --header --proxy-header -w --write-out --url-query --variable") {
		if _, name, ok := strings.Cut(o.value, "@"); ok && (o.value[0] == '@' || o.name == "--data-urlencode" || o.name == "--variable") {
			r.file(r.value(o).rest(name), Read)
		}
	}
	for _, o := range r.options("-F --form") {
		if _, value, ok := strings.Cut(o.value, "="); ok && len(value) > 1 && (value[0] == '@' || value[0] == '<') {
			name, _, _ := strings.Cut(value[1:], ";")
			r.file(r.value(o).rest(name), Read)
		}
	}
	for _, o := range r.options("-b --cookie") {
		if !strings.Contains(o.value, "=") {
			r.file(r.value(o), Read)
		}
	}
	if dirs := r.valuesOf("--output-dir"); len(dirs) > 0 {
		r.add(dirs[len(dirs)-1], Write)
		r.chdir(dirs[len(dirs)-1])
	}
	r.values("-o --output", Write)
	named := r.holds("-O --remote-name --remote-name-all")
	if named && r.holds("-J --remote-header-name") {
		r.here(Write) // the server says what it's called
		r.touchesBelow(r.latest(), "*")
	}
	for _, url := range r.operands() {
		if name := lastPart(withoutQuery(url.Text)); named && !strings.HasSuffix(url.Text, "/") {
			r.add(url.rest(name), Write)
		}
	}
	r.dir = start
	for _, url := range append(r.operands(), r.valuesOf("--url")...) {
		if path, ok := strings.CutPrefix(url.Text, "file://"); ok {
			r.add(url.rest(path), Read)
		}
	}
}

func (r *pathReader) valuesOf(names string) (words []Word) {
	for _, o := range r.options(names) {
		if o.valued {
			words = append(words, r.value(o))
		}
	}
	return words
}

func withoutQuery(url string) string {
	if end := strings.IndexAny(url, "?#"); end >= 0 {
		return url[:end]
	}
	return url
}

// wget adds the files that wget makes where no option names one.
func (r *pathReader) wget() {
	if r.holds("-O --output-document --spider") {
		return
	}
	for _, dir := range r.valuesOf("-P --directory-prefix") {
		r.chdir(dir)
	}
	urls := r.operands()
	if len(urls) == 0 && !r.holds("-i --input-file") {
		return
	}
	if len(urls) == 0 || r.holds("-i --input-file -r --recursive -m --mirror -p --page-requisites -x --force-directories --content-disposition") {
		r.here(Write)
		r.unpacks()
		return
	}
	for _, url := range urls {
		_, path, ok := strings.Cut(url.Text, "://")
		if !ok {
			path = url.Text
		}
		if _, file, ok := strings.Cut(path, "/"); ok && file != "" && !strings.HasSuffix(file, "/") {
			r.add(url.rest(lastPart(file)), Write)
		} else {
			r.add(url.rest("index.html"), Write)
		}
	}
}

// docker adds what a container is given of this machine, what is copied and
// what an image is built from.
func (r *pathReader) docker() {
	for _, volume := range r.valuesOf("-v --volume") {
		host, place, ok := strings.Cut(volume.Text, ":")
		word := volume.rest(host)
		word.Home = volume.Home
		if ok && host != "" && (begins(&word) || word.Dynamic) {
			access := Write
			if strings.HasSuffix(place, ":ro") {
				access = Read
			}
			r.add(word, access)
		}
	}
	for _, mount := range r.valuesOf("--mount") {
		r.mountOption(mount)
	}
	r.values("--env-file --label-file --secret", Read)
	r.values("--cidfile --iidfile", Write)
	words := r.operands()
	if len(words) > 0 && words[0].Text == "container" {
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	switch words[0].Text {
	case "cp":
		r.copied(words[1:])
	case "build", "buildx", "image":
		r.values("-f --file", Read)
		if last := words[len(words)-1]; len(words) > 1 && (begins(&last) || looksLikePath(&last)) {
			r.add(last, Read)
		}
	case "compose":
		r.values("-f --file --project-directory", Read)
		if len(words) > 1 && words[1].Text == "cp" {
			r.copied(words[2:])
		}
	case "save", "export":
		r.values("-o --output", Write)
	case "load", "import":
		r.values("-i --input", Read)
	}
}

// copied adds what is copied out of a container or into one.
func (r *pathReader) copied(words []Word) {
	for i, word := range words {
		switch {
		case isElsewhere(word.Text), !begins(&word) && strings.Contains(word.Text, ":"):
		case i == 0:
			r.file(word, Read)
		default:
			from := len(r.paths)
			r.file(word, Write)
			r.fillsFolders(from, words[:i], true, false)
		}
	}
}

// kubectl adds the files of kubectl cp: what is in a pod has a colon, as in
// namespace/pod:/file.
func (r *pathReader) kubectl() {
	if words := r.operands(); len(words) > 0 && words[0].Text == "cp" {
		r.copied(words[1:])
	}
}

// mountOption adds the folder of --mount type=bind,source=/x,target=/y.
func (r *pathReader) mountOption(option Word) {
	access, source := Write, ""
	for field := range strings.SplitSeq(option.Text, ",") {
		switch key, value, _ := strings.Cut(field, "="); key {
		case "source", "src":
			source = value
		case "readonly", "ro":
			access = Read
		}
	}
	if word := option.rest(source); begins(&word) || word.Dynamic {
		r.add(word, access)
	}
}

// partitions has a disk only read where parted is to print what is on it.
func (r *pathReader) partitions() {
	words := r.operands()
	if len(words) < 2 {
		return
	}
	for _, word := range words[1:] {
		if !wordlist.Has("print p free all unit s b kb mb gb tb kib mib gib tib compact chs cyl %", strings.ToLower(word.Text)) {
			return
		}
	}
	r.onlyRead()
}

// badBlocks has a disk written where badblocks is to write patterns onto it.
func (r *pathReader) badBlocks() {
	if r.holds("-w") && len(r.paths) > 0 {
		r.paths[0].Access = Write
	}
}

// shown has a disk only read where all that sgdisk is told is to show it.
func (r *pathReader) shown() {
	for i := range r.items {
		if name := r.items[i].name; name != "" && !wordlist.Has("-p --print -i --info -v --verify -D --display-alignment -E --end-of-largest -f --first-in-largest -F --first-aligned-in-largest -L --list-types -O --print-mbr -V --version", name) {
			return
		}
	}
	r.onlyRead()
}

// encrypted adds the device of cryptsetup, behind the action.
func (r *pathReader) encrypted() {
	words := r.operands()
	if len(words) < 2 {
		return
	}
	access := Read
	if wordlist.Has("luksFormat erase luksErase reencrypt luksAddKey luksRemoveKey luksChangeKey luksKillSlot luksHeaderRestore convert config", words[0].Text) {
		access = Write
	}
	r.add(words[1], access)
}

// mounted has mount's only operand as the place: the device is in fstab.
func (r *pathReader) mounted() {
	if len(r.operands()) == 1 && len(r.paths) > 0 && !r.holds("--target") {
		r.paths[0].Access = Write
	}
}
