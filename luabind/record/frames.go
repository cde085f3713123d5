package record

import (
	"encoding/binary"
	"errors"
	"math"
)

// This file has the form of a frame in a chunk. Numbers are unsigned varints, texts have their length in front, digests are
// little endian. Names get numbers at their first use in the record, which are counted from 0:
//
//	number; names that are new (count, texts); inputs (count, texts); marks (count, texts); digest (16 bytes);
//	turns (count, then number of a name and 8 bytes each);
//	parts (count of all; count of those that differ from the frame before, then index, number of a name and 8 bytes each)

// A coder encodes and decodes frames. It knows the names and the parts of the frame before.
type coder struct {
	names  []string
	number map[string]uint64
	parts  []Digest
}

func (c *coder) encode(b []byte, f *Frame) []byte {
	if c.number == nil {
		c.number = map[string]uint64{}
	}
	var fresh []string
	for _, list := range [...][]Digest{f.Turns, f.Parts} {
		for _, d := range list {
			if _, ok := c.number[d.Name]; !ok {
				c.number[d.Name] = uint64(len(c.number))
				fresh = append(fresh, d.Name)
			}
		}
	}
	b = binary.AppendUvarint(b, f.Number)
	for _, list := range [...][]string{fresh, f.Inputs, f.Marks} {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, text := range list {
			b = append(binary.AppendUvarint(b, uint64(len(text))), text...)
		}
	}
	b = append(b, f.Digest[:]...)
	b = binary.AppendUvarint(b, uint64(len(f.Turns)))
	for _, d := range f.Turns {
		b = binary.LittleEndian.AppendUint64(binary.AppendUvarint(b, c.number[d.Name]), d.Digest)
	}
	same := func(i int) bool { return i < len(c.parts) && c.parts[i] == f.Parts[i] }
	changed := 0
	for i := range f.Parts {
		if !same(i) {
			changed++
		}
	}
	b = binary.AppendUvarint(b, uint64(len(f.Parts)))
	b = binary.AppendUvarint(b, uint64(changed))
	for i, d := range f.Parts {
		if !same(i) {
			b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(i)), c.number[d.Name])
			b = binary.LittleEndian.AppendUint64(b, d.Digest)
		}
	}
	c.parts = append(c.parts[:0], f.Parts...)
	return b
}

var errFrame = errors.New("a frame is not as it should be")

// A cutter takes values off the beginning of bytes. After the first that is not there, all are zero.
type cutter struct {
	b   []byte
	bad bool
}

func (c *cutter) number() uint64 {
	v, n := binary.Uvarint(c.b)
	if n <= 0 {
		c.bad, c.b = true, nil
		return 0
	}
	c.b = c.b[n:]
	return v
}

// count returns a number of things that take at least one byte each.
func (c *cutter) count() int {
	v := c.number()
	if v > uint64(len(c.b)) {
		c.bad, c.b = true, nil
		return 0
	}
	return int(v)
}

func (c *cutter) bytes(n int) []byte {
	if n > len(c.b) {
		c.bad, c.b = true, nil
		return make([]byte, min(n, 16))
	}
	out := c.b[:n]
	c.b = c.b[n:]
	return out
}

func (c *cutter) texts() (list []string) {
	for range c.count() {
		list = append(list, string(c.bytes(c.count())))
	}
	return list
}

// decode returns the first frame in b, and what is after it.
func (c *coder) decode(b []byte) (*Frame, []byte, error) {
	in := cutter{b: b}
	f := &Frame{Number: in.number()}
	c.names = append(c.names, in.texts()...)
	f.Inputs, f.Marks = in.texts(), in.texts()
	copy(f.Digest[:], in.bytes(len(f.Digest)))
	digest := func() Digest {
		name := in.number()
		if name >= uint64(len(c.names)) {
			in.bad, name = true, math.MaxUint64
		}
		d := Digest{Digest: binary.LittleEndian.Uint64(in.bytes(8))}
		if !in.bad {
			d.Name = c.names[name]
		}
		return d
	}
	for n := in.count(); n > 0 && !in.bad; n-- {
		f.Turns = append(f.Turns, digest())
	}
	all, changed := in.number(), in.count()
	if all > uint64(len(c.parts)+changed) {
		return nil, nil, errFrame
	}
	parts := make([]Digest, all)
	copy(parts, c.parts)
	for ; changed > 0 && !in.bad; changed-- {
		i := in.number()
		if i >= all {
			return nil, nil, errFrame
		}
		parts[i] = digest()
	}
	if in.bad {
		return nil, nil, errFrame
	}
	f.Parts, c.parts = parts, parts
	return f, in.b, nil
}
