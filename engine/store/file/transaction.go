package file

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/luahook/luahook/engine/store"
)

// The file has one bucket per space, named "/" and the name of the space: at "#" how many
// keys and bytes it holds, and at "/" and a key its record. Beside those there are
//
//	about   "format": which layout this is
//	ends    for each key that has a time to live, in the order in which they are over:
//	        when, the length of the name of the space, the name, the key
//
// A record is when it is over, in milliseconds since 1970, 0 for never, and the value.
// Numbers are of 8 bytes, big-endian; the length of a name of 4.
var (
	aboutBucket = []byte("about")
	endsBucket  = []byte("ends")
	formatKey   = []byte("format")
	sizesKey    = []byte("#")
)

// format is the layout of this version.
const format = "1"

// sweptPerWrite is how many keys that are over a write takes out beside its work: more
// than it puts in, so that they don't pile up.
const sweptPerWrite = 16

// errUnchanged ends a transaction that has nothing to write.
var errUnchanged = errors.New("unchanged")

// answer is an error that says nothing about the file: of a quota, or the caller's own.
type answer struct{ error }

// transaction is one operation's view of the file.
type transaction struct {
	*bolt.Tx
	now   int64 // milliseconds since 1970
	clock time.Time
}

func newTransaction(tx *bolt.Tx, now time.Time) *transaction {
	return &transaction{tx, now.UnixMilli(), now}
}

// record is what a key has. value is only good until the next change; nil says that there
// is none, or that it is over.
type record struct {
	there   bool // in the file, though it may be over
	expires int64
	value   []byte
}

// ready looks whether the file is a store of this version, and makes one of an empty
// file that may be written to.
func (t *transaction) ready() error {
	about := t.Bucket(aboutBucket)
	if about == nil {
		switch first, _ := t.Cursor().First(); {
		case first != nil:
			return errForeign
		case !t.Writable():
			return errEmpty
		}
		return t.begin()
	}
	switch is := string(about.Get(formatKey)); is {
	case format:
		return nil
	case "":
		return errForeign
	default:
		return fmt.Errorf("%w (layout %.20q)", errNewer, is)
	}
}

func (t *transaction) begin() error {
	about, err := t.CreateBucket(aboutBucket)
	if err != nil {
		return err
	}
	if err := about.Put(formatKey, []byte(format)); err != nil {
		return err
	}
	_, err = t.CreateBucket(endsBucket)
	return err
}

func slashed(name string) []byte { return append([]byte{'/'}, name...) }

func (t *transaction) find(space, key string) record {
	b := t.Bucket(slashed(space))
	if b == nil {
		return record{}
	}
	return t.read(b.Get(slashed(key)))
}

func (t *transaction) read(stored []byte) record {
	if stored == nil {
		return record{}
	}
	r := record{there: true, expires: int64(binary.BigEndian.Uint64(stored)), value: stored[8:]}
	if r.expires != 0 && r.expires <= t.now {
		r.value = nil
	}
	return r
}

func (t *transaction) list(space, prefix string) []string {
	keys := []string{}
	b := t.Bucket(slashed(space))
	if b == nil {
		return keys
	}
	start := slashed(prefix)
	c := b.Cursor()
	for at, stored := c.Seek(start); bytes.HasPrefix(at, start); at, stored = c.Next() {
		if t.read(stored).value != nil {
			keys = append(keys, string(at[1:]))
		}
	}
	return keys
}

// change gives change what a key has, and keeps what comes back.
func (t *transaction) change(sp store.Space, key string, ttl time.Duration, change func(old []byte) ([]byte, error)) error {
	was := t.find(sp.Name, key)
	old := was.value
	value, err := change(old)
	switch {
	case err != nil:
		return answer{err}
	case value == nil && !was.there:
		return errUnchanged
	case value == nil:
		if err := t.remove(sp.Name, key); err != nil {
			return err
		}
		return t.sweep(sweptPerWrite)
	}
	if ttl == store.Keep && old == nil {
		ttl = sp.TTL
	}
	expires := int64(0)
	switch {
	case ttl > 0:
		expires = milliseconds(t.clock.Add(ttl))
	case ttl == store.Keep:
		expires = was.expires
	}
	if old != nil && bytes.Equal(old, value) && expires == was.expires {
		return errUnchanged
	}
	if was.there && old == nil {
		if err := t.remove(sp.Name, key); err != nil {
			return err
		}
	}
	if err := t.fits(sp, key, value); err != nil {
		return err
	}
	if err := t.put(sp.Name, key, value, expires); err != nil {
		return err
	}
	return t.sweep(sweptPerWrite)
}

