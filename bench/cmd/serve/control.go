//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// controlName as the first argument has this program serve as the control.
const controlName = "control"

// answerRest is what follows in an answer that luahook gives to an event of the load.
const answerRest = `,"summary":{"event":"pre_tool_call","generation":1,"started_at":"2026-01-01T00:00:00.123456789Z","duration_ms":0.03,"runs":[` +
	`{"id":"17.1","hook":"policy","event":"pre_tool_call","handler":"lua","mode":"sync","scope":"explicit","source":"policy.lua:1","order":1,` +
	`"status":"completed","duration_us":22,"instructions":12}]}}` + "\n"

// control answers as luahook does, without knowing why: what it takes, Go's HTTP and the system take. It serves until
// it is told to end.
func control(listen string) error {
	network, address, isPath := "tcp", listen, false
	if address, isPath = strings.CutPrefix(listen, "unix:"); isPath {
		network = "unix"
	}
	l, err := net.Listen(network, address)
	if err != nil {
		return err
	}
	defer l.Close()
	var fires atomic.Uint64
	allowed, denied := []byte(`{"decision":"","block":false`+answerRest), []byte(`{"decision":"deny","block":true,"reason":"no rm -rf here"`+answerRest)
	mux := http.NewServeMux()
	mux.HandleFunc("/metrics", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "luahook_fires_total{} %d\n", fires.Load())
	})
	mux.HandleFunc("/v1/fire", func(w http.ResponseWriter, r *http.Request) {
		event := make([]byte, r.ContentLength)
		if _, err := io.ReadFull(r.Body, event); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		fires.Add(1)
		answer := allowed
		if bytes.Contains(event, []byte("rm -rf")) {
			answer = denied
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
		_, _ = w.Write(answer) // an error: the client has gone
	})
	s := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	told := make(chan os.Signal, 1)
	signal.Notify(told, unix.SIGTERM)
	go func() {
		<-told
		_ = s.Close()
	}()
	fmt.Fprintln(os.Stderr, "serving on "+map[bool]string{true: "unix:", false: "http://"}[isPath]+l.Addr().String())
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
