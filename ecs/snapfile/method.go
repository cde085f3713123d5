package snapfile

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"sync"
)

// A method says how the bytes of a chunk are stored.
type method byte

const (
	storedMethod method = iota // as they are
	flateMethod                // RFC 1951
	planesMethod               // values, see planes.go
	lastMethod   = planesMethod
)

// An encoder compresses chunks.
type encoder struct {
	out    bytes.Buffer
	flate  *flate.Writer
	split  []byte // planes of the chunk
	planes []byte // their stored form
}

// encode returns the stored form of a chunk whose values have width bytes, never longer than the chunk. It is valid
// until the next call.
func (e *encoder) encode(raw []byte, width int) (method, []byte) {
	m, stored := planesMethod, []byte(nil)
	if width > 1 && len(raw)%width == 0 {
		stored = e.encodePlanes(raw, width)
	} else {
		m, stored = flateMethod, e.deflate(raw)
	}
	if len(stored) >= len(raw) {
		return storedMethod, raw
	}
	return m, stored
}

// compressors are those of files that are closed. One has more than a megabyte of tables, and a file takes one.
var compressors sync.Pool

// deflate returns the compressed bytes. They are valid until the next call.
func (e *encoder) deflate(raw []byte) []byte {
	e.out.Reset()
	if e.flate == nil {
		e.flate, _ = compressors.Get().(*flate.Writer)
	}
	if e.flate == nil {
		e.flate, _ = flate.NewWriter(&e.out, flate.BestSpeed) // the level is one that there is
	} else {
		e.flate.Reset(&e.out)
	}
	e.flate.Write(raw) // into memory: no error
	e.flate.Close()
	return e.out.Bytes()
}

// close hands the compressor on to the next file.
func (e *encoder) close() {
	if e.flate != nil {
		e.flate.Reset(nil) // so that it holds nothing of this file
		compressors.Put(e.flate)
		e.flate = nil
	}
}

// A decoder is the inverse of an encoder.
type decoder struct {
	raw   []byte
	split []byte
	in    bytes.Reader
	flate io.ReadCloser
}

// decode returns the n bytes of a chunk. They are valid until the next call.
func (d *decoder) decode(m method, stored []byte, n int) ([]byte, error) {
	if m == storedMethod {
		return stored, nil
	}
	if cap(d.raw) < n {
		d.raw = make([]byte, n)
	}
	raw := d.raw[:n]
	if m == planesMethod {
		return raw, d.decodePlanes(stored, raw)
	}
	return raw, d.inflate(stored, raw)
}

// inflate decompresses stored, which must give len(raw) bytes.
func (d *decoder) inflate(stored, raw []byte) error {
	d.in.Reset(stored)
	if d.flate == nil {
		d.flate = flate.NewReader(&d.in)
	} else if err := d.flate.(flate.Resetter).Reset(&d.in, nil); err != nil {
		return err
	}
	if k, err := io.ReadFull(d.flate, raw); err != nil {
		return fmt.Errorf("the compressed bytes are wrong after %d of %d", k, len(raw))
	}
	var more [1]byte
	if k, err := d.flate.Read(more[:]); k != 0 || err != io.EOF || d.in.Len() > 0 {
		return errors.New("the compressed bytes do not end where they should")
	}
	return nil
}
