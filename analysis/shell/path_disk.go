package shell

import "strings"

func diskUse(name string) (use, bool) {
	switch name {
	case "mkfs":
		return use{first: Write, guess: Write}, true
	case "mkswap":
		return use{first: Write, writes: "-F"}, true
	case "mkfs.ext4":
		return use{first: Write, guess: Write, dry: "-n -V"}, true
	case "mkfs.xfs":
		return use{first: Write, guess: Write, dry: "-N -V"}, true
	case "mkfs.ntfs":
		return use{first: Write, guess: Write, dry: "-n --no-action"}, true
	case "newfs", "newfs_msdos", "newfs_hfs", "newfs_apfs", "newfs_exfat", "newfs_udf",
		"mkexfatfs", "mkudffs", "mkreiserfs":
		return use{guess: Write}, true
	case "wipefs":
		return use{each: Read, with: "-a --all -o --offset", then: Write, dry: "-n --no-act"}, true
	case "fdisk":
		return use{each: Write, dry: "-l --list -x --list-details -s --getsz"}, true
	case "sfdisk":
		return use{first: Write, dry: "-l --list -d --dump -J --json -F --list-free -g --show-geometry -G --show-pt-geometry -s --show-size -V --verify -n --no-act"}, true
	case "cfdisk":
		return use{each: Write, dry: "-r --read-only"}, true
	case "gdisk":
		return use{each: Write, dry: "-l"}, true
	case "sgdisk":
		return use{each: Write, dry: "--pretend -P", reads: "-l --load-backup", writes: "-b --backup -R --replicate", more: (*pathReader).shown}, true
	case "cgdisk":
		return use{each: Write}, true
	case "parted":
		return use{first: Write, more: (*pathReader).partitions, dry: "-l --list"}, true
	case "partprobe":
		return use{each: Read}, true
	case "blkdiscard":
		return use{each: Write}, true
	case "badblocks":
		return use{first: Read, more: (*pathReader).badBlocks}, true
	case "e2fsck":
		return use{each: Write, dry: "-n"}, true
	case "fsck":
		return use{each: Write, dry: "-N -n"}, true
	case "tune2fs":
		return use{each: Write, dry: "-l"}, true
	case "resize2fs", "e2label":
		return use{first: Write}, true
	case "cryptsetup":
		return use{more: (*pathReader).encrypted, reads: "-d --key-file --header --master-key-file --volume-key-file", writes: "--header-backup-file"}, true
	case "losetup":
		return use{first: Write, each: Read, writes: "-d --detach", dry: "-a --all -l --list -j --associated"}, true
	case "swapon", "swapoff":
		return use{each: Read}, true
	case "mount":
		return use{each: Read, last: Write, tree: "*", exact: "*", reads: "--source -T --fstab", writes: "--target", more: (*pathReader).mounted}, true
	case "umount":
		return use{each: Write, dry: "--fake"}, true
	case "diskutil", "hdparm", "mdadm",
		"pvcreate", "pvremove", "vgcreate", "vgremove", "lvremove", "lvcreate":
		return use{guess: Write}, true
	}
	return use{}, false
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
