package app

import (
	"regexp"

	"github.com/rogpeppe/go-internal/testscript"
)

var elapsed = regexp.MustCompile(`( in )\d+\.\d\d( s\.)`)

// untimed compares the last stdout, its times replaced by N, with a file: untimed passing.txt
func untimed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: untimed FILE")
	}
	got := elapsed.ReplaceAllString(ts.ReadFile("stdout"), "${1}N${2}")
	if want := ts.ReadFile(args[0]); got != want {
		ts.Fatalf("stdout is not %s:\n%s", args[0], got)
	}
}
