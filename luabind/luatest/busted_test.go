package luatest

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var record = flag.Bool("record", false, "write testdata/busted/outcomes.txt")

// The specs in testdata/busted have each word of busted and luassert. They run with this package, and the outcomes are
// those that were recorded; where busted is installed, they run with it, too, and the outcomes are the same.
func TestSpecsOfBusted(t *testing.T) {
	const dir = "testdata/busted"
	specs, err := filepath.Glob(dir + "/*.lua")
	if err != nil || len(specs) < 8 {
		t.Fatal(specs, err)
	}
	busted, _ := exec.LookPath("busted")
	var all strings.Builder
	for _, spec := range specs {
		name := filepath.Base(spec)
		ours := outcomes(Run(context.Background(), []File{{name, os.DirFS(dir), name}}, Options{}))
		fmt.Fprintf(&all, "== %s\n%s", name, ours)
		if busted == "" {
			continue
		}
		c := exec.Command(busted, "--lpath=./?.lua", "-o", "./lib/outcomes.lua", name)
		c.Dir = dir
		out, _ := c.Output() // it fails, as some tests do
		if theirs := string(out); theirs != ours {
			t.Errorf("%s: busted and luatest differ:\n%s", name, lineDiff(theirs, ours))
		}
	}
	recorded := dir + "/outcomes.txt"
	if *record {
		if err := os.WriteFile(recorded, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	before, err := os.ReadFile(recorded)
	if err != nil {
		t.Fatal(err)
	}
	if string(before) != all.String() {
		t.Errorf("the outcomes are not those that were recorded (-record records them):\n%s", lineDiff(string(before), all.String()))
	}
}

// outcomes is a line per outcome, as testdata/busted/lib/outcomes.lua writes it: "ok NAME", "failure NAME: TEXT" for a failed
// assertion, "error NAME: TEXT", and "error WORD: TEXT" for what comes before and after tests.
func outcomes(r *Report) string {
	var b strings.Builder
	var setups []string // a failed setup counts once
	for _, one := range r.Results {
		reason := one.Reason
		if reason != "" {
			reason = ": " + reason
		}
		status, run := "", true
		var after []string
		for _, f := range one.Failures {
			text := fmt.Sprintf("%s:%d: %s", filepath.Base(f.File), f.Line, strings.TrimSuffix(f.Message, " …"))
			if f.said != "" {
				text = fmt.Sprintf("%s:%d: %s", filepath.Base(f.File), f.Line, strings.TrimSuffix(f.said, " …"))
			}
			phase := strings.Replace(f.Phase, "lazy_", "lazy ", 1)
			phase = strings.Replace(strings.Replace(phase, "setup", "strict_setup", 1), "teardown", "strict_teardown", 1)
			phase = strings.Replace(phase, "lazy strict_", "lazy_", 1)
			line := "error " + phase + ": " + text + "\n"
			switch {
			case f.Phase == "load", f.Phase == "before_each":
				run = false
				b.WriteString(line)
			case f.Phase == "setup", f.Phase == "lazy_setup":
				if run = false; !slices.Contains(setups, line) {
					setups = append(setups, line)
					b.WriteString(line)
				}
			case f.Phase == "" || f.Phase == "finally":
				status = "error"
				if f.said != "" && f.Phase == "" {
					status = "failure"
				}
				reason = ": " + text
			default:
				after = append(after, line)
			}
		}
		switch {
		case !run:
		case status != "":
		case one.Status == Pending:
			status = "pending"
		default:
			status = "ok"
		}
		if run {
			fmt.Fprintf(&b, "%s %s%s\n", status, one.FullName(), reason)
		}
		b.WriteString(strings.Join(after, ""))
	}
	return b.String()
}

// lineDiff lists the lines that only one of two texts has.
func lineDiff(a, b string) string {
	var out strings.Builder
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for _, line := range x {
		if !slices.Contains(y, line) {
			out.WriteString("- " + line + "\n")
		}
	}
	for _, line := range y {
		if !slices.Contains(x, line) {
			out.WriteString("+ " + line + "\n")
		}
	}
	if out.Len() == 0 {
		return "another order:\n" + b
	}
	return out.String()
}
