package file

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"github.com/luahook/luahook/engine/store"
)

// The tree has, by the first byte of a key:
//
//	r   for each key of a store, the name of its space and the key: its record
//	e   for each of them with a time to live: when it expires, the space, the key
//	s   for each space: its keys, its bytes, and the quotas that it counts towards
//	q   for each quota: the keys and the bytes of all its spaces
//	t   who has learnt that what was kept is lost
//
// A record is its expiry, in milliseconds since 1970 (0 for never), and the value, or the place of the value.
// Names have 16 bytes, a hash; numbers have 8 bytes, big-endian.
const (
	recordKey = 'r'
	endKey    = 'e'
	spaceKey  = 's'
	quotaKey  = 'q'
	toldKey   = 't'
)

// mostInTree bounds a record with its key; the value of a larger one is stored elsewhere.
const mostInTree = mostEntry - 4

// sweptPerWrite is how many expired keys a write removes in addition: more than it adds, so that they don't
// accumulate.
const sweptPerWrite = 16

// errUnchanged ends a transaction that has nothing to write.
var errUnchanged = errors.New("unchanged")

// answer is an error that says nothing about the file: a quota's, or the caller's own.
type answer struct{ error }

// transaction is one operation's view of the file.
type transaction struct {
	ctx  context.Context
	disk *disk
	tree *tree
	now  time.Time
}

// name identifies a space or a quota.
type name [16]byte

func nameOf(text string) name {
	sum := sha256.Sum256([]byte(text))
	return name(sum[:16])
}

func keyOf(kind byte, n name, key string) []byte {
	return append(append(append(make([]byte, 0, 1+len(n)+len(key)), kind), n[:]...), key...)
}

func endOf(expires int64, n name, key string) []byte {
	b := binary.BigEndian.AppendUint64([]byte{endKey}, uint64(expires))
	return append(append(b, n[:]...), key...)
}

// record is the value of a key; value is nil if there is none, or if it has expired.
type record struct {
	there   bool // in the file, though it may have expired
	over    bool
	expires int64
	size    int // of the value
	at      ref // the place of the value, if it isn't in the tree
	value   []byte
}

const inTree, elsewhere = 0, 1

func (t *transaction) find(n name, key string) (r record, err error) {
	stored, err := t.tree.get(keyOf(recordKey, n, key))
	if stored == nil || err != nil {
		return record{}, err
	}
	return t.decode(stored)
}

func (t *transaction) decode(stored []byte) (r record, err error) {
	if len(stored) < 9 {
		return record{}, errNode
	}
	r = record{there: true, expires: int64(binary.BigEndian.Uint64(stored)), size: len(stored) - 9, value: stored[9:]}
	if stored[8] == elsewhere {
		if len(r.value) != refBytes {
			return record{}, errNode
		}
		r.at = readRef(r.value)
		r.size, r.value = int(r.at.length), nil
	}
	r.over = r.expires != 0 && r.expires <= t.now.UnixMilli()
	return r, nil
}

// get returns the value of a key, nil if there is none.
func (t *transaction) get(n name, key string) (record, error) {
	r, err := t.find(n, key)
	switch {
	case err != nil || !r.there:
		return r, err
	case r.over:
		r.value = nil
	case r.at.length > 0:
		r.value, err = t.disk.read(r.at)
	}
	return r, err
}

func (t *transaction) list(n name, prefix string) ([]string, error) {
	keys := []string{}
	start := keyOf(recordKey, n, prefix)
	var bad error
	err := t.tree.ascend(start, func(at, stored []byte) bool {
		if !bytes.HasPrefix(at, start) {
			return false
		}
		r, err := t.decode(stored)
		if err == nil {
			err = t.ctx.Err()
		}
		if err != nil {
			bad = err
			return false
		}
		if !r.over {
			keys = append(keys, string(at[1+len(n):]))
		}
		return true
	})
	return keys, errors.Join(err, bad)
}

