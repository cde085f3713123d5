package ecs

import (
	"strings"
	"testing"
)

func TestShortened(t *testing.T) {
	long := strings.Repeat("ab", 100)
	a, b := Shortened(long+"x"+long, long+"y")
	if a != "…"+long[:20]+"x"+long[:59]+"…" || b != "…"+long[:20]+"y" {
		t.Errorf("%q, %q", a, b)
	}
	if a, b := Shortened("ä"+long, "b"); a != "ä"+long[:79]+"…" || b != "b" {
		t.Errorf("%q, %q", a, b)
	}
	if a, b := Shortened("a", "b"); a != "a" || b != "b" {
		t.Errorf("%q, %q", a, b)
	}
}
