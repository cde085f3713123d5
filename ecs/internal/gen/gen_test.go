package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The files of package ecs are what go generate would write.
func TestFilesAreUpToDate(t *testing.T) {
	all, err := files()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 {
		t.Errorf("%d files", len(all))
	}
	for name, want := range all {
		got, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("ecs/%s is not what its template gives: run go generate in ecs", name)
		}
	}
}
