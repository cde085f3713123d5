package main

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

// The tests that come to a mutant run quick ones first, of whatever binary; quick ones share a process.
func TestProcesses(t *testing.T) {
	all, none := []byte{0, 1}, []byte{0, 0}
	s := &suite{Mutants: []mutant{{ID: 1}}, Binaries: []binary{
		{Path: "a", Tests: []test{{"A1", 10 * time.Millisecond, all}, {"A2", 20 * time.Millisecond, none}, {"A3", 30 * time.Millisecond, all}, {"A4", 2 * time.Second, all}}},
		{Path: "b", Tests: []test{{"B1", 20 * time.Millisecond, all}, {"B2", 490 * time.Millisecond, all}, {"B3", time.Second, all}}},
	}}
	names := func(longest time.Duration) (out [][]string) {
		for _, p := range s.processes(1, longest) {
			out = append(out, p.names)
		}
		return out
	}
	if got, want := names(0), [][]string{{"B1"}, {"A1", "A3"}, {"B2"}, {"B3"}, {"A4"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := names(490*time.Millisecond), [][]string{{"B1"}, {"A1", "A3"}, {"B2"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("without slow tests: got %v, want %v", got, want)
	}
	if got := s.reached(); len(got) != 2 || got[1] != 1 {
		t.Errorf("reached: %v", got)
	}
}

// What was kept is used again for the same files and options, and for no others.
func TestKeep(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	o := options{packages: []string{"./ecs"}}
	sum := func() string {
		t.Helper()
		sum, err := checksum(root, o)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	write("a.go", "package a")
	first := sum()
	if s, err := load(dir, first); s != nil || err != nil {
		t.Fatalf("nothing was kept: %v, %v", s, err)
	}
	want := &suite{Mutants: []mutant{{ID: 1, File: "a.go", Line: 2, Column: 3, Change: "c", Source: "s"}}, Binaries: []binary{{Dir: "d", Path: "p", Tests: []test{{"T", 5, []byte{0, 1}}}}}}
	if err := save(dir, first, want); err != nil {
		t.Fatal(err)
	}
	want.dir = dir
	if s, err := load(dir, sum()); err != nil || !reflect.DeepEqual(s, want) {
		t.Errorf("got %+v, %v, want %+v", s, err, want)
	}
	write(".hidden", "x")
	if sum() != first {
		t.Error("a hidden file counts")
	}
	write("a.go", "package b")
	if s, err := load(dir, sum()); s != nil || err != nil {
		t.Errorf("another file: %v, %v", s, err)
	}
	write("a.go", "package a")
	o.flags = []string{"-test.short"}
	if sum() == first {
		t.Error("other options have the same checksum")
	}
}
