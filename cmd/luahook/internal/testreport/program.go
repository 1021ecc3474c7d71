package testreport

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/luatest"
)

// JSON writes a report as one JSON object.
func JSON(w io.Writer, r *luatest.Report) error { return terminal.WriteJSON(w, r) }

// The elements of JUnit's format, as far as CI systems read it.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		File     string      `xml:"file,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Time     string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr"`
		Line    string        `xml:"line,attr,omitempty"`
		Time    string        `xml:"time,attr"`
		Failure *junitProblem `xml:"failure"`
		Error   *junitProblem `xml:"error"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes a report as JUnit's XML. A file that could not run is a suite with an error.
func JUnit(w io.Writer, r *luatest.Report) error {
	all := junitSuites{Tests: r.Passed + r.Failed + r.Broken, Failures: r.Failed, Errors: r.Broken, Time: seconds(r.Duration)}
	for _, f := range r.Files {
		path := terminal.OneLine(f.Path)
		s := junitSuite{Name: path, File: path, Tests: len(f.Tests), Failures: f.Failed(), Time: seconds(f.Duration)}
		for _, t := range f.Tests {
			c := junitCase{Name: terminal.OneLine(t.Name), Class: path, File: path, Time: seconds(t.Duration), Out: terminal.Printable(strings.Join(t.Printed, "\n"))}
			if at := strings.LastIndexByte(t.Source, ':'); at >= 0 {
				c.Line = t.Source[at+1:]
			}
			if t.Failure != nil {
				c.Failure = problem(t.Failure.Source + ": " + t.Failure.Message)
			}
			s.Cases = append(s.Cases, c)
		}
		if f.Error != "" {
			s.Tests, s.Errors = s.Tests+1, 1
			s.Cases = append(s.Cases, junitCase{Name: "the file can run", Class: path, File: path, Time: seconds(0), Error: problem(f.Error)})
		}
		all.Suites = append(all.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func problem(text string) *junitProblem {
	text = terminal.Printable(text)
	first, _, _ := strings.Cut(text, "\n")
	return &junitProblem{Message: first, Text: text}
}

func seconds(d luatest.Duration) string { return fmt.Sprintf("%.3f", time.Duration(d).Seconds()) }
