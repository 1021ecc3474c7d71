// Package gitindex says whether git has a file as it is. It reads the index of the repository itself and runs no
// git, because the configuration of a repository can have git run programs.
package gitindex

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"time"
)

// entry is what an index has of a file.
type entry struct {
	modified time.Time
	inode    uint32
	size     uint32
	link     bool // a symbolic link; else a regular file
	hash     [20]byte
}

// errFormat is the error for an index that isn't understood.
var errFormat = errors.New("gitindex: the index isn't understood")

// The parts of an index: see gitformat-index(5). Only hashes of 20 bytes are known.
const (
	headerSize = 12
	fixedSize  = 62 // of an entry, up to its name
	hashSize   = 20

	flagExtended    = 0x4000
	flagStage       = 0x3000
	flagIntentToAdd = 0x2000 // of the extended flags

	modeType    = 0o170000
	modeRegular = 0o100000
	modeLink    = 0o120000
)

// search calls found for each entry of an index that git has the content of and that wanted names, until it
// returns false. Names have slashes and start at the top of the work tree.
func search(index []byte, wanted func(name []byte) bool, found func(name string, e entry) bool) error {
	if len(index) < headerSize+hashSize || string(index[:4]) != "DIRC" {
		return errFormat
	}
	version, count := binary.BigEndian.Uint32(index[4:]), binary.BigEndian.Uint32(index[8:])
	if version < 2 || version > 4 {
		return errFormat
	}
	rest := index[headerSize : len(index)-hashSize]
	var name []byte
	for range count { // each takes some bytes of rest
		if len(rest) < fixedSize {
			return errFormat
		}
		fixed, size := rest[:fixedSize], fixedSize
		flags, extended := binary.BigEndian.Uint16(fixed[60:]), uint16(0)
		if flags&flagExtended != 0 {
			if version < 3 || len(rest) < fixedSize+2 {
				return errFormat
			}
			extended = binary.BigEndian.Uint16(rest[fixedSize:])
			size += 2
		}
		if version == 4 {
			drop, n := offset(rest[size:])
			if n == 0 || drop > len(name) {
				return errFormat
			}
			size += n
			name = name[:len(name)-drop]
		} else {
			name = name[:0]
		}
		end := bytes.IndexByte(rest[size:], 0)
		if end < 0 || len(name)+end > maxName {
			return errFormat
		}
		name = append(name, rest[size:size+end]...)
		if size += end + 1; version < 4 {
			size = (size + 7) &^ 7
		}
		if size > len(rest) {
			return errFormat
		}
		rest = rest[size:]
		mode := binary.BigEndian.Uint32(fixed[24:]) & modeType
		if flags&flagStage != 0 || extended&flagIntentToAdd != 0 || mode != modeRegular && mode != modeLink || !wanted(name) {
			continue
		}
		e := entry{
			modified: time.Unix(int64(binary.BigEndian.Uint32(fixed[8:])), int64(binary.BigEndian.Uint32(fixed[12:]))),
			inode:    binary.BigEndian.Uint32(fixed[20:]),
			size:     binary.BigEndian.Uint32(fixed[36:]),
			link:     mode == modeLink,
			hash:     [hashSize]byte(fixed[40:]),
		}
		if !found(string(name), e) {
			return nil
		}
	}
	return nil
}

// maxName bounds a name: with prefixes that are left out, few bytes of an index could stand for many.
const maxName = 4096

// offset reads a number as packs of git have it. n is the bytes that it takes, 0 where it isn't one.
func offset(text []byte) (value, n int) {
	for i, b := range text[:min(len(text), 4)] {
		value = value<<7 | int(b&0x7f)
		if b&0x80 == 0 {
			return value, i + 1
		}
		value++
	}
	return 0, 0
}

// clean reports whether a file is as it was when it got into the index, by what the file system says of it. An
// index of the same moment as the file can't tell.
func (e *entry) clean(info fs.FileInfo, written time.Time) bool {
	modified := info.ModTime()
	inode, ok := inodeOf(info)
	return e.link == (info.Mode()&fs.ModeSymlink != 0) && e.size == uint32(info.Size()) &&
		e.modified.Equal(modified) && modified.Before(written) && (!ok || e.inode == inode)
}
