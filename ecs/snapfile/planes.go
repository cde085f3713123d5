package snapfile

import (
	"encoding/binary"
	"errors"
)

// This file is the method of values: of n values with width bytes each, the first bytes of all are one plane, the
// second bytes the next one. The high bytes of numbers are mostly alike and compress well; the low bytes of a
// fraction are noise, and trying to compress them would take most of the time. So each plane has its own method. A
// chunk is the width (1 byte), and for each plane the method (1), the stored length (2) and the stored bytes.

// constantPlane is the method of a plane whose bytes are all the same, of which one is stored.
const constantPlane = lastMethod + 1

const planeHeader = 1 + 2

// encodePlanes appends the stored form of raw to e.planes and returns it.
func (e *encoder) encodePlanes(raw []byte, width int) []byte {
	n := len(raw) / width
	if cap(e.split) < len(raw) {
		e.split = make([]byte, chunkSize)
	}
	split := e.split[:len(raw)]
	switch width {
	case 8:
		a, b, c, d := split[:n], split[n:2*n], split[2*n:3*n], split[3*n:4*n]
		f, g, h, k := split[4*n:5*n], split[5*n:6*n], split[6*n:7*n], split[7*n:8*n]
		for i := range a {
			v := binary.LittleEndian.Uint64(raw[i*8:])
			a[i], b[i], c[i], d[i] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
			f[i], g[i], h[i], k[i] = byte(v>>32), byte(v>>40), byte(v>>48), byte(v>>56)
		}
	case 4:
		a, b, c, d := split[:n], split[n:2*n], split[2*n:3*n], split[3*n:4*n]
		for i := range a {
			v := binary.LittleEndian.Uint32(raw[i*4:])
			a[i], b[i], c[i], d[i] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
		}
	default:
		for i, v := range raw {
			split[i%width*n+i/width] = v
		}
	}
	out := append(e.planes[:0], byte(width))
	for p := range width {
		plane := split[p*n : (p+1)*n]
		m, stored := e.encodePlane(plane)
		out = append(out, byte(m))
		out = binary.LittleEndian.AppendUint16(out, uint16(len(stored)))
		out = append(out, stored...)
	}
	e.planes = out
	return out
}

// encodePlane returns the stored form of a plane, never longer than the plane.
func (e *encoder) encodePlane(plane []byte) (method, []byte) {
	switch {
	case constant(plane):
		return constantPlane, plane[:1]
	case noise(plane):
		return storedMethod, plane
	}
	if packed := e.deflate(plane); len(packed) < len(plane) {
		return flateMethod, packed
	}
	return storedMethod, plane
}

// constant reports whether all bytes are the same.
func constant(p []byte) bool {
	for len(p) > 8 {
		if binary.LittleEndian.Uint64(p) != uint64(p[0])*0x0101010101010101 || p[8] != p[0] {
			return false
		}
		p = p[8:]
	}
	for _, v := range p {
		if v != p[0] {
			return false
		}
	}
	return true
}

// noise reports whether bytes look as if compressing them would gain little: in a sample, no value is much more
// frequent than others.
func noise(p []byte) bool {
	const sample = 1024
	if len(p) < sample {
		return false
	}
	var count [256]uint32
	step := len(p) / sample
	for i := range sample {
		count[p[i*step]]++
	}
	same := uint32(0) // pairs of equal values: about sample + sample²/256 = 5120 if all values are as frequent
	for _, c := range count {
		same += c * c
	}
	return same < 8000
}

// decodePlanes puts the values of a chunk together, len(raw) bytes.
func (d *decoder) decodePlanes(stored, raw []byte) error {
	width := int(stored[0])
	if width != 2 && width != 4 && width != 8 || len(raw)%width != 0 {
		return errors.New("the width of values is wrong")
	}
	n := len(raw) / width
	if cap(d.split) < len(raw) {
		d.split = make([]byte, len(raw))
	}
	split, rest := d.split[:len(raw)], stored[1:]
	for p := range width {
		if len(rest) < planeHeader {
			return errors.New("a plane is missing")
		}
		m, size := method(rest[0]), int(binary.LittleEndian.Uint16(rest[1:]))
		if rest = rest[planeHeader:]; size > len(rest) {
			return errors.New("a plane is cut")
		}
		plane := split[p*n : (p+1)*n]
		switch {
		case m == storedMethod && size == n:
			copy(plane, rest)
		case m == constantPlane && size == 1:
			for i := range plane {
				plane[i] = rest[0]
			}
		case m == flateMethod:
			if err := d.inflate(rest[:size], plane); err != nil {
				return err
			}
		default:
			return errors.New("a plane is stored in an unknown way")
		}
		rest = rest[size:]
	}
	if len(rest) > 0 {
		return errors.New("something follows the last plane")
	}
	join(raw, split, width, n)
	return nil
}

// join is the inverse of the split into planes.
func join(raw, split []byte, width, n int) {
	switch width {
	case 8:
		a, b, c, d := split[:n], split[n:2*n], split[2*n:3*n], split[3*n:4*n]
		f, g, h, k := split[4*n:5*n], split[5*n:6*n], split[6*n:7*n], split[7*n:8*n]
		for i := range a {
			v := uint64(a[i]) | uint64(b[i])<<8 | uint64(c[i])<<16 | uint64(d[i])<<24 | uint64(f[i])<<32 | uint64(g[i])<<40 | uint64(h[i])<<48 | uint64(k[i])<<56
			binary.LittleEndian.PutUint64(raw[i*8:], v)
		}
	case 4:
		a, b, c, d := split[:n], split[n:2*n], split[2*n:3*n], split[3*n:4*n]
		for i := range a {
			binary.LittleEndian.PutUint32(raw[i*4:], uint32(a[i])|uint32(b[i])<<8|uint32(c[i])<<16|uint32(d[i])<<24)
		}
	default:
		for i := range raw {
			raw[i] = split[i%width*n+i/width]
		}
	}
}
