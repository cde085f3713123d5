package snapfile

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"
)

// example returns sections of every kind: empty, short, one that compresses, one that does not, values.
func example() (names []string, contents [][]byte) {
	rng := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 3*chunkSize+17)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	return []string{"meta", "empty", "zeros", "noise", "short"},
		[][]byte{[]byte(`{"frame": 3}`), nil, make([]byte, 2*chunkSize), noise, []byte("x")}
}

func write(t testing.TB, names []string, contents [][]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := NewWriter(&out)
	for i, name := range names {
		if err := w.Add(name, contents[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestSectionsComeBack(t *testing.T) {
	names, contents := example()
	file := write(t, names, contents)
	for what, from := range map[string]io.Reader{"a file": bytes.NewReader(file), "a pipe": iotest.OneByteReader(bytes.NewReader(file))} {
		r, err := Read(from)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		end := int64(magicLen)
		for i, s := range r.Sections() {
			if s.Name != names[i] || s.Raw != int64(len(contents[i])) || s.Offset != end {
				t.Errorf("%s: section %d is listed as %+v", what, i, s)
			}
			end += s.Stored
		}
		for i := len(names) - 1; i >= 0; i-- { // in any order
			got, err := r.Bytes(names[i])
			if err != nil || !bytes.Equal(got, contents[i]) {
				t.Errorf("%s: section %s has %d bytes, want %d; %v", what, names[i], len(got), len(contents[i]), err)
			}
			c, err := r.Section(names[i])
			if err != nil {
				t.Fatal(err)
			}
			if err := iotest.TestReader(c, contents[i]); err != nil {
				t.Errorf("%s: section %s: %v", what, names[i], err)
			}
		}
		if _, err := r.Section("none"); !isDamage(err) {
			t.Errorf("%s: a section that is not there: %v", what, err)
		}
	}
	if len(file) > 3*chunkSize+1500 {
		t.Errorf("the file has %d bytes", len(file))
	}
}

func isDamage(err error) bool {
	var d *Damage
	return errors.As(err, &d)
}

// readAll reads every section of a file.
func readAll(file []byte) ([][]byte, error) {
	r, err := Read(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	var contents [][]byte
	for _, s := range r.Sections() {
		b, err := r.Bytes(s.Name)
		if err != nil {
			return nil, err
		}
		contents = append(contents, b)
	}
	return contents, nil
}

// TestEveryFlippedBitIsDamage has one exception: bits in the last byte of the version that make it larger make a file of a later program.
func TestEveryFlippedBitIsDamage(t *testing.T) {
	names := []string{"meta", "empty", "zeros", "text"}
	file := write(t, names, [][]byte{[]byte(`{"frame": 3}`), nil, make([]byte, 300), []byte("some text that is too short")})
	for i := range file {
		for bit := range 8 {
			file[i] ^= 1 << bit
			var later *LaterVersion
			if _, err := readAll(file); !isDamage(err) && !(i == 15 && Version^(1<<bit) > Version && errors.As(err, &later)) {
				t.Errorf("byte %d, bit %d: %v", i, bit, err)
			}
			file[i] ^= 1 << bit
		}
	}
	for n := range file {
		if _, err := readAll(file[:n]); !isDamage(err) {
			t.Errorf("cut after %d bytes: %v", n, err)
		}
	}
	if _, err := readAll(append(bytes.Clone(file), 0)); !isDamage(err) {
		t.Error(err)
	}
	if _, err := readAll(file); err != nil {
		t.Error(err)
	}
}

// A failingWriter fails from the n-th byte on.
type failingWriter struct{ n int }

var errFull = errors.New("full")

func (f *failingWriter) Write(p []byte) (int, error) {
	if len(p) > f.n {
		n := f.n
		f.n = 0
		return n, errFull
	}
	f.n -= len(p)
	return len(p), nil
}

func TestErrorsOfAWriterAreReturned(t *testing.T) {
	names, contents := example()
	for n := range 300 {
		w := NewWriter(&failingWriter{n})
		for i, name := range names {
			w.Begin(name)
			w.Write(contents[i])
		}
		if err := w.Close(); err != errFull {
			t.Fatalf("after %d bytes: %v", n, err)
		}
	}
	for what, use := range map[string]func(w *Writer) error{
		"write without a section": func(w *Writer) error { _, err := w.Write([]byte("x")); return err },
		"no name":                 func(w *Writer) error { return w.Begin("") },
		"a name twice":            func(w *Writer) error { w.Begin("a"); return w.Begin("a") },
		"after the end":           func(w *Writer) error { w.Close(); return w.Begin("a") },
	} {
		w := NewWriter(io.Discard)
		if err := use(w); err == nil || w.Close() == nil && what != "after the end" {
			t.Errorf("%s: %v", what, err)
		}
	}
}
