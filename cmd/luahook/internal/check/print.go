package check

import (
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/internal/userhome"
)

// maxShown is how many characters of a line are shown.
const maxShown = 160

// Text writes the report for people: each problem with its line and a caret, and how many there are.
func (r Report) Text(w io.Writer) error {
	c := terminal.ColourOf(w)
	var b strings.Builder
	for _, p := range r.Problems {
		level := c.Care(string(p.Level))
		if p.Level == Error {
			level = c.Bad(string(p.Level))
		}
		at := fmt.Sprintf("%s:%d:%d:", terminal.Shown(p.File), p.Line, p.Column)
		fmt.Fprintf(&b, "%s %s: %s %s\n", c.Title(at), level, terminal.OneLine(p.Text), c.Faint("("+p.Code+")"))
		if line, caret := p.shown(); line != "" {
			fmt.Fprintf(&b, "    %s\n    %s%s\n", line, strings.Repeat(" ", caret), c.Bad("^"))
		}
	}
	counted := terminal.Counted(len(r.Problems), "problem")
	if len(r.Problems) > 0 {
		counted = c.Bad(counted)
	}
	fmt.Fprintf(&b, "%s in %s, %s\n", terminal.Counted(r.Hooks, "hook"), terminal.Counted(r.Files, "file"), counted)
	_, err := io.WriteString(w, b.String())
	return err
}

// shown is the line of a problem and how many characters stand before the caret. A tab is four blanks, and of a long line only
// what is around the place is shown.
func (p *Problem) shown() (line string, caret int) {
	if strings.TrimSpace(p.Source) == "" {
		return "", 0
	}
	runes := []rune(strings.ToValidUTF8(p.Source, "\ufffd"))
	at := min(max(p.Column-1, 0), len(runes))
	from := 0
	if at > maxShown-20 {
		from = at - maxShown/2
	}
	before := tabless(string(runes[from:at]))
	rest := tabless(string(runes[at:min(len(runes), from+maxShown)]))
	return strings.TrimRight(before+rest, " "), utf8.RuneCountInString(before)
}

func tabless(text string) string { return terminal.Shown(strings.ReplaceAll(text, "\t", "    ")) }

// maxSource is the most bytes of a line that the report for programs has. One line may have a thousand problems.
const maxSource = 2000

// line is the line of a problem for programs; "" where it is longer than maxSource.
func (p *Problem) line() string {
	if len(p.Source) > maxSource {
		return ""
	}
	return p.Source
}

// JSON writes the report for programs.
func (r Report) JSON(w io.Writer) error {
	r.Problems = append([]Problem{}, r.Problems...)
	for i := range r.Problems {
		r.Problems[i].Source = r.Problems[i].line()
	}
	return terminal.WriteJSON(w, r)
}

// The parts of SARIF 2.1.0 that are written.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID    string    `json:"id"`
		Short sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     Level           `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		Line    int        `json:"startLine"`
		Column  int        `json:"startColumn"`
		Snippet *sarifText `json:"snippet,omitempty"`
	}
)

// SARIF writes the report as SARIF 2.1.0, for code hosts. Files of the project are relative to its root.
func (r Report) SARIF(w io.Writer, version string) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "luahook", Version: version}
	index := map[string]int{}
	for i, kind := range Kinds() {
		index[kind.Code] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{kind.Code, sarifText{kind.Help}})
	}
	for _, p := range r.Problems {
		region := sarifRegion{Line: p.Line, Column: p.Column}
		if line := p.line(); line != "" {
			region.Snippet = &sarifText{line}
		}
		run.Results = append(run.Results, sarifResult{
			RuleID: p.Code, RuleIndex: index[p.Code], Level: p.Level, Message: sarifText{p.Text},
			Locations: []sarifLocation{{sarifPhysical{artifact(p.File), region}}},
		})
	}
	return terminal.WriteJSON(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// artifact is where a file lies, as a URI.
func artifact(file string) sarifArtifact {
	if rest, below := strings.CutPrefix(file, "~/"); below {
		file = filepath.ToSlash(filepath.Join(userhome.Dir(), filepath.FromSlash(rest)))
	}
	if filepath.IsAbs(filepath.FromSlash(file)) {
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(file, "/")}).String()}
	}
	return sarifArtifact{URI: (&url.URL{Path: file}).EscapedPath(), Base: "%SRCROOT%"}
}
