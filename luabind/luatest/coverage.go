package luatest

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ecsrun/ecsrun/luabind"
)

// This file writes coverage as a table for people. lcov.go and coveragehtml.go write it for programs and browsers.

// WriteCoverage writes a table of the covered files: executable lines, how many of them ran, and the numbers of those
// that did not.
func WriteCoverage(w io.Writer, files []luabind.CoveredFile) error {
	if len(files) == 0 {
		_, err := fmt.Fprintln(w, "coverage: the tests ran no Lua file")
		return err
	}
	const all = "all files"
	width := utf8.RuneCountInString(all)
	for _, f := range files {
		width = max(width, utf8.RuneCountInString(printable(f.Name)))
	}
	var b strings.Builder
	row := func(name, lines, ran, share, not string) {
		name += strings.Repeat(" ", width-utf8.RuneCountInString(name))
		b.WriteString(strings.TrimRight(fmt.Sprintf("%s  %6s  %6s  %7s  %s", name, lines, ran, share, not), " ") + "\n")
	}
	row("coverage", "lines", "ran", "", "not run")
	ran, lines := 0, 0
	for i := range files {
		f := &files[i]
		if f.Uncounted {
			row(printable(f.Name), "-", "-", "", "not counted: the file is too large")
			continue
		}
		n := f.Ran()
		ran, lines = ran+n, lines+len(f.Lines)
		row(printable(f.Name), strconv.Itoa(len(f.Lines)), strconv.Itoa(n), share(n, len(f.Lines)), notRun(f.Lines))
	}
	row(all, strconv.Itoa(lines), strconv.Itoa(ran), share(ran, lines), "")
	_, err := io.WriteString(w, b.String())
	return err
}

// share returns a part of a whole in percent. It is 100 % only if nothing is missing.
func share(part, whole int) string {
	permille := 1000
	if whole > 0 {
		permille = part * 1000 / whole
	}
	return fmt.Sprintf("%d.%d %%", permille/10, permille%10)
}

// notRun lists the lines that did not run: "4, 9-12". Lines in between that are not executable do not split a range.
func notRun(lines []luabind.CoveredLine) string {
	const most = 10
	var out []string
	for i := 0; i < len(lines); i++ {
		if lines[i].Count > 0 {
			continue
		}
		first := i
		for i+1 < len(lines) && lines[i+1].Count == 0 {
			i++
		}
		one := strconv.Itoa(lines[first].Number)
		if i > first {
			one += "-" + strconv.Itoa(lines[i].Number)
		}
		out = append(out, one)
	}
	if more := len(out) - most; more > 0 {
		out = append(out[:most], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(out, ", ")
}
