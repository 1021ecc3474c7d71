package shell

import "strings"

var diskUses = map[string]use{
	"mkfs": {first: Write, guess: Write}, "mkswap": {first: Write, writes: "-F"},
	"mkfs.ext4": {first: Write, guess: Write, dry: "-n -V"}, "mkfs.xfs": {first: Write, guess: Write, dry: "-N -V"}, "mkfs.ntfs": {first: Write, guess: Write, dry: "-n --no-action"},
	"newfs": {guess: Write}, "newfs_msdos": {guess: Write}, "newfs_hfs": {guess: Write}, "newfs_apfs": {guess: Write}, "newfs_exfat": {guess: Write}, "newfs_udf": {guess: Write},
	"mkexfatfs": {guess: Write}, "mkudffs": {guess: Write}, "mkreiserfs": {guess: Write},
	"wipefs":     {each: Read, with: "-a --all -o --offset", then: Write, dry: "-n --no-act"},
	"fdisk":      {each: Write, dry: "-l --list -x --list-details -s --getsz"},
	"sfdisk":     {first: Write, dry: "-l --list -d --dump -J --json -F --list-free -g --show-geometry -G --show-pt-geometry -s --show-size -V --verify -n --no-act"},
	"cfdisk":     {each: Write, dry: "-r --read-only"},
	"gdisk":      {each: Write, dry: "-l"},
	"sgdisk":     {each: Write, dry: "--pretend -P", reads: "-l --load-backup", writes: "-b --backup -R --replicate", more: (*pathReader).shown},
	"cgdisk":     {each: Write},
	"parted":     {first: Write, more: (*pathReader).partitions, dry: "-l --list"},
	"partprobe":  {each: Read},
	"blkdiscard": {each: Write}, "badblocks": {first: Read, more: (*pathReader).badBlocks},
	"e2fsck": {each: Write, dry: "-n"}, "fsck": {each: Write, dry: "-N -n"},
	"tune2fs": {each: Write, dry: "-l"}, "resize2fs": {first: Write}, "e2label": {first: Write},
	"cryptsetup": {more: (*pathReader).encrypted, reads: "-d --key-file --header --master-key-file --volume-key-file", writes: "--header-backup-file"},
	"losetup":    {first: Write, each: Read, writes: "-d --detach", dry: "-a --all -l --list -j --associated"},
	"swapon":     {each: Read}, "swapoff": {each: Read},
	"mount":    {each: Read, last: Write, reads: "--source -T --fstab", writes: "--target", more: (*pathReader).mounted},
	"umount":   {each: Write, dry: "--fake"},
	"diskutil": {guess: Write}, "hdparm": {guess: Write}, "mdadm": {guess: Write},
	"pvcreate": {guess: Write}, "pvremove": {guess: Write}, "vgcreate": {guess: Write}, "vgremove": {guess: Write}, "lvremove": {guess: Write}, "lvcreate": {guess: Write},
}

// partitions has a disk only read where parted is to print what is on it.
func (r *pathReader) partitions() {
	words := r.operands()
	if len(words) < 2 {
		return
	}
	for _, word := range words[1:] {
		if !listed("print p free all unit s b kb mb gb tb kib mib gib tib compact chs cyl %", strings.ToLower(word.Text)) {
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
		if name := r.items[i].name; name != "" && !listed("-p --print -i --info -v --verify -D --display-alignment -E --end-of-largest -f --first-in-largest -F --first-aligned-in-largest -L --list-types -O --print-mbr -V --version", name) {
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
	if listed("luksFormat erase luksErase reencrypt luksAddKey luksRemoveKey luksChangeKey luksKillSlot luksHeaderRestore convert config", words[0].Text) {
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
