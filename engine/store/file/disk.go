package file

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/luahook/luahook/engine/store"
)

// The file consists of pages. The first two hold its head, twice. Everything else takes one or more consecutive
// pages, and every reference to it has its checksum: the head's to the root of the tree and to the map of used
// pages, a node's to its children, a record's to its value. So the store believes only what it has written
// itself, and a page that can't be found was never there.
//
// A change never overwrites what the head points to. It writes the new parts to free pages, then the head to the
// first place, and then to the second. A process that is killed in between leaves either the old content or all
// of the new one.
const (
	pageBytes = 4096
	headPages = 2
	mostPages = 1 << 20 // 4 GiB
	mostHead  = 512     // bytes

	growth      = 16 * pageBytes  // the file grows by this much, since growing costs time
	leastShrunk = 256 * pageBytes // and shrinks by no less
)

// magic begins a head; the layout number follows.
const magic = "luahook store\x00"

const layout = 2 // 1 was a database of bbolt

var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

// damage is the error of a file whose content isn't what was written to it.
type damage struct{ what string }

func (d *damage) Error() string { return "it is damaged: " + d.what }

var (
	errForeign = errors.New("it is not a luahook store")
	errNewer   = errors.New("it was written by a newer luahook")
	errOld     = errors.New("it was written by an older luahook, whose layout is no longer supported")
)

var errFull = answer{&store.QuotaError{What: "4 GiB", Whose: "in its file"}}

// ref is the place, length and checksum of something in the file.
type ref struct{ page, length, sum uint32 }

const refBytes = 12

func (r ref) pages() uint32 { return uint32((uint64(r.length) + pageBytes - 1) / pageBytes) }

func (r ref) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, r.page)
	b = binary.BigEndian.AppendUint32(b, r.length)
	return binary.BigEndian.AppendUint32(b, r.sum)
}

func readRef(b []byte) ref {
	return ref{binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:]), binary.BigEndian.Uint32(b[8:])}
}

// head is the entry point of the file.
type head struct {
	change uint64 // counts the changes
	pages  uint32 // of the file
	root   ref    // of the tree; none if it has no key
	used   ref    // the map of used pages, a bit for each
	lost   string // the name of the file that was set aside for this one, "" if none was
}

func (h head) encode() []byte {
	b := binary.BigEndian.AppendUint16([]byte(magic), layout)
	b = binary.BigEndian.AppendUint64(b, h.change)
	b = binary.BigEndian.AppendUint32(b, h.pages)
	b = h.used.append(h.root.append(b))
	b = append(binary.BigEndian.AppendUint16(b, uint16(len(h.lost))), h.lost...)
	return binary.BigEndian.AppendUint32(b, crc32.Checksum(b, castagnoli()))
}

func decodeHead(b []byte) (h head, err error) {
	if !bytes.HasPrefix(b, []byte(magic)) || len(b) < mostHead {
		if n := min(len(b), len(magic)); n > 0 && string(b[:n]) == magic[:n] {
			return head{}, &damage{"it was cut off"}
		}
		return head{}, errForeign
	}
	at := len(magic)
	if is := binary.BigEndian.Uint16(b[at:]); is != layout {
		return head{}, fmt.Errorf("%w (layout %d)", errNewer, is)
	}
	h.change = binary.BigEndian.Uint64(b[at+2:])
	h.pages = binary.BigEndian.Uint32(b[at+10:])
	h.root, h.used = readRef(b[at+14:]), readRef(b[at+14+refBytes:])
	at += 14 + 2*refBytes
	n := int(binary.BigEndian.Uint16(b[at:]))
	at += 2
	if at+n+4 > mostHead || binary.BigEndian.Uint32(b[at+n:]) != crc32.Checksum(b[:at+n], castagnoli()) {
		return head{}, &damage{"its head is"}
	}
	h.lost = string(b[at : at+n])
	return h, nil
}

