package ui

import "net/http"

func (s *Server) hooksInForce(w http.ResponseWriter, r *http.Request) error {
	return s.write(w, page{in: "hooks", title: "hooks"})
}

func (s *Server) source(w http.ResponseWriter, r *http.Request) error {
	return s.write(w, page{in: "hooks", title: "hooks"})
}
