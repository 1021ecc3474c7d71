package redis

import (
	"context"
	"errors"
	"fmt"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/internal/misuse"
)

// answer is the result of a script: a code, and its values.
type answer []any

// The codes of scripts.
const (
	codeDone      = 0
	codeQuota     = 1 // the keys and bytes that there would be, and in which quota, 0: the space's own
	codeNotNumber = 2 // the beginning of the current value
	codeNotFinite = 3
	codeChanged   = 4 // the current value, false for none
)

var errAnswer = errors.New("its answer is not one of luahook's scripts")

func (a answer) code() int64 {
	if len(a) == 0 {
		return -1
	}
	code, ok := a[0].(int64)
	if !ok {
		return -1
	}
	return code
}

func (a answer) at(i int) any {
	if i >= len(a) {
		return nil
	}
	return a[i]
}

func (a answer) text() string {
	text, _ := a.at(1).(string)
	return text
}

func (a answer) bytes() []byte {
	if text, ok := a.at(1).(string); ok {
		return []byte(text)
	}
	return nil
}

func (a answer) list() []any {
	list, _ := a.at(1).([]any)
	return list
}

// run runs a script. It leaves the codes done and changed to the caller.
func (s *Store) run(ctx context.Context, script *script, sp store.Space, key string, ttl time.Duration, args ...any) (answer, error) {
	for _, arg := range args {
		if b, ok := arg.([]byte); ok && len(b) > mostText-mostLine { // it couldn't be read again
			return nil, &store.QuotaError{What: fmt.Sprintf("%d bytes", mostText-mostLine), Whose: "in one value"}
		}
	}
	base := s.baseKey(sp)
	value := base + ":k:"
	if script != listScript {
		value += key
	}
	keys := []string{value, base + ":i", base + ":s"}
	args = append([]any{key, sp.MaxKeys, sp.MaxBytes, milliseconds(ttl), milliseconds(sp.TTL)}, args...)
	for _, q := range sp.Within {
		args = append(args, s.quotaKey(q), q.MaxKeys, q.MaxBytes)
	}
	args = append(args, len(sp.Within))
	said, err := called(ctx, s, func(ctx context.Context) (answer, error) {
		return s.eval(ctx, script, keys, args)
	})
	if err != nil {
		return nil, err
	}
	switch said.code() {
	case codeDone, codeChanged:
		return said, nil
	case codeQuota:
		keys, _ := said.at(1).(int64)
		bytes, _ := said.at(2).(int64)
		fits := sp.Fits
		if n, _ := said.at(3).(int64); n > 0 && n <= int64(len(sp.Within)) {
			fits = sp.Within[n-1].Fits
		}
		if err := fits(int(keys), bytes); err != nil {
			return nil, err
		}
	case codeNotNumber:
		return nil, store.NotNumber(said.bytes())
	case codeNotFinite:
		return nil, store.ErrNotFinite
	}
	return nil, s.unavailable(errAnswer)
}

// eval has Redis run a script, which it gets if it hasn't got it yet.
func (s *Store) eval(ctx context.Context, script *script, keys []string, args []any) (answer, error) {
	made := script.script()
	words := append(make([]any, 0, 3+len(keys)+len(args)), "evalsha", made.Hash(), len(keys))
	for _, key := range keys {
		words = append(words, key)
	}
	words = append(words, args...)
	said, err := s.ask(ctx, words...).Slice()
	if err != nil && goredis.HasErrorPrefix(err, "NOSCRIPT") {
		words[0], words[1] = "eval", script.text()
		said, err = s.ask(ctx, words...).Slice()
	}
	return said, err
}

// ask asks Redis once. A client of a cluster asks again if a node says that another one has the key, and in no other
// case: nothing has been done then.
func (s *Store) ask(ctx context.Context, words ...any) *goredis.Cmd {
	cmd := goredis.NewCmd(ctx, words...)
	if err := s.client.Process(ctx, sentOnce{cmd}); err != nil && cmd.Err() == nil {
		cmd.SetErr(err)
	}
	return cmd
}

// sentOnce is a command that isn't sent again after a connection was lost.
type sentOnce struct{ *goredis.Cmd }

// NoRetry implements [goredis.Cmder].
func (sentOnce) NoRetry() bool { return true }

// milliseconds returns a time to live as Redis counts it, rounded up; -1 keeps it.
func milliseconds(ttl time.Duration) int64 {
	if ttl == store.Keep {
		return -1
	}
	ms := int64(ttl / time.Millisecond)
	if ttl%time.Millisecond > 0 {
		ms++
	}
	return ms
}

// called asks Redis, until it answers or ctx is done. go-redis ends a call at a deadline, but not when a context
// is cancelled: such a call ends later in the background.
func called[T any](ctx context.Context, s *Store, call func(ctx context.Context) (T, error)) (T, error) {
	var none T
	if err := misuse.Check(ctx, s != nil && s.client != nil, "redis.Open"); err != nil {
		return none, err
	}
	if err := ctx.Err(); err != nil {
		return none, err
	}
	type result struct {
		value T
		err   error
	}
	answers := make(chan result, 1)
	go func() {
		limited, cancel := context.WithTimeout(ctx, store.MaxWait)
		defer cancel()
		var r result
		defer func() {
			if p := recover(); p != nil { // of go-redis, on a malformed answer
				r = result{err: fmt.Errorf("%w (%v)", errNoReply, p)}
			}
			answers <- r
		}()
		r.value, r.err = call(limited)
	}()
	select {
	case <-ctx.Done():
		return none, s.unavailable(ctx.Err())
	case r := <-answers:
		switch {
		case r.err == nil:
			return r.value, nil
		case ctx.Err() != nil:
			return none, s.unavailable(ctx.Err())
		case errors.Is(r.err, context.DeadlineExceeded):
			return none, s.unavailable(fmt.Errorf("no answer within %s", store.MaxWait))
		}
		return none, s.unavailable(r.err)
	}
}

func (s *Store) unavailable(err error) error {
	return &store.UnavailableError{
		Message: "the store in Redis at " + s.where + " has not answered as it should (see that it runs, that this machine reaches it, and that the password is right)",
		Err:     err,
	}
}
