package snapfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// A Writer writes a file. After the first error all calls do nothing and return that error. It belongs to one
// goroutine at a time.
type Writer struct {
	to     io.Writer
	err    error
	offset int64 // bytes written

	names    map[string]bool
	sections uint32 // begun so far
	open     bool   // a section is begun and not ended
	chunks   uint32 // of the open section
	raw      uint64 // decoded bytes of the open section, without those pending

	pending []byte // decoded bytes that are not written yet, less than a chunk
	width   int    // how many bytes a value in pending has; 1 for bytes without structure
	header  []byte
	coder   encoder
	closed  bool
}

// NewWriter begins a file.
func NewWriter(to io.Writer) *Writer {
	w := &Writer{to: to, names: map[string]bool{}, pending: make([]byte, 0, chunkSize), width: 1}
	w.put(append([]byte(magic), Version))
	return w
}

// Begin begins a section; what follows is written into it. It ends the section that is open. A name must not be
// empty, longer than 255 bytes, or used twice in the file.
func (w *Writer) Begin(name string) error {
	w.end()
	switch {
	case w.err != nil:
		return w.err
	case w.closed:
		return w.fail(errClosed)
	case name == "" || len(name) > maxName:
		return w.fail(fmt.Errorf("snapfile: the name of a section has 1 to %d bytes, not %d", maxName, len(name)))
	case w.names[name]:
		return w.fail(fmt.Errorf("snapfile: section %q was written already", name))
	}
	w.names[name] = true
	w.open, w.chunks, w.raw = true, 0, 0
	w.record(append([]byte{sectionRecord, byte(len(name))}, name...), 0)
	return w.err
}

// Write appends bytes to the section. It implements [io.Writer].
func (w *Writer) Write(p []byte) (int, error) { return w.write(p, 1) }

// smallest is the number of bytes from which on values are worth a chunk of their own.
const smallest = 512

// Values appends p to the section as values of 2, 4 or 8 bytes each. A reader gets the same bytes as from Write;
// the width says how to compress them: the first bytes of all values together, then the second bytes, and so on.
func (w *Writer) Values(p []byte, width int) (int, error) {
	if len(p) < smallest || len(p)%width != 0 {
		width = 1
	}
	return w.write(p, width)
}

func (w *Writer) write(p []byte, width int) (int, error) {
	if !w.open && w.err == nil {
		w.fail(errors.New("snapfile: no section is open: call Begin first"))
	}
	if width != w.width && len(p) > 0 {
		if width > 1 || len(p)+len(w.pending) > chunkSize || len(w.pending)%w.width != 0 {
			w.flush()
			w.width = width
		} else if len(p)%w.width != 0 { // a few bytes after values: the chunk is no longer one of values
			w.width = 1
		}
	}
	width = w.width
	for rest := p; len(rest) > 0 && w.err == nil; {
		w.width = width // of each chunk that p fills
		n := min(len(rest), chunkSize-len(w.pending))
		w.pending = append(w.pending, rest[:n]...)
		rest = rest[n:]
		if len(w.pending) == chunkSize {
			w.flush()
		}
	}
	if w.err != nil {
		return 0, w.err
	}
	return len(p), nil
}

// Add writes a whole section.
func (w *Writer) Add(name string, content []byte) error {
	w.Begin(name)
	w.Write(content)
	w.end()
	return w.err
}

// Close ends the last section and the file. It does not close the io.Writer. It returns the first error of all
// calls.
func (w *Writer) Close() error {
	w.end()
	if w.closed || w.err != nil {
		return w.err
	}
	w.closed = true
	w.coder.close()
	b := binary.LittleEndian.AppendUint32([]byte{directoryRecord}, w.sections)
	w.record(binary.LittleEndian.AppendUint64(b, uint64(w.offset)), 0)
	return w.err
}

var errClosed = errors.New("snapfile: the file is closed")

func (w *Writer) fail(err error) error {
	if w.err == nil {
		w.err = err
	}
	return w.err
}

// end ends the open section, if there is one.
func (w *Writer) end() {
	if !w.open {
		return
	}
	w.flush()
	b := binary.LittleEndian.AppendUint64([]byte{endRecord}, w.raw)
	w.record(binary.LittleEndian.AppendUint32(b, w.chunks), w.chunks)
	w.open = false
	w.sections++
}

// flush writes the pending bytes as a chunk.
func (w *Writer) flush() {
	raw := w.pending
	if len(raw) == 0 || w.err != nil {
		w.pending, w.width = w.pending[:0], 1
		return
	}
	method, stored := w.coder.encode(raw, w.width)
	b := append(w.header[:0], chunkRecord, byte(method))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(raw)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(stored)))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(stored, castagnoli))
	w.header = b
	w.record(b, w.chunks)
	w.put(stored)
	w.chunks++
	w.raw += uint64(len(raw))
	w.pending, w.width = w.pending[:0], 1
}

// record writes the header of a record and its checksum.
func (w *Writer) record(header []byte, chunk uint32) {
	w.put(binary.LittleEndian.AppendUint32(header, headerSum(w.sections, chunk, header)))
}

func (w *Writer) put(b []byte) {
	if w.err != nil {
		return
	}
	n, err := w.to.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	w.offset += int64(n)
	w.err = err
}