// milliseconds is a time that is over not too early, and isn't 0.
func milliseconds(end time.Time) int64 {
	ms := end.UnixMilli()
	if end.After(time.UnixMilli(ms)) {
		ms++
	}
	return max(ms, 1)
}

// fits holds a value against the quota of its space. What is over doesn't count: it goes
// first where it is in the way.
func (t *transaction) fits(sp store.Space, key string, value []byte) error {
	would := func() (keys int, bytes int64, grows bool) {
		keys, bytes = t.sizes(sp.Name)
		if was := t.find(sp.Name, key); was.there {
			return keys, bytes + int64(len(value)-len(was.value)), len(value) > len(was.value)
		}
		return keys + 1, bytes + int64(len(key)+len(value)), true
	}
	keys, bytes, grows := would()
	if !grows || sp.Fits(keys, bytes) == nil {
		return nil
	}
	if err := t.sweep(-1); err != nil {
		return err
	}
	keys, bytes, _ = would()
	if err := sp.Fits(keys, bytes); err != nil {
		return answer{err}
	}
	return nil
}

func (t *transaction) sizes(space string) (keys int, bytes int64) {
	b := t.Bucket(slashed(space))
	if b == nil {
		return 0, 0
	}
	stored := b.Get(sizesKey)
	return int(binary.BigEndian.Uint64(stored)), int64(binary.BigEndian.Uint64(stored[8:]))
}

func (t *transaction) resize(space string, keys int, bytes int64) error {
	b := t.Bucket(slashed(space))
	stored := binary.BigEndian.AppendUint64(nil, uint64(keys))
	return b.Put(sizesKey, binary.BigEndian.AppendUint64(stored, uint64(bytes)))
}

// put writes a record where there is none, or one that isn't over.
func (t *transaction) put(space, key string, value []byte, expires int64) error {
	keys, bytes := t.sizes(space)
	b, err := t.CreateBucketIfNotExists(slashed(space))
	if err != nil {
		return err
	}
	was := t.read(b.Get(slashed(key)))
	ends := t.Bucket(endsBucket)
	if was.expires != expires {
		if was.expires != 0 {
			if err := ends.Delete(endKey(was.expires, space, key)); err != nil {
				return err
			}
		}
		if expires != 0 {
			if err := ends.Put(endKey(expires, space, key), nil); err != nil {
				return err
			}
		}
	}
	if was.there {
		bytes += int64(len(value) - len(was.value))
	} else {
		keys, bytes = keys+1, bytes+int64(len(key)+len(value))
	}
	stored := append(binary.BigEndian.AppendUint64(nil, uint64(expires)), value...)
	if err := b.Put(slashed(key), stored); err != nil {
		return err
	}
	return t.resize(space, keys, bytes)
}

// remove takes a record away, and with the last one its space.
func (t *transaction) remove(space, key string) error {
	b := t.Bucket(slashed(space))
	stored := b.Get(slashed(key))
	if expires := int64(binary.BigEndian.Uint64(stored)); expires != 0 {
		if err := t.Bucket(endsBucket).Delete(endKey(expires, space, key)); err != nil {
			return err
		}
	}
	keys, bytes := t.sizes(space)
	if keys == 1 {
		return t.DeleteBucket(slashed(space))
	}
	bytes -= int64(len(key) + len(stored) - 8)
	if err := b.Delete(slashed(key)); err != nil {
		return err
	}
	return t.resize(space, keys-1, bytes)
}

// sweep takes out so many keys that are over, of whatever space; -1: all of them.
func (t *transaction) sweep(most int) error {
	for ; most != 0; most-- {
		end, _ := t.Bucket(endsBucket).Cursor().First()
		if end == nil || int64(binary.BigEndian.Uint64(end)) > t.now {
			return nil
		}
		name := end[12:][:binary.BigEndian.Uint32(end[8:])]
		space, key := string(name), string(end[12+len(name):])
		if err := t.remove(space, key); err != nil {
			return err
		}
	}
	return nil
}

func endKey(expires int64, space, key string) []byte {
	end := binary.BigEndian.AppendUint64(nil, uint64(expires))
	end = binary.BigEndian.AppendUint32(end, uint32(len(space)))
	return append(append(end, space...), key...)
}
