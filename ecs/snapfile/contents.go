package snapfile

import (
	"hash/crc32"
	"io"
)

// Contents are the decoded bytes of one section, read from front to back. It implements [io.Reader] and
// [io.ByteReader]. It decodes chunk by chunk, so that it needs the memory of two chunks, however long the section
// is. It belongs to one goroutine at a time.
type Contents struct {
	from    io.ReaderAt
	section Section
	at      int64  // offset of the next chunk in the file
	chunk   int64  // offset of the chunk that was decoded last
	ready   []byte // decoded and not read yet
	left    int64  // decoded bytes that are not read yet, with ready
	stored  []byte
	coder   decoder
}

// Left returns the number of bytes that are not read yet.
func (c *Contents) Left() int64 { return c.left }

// Read implements [io.Reader].
func (c *Contents) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if len(c.ready) == 0 {
			if err := c.decode(); err != nil {
				if n > 0 && err == io.EOF {
					err = nil
				}
				return n, err
			}
		}
		k := copy(p[n:], c.ready)
		c.ready, c.left = c.ready[k:], c.left-int64(k)
		n += k
	}
	return n, nil
}

// ReadByte implements [io.ByteReader].
func (c *Contents) ReadByte() (byte, error) {
	if len(c.ready) == 0 {
		if err := c.decode(); err != nil {
			return 0, err
		}
	}
	b := c.ready[0]
	c.ready, c.left = c.ready[1:], c.left-1
	return b, nil
}

// Damaged returns a [Damage] in the chunk that was read last, for readers that find a content which cannot be.
func (c *Contents) Damaged(format string, args ...any) error {
	return damage(c.section.Name, max(c.chunk, c.section.Offset), format, args...)
}

// decode reads the next chunk. It returns io.EOF after the last one.
func (c *Contents) decode() error {
	if c.left == 0 {
		return io.EOF
	}
	var header [chunkLen]byte
	if _, err := c.from.ReadAt(header[:], c.at); err != nil {
		return err
	}
	c.chunk = c.at
	h, err := parseChunk(header[:])
	if err != nil {
		return c.Damaged("%v", err)
	}
	if cap(c.stored) < h.stored {
		c.stored = make([]byte, h.stored, min(chunkSize, max(h.stored, int(min(c.left, chunkSize)))))
	}
	c.stored = c.stored[:h.stored]
	if _, err := c.from.ReadAt(c.stored, c.at+chunkLen); err != nil {
		return err
	}
	if crc32.Checksum(c.stored, castagnoli) != h.sum {
		return c.Damaged("the file has changed since it was opened")
	}
	if c.ready, err = c.coder.decode(h.method, c.stored, h.raw); err != nil {
		return c.Damaged("%v", err)
	}
	c.at += chunkLen + int64(h.stored)
	return nil
}
