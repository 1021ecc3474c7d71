package ui

import "net/http"

func (s *Server) overview(w http.ResponseWriter, r *http.Request) error {
	return s.write(w, page{in: "overview", title: "overview"})
}
