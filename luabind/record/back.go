package record

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// A record can be cut, because a run can go back: what comes behind the cut takes the place of what was there.

// A Mark is a place between two frames of the record that a Writer writes.
type Mark struct {
	at    int64
	coder coder
}

// Mark returns the place where the record ends now.
func (w *Writer) Mark() *Mark {
	w.gather()
	c := coder{number: maps.Clone(w.coder.number), parts: slices.Clone(w.coder.parts)}
	return &Mark{w.added, c}
}

// A Cutter is a file that can be cut.
type Cutter interface {
	Truncate(size int64) error
	io.Seeker
}

// Back cuts the record at a mark. Files that were added since are added again by the caller. Errors: that of Flush; that of the file; if it is
// no [Cutter].
func (w *Writer) Back(m *Mark) error {
	w.gather()
	if w.ended != nil {
		return w.ended
	}
	for n := len(w.waiting); n > 1 && w.added-int64(len(w.waiting[n-1].bytes)) >= m.at; n-- { // nothing of it was written
		last := len(w.waiting[n-1].bytes)
		w.waiting, w.size, w.added = w.waiting[:n-1], w.size-last, w.added-int64(last)
	}
	if w.added > m.at {
		if err := w.Flush(); err != nil {
			return err
		}
		file, ok := w.to.(Cutter)
		if !ok {
			return errors.New("it is no file that can be cut")
		}
		err := file.Truncate(m.at)
		if err == nil {
			_, err = file.Seek(m.at, io.SeekStart)
		}
		if err != nil {
			return fmt.Errorf("cut: %w", err)
		}
		w.added = m.at
	}
	w.coder = coder{number: maps.Clone(m.coder.number), parts: slices.Clone(m.coder.parts)}
	return nil
}