// change passes the value of a key to change, and stores the result.
func (t *transaction) change(sp store.Space, key string, ttl time.Duration, change func(old []byte) ([]byte, error)) error {
	n := nameOf(sp.Name)
	was, err := t.get(n, key)
	if err != nil {
		return err
	}
	old := was.value
	value, err := change(old)
	switch {
	case err != nil:
		return answer{err}
	case value == nil && !was.there:
		return errUnchanged
	}
	expires := t.expires(sp, was, ttl)
	if value != nil && old != nil && bytes.Equal(old, value) && expires == was.expires {
		return errUnchanged
	}
	if err := t.disk.change(); err != nil {
		return err
	}
	if was.there && (value == nil || old == nil) {
		if err := t.remove(n, key); err != nil {
			return err
		}
	}
	if value != nil {
		if err := t.put(sp, n, key, value, expires); err != nil {
			return err
		}
	}
	_, err = t.sweep(sweptPerWrite)
	return err
}

// expires returns when a record that is written now expires.
func (t *transaction) expires(sp store.Space, was record, ttl time.Duration) int64 {
	if ttl == store.Keep && was.value == nil {
		ttl = sp.TTL
	}
	switch {
	case ttl > 0:
		return milliseconds(t.now.Add(ttl))
	case ttl == store.Keep:
		return was.expires
	}
	return 0
}

// milliseconds rounds a time up, so that it isn't too early, and never to 0.
func milliseconds(end time.Time) int64 {
	ms := end.UnixMilli()
	if end.After(time.UnixMilli(ms)) {
		ms++
	}
	return max(ms, 1)
}

// put writes a record for a key that has none, or one that hasn't expired.
func (t *transaction) put(sp store.Space, n name, key string, value []byte, expires int64) error {
	quotas := make([]name, len(sp.Within))
	for i, q := range sp.Within {
		quotas[i] = nameOf(q.Name)
	}
	if err := t.belongs(n, quotas); err != nil {
		return err
	}
	was, err := t.find(n, key)
	if err != nil {
		return err
	}
	if err := t.fits(sp, n, was, key, value); err != nil {
		return err
	}
	keys, bytes := 1, int64(len(key)+len(value))
	if was.there {
		keys, bytes = 0, int64(len(value)-was.size)
		if err := t.drop(n, key, was); err != nil {
			return err
		}
	}
	stored := append(binary.BigEndian.AppendUint64(nil, uint64(expires)), inTree)
	if at := keyOf(recordKey, n, key); len(at)+len(stored)+len(value) <= mostInTree {
		stored = append(stored, value...)
	} else {
		stored[8] = elsewhere
		r, err := t.disk.add(value)
		if err != nil {
			return err
		}
		stored = r.append(stored)
	}
	if err := t.tree.put(keyOf(recordKey, n, key), stored); err != nil {
		return err
	}
	if expires != 0 {
		if err := t.tree.put(endOf(expires, n, key), []byte{}); err != nil {
			return err
		}
	}
	return t.count(n, keys, bytes, quotas)
}

// drop removes what belongs to a record, but not the record itself.
func (t *transaction) drop(n name, key string, r record) error {
	if err := t.disk.free(r.at); err != nil || r.expires == 0 {
		return err
	}
	return t.tree.remove(endOf(r.expires, n, key))
}

// remove removes a record that exists.
func (t *transaction) remove(n name, key string) error {
	r, err := t.find(n, key)
	if err == nil && !r.there {
		err = errNode
	}
	if err == nil {
		err = t.drop(n, key, r)
	}
	if err == nil {
		err = t.tree.remove(keyOf(recordKey, n, key))
	}
	if err != nil {
		return err
	}
	return t.count(n, -1, -int64(len(key)+r.size), nil)
}

// sweep removes up to most expired keys of any space, and returns how many there were.
func (t *transaction) sweep(most int) (swept int, err error) {
	for ; swept < most; swept++ {
		var end []byte
		err := t.tree.ascend([]byte{endKey}, func(key, _ []byte) bool {
			end = key
			return false
		})
		if err != nil {
			return swept, err
		}
		if len(end) < 9+len(name{}) || end[0] != endKey || int64(binary.BigEndian.Uint64(end[1:])) > t.now.UnixMilli() {
			return swept, nil
		}
		if err := t.remove(name(end[9:]), string(end[9+len(name{}):])); err != nil {
			return swept, err
		}
	}
	return swept, nil
}

// held is the content of a space, or of all spaces of a quota.
type held struct {
	keys   int
	bytes  int64
	quotas []name // of a space: those that it counts towards
}

