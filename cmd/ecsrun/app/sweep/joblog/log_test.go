package joblog

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/job"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/plan"
)

func records(n int) (out []*Record) {
	for i := range n {
		r := &job.Result{Status: job.OK, Values: []job.Value{job.Value(fmt.Sprint(i)), job.Text("a\"b,\n"), ""}, Frames: uint64(i), Digest: "00ff"}
		out = append(out, &Record{Key: plan.Key{byte(i)}, Machine: "host/1", Audit: i%2 == 1, Result: r.Encode()})
	}
	return out
}

// written returns a log of these records, and their places.
func written(t *testing.T, list []*Record) (path string, places []int64) {
	t.Helper()
	path = filepath.Join(t.TempDir(), Name(0))
	l, err := Open(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		places = append(places, l.Append(r))
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return path, places
}

func scan(t *testing.T, text []byte) (keys []plan.Key, length int64, damaged, torn int) {
	t.Helper()
	length, err := Scan(bytes.NewReader(text), func(r *Record, _ int64) error {
		keys = append(keys, r.Key)
		return nil
	}, func(_ int, tail bool) {
		if tail {
			torn++
		} else {
			damaged++
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return keys, length, damaged, torn
}

// A log that is cut at any byte of its last record has all records but that one, and can go on.
func TestCutAtEachByte(t *testing.T) {
	list := records(4)
	path, places := written(t, list)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := int(places[3]); cut <= len(text); cut++ {
		want := 3
		if cut == len(text) {
			want = 4
		}
		keys, length, damaged, torn := scan(t, text[:cut])
		if len(keys) != want || damaged != 0 || (torn == 1) != (cut > int(places[3]) && cut < len(text)) {
			t.Fatalf("cut at %d: %d records, %d damaged, %d torn", cut, len(keys), damaged, torn)
		}
		if err := os.WriteFile(path, text[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := Open(path, length)
		if err != nil {
			t.Fatal(err)
		}
		at := l.Append(list[0])
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := NewReader([]string{path})
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Read(Place{0, at})
		r.Close()
		if err != nil || got.Key != list[0].Key || string(got.Result) != string(list[0].Result) {
			t.Fatalf("cut at %d: %v %v", cut, got, err)
		}
	}
}

// A bit that flips anywhere costs the record that it is in, and no other one but its neighbour.
func TestEachFlippedBitIsFound(t *testing.T) {
	path, places := written(t, records(3))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := places[1]; at < places[2]; at++ {
		bad := bytes.Clone(text)
		bad[at] ^= 0x04
		keys, _, damaged, torn := scan(t, bad)
		if damaged == 0 || torn != 0 || len(keys) < 1 || keys[0] != (plan.Key{0}) || len(keys) == 3 {
			t.Fatalf("byte %d: records %v, %d damaged, %d torn", at, keys, damaged, torn)
		}
	}
}

func TestReadByPlace(t *testing.T) {
	list := records(200)
	list[7].Result = (&job.Result{Stop: string(bytes.Repeat([]byte("x"), 10_000))}).Encode()
	path, places := written(t, list)
	r, err := NewReader([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for i := len(list) - 1; i >= 0; i-- {
		got, err := r.Read(Place{0, places[i]})
		if err != nil || got.Key != list[i].Key || got.Audit != list[i].Audit || string(got.Result) != string(list[i].Result) {
			t.Fatalf("record %d: %v %v", i, got, err)
		}
	}
	if _, err := r.Read(Place{0, 3}); err == nil {
		t.Error("a place within a record")
	}
}

// After a write that fails, as on a full disk, the log takes no more.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Logf("no /dev/full: %v", err)
		return
	}
	f, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	l := &Log{file: f}
	l.Append(records(1)[0])
	first := l.Sync()
	l.Append(records(1)[0])
	if again := l.Sync(); first == nil || again != first {
		t.Errorf("%v, then %v", first, again)
	}
}
