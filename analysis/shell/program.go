package shell

import "strings"

// optionsOf returns what is known of the options of a program, so that a value is
// taken neither for an option nor for an operand. A name with a space is for
// the options behind a subcommand. What isn't there is read by the usual
// rules, with no option taking the next word. The lists are those of the
// programs' manuals, as GNU has them, with what other systems add where that
// doesn't contradict.
func optionsOf(name string) (g grammar, known bool) {
	for _, area := range [...]func(string) (grammar, bool){
		gitProgram, fileProgram, textProgram, archiveProgram, diskProgram, networkProgram,
		containerProgram, cloudProgram, infrastructureProgram, backupProgram, packageProgram, systemProgram, languageProgram,
	} {
		if g, known = area(name); known {
			return g, true
		}
	}
	return grammar{}, false
}

// grammarOf returns how the program of that name reads its options, or how it
// does behind a subcommand.
func grammarOf(name string) (grammar, bool) {
	name = ownName(name)
	if g, ok := optionsOf(name); ok {
		g.negates = g.negates || strings.HasPrefix(name, "git ")
		return g, true
	}
	switch program, rest, sub := strings.Cut(name, " "); {
	case sub && (program == "podman" || program == "nerdctl"):
		return grammarOf("docker " + rest)
	case sub && program == "docker-compose":
		return grammarOf("docker compose " + rest)
	case !sub && strings.HasPrefix(name, "mkfs."):
		return diskProgram("mkfs")
	}
	return grammar{}, false
}

// otherName is about the programs that are called in more than one way: it gives the
// name under which they are listed.
func otherName(name string) (string, bool) {
	switch name {
	case "gunzip", "zcat", "pigz", "unpigz":
		return "gzip", true
	case "bunzip2", "bzcat", "pbzip2", "lbzip2":
		return "bzip2", true
	case "unxz", "xzcat", "lzma", "unlzma", "lzcat":
		return "xz", true
	case "unzstd", "zstdcat", "zstdmt":
		return "zstd", true
	case "egrep", "fgrep", "zgrep":
		return "grep", true
	case "gawk", "mawk", "nawk":
		return "awk", true
	case "bsdtar", "gtar":
		return "tar", true
	case "gfind":
		return "find", true
	case "gsed":
		return "sed", true
	case "ggrep":
		return "grep", true
	case "mke2fs", "mkfs.ext2", "mkfs.ext3":
		return "mkfs.ext4", true
	case "mkfs.fat", "mkfs.msdos", "mkdosfs":
		return "mkfs.vfat", true
	case "mkntfs":
		return "mkfs.ntfs", true
	case "slogin":
		return "ssh", true
	case "fdfind":
		return "fd", true
	case "finch":
		return "docker", true
	case "podman-remote":
		return "podman", true
	case "podman-compose":
		return "docker-compose", true
	case "ansible-console":
		return "ansible", true
	case "ip6tables", "iptables-legacy", "iptables-nft":
		return "iptables", true
	case "tofu":
		return "terraform", true
	case "pip3":
		return "pip", true
	case "oc", "kubecolor":
		return "kubectl", true
	case "mariadb":
		return "mysql", true
	case "mariadb-admin":
		return "mysqladmin", true
	case "mariadb-dump":
		return "mysqldump", true
	case "valkey-cli", "keydb-cli":
		return "redis-cli", true
	case "mongo":
		return "mongosh", true
	case "fly":
		return "flyctl", true
	case "vc":
		return "vercel", true
	case "ntl":
		return "netlify", true
	case "mcli":
		return "mc", true
	case "nodejs":
		return "node", true
	case "pypy", "pypy3", "python", "python2":
		return "python3", true
	}
	return "", false
}

// ownName returns the name under which a program is listed: many have the "g"
// that GNU programs have on other systems, or their version.
func ownName(name string) string {
	if own, ok := otherName(name); ok {
		return own
	}
	if rest, ok := strings.CutPrefix(name, "g"); ok {
		if _, ok := fileProgram(rest); ok {
			return rest
		}
	}
	for _, program := range []string{"python3", "python2", "pip3", "perl", "ruby"} {
		if version, ok := strings.CutPrefix(name, program); ok && strings.Trim(version, ".0123456789") == "" {
			if own, ok := otherName(program); ok {
				return own
			}
			return program
		}
	}
	return name
}
