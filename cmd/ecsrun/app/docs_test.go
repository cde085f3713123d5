package app

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func readPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// Every console block of docs/cli.md is what that command prints, run from the top folder, without the log. Measured numbers may differ,
// and lines may come in another order, as the table of systems does; "…" stands for the rest of a line.
func TestDocsConsole(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```console\n\\$ ecsrun (.*?)\n(.*?)```").FindAllStringSubmatch(readPage(t), -1)
	if len(blocks) < 3 {
		t.Fatalf("docs/cli.md has %d console blocks", len(blocks))
	}
	t.Chdir("../../..")
	for _, b := range blocks {
		var out strings.Builder
		code := Main(strings.Fields(b[1]), strings.NewReader(""), &out, &out)
		if code != exitOK {
			fmt.Fprintf(&out, "(exit %d)\n", code)
		}
		got, want := measureless(out.String()), measureless(b[2])
		if len(got) != len(want) {
			t.Errorf("ecsrun %s: %d lines, the page has %d:\n%s", b[1], len(got), len(want), out.String())
			continue
		}
		for i := range got {
			if start, any := strings.CutSuffix(want[i], "…"); got[i] != want[i] && !(any && strings.HasPrefix(got[i], start)) {
				t.Errorf("ecsrun %s: got %q, the page has %q", b[1], got[i], want[i])
			}
		}
	}
}

var (
	measured = regexp.MustCompile(`[\d,]*\d\.\d+|\d+ %`)
	logLine  = regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [A-Z]{3} `)
)

// measureless returns the lines but those of the log, sorted, with measured numbers and widths made equal.
func measureless(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if logLine.MatchString(line) {
			continue
		}
		line = measured.ReplaceAllString(strings.TrimRight(line, "\n"), "#")
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	slices.Sort(lines)
	return lines
}

// What stands in the examples of --help can be typed in the top folder: each file is there. The exit codes stand under --help of every command.
func TestHelp(t *testing.T) {
	t.Chdir("../../..")
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, path := range regexp.MustCompile(`[\w/.-]+\.(?:yaml|lua)|\b\w+/(?:\s|$)`).FindAllString(cmd.Long+cmd.Example, -1) {
			if _, err := os.Stat(strings.TrimSpace(path)); err != nil && !strings.HasPrefix(path, "_test") && !strings.HasPrefix(path, "_spec") {
				t.Errorf("%s --help: %v", cmd.CommandPath(), err)
			}
		}
		var out strings.Builder
		if code := Main(append(strings.Fields(cmd.CommandPath())[1:], "--help"), strings.NewReader(""), &out, &out); code != exitOK || strings.Count(out.String(), exitTable()) != 1 {
			t.Errorf("%s --help: exit code %d, %d tables of exit codes", cmd.CommandPath(), code, strings.Count(out.String(), exitTable()))
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk((&program{console: newConsole(os.Stdout, os.Stderr)}).root())
}

// The page has every command, every flag and every exit code, in the words of --help.
func TestDocsTables(t *testing.T) {
	page := readPage(t)
	root := (&program{console: newConsole(os.Stdout, os.Stderr)}).root()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "help" && !strings.Contains(page, "| `ecsrun "+cmd.Name()) {
			t.Errorf("command %s is missing", cmd.Name())
		}
		if cmd.Name() == "completion" {
			continue // cobra's own
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !strings.Contains(page, "| `--"+f.Name) {
				t.Errorf("flag --%s of %s is missing", f.Name, cmd.Name())
			}
		})
	}
	for _, e := range exitCodes {
		if row := fmt.Sprintf("| %d | %s |", e.code, e.meaning); !strings.Contains(page, row) {
			t.Errorf("the row %q is missing", row)
		}
	}
}
