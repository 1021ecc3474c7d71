package ui

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
)

func (s *Server) hooksInForce(w http.ResponseWriter, r *http.Request) error {
	return s.write(w, page{in: "hooks", title: "hooks"})
}

func (s *Server) source(w http.ResponseWriter, r *http.Request) error {
	return s.write(w, page{in: "hooks", title: "hooks"})
}

// fileKey stands for a file in an address: for its path, or for its name where it has none.
func fileKey(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:6])
}
