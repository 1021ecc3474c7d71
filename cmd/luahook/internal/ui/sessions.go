package ui

import "net/http"

func (s *Server) sessions(w http.ResponseWriter, r *http.Request) error {
	return s.write(w, page{in: "sessions", title: "sessions"})
}

func (s *Server) session(w http.ResponseWriter, r *http.Request) error {
	return s.write(w, page{in: "sessions", title: "sessions"})
}