func (t *transaction) held(at []byte) (h held, err error) {
	b, err := t.tree.get(at)
	if b == nil || err != nil {
		return held{}, err
	}
	if len(b) < 16 || len(b)%len(name{}) != 0 {
		return held{}, errNode
	}
	h = held{keys: int(binary.BigEndian.Uint64(b)), bytes: int64(binary.BigEndian.Uint64(b[8:]))}
	for b = b[16:]; len(b) > 0; b = b[len(name{}):] {
		h.quotas = append(h.quotas, name(b))
	}
	return h, nil
}

func (t *transaction) hold(at []byte, h held) error {
	switch {
	case h.keys < 0 || h.bytes < 0:
		return errNode
	case h.keys == 0:
		return t.tree.remove(at)
	}
	b := binary.BigEndian.AppendUint64(nil, uint64(h.keys))
	b = binary.BigEndian.AppendUint64(b, uint64(h.bytes))
	for _, q := range h.quotas {
		b = append(b, q[:]...)
	}
	return t.tree.put(at, b)
}

// count adds to the numbers of a space and of its quotas. A new space counts towards the given quotas.
func (t *transaction) count(n name, keys int, bytes int64, quotas []name) error {
	at := keyOf(spaceKey, n, "")
	h, err := t.held(at)
	if err != nil {
		return err
	}
	if h.keys == 0 {
		h.quotas = quotas
	}
	if err := t.countQuotas(h.quotas, keys, bytes); err != nil {
		return err
	}
	h.keys += keys
	h.bytes += bytes
	return t.hold(at, h)
}

func (t *transaction) countQuotas(quotas []name, keys int, bytes int64) error {
	for _, q := range quotas {
		at := keyOf(quotaKey, q, "")
		h, err := t.held(at)
		if err != nil {
			return err
		}
		h.keys += keys
		h.bytes += bytes
		if err := t.hold(at, h); err != nil {
			return err
		}
	}
	return nil
}

// belongs makes an existing space, with everything in it, count towards these quotas.
func (t *transaction) belongs(n name, quotas []name) error {
	at := keyOf(spaceKey, n, "")
	h, err := t.held(at)
	if err != nil || h.keys == 0 || slices.Equal(h.quotas, quotas) {
		return err
	}
	if err := t.countQuotas(h.quotas, -h.keys, -h.bytes); err != nil {
		return err
	}
	if err := t.countQuotas(quotas, h.keys, h.bytes); err != nil {
		return err
	}
	h.quotas = quotas
	return t.hold(at, h)
}

// fits checks a value against the quotas of its space. Expired values don't count: they are removed first if
// they are in the way.
func (t *transaction) fits(sp store.Space, n name, was record, key string, value []byte) error {
	keys, bytes := 1, int64(len(key)+len(value))
	if was.there {
		keys, bytes = 0, int64(len(value)-was.size)
		if bytes <= 0 {
			return nil
		}
	}
	for {
		refused, err := t.refused(sp, n, keys, bytes)
		if refused == nil || err != nil {
			return err
		}
		if err := t.ctx.Err(); err != nil {
			return err
		}
		switch swept, err := t.sweep(4 * sweptPerWrite); {
		case err != nil:
			return err
		case swept == 0:
			return answer{refused}
		}
	}
}

// refused returns the quota that the additional keys and bytes would exceed.
func (t *transaction) refused(sp store.Space, n name, keys int, bytes int64) (refused, err error) {
	h, err := t.held(keyOf(spaceKey, n, ""))
	if err != nil {
		return nil, err
	}
	if err := sp.Fits(h.keys+keys, h.bytes+bytes); err != nil {
		return err, nil
	}
	for _, q := range sp.Within {
		all, err := t.held(keyOf(quotaKey, nameOf(q.Name), ""))
		if err != nil {
			return nil, err
		}
		if err := q.Fits(all.keys+keys, all.bytes+bytes); err != nil {
			return err, nil
		}
	}
	return nil, nil
}

// toldOf returns the key that says that an owner has learnt of a loss.
func toldOf(lost, owner string) []byte { return keyOf(toldKey, nameOf(lost+"\x00"+owner), "") }

// forgetTold forgets who has learnt of a loss, when there is no loss to report.
func (t *transaction) forgetTold() error {
	var told [][]byte
	err := t.tree.ascend([]byte{toldKey}, func(key, _ []byte) bool {
		told = append(told, key)
		return true
	})
	for _, key := range told {
		if err == nil {
			err = t.tree.remove(key)
		}
	}
	return err
}
