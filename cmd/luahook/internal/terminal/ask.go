package terminal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
)

// Answer asks a person for a line of text. It asks on the terminal that luahook
// was started from and not on standard input, which may be anybody's.
func Answer(question string) (string, error) {
	in, out := "/dev/tty", "/dev/tty"
	if runtime.GOOS == "windows" {
		in, out = "CONIN$", "CONOUT$"
	}
	noTerminal := func(err error) error {
		return fmt.Errorf("there is no terminal to ask on (%s: %w); run it in one", in, withoutPath(err))
	}
	answers, err := os.OpenFile(in, os.O_RDWR, 0)
	if err != nil {
		return "", noTerminal(err)
	}
	defer answers.Close()
	questions := answers
	if out != in {
		if questions, err = os.OpenFile(out, os.O_RDWR, 0); err != nil {
			return "", noTerminal(err)
		}
		defer questions.Close()
	}
	if _, err := io.WriteString(questions, question); err != nil {
		return "", noTerminal(err)
	}
	line, err := bufio.NewReader(io.LimitReader(answers, 1024)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", noTerminal(err)
	}
	return strings.TrimSpace(line), nil
}

// ErrAnswerNo is the answer of a person who was asked for a yes.
var ErrAnswerNo = errors.New("the answer was no")

// Ask asks a person for a yes; nil is a yes.
func Ask(question string) error {
	answer, err := Answer(question)
	if err != nil {
		return err
	}
	switch strings.ToLower(answer) {
	case "y", "yes":
		return nil
	}
	return ErrAnswerNo
}

// Unseen is what of a text that was printed has to stand before a question on the
// terminal: all of it where out is no terminal. Whoever answers must have
// seen it.
func Unseen(out io.Writer, text string) string {
	if Is(out) {
		return ""
	}
	return text
}

// withoutPath is what was wrong with a file, without its name.
func withoutPath(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
