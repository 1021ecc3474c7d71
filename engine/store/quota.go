package store

import "fmt"

// Quota bounds what several spaces hold together. A space that names it counts towards it, with everything in
// it, from its next write on.
type Quota struct {
	Name     string // distinguishes it from all others
	Whose    string // for messages: "for all scripts of this project together"
	MaxKeys  int    // 0: any number
	MaxBytes int64  // of all keys and values together; 0: any number
}

// QuotaError is the error of a call that would exceed a quota, of one space or of several together.
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

// Fits checks whether the space may hold this many keys and bytes. Drivers call it before anything that
// increases either.
func (s Space) Fits(keys int, bytes int64) error {
	return Quota{MaxKeys: s.MaxKeys, MaxBytes: s.MaxBytes}.Fits(keys, bytes)
}

// Fits checks whether all spaces of the quota together may hold this many keys and bytes, likewise.
func (q Quota) Fits(keys int, bytes int64) error {
	switch {
	case q.MaxKeys > 0 && keys > q.MaxKeys:
		return &QuotaError{fmt.Sprintf("%d keys", q.MaxKeys), q.Whose}
	case q.MaxBytes > 0 && bytes > q.MaxBytes:
		return &QuotaError{fmt.Sprintf("%d bytes", q.MaxBytes), q.Whose}
	}
	return nil
}
