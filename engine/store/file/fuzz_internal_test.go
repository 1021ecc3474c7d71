package file

import (
	"bytes"
	"context"
	"errors"
	"hash/crc32"
	"io"
	"testing"
	"time"

	"github.com/luahook/luahook/engine/store"
)

// inMemory is a file of a test.
type inMemory struct{ text []byte }

func (m *inMemory) ReadAt(b []byte, at int64) (int, error) {
	if at >= int64(len(m.text)) {
		return 0, io.EOF
	}
	n := copy(b, m.text[at:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (m *inMemory) WriteAt(b []byte, at int64) (int, error) {
	if end := int(at) + len(b); end > len(m.text) {
		m.text = append(m.text, make([]byte, end-len(m.text))...)
	}
	return copy(m.text[at:], b), nil
}

func (m *inMemory) Truncate(size int64) error {
	for int64(len(m.text)) < size {
		m.text = append(m.text, 0)
	}
	m.text = m.text[:size]
	return nil
}

func (m *inMemory) Sync() error { return nil }

// A file with correct checksums but an invalid tree, as an attacker might write it, causes an error at worst.
func FuzzTree(f *testing.F) {
	now := time.UnixMilli(1e12)
	mem := &inMemory{fresh("")}
	open := func(m *inMemory) (*transaction, error) {
		d, err := openDisk(m, int64(len(m.text)))
		if err != nil {
			return nil, err
		}
		tr, err := openTree(d)
		return &transaction{ctx: context.Background(), disk: d, tree: tr, now: now}, err
	}
	space := store.Space{Name: "a", MaxKeys: 10, MaxBytes: 1000, Within: []store.Quota{{Name: "q", MaxKeys: 5}}}
	for i := range 6 {
		t, err := open(mem)
		if err != nil {
			f.Fatal(err)
		}
		value := bytes.Repeat([]byte("v"), 1+i*700)
		space := store.Space{Name: "a", Within: space.Within}
		err = t.change(space, string(rune('a'+i)), time.Duration(i)*time.Millisecond, func([]byte) ([]byte, error) { return value, nil })
		if err := errors.Join(err, t.commit()); i < 5 && err != nil {
			f.Fatal(err)
		}
	}
	t, err := open(mem)
	if err != nil {
		f.Fatal(err)
	}
	root, err := t.disk.read(t.disk.head.root)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(root)
	f.Add([]byte{leafNode})
	large := &node{leaf: true, entries: []entry{{key: bytes.Repeat([]byte("a"), 6000), value: []byte{}}, {key: bytes.Repeat([]byte("b"), 6000), value: []byte{}}}}
	f.Add(large.encode())
	f.Add(append([]byte{branchNode, 0, 1, 'r'}, t.disk.head.root.append(nil)...))
	f.Fuzz(func(t *testing.T, node []byte) {
		if len(node) == 0 || len(node) > 4*mostNode {
			return
		}
		m := &inMemory{bytes.Clone(mem.text)}
		at := (len(m.text) + pageBytes - 1) / pageBytes
		_ = m.Truncate(int64(at) * pageBytes)
		r := ref{uint32(at), uint32(len(node)), crc32.Checksum(node, castagnoli())}
		_, _ = m.WriteAt(node, int64(at)*pageBytes)
		_ = m.Truncate(int64(at+int(r.pages())) * pageBytes)
		used := bytes.Repeat([]byte{0xff}, (at+int(r.pages())+7)/8)
		_, _ = m.WriteAt(used, int64(at+int(r.pages()))*pageBytes)
		_ = m.Truncate(int64(at+int(r.pages())+1) * pageBytes)
		h := head{change: 99, pages: uint32(at) + r.pages() + 1, root: r, used: ref{uint32(at) + r.pages(), uint32(len(used)), crc32.Checksum(used, castagnoli())}}
		_, _ = m.WriteAt(h.encode(), 0)
		_, _ = m.WriteAt(h.encode(), pageBytes)
		for _, do := range []func(tx *transaction) error{
			func(tx *transaction) error { _, err := tx.get(nameOf("a"), "a"); return err },
			func(tx *transaction) error { _, err := tx.list(nameOf("a"), ""); return err },
			func(tx *transaction) error { tx.now = tx.now.Add(time.Hour); return nil },
			func(tx *transaction) error {
				return tx.change(space, "a", time.Minute, func([]byte) ([]byte, error) { return []byte("new"), nil })
			},
			func(tx *transaction) error {
				return tx.change(space, "b", store.Keep, func([]byte) ([]byte, error) { return nil, nil })
			},
			func(tx *transaction) error { return tx.forgetTold() },
		} {
			tx, err := open(m)
			if err == nil {
				err = do(tx)
			}
			if err == nil {
				err = tx.commit()
			}
			var bad *damage
			var said answer
			if err != nil && !errors.As(err, &bad) && !errors.As(err, &said) && !errors.Is(err, errUnchanged) {
				t.Fatalf("the error is no damage: %v", err)
			}
		}
	})
}
