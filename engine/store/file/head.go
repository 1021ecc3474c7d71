package file

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// What bbolt writes at the start of its first two pages, in the byte order of the machine:
// 16 bytes of any page, then what is read here. The two take turns, so that one is whole
// at any time.
const (
	headAt     = 16
	headLength = 64
	headMagic  = 0xED0CDAED
	headLayout = 2
	noFreelist = ^uint64(0)
)

// headError is the error of a file whose head makes no sense, or can't be right for what
// follows.
type headError struct{ err error }

func (e *headError) Error() string { return e.err.Error() }
func (e *headError) Unwrap() error { return e.err }

type head struct{ pageSize, freelist, pages, id uint64 }

// checkHead refuses what bbolt would stumble over: a file that is shorter than it says,
// one of another format or a later version of it. A file without content is fine.
func checkHead(f *os.File) error {
	first, err0 := readHead(f, 0)
	at := uint64(os.Getpagesize())
	if err0 == nil {
		at = first.pageSize
	}
	second, err1 := readHead(f, at)
	info, err := f.Stat() // last: the file only grows
	if err != nil {
		return err
	}
	if info.Size() == 0 {
		return nil
	}
	now := first
	switch {
	case err0 != nil && err1 != nil:
		return &headError{err0}
	case err0 != nil || err1 == nil && second.id > first.id:
		now = second
	}
	switch {
	case now.pages*now.pageSize > uint64(info.Size()):
		return &headError{fmt.Errorf("it is damaged: it has %d bytes and should have %d", info.Size(), now.pages*now.pageSize)}
	case now.freelist == noFreelist:
		return &headError{errForeign}
	}
	return nil
}

func readHead(f *os.File, at uint64) (head, error) {
	var b [headLength]byte
	if n, err := f.ReadAt(b[:], int64(at)+headAt); n < len(b) {
		if err != nil && !errors.Is(err, io.EOF) {
			return head{}, err
		}
		return head{}, errForeign
	}
	order := binary.NativeEndian
	sum := fnv.New64a()
	sum.Write(b[:headLength-8])
	h := head{uint64(order.Uint32(b[8:])), order.Uint64(b[32:]), order.Uint64(b[40:]), order.Uint64(b[48:])}
	switch {
	case order.Uint32(b[:]) != headMagic:
		return head{}, errForeign
	case order.Uint32(b[4:]) > headLayout:
		return head{}, errNewer
	case order.Uint64(b[headLength-8:]) != sum.Sum64() || h.pageSize < 1<<9 || h.pageSize > 1<<16 || h.pages > 1<<40:
		return head{}, errors.New("it is damaged: its head is")
	}
	return h, nil
}
