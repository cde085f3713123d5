// Package snapfile is the container of a snapshot file: named sections of bytes, in chunks that are compressed and
// have checksums. It knows nothing of worlds: packages ecs and luabind write and read the contents of sections.
//
// A file is written front to back, to any [io.Writer], with one chunk in memory:
//
//	f := snapfile.NewWriter(to)
//	f.Add("meta", text)
//	f.Begin("world/slots")
//	f.Write(bytes)           // any number of times
//	err := f.Close()         // the first error of all calls
//
// A [Reader] verifies every checksum of a file before it returns the first byte of a section. Sections are read in
// any order; they are listed without being decompressed.
//
// # Format
//
// All numbers are little-endian. A file begins with 16 bytes: the text "ecsrun snapshot" and the version of the
// format. Then come records, each with its kind in the first byte and the CRC-32C of its header in the last four:
//
//	section    'S', length of the name (1 byte), name
//	chunk      'C', method (1), decoded length (4), stored length (4), CRC-32C of the stored bytes (4); then these bytes
//	end        'E', decoded length of the section (8), number of its chunks (4)
//	directory  'D', number of sections (4), offset of this record in the file (8); the file ends after it
//
// A chunk is stored as it is (method 0), as RFC 1951 says (1), or, if it has values of 2, 4 or 8 bytes, in planes (2).
// The checksum of a header starts from the number of the section and of the chunk, so a record that was moved or
// left out is noticed. The directory shows that the file is whole: a file that was cut has none.
package snapfile

import (
	"encoding/binary"
	"hash/crc32"
)

// Version is the version of the format that this package writes, and the only one that it reads.
//
// It is the version of everything in a file: of the records, and of what packages ecs and luabind write into sections. Raise it with every change after which
// an older program would misread or pass over what the new one writes, or the new one what an older program has written: another order, width or meaning of
// numbers, a part that is new or gone, another section. A new method of compression counts, too. What only makes files smaller by the methods there are does
// not, nor does a change of what the same code would read equally; TestFilesOfThisVersion of ecs and of luabind fail until a file of it is added.
const Version = 4

// magic begins a file, followed by the version.
const magic = "ecsrun snapshot"

// chunkSize is the largest decoded length of a chunk. It bounds the memory of readers and writers.
const chunkSize = 64 << 10

// maxName is the greatest length of the name of a section, in bytes.
const maxName = 255

// The kinds of records.
const (
	sectionRecord   = 'S'
	chunkRecord     = 'C'
	endRecord       = 'E'
	directoryRecord = 'D'
)

// Lengths of the headers of records, with their checksums. That of a section has the name in addition.
const (
	magicLen     = len(magic) + 1
	sectionLen   = 1 + 1 + 4
	chunkLen     = 1 + 1 + 4 + 4 + 4 + 4
	endLen       = 1 + 8 + 4 + 4
	directoryLen = 1 + 4 + 8 + 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// headerSum returns the checksum of the header of a record: the record belongs to the section and the chunk of
// these numbers, each counted from 0.
func headerSum(section, chunk uint32, header []byte) uint32 {
	var place [8]byte
	binary.LittleEndian.PutUint32(place[:], section)
	binary.LittleEndian.PutUint32(place[4:], chunk)
	return crc32.Update(crc32.Checksum(place[:], castagnoli), castagnoli, header)
}
