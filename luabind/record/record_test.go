package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ecsrun/ecsrun/luabind/record"
)

// sample is a record with three chunks of frames, and its frames.
func sample(t testing.TB) ([]byte, []*record.Frame) {
	t.Helper()
	var out bytes.Buffer
	w, err := record.NewWriter(&out, record.Header{Program: "ecsrun", Config: "world.yaml", Set: []string{"run.seed=7"}, Seed: 7})
	try := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	try(err)
	try(w.File("world.yaml", "version: 1\n"))
	try(w.Snapshot(strings.NewReader("a snapshot")))
	var frames []*record.Frame
	for n := range uint64(9) {
		f := &record.Frame{Number: n, Digest: [16]byte{byte(n)}, Turns: []record.Digest{{"move", n}, {"hit", 2 * n}}, Parts: []record.Digest{{"entities", 1}, {"component A", n / 3}}}
		if n == 4 {
			f.Inputs, f.Marks = []string{`{"send":"Key"}`}, []string{"wall clock"}
			f.Parts = append(f.Parts, record.Digest{Name: "tag late", Digest: 3})
		}
		try(w.Frame(f))
		frames = append(frames, f)
		if n%3 == 2 {
			try(w.Flush())
		}
	}
	try(w.End("all frames done"))
	return out.Bytes(), frames
}

func read(data []byte) (*record.Reader, []*record.Frame, error) {
	r, err := record.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, nil, err
	}
	var frames []*record.Frame
	for {
		f, err := r.Next()
		if err != nil {
			if err != io.EOF {
				return r, frames, err
			}
			return r, frames, nil
		}
		frames = append(frames, f)
	}
}

func TestRecord(t *testing.T) {
	data, want := sample(t)
	r, got, err := read(data)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%+v, %v", got, err)
	}
	if reason, ok, _ := r.Ended(); !ok || reason != "all frames done" || r.Header.Seed != 7 || len(r.Files) != 1 || r.Files[0].Text != "version: 1\n" || string(bytes.Join(r.Snapshot, nil)) != "a snapshot" {
		t.Errorf("%q %v, %+v", reason, ok, r)
	}
}

// A snapshot that is larger than a part comes back whole, and one that cannot be read is an error.
func TestSnapshotsInRecords(t *testing.T) {
	for _, size := range []int{0, 1, 1 << 20, 3<<20 + 7} {
		content := bytes.Repeat([]byte("snapshot"), size/8+1)[:size]
		var out bytes.Buffer
		w, _ := record.NewWriter(&out, record.Header{})
		if err := errors.Join(w.Snapshot(bytes.NewReader(content)), w.Frame(&record.Frame{Number: 301}), w.End("")); err != nil {
			t.Fatal(err)
		}
		r, frames, err := read(out.Bytes())
		if err != nil || len(frames) != 1 || !bytes.Equal(bytes.Join(r.Snapshot, nil), content) {
			t.Errorf("%d bytes: %v, %d frames, %d parts", size, err, len(frames), len(r.Snapshot))
		}
	}
	w, _ := record.NewWriter(io.Discard, record.Header{})
	if err := w.Snapshot(iotest.ErrReader(io.ErrNoProgress)); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %v", err)
	}
}

// A record of a format with other digests is refused with the way out.
func TestARecordOfFormat1IsRefused(t *testing.T) {
	data, _ := sample(t)
	if _, _, err := read(bytes.Replace(data, []byte("record 2"), []byte("record 1"), 1)); !errors.Is(err, record.ErrEarlier) {
		t.Errorf("got %v", err)
	}
}

// A record that is cut anywhere, or in which one bit differs, has a beginning of the frames, or is none; it never has others.
func TestDamagedRecords(t *testing.T) {
	data, want := sample(t)
	try := func(what string, data []byte) {
		r, got, err := read(data)
		if err != nil {
			if !errors.Is(err, record.ErrNoRecord) && !errors.Is(err, record.ErrCut) {
				t.Errorf("%s: %v", what, err)
			}
			return
		}
		if len(got) > len(want) || len(got) > 0 && !reflect.DeepEqual(got, want[:len(got)]) {
			t.Errorf("%s: other frames", what)
		}
		if _, ok, broken := r.Ended(); ok == (broken != "") || len(got) < len(want) && ok {
			t.Errorf("%s: ended %v, %q, with %d frames", what, ok, broken, len(got))
		}
	}
	for n := range data {
		try(fmt.Sprint("cut at ", n), data[:n])
	}
	for i := range 8 * len(data) {
		damaged := bytes.Clone(data)
		damaged[i/8] ^= 1 << (i % 8)
		try(fmt.Sprint("bit ", i), damaged)
	}
}

