package shell

import "strings"

// areas hold what is known of the options of programs, so that a value is
// taken neither for an option nor for an operand. A key with a space is for
// the options behind a subcommand. What isn't there is read by the usual
// rules, with no option taking the next word. The lists are those of the
// programs' manuals, as GNU has them, with what other systems add where that
// doesn't contradict.
var areas = []map[string]grammar{
	gitPrograms, filePrograms, textPrograms, archivePrograms, diskPrograms, networkPrograms,
	containerPrograms, cloudPrograms, infrastructurePrograms, backupPrograms, packagePrograms, systemPrograms, languagePrograms,
}

// grammarOf returns how the program of that name reads its options, or how it
// does behind a subcommand.
func grammarOf(name string) (grammar, bool) {
	name = ownName(name)
	for _, area := range areas {
		if g, ok := area[name]; ok {
			g.negates = g.negates || strings.HasPrefix(name, "git ")
			return g, true
		}
	}
	switch program, rest, sub := strings.Cut(name, " "); {
	case sub && (program == "podman" || program == "nerdctl"):
		return grammarOf("docker " + rest)
	case sub && program == "docker-compose":
		return grammarOf("docker compose " + rest)
	case !sub && strings.HasPrefix(name, "mkfs."):
		return diskPrograms["mkfs"], true
	}
	return grammar{}, false
}

// otherNames gives the programs that are called in more than one way.
var otherNames = map[string]string{
	"gunzip": "gzip", "zcat": "gzip", "pigz": "gzip", "unpigz": "gzip",
	"bunzip2": "bzip2", "bzcat": "bzip2", "pbzip2": "bzip2", "lbzip2": "bzip2",
	"unxz": "xz", "xzcat": "xz", "lzma": "xz", "unlzma": "xz", "lzcat": "xz",
	"unzstd": "zstd", "zstdcat": "zstd", "zstdmt": "zstd",
	"egrep": "grep", "fgrep": "grep", "zgrep": "grep", "gawk": "awk", "mawk": "awk", "nawk": "awk",
	"bsdtar": "tar", "gtar": "tar", "gfind": "find", "gsed": "sed", "ggrep": "grep",
	"mke2fs": "mkfs.ext4", "mkfs.ext2": "mkfs.ext4", "mkfs.ext3": "mkfs.ext4",
	"mkfs.fat": "mkfs.vfat", "mkfs.msdos": "mkfs.vfat", "mkdosfs": "mkfs.vfat", "mkntfs": "mkfs.ntfs",
	"slogin": "ssh", "fdfind": "fd", "finch": "docker", "podman-remote": "podman", "podman-compose": "docker-compose", "ansible-console": "ansible", "ip6tables": "iptables", "iptables-legacy": "iptables", "iptables-nft": "iptables",
	"tofu": "terraform", "pip3": "pip", "oc": "kubectl", "kubecolor": "kubectl",
	"mariadb": "mysql", "mariadb-admin": "mysqladmin", "mariadb-dump": "mysqldump", "valkey-cli": "redis-cli", "keydb-cli": "redis-cli", "mongo": "mongosh", "fly": "flyctl", "vc": "vercel", "ntl": "netlify", "mcli": "mc", "nodejs": "node", "pypy": "python3", "pypy3": "python3", "python": "python3", "python2": "python3",
}

// ownName returns the name under which a program is listed: many have the "g"
// that GNU programs have on other systems, or their version.
func ownName(name string) string {
	if own, ok := otherNames[name]; ok {
		return own
	}
	if rest, ok := strings.CutPrefix(name, "g"); ok {
		if _, ok := filePrograms[rest]; ok {
			return rest
		}
	}
	for _, program := range []string{"python3", "python2", "pip3", "perl", "ruby"} {
		if version, ok := strings.CutPrefix(name, program); ok && strings.Trim(version, ".0123456789") == "" {
			if own, ok := otherNames[program]; ok {
				return own
			}
			return program
		}
	}
	return name
}
