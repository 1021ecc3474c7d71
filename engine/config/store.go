package config

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"

	"github.com/goccy/go-yaml/ast"
	"github.com/luahook/luahook/internal/spelling"
)

// Stores that have no URL.
const (
	StoreFile   = "file"
	StoreMemory = "memory"
)

// storeSchemes are those of the URL of a Redis.
var storeSchemes = []string{"redis", "rediss", "unix"}

// unshown is [reader] for values that may hold a password: the line isn't shown.
func unshown[T any](read func(d *decoder, path string, n ast.Node) (T, error)) func(*decoder, string, ast.Node, reflect.Value) {
	return func(d *decoder, path string, n ast.Node, into reflect.Value) {
		v, err := read(d, path, n)
		if err != nil {
			at := d.place(n)
			at.hidden = true
			d.fail(at, "%v", err)
			return
		}
		into.Set(reflect.ValueOf(&v).Elem())
	}
}

func readStoreURL(d *decoder, path string, n ast.Node) (storeURL, error) {
	s, err := readText(d, path, n)
	if err != nil {
		return "", err
	}
	if s == StoreFile || s == StoreMemory {
		return storeURL(s), nil
	}
	u, err := url.Parse(string(s))
	switch {
	case err != nil: // the text may hold a password, and so may the error
		return "", fmt.Errorf("%s: it is no URL; write redis://host:6379/0", path)
	case u.Scheme == "":
		return "", fmt.Errorf("%s: want file, memory or a URL like redis://host:6379/0%s", path, spelling.DidYouMean(string(s), []string{StoreFile, StoreMemory}))
	case !slices.Contains(storeSchemes, u.Scheme):
		return "", fmt.Errorf("%s: %s:// is no store%s; there are file, memory, redis://, rediss:// (with TLS) and unix:// (a socket)", path, u.Scheme, spelling.DidYouMean(u.Scheme, storeSchemes))
	case u.Scheme != "unix" && u.Hostname() == "":
		return "", fmt.Errorf("%s: the URL names no host; write redis://host:6379/0", path)
	case u.Scheme == "unix" && u.Path == "":
		return "", fmt.Errorf("%s: the URL names no socket; write unix:///run/redis.sock?db=0", path)
	}
	return storeURL(s), nil
}
