package shell

// diskProgram is about those that change disks, partitions, file systems and
// where these are mounted.
func diskProgram(name string) (grammar, bool) {
	switch name {
	case "mkfs":
		return grammar{short: "Vht:", long: "help type= verbose version"}, true
	case "mkfs.ext4":
		return grammar{closed: true, short: "b:cC:d:De:E:fFg:G:i:I:jJ:l:L:m:M:nN:o:O:qQ:r:R:St:T:U:vVz:"}, true
	// mke2fs(8)
	case "mkfs.xfs":
		return grammar{closed: true, short: "b:c:d:fi:Kl:L:m:n:Np:qr:s:V"}, true
	case "mkfs.vfat":
		return grammar{closed: true, short: "aAb:cCD:f:F:g:h:i:Ik:l:m:M:n:r:R:s:S:vn:", long: "codepage= help invariant mbr? offset= variant="}, true
	case "mkfs.btrfs":
		return grammar{closed: true, short: "A:b:d:fhKl:L:m:M:n:O:qr:R:s:U:vV", long: "alloc-start= byte-count= checksum= csum= data= features= force help label= leafsize= metadata= mixed nodesize= nodiscard quiet rootdir= runtime-features= sectorsize= shrink subvol= uuid= verbose version"}, true
	case "mkfs.ntfs":
		return grammar{closed: true, short: "c:CFfhH:IL:lnp:qQs:S:TUvVz:", long: "cluster-size= debug enable-compression fast force heads= help label= license mft-zone-multiplier= no-action no-indexing partition-start= quick quiet sector-size= sectors-per-track= verbose version with-uuid zero-time"}, true
	case "mkswap":
		return grammar{closed: true, short: "cd::e:fhL:p:qU:v::VF:o:s:", long: "check endianness= file force help label= lock? offset= pagesize= quiet size= swapversion= uuid= verbose version"}, true
	case "wipefs":
		return grammar{closed: true, short: "abfhiJno:O:pqt:V", long: "all backup? force help json lock? no-act noheadings offset= output= parsable quiet types= version"}, true
	case "fdisk":
		return grammar{closed: true, short: "b:BC:c::H:hlLno:S:stu::Vw:W:x", long: "bytes color? compatibility? cylinders= getsz heads= help list list-details lock? noauto-pt output= protect-boot sector-size= sectors= type= units? version wipe= wipe-partitions="}, true
	case "sfdisk":
		return grammar{closed: true, short: "AabdfFghJlLnN:o:O:qrsTu:vVwW:X:Y:", long: "activate append backup backup-file= backup-pt-sectors bytes color? delete discard-free disk-id dump force help json label= label-nested= Linux list list-free list-types lock? move-data? move-use-fsync no-act no-reread no-tell-kernel output= part-attrs part-label part-type part-uuid partno= quiet relocate reorder sector-size= show-geometry show-pt-geometry show-size unit= verify version wipe= wipe-partitions="}, true
	case "cfdisk":
		return grammar{closed: true, short: "b:hL::rVz", long: "color? help lock? read-only sector-size= version zero"}, true
	case "sgdisk":
		return grammar{short: "a:A:b:B:c:C:d:e:f:F:g:h:i:I:j:k:l:m:n:N:r:R:S:t:T:u:U:x:", long: "set-alignment= attributes= backup= change-name= load-backup= delete= new= typecode= partition-guid= disk-guid= info= largest-new= replicate= transpose= resize-table= mbrtogpt hybrid= gpttombr="}, true
	case "parted":
		return grammar{closed: true, first: true, short: "a:fhjlmsv", long: "align= fix help json list machine script version"}, true
	case "blkdiscard":
		return grammar{closed: true, short: "fhl:o:p:qsvVz", long: "force help length= offset= quiet secure step= verbose version zeroout"}, true
	case "badblocks":
		return grammar{short: "b:c:d:e:i:o:p:t:"}, true
	case "e2fsck":
		return grammar{closed: true, short: "ab:B:cC:dDE:fFj:kl:L:nprtvVyz:"}, true
	case "fsck":
		return grammar{short: "C::t:"}, true
	case "tune2fs":
		return grammar{closed: true, short: "c:C:e:E:fg:i:IjJ:lL:m:M:o:O:Q:r:T:u:U:z:"}, true
	case "cryptsetup":
		return grammar{short: "c:d:h:i:l:o:p:s:S:t:y", long: "cipher= header= header-backup-file= hash= iter-time= key-file= key-size= key-slot= keyfile-offset= keyfile-size= label= new-keyfile= offset= pbkdf= size= skip= timeout= tries= type= uuid= volume-key-file= master-key-file="}, true
	case "losetup":
		return grammar{closed: true, short: "aAb:c:d:Df:hj:JlLno:O:PrvV", long: "all associated= detach= detach-all direct-io? find help json list loop-ref= noheadings nooverlap offset= output= output-all partscan raw read-only sector-size= set-capacity= show sizelimit= verbose version"}, true
	case "swapoff":
		return grammar{closed: true, short: "aehL:U:vV", long: "all help ifexists verbose version"}, true
	case "mount":
		return grammar{closed: true, short: "aBcfFhilL:mMnN:o:O:rRst:T:U:vVw", rivals: "r,ro,read-only w,rw,read-write",
			long: "all bind fake fork fstab= help ifexists internal-only label= make-private make-rprivate make-rshared make-rslave make-runbindable make-shared make-slave make-unbindable map-groups= map-users= mkdir? move namespace= no-canonicalize no-mtab onlyonce options= options-mode= options-source= options-source-force rbind read-only read-write ro rw show-labels source= target= target-prefix= test-opts= types= uuid= verbose version"}, true
	case "umount":
		return grammar{closed: true, short: "aAcdfhilnN:O:qrRt:vV",
			long: "all all-targets detach-loop fake force help internal-only lazy namespace= no-canonicalize no-mtab quiet read-only recursive test-opts= types= verbose version"}, true
	case "diskutil":
		return grammar{}, true
	case "hdparm":
		return grammar{short: "S:p:"}, true
	case "zpool":
		return grammar{short: "o:O:m:R:t:"}, true
	case "zfs":
		return grammar{short: "o:t:"}, true
	}
	return grammar{}, false
}
