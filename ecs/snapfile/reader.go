package snapfile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
)

// A Section describes a section of a file.
type Section struct {
	Name   string
	Offset int64 // of its first record in the file
	Raw    int64 // decoded bytes
	Stored int64 // bytes in the file, with the headers
}

// A Reader reads a file that was verified. It can be used by several goroutines at a time.
type Reader struct {
	from     io.ReaderAt
	sections []Section
	index    map[string]int
}

// Read verifies a file and returns a reader of its sections. It reads a *os.File, a *bytes.Reader, and others that
// can seek and read at an offset, from their beginning, and keeps nothing of them in memory; of any other it keeps
// the bytes. Errors: a [Damage]; a [LaterVersion]; those of from.
func Read(from io.Reader) (*Reader, error) {
	if f, ok := from.(interface {
		io.ReaderAt
		io.Seeker
	}); ok {
		if size, err := f.Seek(0, io.SeekEnd); err == nil {
			return Open(f, size)
		}
	}
	b, err := io.ReadAll(from)
	if err != nil {
		return nil, err
	}
	return Open(bytes.NewReader(b), int64(len(b)))
}

// Open is [Read] for a file of size bytes. The file must not change while the reader is used.
func Open(from io.ReaderAt, size int64) (*Reader, error) {
	r := &Reader{from: from, index: map[string]int{}}
	s := &scanner{in: bufio.NewReaderSize(io.NewSectionReader(from, 0, size), int(max(512, min(size, 16<<10)))), left: size}
	err := s.file(r)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Sections lists the sections in the order of the file. Do not change the slice.
func (r *Reader) Sections() []Section { return r.sections }

// Has reports whether there is a section of that name.
func (r *Reader) Has(name string) bool {
	_, ok := r.index[name]
	return ok
}

// Section returns the decoded bytes of a section, to be read from the beginning. The error is a [Damage] if the
// file has no such section.
func (r *Reader) Section(name string) (*Contents, error) {
	i, ok := r.index[name]
	if !ok {
		return nil, damage(name, 0, "the file has no such section")
	}
	s := r.sections[i]
	return &Contents{from: r.from, section: s, at: s.Offset + int64(sectionLen+len(name)), left: s.Raw}, nil
}

// Bytes returns the decoded bytes of a section.
func (r *Reader) Bytes(name string) ([]byte, error) {
	c, err := r.Section(name)
	if err != nil {
		return nil, err
	}
	b := make([]byte, c.Left())
	if _, err := io.ReadFull(c, b); err != nil {
		return nil, err
	}
	return b, nil
}

// Raw returns the number of decoded bytes of all sections.
func (r *Reader) Raw() (n int64) {
	for _, s := range r.sections {
		n += s.Raw
	}
	return n
}

// A scanner goes through a file from front to back and verifies it.
type scanner struct {
	in      *bufio.Reader
	at      int64 // offset of the next byte
	left    int64 // bytes after it
	section string
	buf     []byte // as large as the largest part so far: small files need little
}

// take returns the next n bytes, at most chunkSize. They are valid until the next call.
func (s *scanner) take(n int) ([]byte, error) {
	if int64(n) > s.left {
		return nil, s.damage("the file ends here, in the middle of something")
	}
	if len(s.buf) < n {
		s.buf = make([]byte, max(n, min(2*n, chunkSize)))
	}
	if _, err := io.ReadFull(s.in, s.buf[:n]); err != nil {
		return nil, fmt.Errorf("read snapshot: %w", err)
	}
	s.at += int64(n)
	s.left -= int64(n)
	return s.buf[:n], nil
}

func (s *scanner) damage(format string, args ...any) error {
	return damage(s.section, s.at, format, args...)
}

// kind returns the kind of the next record.
func (s *scanner) kind() (byte, error) {
	if s.left == 0 {
		return 0, s.damage("the file ends here, without a directory: it was cut")
	}
	b, err := s.in.Peek(1)
	if err != nil {
		return 0, fmt.Errorf("read snapshot: %w", err)
	}
	return b[0], nil
}

// record reads the header of a record of n bytes and compares its checksum.
func (s *scanner) record(n int, section, chunk uint32) ([]byte, error) {
	start := s.at
	b, err := s.take(n)
	if err != nil {
		return nil, err
	}
	if headerSum(section, chunk, b[:n-4]) != binary.LittleEndian.Uint32(b[n-4:]) {
		return nil, damage(s.section, start, "the checksum of the record is wrong")
	}
	return b, nil
}

// file reads the whole file and adds its sections to r.
func (s *scanner) file(r *Reader) error {
	head, err := s.take(min(magicLen, int(min(s.left, chunkSize))))
	if err != nil {
		return err
	}
	if len(head) < magicLen || string(head[:len(magic)]) != magic {
		return damage("", 0, "this is no snapshot file")
	}
	switch v := head[len(magic)]; {
	case v > Version:
		return &LaterVersion{int(v)}
	case v < Version:
		return damage("", int64(len(magic)), "the file has version %d of the format, this program reads version %d", v, Version)
	}
	for {
		switch kind, err := s.kind(); {
		case err != nil:
			return err
		case kind == sectionRecord:
			if err := s.readSection(r); err != nil {
				return err
			}
			s.section = ""
		case kind == directoryRecord:
			return s.directory(r)
		default:
			return s.damage("a section or the directory is expected here")
		}
	}
}

func (s *scanner) readSection(r *Reader) error {
	section := Section{Offset: s.at}
	number := uint32(len(r.sections))
	if s.left < sectionLen {
		return s.damage("the file ends here, in the middle of something")
	}
	length, err := s.in.Peek(2)
	if err != nil {
		return fmt.Errorf("read snapshot: %w", err)
	}
	b, err := s.record(sectionLen+int(length[1]), number, 0)
	if err != nil {
		return err
	}
	section.Name = string(b[2 : 2+b[1]])
	if section.Name == "" || r.Has(section.Name) {
		return damage(section.Name, section.Offset, "a section has no name, or that of another one")
	}
	s.section = section.Name
	for chunk := uint32(0); ; chunk++ {
		kind, err := s.kind()
		if err != nil {
			return err
		}
		if kind == endRecord {
			start := s.at
			b, err := s.record(endLen, number, chunk)
			if err != nil {
				return err
			}
			if binary.LittleEndian.Uint64(b[1:]) != uint64(section.Raw) || binary.LittleEndian.Uint32(b[9:]) != chunk {
				return damage(s.section, start, "the section has not the length that is noted at its end")
			}
			break
		}
		raw, err := s.chunk(number, chunk)
		if err != nil {
			return err
		}
		section.Raw += raw
	}
	section.Stored = s.at - section.Offset
	r.index[section.Name] = len(r.sections)
	r.sections = append(r.sections, section)
	return nil
}

// chunk verifies a chunk and returns its decoded length.
func (s *scanner) chunk(section, number uint32) (int64, error) {
	start := s.at
	b, err := s.record(chunkLen, section, number)
	if err != nil {
		return 0, err
	}
	h, err := parseChunk(b)
	if err != nil {
		return 0, damage(s.section, start, "%v", err)
	}
	stored, err := s.take(h.stored)
	if err != nil {
		return 0, err
	}
	if crc32.Checksum(stored, castagnoli) != h.sum {
		return 0, damage(s.section, start, "the checksum of the chunk is wrong")
	}
	return int64(h.raw), nil
}

// directory reads the end of the file.
func (s *scanner) directory(r *Reader) error {
	start := s.at
	b, err := s.record(directoryLen, uint32(len(r.sections)), 0)
	if err != nil {
		return err
	}
	if n := binary.LittleEndian.Uint32(b[1:]); int(n) != len(r.sections) || binary.LittleEndian.Uint64(b[5:]) != uint64(start) {
		return damage("", start, "the directory is that of another file")
	}
	if s.left > 0 {
		return s.damage("something follows the directory")
	}
	return nil
}

// A chunkHeader is the header of a chunk without its checksum.
type chunkHeader struct {
	method      method
	raw, stored int
	sum         uint32 // of the stored bytes
}

// parseChunk reads a header whose checksum is right, and checks the lengths: so nothing is allocated for a length
// that cannot be.
func parseChunk(b []byte) (chunkHeader, error) {
	h := chunkHeader{method: method(b[1]), sum: binary.LittleEndian.Uint32(b[10:])}
	raw, stored := binary.LittleEndian.Uint32(b[2:]), binary.LittleEndian.Uint32(b[6:])
	h.raw, h.stored = int(raw), int(stored)
	switch {
	case b[0] != chunkRecord:
		return h, fmt.Errorf("a chunk is expected here")
	case raw == 0 || raw > chunkSize || stored == 0 || stored > raw || h.method == storedMethod && stored != raw:
		return h, fmt.Errorf("a chunk of %d bytes cannot be stored in %d", raw, stored)
	case h.method > lastMethod:
		return h, fmt.Errorf("no method of compression has the number %d", h.method)
	}
	return h, nil
}
