package store

import "fmt"

// Quota bounds what several spaces hold together. Those that name it are counted, each
// with all it holds, from their next write on.
type Quota struct {
	Name     string // tells it from all others
	Whose    string // for messages: "for all scripts of this project together"
	MaxKeys  int    // 0: any number
	MaxBytes int64  // of all keys and values together; 0: any number
}

// QuotaError is the error of a space, or of several together, that would hold too much.
type QuotaError struct {
	What  string // "10,000 keys"
	Whose string // "for all scripts of this project together"; "": here
}

func (e *QuotaError) Error() string {
	whose := e.Whose
	if whose == "" {
		whose = "here"
	}
	return fmt.Sprintf("the store may hold %s %s, and this would be more; delete what isn't needed, or give it a ttl", e.What, whose)
}

// Fits tells whether a space may hold so many keys and bytes. Drivers call it before what
// makes either grow.
func (s Space) Fits(keys int, bytes int64) error {
	return Quota{MaxKeys: s.MaxKeys, MaxBytes: s.MaxBytes}.Fits(keys, bytes)
}

// Fits tells whether all spaces of a quota may hold so many keys and bytes, likewise.
func (q Quota) Fits(keys int, bytes int64) error {
	switch {
	case q.MaxKeys > 0 && keys > q.MaxKeys:
		return &QuotaError{fmt.Sprintf("%d keys", q.MaxKeys), q.Whose}
	case q.MaxBytes > 0 && bytes > q.MaxBytes:
		return &QuotaError{fmt.Sprintf("%d bytes", q.MaxBytes), q.Whose}
	}
	return nil
}