// fresh returns the content of a store without keys.
func fresh(lost string) []byte {
	b := make([]byte, headPages*pageBytes)
	h := head{pages: headPages, lost: lost}.encode()
	copy(b, h)
	copy(b[pageBytes:], h)
	return b
}

// device is an open file; tests have others.
type device interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
	Sync() error
}

// opened is a file whose Sync writes no more than necessary.
type opened struct{ *os.File }

func (o opened) Sync() error { return syncData(o.File) }

// disk is the file during one operation.
type disk struct {
	file device
	head head
	size int64
	torn bool // the two heads differ

	used, next []byte // the map as it was, and as it will be; nil until something is written
	written    []extent
}

type extent struct {
	page uint32
	data []byte
}

// openDisk reads the head of a file. If the two differ the newer one counts: both are written before a change is
// reported.
func openDisk(f device, size int64) (*disk, error) {
	b := make([]byte, headPages*pageBytes)
	n, err := f.ReadAt(b, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	b = b[:n]
	first, err0 := decodeHead(b)
	second, err1 := decodeHead(b[min(pageBytes, n):])
	d := &disk{file: f, head: first, size: size, torn: err0 != nil || err1 != nil || first != second}
	switch {
	case err0 != nil && err1 != nil:
		return nil, headless(b, err0, err1)
	case err0 != nil || err1 == nil && second.change > first.change:
		d.head = second
	}
	if want := int64(d.head.pages) * pageBytes; d.size < want || d.head.pages < headPages {
		return nil, &damage{fmt.Sprintf("it has %d bytes and should have %d", d.size, want)}
	}
	return d, nil
}

// headless returns the error for a file without a head.
func headless(b []byte, err0, err1 error) error {
	var bad *damage
	switch {
	case len(b) == 0:
		return &damage{"it is empty"}
	case errors.As(err0, &bad), errors.As(err1, &bad):
		return bad
	case errors.Is(err0, errNewer), errors.Is(err1, errNewer):
		return errors.Join(err0)
	case len(strings.Trim(string(b), "\x00")) == 0:
		return &damage{"it begins with nothing but zeros"}
	}
	for _, at := range []int{16, pageBytes + 16} { // what bbolt has there
		if len(b) >= at+4 && (binary.LittleEndian.Uint32(b[at:]) == 0xED0CDAED || binary.BigEndian.Uint32(b[at:]) == 0xED0CDAED) {
			return errOld
		}
	}
	return errForeign
}

// read returns what is at a place, if it is what was written there.
func (d *disk) read(r ref) ([]byte, error) {
	if r.page < headPages || r.length == 0 || uint64(r.page)+uint64(r.pages()) > uint64(d.head.pages) {
		return nil, &damage{fmt.Sprintf("it points to page %d, which doesn't exist", r.page)}
	}
	b := make([]byte, r.length)
	switch n, err := d.file.ReadAt(b, int64(r.page)*pageBytes); {
	case n < len(b) && errors.Is(err, io.EOF):
		return nil, &damage{"it was cut off"}
	case n < len(b):
		return nil, err
	case crc32.Checksum(b, castagnoli()) != r.sum:
		return nil, &damage{fmt.Sprintf("page %d doesn't hold what was written there", r.page)}
	}
	return b, nil
}

// change prepares the file for writing.
func (d *disk) change() error {
	if d.next != nil {
		return nil
	}
	if d.torn { // else a page that the second head points to could be overwritten
		for _, step := range []func() error{d.writeFirst, d.writeSecond, d.file.Sync} {
			if err := step(); err != nil {
				return err
			}
		}
		d.torn = false
	}
	d.used = []byte{1<<headPages - 1}
	if d.head.used.length > 0 {
		b, err := d.read(d.head.used)
		if err != nil {
			return err
		}
		d.used = b
	}
	d.next = bytes.Clone(d.used)
	return nil
}

func taken(pages []byte, at uint32) bool {
	return at/8 < uint32(len(pages)) && pages[at/8]>>(at%8)&1 != 0
}

// allocate finds the given number of consecutive free pages, and takes them.
func (d *disk) allocate(pages uint32) (at uint32, err error) {
	run := uint32(0)
	for page := uint32(headPages); run < pages; page++ {
		if page >= mostPages {
			return 0, errFull
		}
		if i := page / 8; page%8 == 0 && i < uint32(len(d.used)) && d.used[i] == 0xff {
			run, page = 0, page+7
			continue
		}
		if taken(d.used, page) || taken(d.next, page) {
			run = 0
			continue
		}
		if run == 0 {
			at = page
		}
		run++
	}
	for page := at; page < at+pages; page++ {
		for page/8 >= uint32(len(d.next)) {
			d.next = append(d.next, 0)
		}
		d.next[page/8] |= 1 << (page % 8)
	}
	return at, nil
}

// add writes something to a free place.
func (d *disk) add(b []byte) (ref, error) {
	if int64(len(b)) > mostPages*pageBytes/2 {
		return ref{}, errFull
	}
	r := ref{length: uint32(len(b)), sum: crc32.Checksum(b, castagnoli())}
	var err error
	if r.page, err = d.allocate(r.pages()); err != nil {
		return ref{}, err
	}
	d.written = append(d.written, extent{r.page, b})
	return r, nil
}

// free releases a place. The content stays there until the next change.
func (d *disk) free(r ref) error {
	if r.length == 0 {
		return nil
	}
	for page := r.page; page < r.page+r.pages(); page++ {
		if !taken(d.next, page) || page < headPages {
			return &damage{fmt.Sprintf("page %d is in use, but the map says that it isn't", page)}
		}
		d.next[page/8] &^= 1 << (page % 8)
	}
	return nil
}

// commit makes the added parts the file's content, with root as the root of the tree. If it fails before the
// head is written, the file keeps its old content.
func (d *disk) commit(root ref) error {
	if err := d.free(d.head.used); err != nil {
		return err
	}
	most := 1 + uint32(len(d.next)*8+1000)/(8*pageBytes) // enough for itself, too
	at, err := d.allocate(most)
	if err != nil {
		return err
	}
	needed := ref{length: uint32(len(d.next))}.pages()
	for page := at + needed; page < at+most; page++ {
		d.next[page/8] &^= 1 << (page % 8)
	}
	pages := uint32(len(d.next)) * 8
	for !taken(d.next, pages-1) {
		pages--
	}
	used := d.next[:(pages+7)/8]
	d.head.root, d.head.used = root, ref{at, uint32(len(used)), crc32.Checksum(used, castagnoli())}
	d.head.pages = pages
	d.head.change++
	d.written = append(d.written, extent{at, used})
	if end := int64(pages) * pageBytes; d.size < end {
		d.size = (end + growth - 1) / growth * growth
		if err := d.file.Truncate(d.size); err != nil {
			return err
		}
	}
	slices.SortFunc(d.written, func(a, b extent) int { return int(a.page) - int(b.page) })
	for _, e := range d.written {
		if gap := len(e.data) % pageBytes; gap > 0 {
			e.data = append(e.data, make([]byte, pageBytes-gap)...)
		}
		if _, err := d.file.WriteAt(e.data, int64(e.page)*pageBytes); err != nil {
			return err
		}
	}
	for _, step := range []func() error{d.file.Sync, d.writeFirst, d.file.Sync, d.writeSecond} {
		if err := step(); err != nil {
			return err
		}
	}
	if end := int64(pages) * pageBytes; d.size-end > max(end, leastShrunk) {
		return d.file.Truncate(end)
	}
	return nil
}

func (d *disk) writeFirst() error  { return d.writeHead(0) }
func (d *disk) writeSecond() error { return d.writeHead(1) }

func (d *disk) writeHead(n int64) error {
	_, err := d.file.WriteAt(d.head.encode(), n*pageBytes)
	return err
}
