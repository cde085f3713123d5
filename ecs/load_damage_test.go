package ecs

import (
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"testing"
)

// A damager makes damaged copies of a file, thousands in a second: it knows where the records of the file are, writes the copies into memory that it uses again, and mends
// the checksums itself. So it is a second writer of the format that snapfile describes.
type damager struct {
	rng *rand.Rand

	file    []byte  // the file as it was written, compressed
	chunks  []chunk // of that file
	plain   []byte  // the same file with chunks that are not compressed
	names   []string
	content [][]byte // of the sections
	records []int    // where the records of each section begin in plain, and where the directory does
	out     []byte   // the last copy
	changed []byte   // the last content
}

// A chunk is a chunk of a file: the number of its section, its own in the section, the place of its header, and how many bytes follow the header.
type chunk struct {
	section, number uint32
	at, stored      int
}

const (
	fileHead     = 16 // "ecsrun snapshot" and the version
	chunkHead    = 18
	directoryEnd = 17
)

// A damage is what was changed in a copy.
type damage struct {
	what   string // and where
	mended bool   // the checksums are right
}

func newDamager(t testing.TB, file []byte, rng *rand.Rand) *damager {
	d := &damager{rng: rng, file: file}
	d.names, d.content = rawSections(t, file)
	d.plain = append([]byte{}, file[:fileHead]...)
	for i, content := range d.content {
		d.records = append(d.records, len(d.plain))
		d.plain = plainSection(d.plain, uint32(i), d.names[i], content)
	}
	d.records = append(d.records, len(d.plain))
	d.plain = directory(d.plain, len(d.names))
	section := uint32(0)
	for at, number := fileHead, uint32(0); file[at] != 'D'; {
		switch file[at] {
		case 'S':
			at += 6 + int(file[at+1])
			number = 0
		case 'C':
			c := chunk{section, number, at, int(binary.LittleEndian.Uint32(file[at+6:]))}
			d.chunks = append(d.chunks, c)
			at += chunkHead + c.stored
			number++
		default: // 'E'
			at += 17
			section++
		}
	}
	return d
}

// plainSection appends a section whose chunks are not compressed.
func plainSection(out []byte, section uint32, name string, content []byte) []byte {
	out = mend(append(append(out, 'S', byte(len(name))), name...), 2+len(name), section, 0)
	number := uint32(0)
	for rest := content; len(rest) > 0; number++ {
		c := rest[:min(len(rest), 64<<10)]
		rest = rest[len(c):]
		out = append(out, 'C', 0)
		out = binary.LittleEndian.AppendUint32(out, uint32(len(c)))
		out = binary.LittleEndian.AppendUint32(out, uint32(len(c)))
		out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(c, castagnoli))
		out = append(mend(out, 14, section, number), c...)
	}
	out = binary.LittleEndian.AppendUint64(append(out, 'E'), uint64(len(content)))
	return mend(binary.LittleEndian.AppendUint32(out, number), 13, section, number)
}

// directory appends the end of a file.
func directory(out []byte, sections int) []byte {
	at := uint64(len(out))
	out = binary.LittleEndian.AppendUint32(append(out, 'D'), uint32(sections))
	return mend(binary.LittleEndian.AppendUint64(out, at), 13, uint32(sections), 0)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// mend appends the checksum of a header, the last n bytes of out.
func mend(out []byte, n int, section, number uint32) []byte {
	var place [8]byte
	binary.LittleEndian.PutUint32(place[:], section)
	binary.LittleEndian.PutUint32(place[4:], number)
	sum := crc32.Update(crc32.Checksum(place[:], castagnoli), castagnoli, out[len(out)-n:])
	return binary.LittleEndian.AppendUint32(out, sum)
}

// next returns a damaged copy, which is valid until the next call. Mostly it is what a section says that is damaged; sometimes it is how a chunk is compressed; the checksums
// are right then. One copy in eight has changes anywhere, and no checksum is mended.
func (d *damager) next() ([]byte, damage) {
	switch d.rng.IntN(8) {
	case 0:
		d.out = d.change(append(d.out[:0], d.file...))
		return d.out, damage{"any bytes", false}
	case 1:
		c := d.chunks[d.rng.IntN(len(d.chunks))]
		d.changed = d.change(append(d.changed[:0], d.file[c.at+chunkHead:][:c.stored]...))
		return d.withChunk(c, d.changed), damage{"a chunk of section " + d.names[c.section], true}
	default:
		k := d.rng.IntN(len(d.names))
		d.changed = d.change(append(d.changed[:0], d.content[k]...))
		return d.withContent(k, d.changed), damage{"section " + d.names[k], true}
	}
}

// withContent returns the file with another content of a section.
func (d *damager) withContent(section int, content []byte) []byte {
	out := append(d.out[:0], d.plain[:d.records[section]]...)
	out = plainSection(out, uint32(section), d.names[section], content)
	out = append(out, d.plain[d.records[section+1]:d.records[len(d.names)]]...)
	d.out = directory(out, len(d.names))
	return d.out
}

// withChunk returns the file with other stored bytes in a chunk.
func (d *damager) withChunk(c chunk, stored []byte) []byte {
	out := append(d.out[:0], d.file[:c.at+6]...) // with the method and the decoded length
	out = binary.LittleEndian.AppendUint32(out, uint32(len(stored)))
	out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(stored, castagnoli))
	out = append(mend(out, 14, c.section, c.number), stored...)
	out = append(out, d.file[c.at+chunkHead+c.stored:len(d.file)-directoryEnd]...)
	d.out = directory(out, len(d.names))
	return d.out
}

// change makes one to three random changes in p, and returns it.
func (d *damager) change(p []byte) []byte {
	for range 1 + d.rng.IntN(3) {
		if len(p) == 0 {
			return append(p, byte(d.rng.Uint32()))
		}
		at := d.rng.IntN(len(p))
		switch d.rng.IntN(8) {
		case 0, 1:
			p[at] ^= 1 << d.rng.IntN(8)
		case 2:
			p[at] = byte(d.rng.Uint32())
		case 3:
			p[at] += byte(d.rng.IntN(3) - 1)
		case 4:
			p = append(p[:at], p[at+1:]...)
		case 5:
			p = append(p, 0)
			copy(p[at+1:], p[at:])
			p[at] = byte(d.rng.Uint32())
		case 6: // a large number
			var number [binary.MaxVarintLen64]byte
			n := binary.PutUvarint(number[:], d.rng.Uint64()>>d.rng.IntN(64))
			p = append(p, number[:n-1]...)
			copy(p[at+n:], p[at+1:])
			copy(p[at:], number[:n])
		default:
			from := d.rng.IntN(len(p))
			copy(p[at:], p[from:min(len(p), from+1+d.rng.IntN(8))])
		}
	}
	return p
}

// A damager that changes nothing writes the file itself, and one without compression a file that loads the same world.
func TestDamagedFilesHaveRightChecksums(t *testing.T) {
	file := smallFile(t)
	d := newDamager(t, file, rand.New(rand.NewPCG(1, 2)))
	for _, c := range d.chunks {
		if out := d.withChunk(c, append([]byte{}, file[c.at+chunkHead:][:c.stored]...)); string(out) != string(file) {
			t.Fatalf("the file with its own chunk %d of section %s is another file", c.number, d.names[c.section])
		}
	}
	whole := must[*Schedule](t)(load(file)).world.Digest()
	for i, content := range d.content {
		s, err := load(d.withContent(i, append([]byte{}, content...)))
		if err != nil || s.world.Digest() != whole {
			t.Fatalf("the file with its own section %s: %v", d.names[i], err)
		}
	}
}
