package app

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind"
)

func TestVerdict(t *testing.T) {
	for reason, want := range map[string]string{
		"":                               "compiled (machine code)",
		`calls math.frexp`:               `interpreted: calls math.frexp (line 7); use another function of math`,
		`calls io.open`:                  `interpreted: calls io.open (line 7); do it in a loop of its own after this one, or leave it interpreted`,
		`uses the global "print"`:        `interpreted: uses the global "print" (line 7); collect what to print, and print it after the loop`,
		`uses the global "score"`:        `interpreted: uses the global "score" (line 7); keep it in a local of the file`,
		`makes a table with a key`:       `interpreted: makes a table with a key (line 7); write the keys as names`,
		`there is no field "z"`:          `interpreted: there is no field "z" (line 7)`,
		`there is no component "Helth"`:  `interpreted: there is no component "Helth" (line 7); declare it in the file, or name the config that does`,
		`does arithmetic with an entity`: `interpreted: does arithmetic with an entity (line 7)`,
	} {
		l := luabind.LoopReport{Reason: reason}
		if reason != "" {
			l.At = 7
		}
		if got := verdict(l); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for want, l := range map[string]luabind.LoopReport{
		"compiled (closures)":                      {Impls: []luabind.Impl{luabind.Closures}},
		"compiled (machine code)":                  {Impls: []luabind.Impl{luabind.Closures, luabind.Auto}},
		"compiled (closures: it compares strings)": {Impls: []luabind.Impl{luabind.Auto}, Closures: "it compares strings"},
	} {
		if got := verdict(l); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A beginning that another one begins with comes first, or it would never be found.
func TestAdvicesAreReached(t *testing.T) {
	for i, a := range advices {
		for _, earlier := range advices[:i] {
			if strings.HasPrefix(a.begins, earlier.begins) {
				t.Errorf("%q is hidden by %q", a.begins, earlier.begins)
			}
		}
	}
}