// Whatever a file has, reading it does not panic.
func FuzzReader(f *testing.F) {
	data, _ := sample(f)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, frames, err := read(data); err != nil && len(frames) > 0 {
			t.Error(err)
		}
		if len(data) > 9 { // as the content of a chunk with a right checksum
			var out bytes.Buffer
			w, _ := record.NewWriter(&out, record.Header{})
			_ = w.End("")
			_, _, _ = read(append(out.Bytes()[:out.Len()-9], data...))
		}
	})
}

func Example() {
	var file bytes.Buffer
	w, _ := record.NewWriter(&file, record.Header{Program: "mygame 1.2", Config: "world.yaml"})
	_ = w.File("world.yaml", "version: 1\n")
	_ = w.Frame(&record.Frame{Number: 1, Inputs: []string{`{"send": "Key"}`}, Turns: []record.Digest{{Name: "move", Digest: 12}}})
	_ = w.Flush() // the process is killed after this
	r, _ := record.NewReader(&file)
	f, _ := r.Next()
	fmt.Println(r.Header.Program, r.Files[0].Path, f.Number, f.Inputs, f.Turns)
	_, err := r.Next()
	_, ended, what := r.Ended()
	fmt.Println(err, ended, what)
	// Output:
	// mygame 1.2 world.yaml 1 [{"send": "Key"}] [{move 12}]
	// EOF false no end at offset 301
}

// A disk has room for so many bytes more, and takes what fits of a write.
type disk struct {
	bytes.Buffer
	room int
}

func (d *disk) Write(b []byte) (int, error) {
	n := min(len(b), d.room)
	d.room -= n
	d.Buffer.Write(b[:n])
	if n < len(b) {
		return n, errFull
	}
	return n, nil
}

var errFull = errors.New("full")

// A disk that was full for a while loses nothing, wherever it was full. One that stays full has the frames of whole chunks, and
// Lost counts the others.
func TestAFullDisk(t *testing.T) {
	whole, frames := sample(t)
	for room := range len(whole) {
		d := &disk{room: room}
		w, err := record.NewWriter(d, record.Header{Program: "ecsrun", Config: "world.yaml", Set: []string{"run.seed=7"}, Seed: 7})
		if err == nil {
			err = errors.Join(w.File("world.yaml", "version: 1\n"), w.Snapshot(strings.NewReader("a snapshot")))
		}
		if err != nil {
			t.Fatal(err)
		}
		for n, f := range frames {
			_ = w.Frame(f)
			if n%3 == 2 {
				_ = w.Flush()
			}
		}
		if err := w.End("all frames done"); !errors.Is(err, errFull) {
			t.Fatalf("room for %d of %d bytes: %v", room, len(whole), err)
		}
		if _, got, err := read(d.Bytes()); err == nil && len(got)+w.Lost() != len(frames) || err != nil && (!errors.Is(err, record.ErrCut) || w.Lost() != len(frames)) {
			t.Errorf("room for %d bytes: %d frames are in the record, %d lost: %v", room, len(got), w.Lost(), err)
		}
		d.room = len(whole)
		if err := w.Flush(); err != nil || w.Lost() != 0 || !bytes.Equal(d.Bytes(), whole) {
			t.Fatalf("full after %d bytes, and free again: %v, %d frames lost, %d bytes", room, err, w.Lost(), d.Len())
		}
	}
}

// What waits is limited: a record on a disk that stays full ends, and is whole up to there.
func TestADiskThatStaysFull(t *testing.T) {
	d := &disk{room: 1000}
	w, err := record.NewWriter(d, record.Header{Config: "world.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{strings.Repeat("x", 1<<20)}
	n := uint64(0)
	for ; !errors.Is(err, record.ErrLost); n++ {
		if err = w.Frame(&record.Frame{Number: n, Inputs: lines}); n > 100 {
			t.Fatal("it never ends")
		}
	}
	d.room = 1 << 30
	if err := errors.Join(w.Frame(&record.Frame{Number: n}), w.Flush()); !errors.Is(err, record.ErrLost) || w.Lost() != int(n)+1 || d.Len() != 1000 {
		t.Errorf("%v, %d of %d frames lost, %d bytes", err, w.Lost(), n+1, d.Len())
	}
}
