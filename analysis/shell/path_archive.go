package shell

import "strings"

const unchanged = "-c --stdout --to-stdout -k --keep -t --test -l --list"

func archiveUse(name string) (use, bool) {
	switch name {
	case "tar":
		return use{more: (*pathReader).tar}, true
	case "zip":
		return use{first: Write, each: Read, with: "-m --move", then: Delete, tree: "-r -R --recurse-paths --recurse-patterns", dry: "-sf --show-files", writes: "-O --output-file -b --temp-path"}, true
	case "unzip":
		return use{first: Read, tree: "*", fills: true, writes: "-d", more: func(r *pathReader) {
			r.unpacked("-d", "-l -t -v -z -Z -p -c")
		}}, true
	case "7z", "7za", "7zz":
		return use{more: (*pathReader).sevenZip, tree: "*", fills: true}, true
	case "cpio":
		return use{each: Write, tree: "*", fills: true, reads: "-I -E --pattern-file", writes: "-O -F --file -D --directory", more: func(r *pathReader) {
			if r.holds("-i --extract") {
				r.unpacked("-D --directory", "-t --list --to-stdout --only-verify-crc")
			}
		}}, true
	// What is compressed or unpacked is replaced by a file with another name.
	case "gzip", "bzip2":
		return use{each: Write, with: unchanged, then: Read, tree: "-r --recursive"}, true
	case "xz":
		return use{each: Write, with: unchanged, then: Read, reads: "--files --files0"}, true
	case "zstd":
		return use{each: Read, with: "--rm", then: Write, tree: "-r", reads: "-D --filelist --patch-from", writes: "-o --output-dir-flat --output-dir-mirror"}, true
	case "zcat", "bzcat", "xzcat", "lzcat", "zstdcat":
		return use{each: Read}, true
	}
	return use{}, false
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
				r.reaches(&r.paths[len(r.paths)-1], member.Text, strings.TrimSuffix(member.Text, "/")+"/")
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
				r.whole(len(r.paths) - 1)
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
