package ui

import "net/http"

func (s *Server) playground(w http.ResponseWriter, r *http.Request) error {
	return s.write(w, page{in: "playground", title: "playground"})
}

func (s *Server) playgroundFire(w http.ResponseWriter, r *http.Request) error {
	return s.write(w, page{in: "playground", title: "playground"})
}

func (s *Server) playgroundReplay(w http.ResponseWriter, r *http.Request) error {
	return s.write(w, page{in: "playground", title: "playground"})
}
