package app

import (
	"os"
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	now := time.Unix(1000, 0)
	var out strings.Builder
	p := newProgress(&out, 600, false, now.Add(-progressEvery))
	p.hide()
	if out.String() != "" {
		t.Errorf("hiding what was not shown writes %q", out.String())
	}
	p.update(1, now)
	if !strings.Contains(out.String(), "1/600") {
		t.Errorf("after one frame: %q", out.String())
	}
	if strings.Contains(out.String(), "\x1b[3") {
		t.Errorf("colour without leave: %q", out.String())
	}
	drawn := out.Len()
	p.update(2, now.Add(progressEvery/2))
	if out.Len() != drawn {
		t.Error("drawn again too soon")
	}
	p.hide()
	if !strings.HasSuffix(out.String(), "\x1b[2K\r") {
		t.Errorf("hidden: %q", out.String())
	}
	out.Reset()
	p.update(300, now.Add(time.Second))
	if !strings.Contains(out.String(), "300/600") {
		t.Errorf("shown again: %q", out.String())
	}

	out.Reset()
	newProgress(&out, 600, true, now.Add(-progressEvery)).update(1, now)
	if !strings.Contains(out.String(), "\x1b[36m") {
		t.Errorf("no colour: %q", out.String())
	}
	out.Reset()
	newProgress(&out, 0, false, now.Add(-progressEvery)).update(7, now)
	if !strings.Contains(out.String(), "7/-") {
		t.Errorf("without an end: %q", out.String())
	}
}

// Whatever else is written, it never shares a line with the progress.
func TestConsoleHidesProgress(t *testing.T) {
	var out, err strings.Builder
	c := newConsole(&out, &err)
	c.progress = newProgress(&err, 600, false, time.Unix(999, 0))
	c.progress.update(1, time.Unix(1000, 0))
	if _, e := c.stdout().Write([]byte("hello\n")); e != nil {
		t.Fatal(e)
	}
	if out.String() != "" {
		t.Errorf("stdout is not buffered: %q", out.String())
	}
	if _, e := c.stderr().Write([]byte("a line\n")); e != nil {
		t.Fatal(e)
	}
	if out.String() != "hello\n" || !strings.HasSuffix(err.String(), "\x1b[2K\ra line\n") {
		t.Errorf("stdout %q, stderr %q", out.String(), err.String())
	}
}

func TestTerminal(t *testing.T) {
	env := func(string) string { return "" }
	var b strings.Builder
	if terminal(&b, env) || colorful(&b, env) {
		t.Error("a buffer is no terminal")
	}
	f, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if terminal(f, env) {
		t.Error("a file is no terminal")
	}
}
