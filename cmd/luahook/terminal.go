package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// answerOnTerminal asks a person for a line of text. It asks on the terminal that luahook
// was started from and not on standard input, which may be anybody's.
func answerOnTerminal(question string) (string, error) {
	in, out := "/dev/tty", "/dev/tty"
	if runtime.GOOS == "windows" {
		in, out = "CONIN$", "CONOUT$"
	}
	noTerminal := func(err error) error {
		return fmt.Errorf("there is no terminal to ask on (%s: %w); run it in one", in, reason(err))
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

var errAnswerNo = errors.New("the answer was no")

// askOnTerminal asks a person for a yes; nil is a yes.
func askOnTerminal(question string) error {
	answer, err := answerOnTerminal(question)
	if err != nil {
		return err
	}
	switch strings.ToLower(answer) {
	case "y", "yes":
		return nil
	}
	return errAnswerNo
}

// unseen is what of a text that was printed has to stand before a question on the
// terminal: all of it where standard output goes elsewhere. Whoever answers must have
// seen it.
func unseen(cmd *cobra.Command, text string) string {
	if out, ok := cmd.OutOrStdout().(*os.File); ok && term.IsTerminal(int(out.Fd())) {
		return ""
	}
	return text
}
