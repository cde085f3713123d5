package joblog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// suffix ends the names of logs.
const suffix = ".log"

// A Place is where a record is: the number of its log in the folder, and the offset of its line.
type Place struct {
	Log    uint16
	Offset int64
}

// Files lists the logs in a folder, sorted by name.
func Files(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	slices.Sort(names)
	return names, err
}

// Name returns the name of the log of a worker.
func Name(worker int) string { return fmt.Sprintf("worker-%03d%s", worker, suffix) }

// Scan reads a log and calls found for each whole record with the offset of its line. damaged is called for each line that is no record; the last line of a log may
// have no end. Lines that are damaged are passed over. The returned length is that of the log without a torn tail.
func Scan(from io.Reader, found func(*Record, int64) error, damaged func(line int, torn bool)) (length int64, err error) {
	in := bufio.NewReaderSize(from, 1<<16)
	for n := 1; ; n++ {
		text, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			if len(text) > 0 {
				damaged(n, true)
			}
			return length, nil
		}
		if err != nil {
			return length, err
		}
		if r, ok := parse(bytes.TrimSuffix(text, []byte{'\n'})); ok {
			if err := found(r, length); err != nil {
				return length, err
			}
		} else {
			damaged(n, false)
		}
		length += int64(len(text))
	}
}

// A Log is open for appending.
type Log struct {
	file   *os.File
	length int64
	buf    []byte
	failed error
}

// Open opens a log for appending at a length, behind which it is cut off. It is made if it is not there.
func Open(path string, length int64) (*Log, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(length); err != nil {
		_ = f.Close() // the error that led here is the one to report
		return nil, err
	}
	_, err = f.Seek(length, io.SeekStart)
	return &Log{file: f, length: length}, err
}

// Append adds a record and returns the offset of its line. It is on disk after the next Sync.
func (l *Log) Append(r *Record) int64 {
	at := l.length + int64(len(l.buf))
	l.buf = appendLine(l.buf, r)
	return at
}

// Sync returns when all records are on disk. After an error the log takes no more: the file may end in a part of a line, which the next start cuts off.
func (l *Log) Sync() error {
	if l.failed != nil || len(l.buf) == 0 {
		return l.failed
	}
	n, err := l.file.Write(l.buf)
	l.length += int64(n)
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		l.failed = err
		return err
	}
	l.buf = l.buf[:0]
	return nil
}

// Unsynced returns the bytes that are not on disk.
func (l *Log) Unsynced() int { return len(l.buf) }

// Close syncs and closes the log.
func (l *Log) Close() error { return errors.Join(l.Sync(), l.file.Close()) }

// A Reader reads records by their places.
type Reader struct {
	files []*os.File
	buf   []byte
}

// NewReader opens logs for reading; a Place names one by its number in the list.
func NewReader(paths []string) (*Reader, error) {
	r := &Reader{buf: make([]byte, 4096)}
	for _, path := range paths {
		if err := r.Add(path); err != nil {
			r.Close()
			return nil, err
		}
	}
	return r, nil
}

// Add opens one more log, whose number is the next.
func (r *Reader) Add(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	r.files = append(r.files, f)
	return nil
}

// Read reads a record.
func (r *Reader) Read(p Place) (*Record, error) {
	for {
		n, err := r.files[p.Log].ReadAt(r.buf, p.Offset)
		if end := bytes.IndexByte(r.buf[:n], '\n'); end >= 0 {
			if rec, ok := parse(r.buf[:end]); ok {
				return rec, nil
			}
			return nil, fmt.Errorf("%s: the record at byte %d is damaged", r.files[p.Log].Name(), p.Offset)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: the record at byte %d is cut off: %w", r.files[p.Log].Name(), p.Offset, err)
		}
		r.buf = make([]byte, 2*len(r.buf))
	}
}

// Close closes the logs.
func (r *Reader) Close() {
	for _, f := range r.files {
		_ = f.Close() // they were only read
	}
}
