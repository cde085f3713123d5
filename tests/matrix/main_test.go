package main

import "testing"

// The times of a log and its information are left out; errors and what scripts print are compared.
func TestMessages(t *testing.T) {
	log := "2026-11-29 19:36:08 INF compiles 2 query loops\n2026-11-29 19:36:08 WRN a.lua:3: system \"a\" fails\n    3 | error()\n2026-11-29 19:36:09 DBG more\n"
	if got, want := messages(log), "WRN a.lua:3: system \"a\" fails\n    3 | error()\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The first line that differs is named.
func TestDifference(t *testing.T) {
	for _, c := range []struct{ want, got, text string }{
		{"a\nb\n", "a\nc\n", `line 2 is "c", not "b"`},
		{"a\nb", "a", "it ends after 1 lines, not after 2"},
		{"a", "a\nb", `line 2 is "b", where the other has ended`},
	} {
		if text := difference(c.want, c.got); text != c.text {
			t.Errorf("%q and %q: %s, want %s", c.want, c.got, text, c.text)
		}
	}
}
