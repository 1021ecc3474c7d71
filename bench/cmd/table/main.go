// Command table measures luahook and its peers and prints the results as Markdown. Run it in bench/:
//
//	go run ./cmd/table -o ../docs/performance.md
//
// docs/performance.md explains the table.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"
)

// config holds the flags.
type config struct {
	rounds int
	rng    *rand.Rand
}

// section is a part of the table: it measures, notes the figures that goals are about,
// and writes.
type section struct {
	name string
	run  func(c config, f *figures, w io.Writer) error
}

var sections = []section{
	{"engines", engineTables},
	{"hooks", hookTable},
	{"parallel", parallelTable},
	{"memory", memoryTable},
	{"load", loadTable},
	{"process", processTable},
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

func run() error {
	var names []string
	for _, s := range sections {
		names = append(names, s.name)
	}
	rounds := flag.Int("rounds", 41, "rounds of each comparison")
	quick := flag.Bool("quick", false, "7 rounds: to see that it works, not to judge by")
	only := flag.String("only", "", "measure these parts alone, of "+strings.Join(names, ","))
	out := flag.String("o", "", "put the table into `FILE`, between its two markers, and not on standard output")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "seed of the random orders")
	flag.Parse()
	if flag.NArg() > 0 || *rounds < 1 {
		return errors.New("no arguments, and at least one round")
	}
	if *quick {
		*rounds = 7
	}
	wanted := names
	if *only != "" {
		wanted = strings.Split(*only, ",")
	}
	for _, w := range wanted {
		if !slices.Contains(names, w) {
			return fmt.Errorf("-only: %q is none of %s", w, strings.Join(names, ", "))
		}
	}
	c := config{rounds: *rounds, rng: rand.New(rand.NewPCG(*seed, 0))}
	var f figures
	var body strings.Builder
	var failed error
	for _, s := range sections {
		if !slices.Contains(wanted, s.name) {
			continue
		}
		fmt.Fprintln(os.Stderr, "measuring:", s.name)
		if err := s.run(c, &f, &body); err != nil { // the other parts are useful anyway
			failed = errors.Join(failed, fmt.Errorf("%s: %w", s.name, err))
		}
	}
	var page strings.Builder
	writeMachine(&page, c, *seed)
	writeGoals(&page, &f)
	page.WriteString(body.String())
	if *out == "" || failed != nil { // a page is written completely or not at all
		_, err := os.Stdout.WriteString(page.String())
		return errors.Join(failed, err)
	}
	return insert(*out, page.String())
}
