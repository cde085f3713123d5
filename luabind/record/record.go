// Package record writes and reads the record of a run: what is needed to run it again, and digests to compare with. A
// record is a log of chunks with checksums that is only appended to, so that the record of a process that was killed can be
// read up to its last whole frame.
//
// The file begins with 16 bytes of magic. A chunk is a byte for its kind, the length of its content (4 bytes, little
// endian), the CRC-32C of kind, length and content (4 bytes), and the content. Kinds: H, the [Header] as JSON; T, a [File] as
// JSON; S, a part of the snapshot that the run went on from, in order, before the first frame; F, one [Frame] after another, in the
// form of frames.go; E, the end, a reason as text. Readers skip kinds that they do not know, so that later versions can add what was
// done to a run in other ways than by inputs.
//
// Format 2 has other digests than format 1, which had those of ecs.World.Digest: they are compared with those of a run of
// this version, so a record of format 1 is refused.
package record

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

const (
	magic    = "ecsrun record 2\n"
	earlier  = "ecsrun record 1\n"
	mostSize = 64 << 20 // of a chunk, and of all that waits to be written
	partSize = 1 << 20  // of a snapshot
	flushAt  = 64 << 10 // bytes of frames after which a chunk is written in any case
)

// A Header says what was run.
type Header struct {
	Program  string   `json:"program"` // name, version and platform of the program that has written the record
	Config   string   `json:"config"`  // the path of the config among the files
	Scripts  string   `json:"scripts"` // the folder of the scripts among the files
	Set      []string `json:"set"`     // overrides as KEY=VALUE, frames and seed among them, in the order in which they are applied
	Seed     uint64   `json:"seed"`
	DT       float64  `json:"dt"`
	Realtime bool     `json:"realtime,omitempty"`
}

// A File is a config, manifest or script.
type File struct {
	Path   string `json:"path"` // relative, with slashes
	SHA256 string `json:"sha256"`
	Text   string `json:"text"`
}

// A Digest is a named digest of 64 bits.
type Digest struct {
	Name   string
	Digest uint64
}

// A Frame is what happened in one frame. That before frame 1, the startup, has the number 0. What was done after the last frame
// has the number of that frame again.
type Frame struct {
	Number uint64
	Inputs []string // lines that were done before it
	Marks  []string // why the frame may differ in another run: what ended a turn by the wall clock, or by measured memory
	Digest [16]byte // of the world at its end: of all parts, and of the order of its tables
	Turns  []Digest // of the turns, by name of the system, in the order in which they ended
	Parts  []Digest // of the parts of the world at its end
}

// A Writer writes a record. It keeps frames in memory until Flush, and what could not be written until it can be.
type Writer struct {
	to      io.Writer
	frames  []byte
	count   int // of frames
	coder   coder
	waiting []piece // to be written, in order
	size    int     // of their bytes
	lost    int     // frames that came after the record had ended
	added   int64   // bytes of all pieces so far
	ended   error   // an ErrLost
}

// A piece is the beginning of the file, or a chunk; what was written of it is cut off.
type piece struct {
	bytes  []byte
	frames int
}

var table = crc32.MakeTable(crc32.Castagnoli)

// ErrLost is wrapped by the error of Flush after more than 64 MiB could not be written: the record ends there.
var ErrLost = errors.New("the record ends here, and later frames are lost")

// NewWriter begins a record. Nothing is written before Flush. The error is that of a header that cannot be encoded, or of
// Writer.File.
func NewWriter(to io.Writer, h Header) (*Writer, error) {
	w := &Writer{to: to}
	text, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	w.add(piece{bytes: []byte(magic)})
	return w, w.chunk('H', text, 0)
}

// File adds a file. It may be called between frames, too, for a script that is loaded late. The error is that of a file of
// more than 64 MiB.
func (w *Writer) File(path, text string) error {
	sum := sha256.Sum256([]byte(text))
	content, err := json.Marshal(File{Path: path, SHA256: hex.EncodeToString(sum[:]), Text: text})
	if err != nil {
		return err
	}
	w.gather()
	return w.chunk('T', content, 0)
}

// Snapshot adds the snapshot that the run goes on from. It must be called before the first frame. The error is that of from.
func (w *Writer) Snapshot(from io.Reader) error {
	for {
		part := make([]byte, partSize)
		n, err := io.ReadFull(from, part)
		if n > 0 {
			if err := w.chunk('S', part[:n], 0); err != nil {
				return err
			}
			_ = w.Flush() // the next call has the error
		}
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// Frame adds a frame. Parts that are as in the frame before take no room. The error is that of Flush.
func (w *Writer) Frame(f *Frame) error {
	if w.ended != nil {
		w.lost++
		return w.ended
	}
	w.frames = w.coder.encode(w.frames, f)
	w.count++
	if len(w.frames) >= flushAt {
		return w.Flush()
	}
	return nil
}

// Flush writes what is in memory. What was flushed before the process is killed can be read. After an error nothing is lost yet:
// what could not be written is written by a later call, from the byte on where the failed one has ended. Up to 64 MiB wait so; after
// that the error wraps [ErrLost], and the record ends with what was written.
func (w *Writer) Flush() error {
	w.gather()
	for w.ended == nil && len(w.waiting) > 0 {
		p := &w.waiting[0]
		n, err := w.to.Write(p.bytes)
		n = max(0, min(n, len(p.bytes)))
		p.bytes, w.size = p.bytes[n:], w.size-n
		switch {
		case len(p.bytes) == 0:
			w.waiting = w.waiting[1:]
			continue
		case err == nil:
			err = io.ErrShortWrite
		}
		if w.size <= mostSize {
			return err
		}
		w.ended = fmt.Errorf("%w: %w", err, ErrLost)
		w.lost, w.waiting, w.frames, w.size = w.Lost(), nil, nil, 0
	}
	return w.ended
}

// Lost returns the number of frames that are not in the file: all that wait, and those that came after the record had ended.
func (w *Writer) Lost() int {
	n := w.lost + w.count
	for _, p := range w.waiting {
		n += p.frames
	}
	return n
}

// End writes the end of the record. A record without one belongs to a run that was killed, or whose disk was full. The error
// is that of Flush.
func (w *Writer) End(reason string) error {
	w.gather()
	if err := w.chunk('E', []byte(reason), 0); err != nil {
		return err
	}
	return w.Flush()
}

// gather makes a chunk of the frames in memory.
func (w *Writer) gather() {
	if len(w.frames) == 0 {
		return
	}
	if err := w.chunk('F', w.frames, w.count); err != nil {
		w.ended, w.lost = fmt.Errorf("%w: %w", err, ErrLost), w.lost+w.count
	}
	w.frames, w.count = w.frames[:0], 0
}

func (w *Writer) chunk(kind byte, content []byte, frames int) error {
	if len(content) > mostSize {
		return fmt.Errorf("record: %d bytes are more than a part of a record may have", len(content))
	}
	head := append(make([]byte, 0, 9+len(content)), kind)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(content)))
	sum := crc32.Update(crc32.Checksum(head, table), table, content)
	head = binary.LittleEndian.AppendUint32(head, sum)
	w.add(piece{append(head, content...), frames}) // one write, so that a chunk is whole or cut
	return nil
}

func (w *Writer) add(p piece) {
	if w.ended == nil {
		w.waiting = append(w.waiting, p)
		w.size += len(p.bytes)
		w.added += int64(len(p.bytes))
	}
}

// ErrNoRecord says that a file is no record, or one of a later version.
var ErrNoRecord = errors.New("this is no record of a run, or one of a later version of ecsrun")

// ErrEarlier says that a record has a format that is no longer read.
var ErrEarlier = errors.New("this record is of format 1, whose digests are no longer computed: replay it with the version of ecsrun that wrote it, or record the run again")

// ErrCut is wrapped by the error of NewReader for a record that has no frame.
var ErrCut = errors.New("the run was killed, its disk was full, or the file is damaged")

// A Reader reads a record.
type Reader struct {
	Header   Header
	Snapshot [][]byte // the parts of the snapshot that the run went on from; none if it began with frame 1
	Files    []File   // those that were read so far; all that a run needs at its start are there from the beginning

	from   io.Reader
	coder  coder
	frames []byte // of the chunk that is being read
	ended  bool
	reason string
	broken string // what is wrong after the last whole chunk; "" if nothing is
	spoilt bool   // that is not the end of the file: bytes have changed
	at     int64
}

// NewReader reads the beginning of a record: the header, and the files up to the first frame. Errors: [ErrNoRecord];
// [ErrEarlier]; [ErrCut]; that of from.
func NewReader(from io.Reader) (*Reader, error) {
	r := &Reader{from: from}
	var start [len(magic)]byte
	switch n, err := io.ReadFull(from, start[:]); {
	case err == nil && string(start[:]) == earlier:
		return nil, ErrEarlier
	case n < len(magic) && string(start[:n]) == magic[:n] && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)):
		return nil, fmt.Errorf("cut at offset %d, before the first frame: %w", n, ErrCut)
	case err != nil || string(start[:]) != magic:
		return nil, ErrNoRecord
	}
	r.at = int64(len(magic))
	kind, content, err := r.chunk()
	if errors.Is(err, errCut) && r.broken != "" {
		return nil, fmt.Errorf("%s, before the first frame: %w", r.broken, ErrCut)
	}
	if err != nil || kind != 'H' || json.Unmarshal(content, &r.Header) != nil {
		return nil, ErrNoRecord
	}
	return r, r.fill()
}

// Ended returns the reason why the run ended. ok is false if the record does not have its end: then the run was killed, or the
// file is cut or damaged at an offset that what names. It is known when Next has returned [io.EOF].
func (r *Reader) Ended() (reason string, ok bool, what string) { return r.reason, r.ended, r.broken }

// Damaged reports whether bytes have changed where [Reader.Ended] says, other than at a cut. It is known when that is.
func (r *Reader) Damaged() bool { return r.spoilt }

// Next returns the next frame; [io.EOF] after the last whole one.
func (r *Reader) Next() (*Frame, error) {
	if len(r.frames) == 0 {
		if err := r.fill(); err != nil {
			return nil, err
		}
		if len(r.frames) == 0 {
			return nil, io.EOF
		}
	}
	f, rest, err := r.coder.decode(r.frames)
	if err != nil {
		r.frames, r.broken, r.spoilt = nil, fmt.Sprintf("damaged before offset %d: %v", r.at, err), true
		return nil, io.EOF
	}
	r.frames = rest
	return f, nil
}

// fill reads chunks up to one with frames, or to the end.
func (r *Reader) fill() error {
	for !r.ended && r.broken == "" && len(r.frames) == 0 {
		kind, content, err := r.chunk()
		if errors.Is(err, errCut) {
			return nil
		}
		if err != nil {
			return err
		}
		switch kind {
		case 'T':
			var f File
			if err := json.Unmarshal(content, &f); err != nil {
				r.broken, r.spoilt = fmt.Sprintf("damaged before offset %d: %v", r.at, err), true
				return nil
			}
			r.Files = append(r.Files, f)
		case 'S':
			r.Snapshot = append(r.Snapshot, content)
		case 'F':
			r.frames = content
		case 'E':
			r.ended, r.reason = true, string(content)
		}
	}
	return nil
}

// errCut ends the reading at a chunk that is not whole.
var errCut = errors.New("cut")

// chunk reads a chunk. It takes no more memory than the file has bytes.
func (r *Reader) chunk() (kind byte, content []byte, err error) {
	cut := func(what string) (byte, []byte, error) {
		r.broken = fmt.Sprintf("%s at offset %d", what, r.at)
		return 0, nil, errCut
	}
	var head [9]byte
	switch n, err := io.ReadFull(r.from, head[:]); {
	case err == io.EOF:
		return cut("no end")
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return 0, nil, err
	case n < len(head):
		return cut("cut")
	}
	size := binary.LittleEndian.Uint32(head[1:])
	if size > mostSize {
		r.spoilt = true
		return cut("damaged")
	}
	content, err = io.ReadAll(io.LimitReader(r.from, int64(size)))
	switch {
	case err != nil:
		return 0, nil, err
	case len(content) < int(size):
		return cut("cut")
	case crc32.Update(crc32.Checksum(head[:5], table), table, content) != binary.LittleEndian.Uint32(head[5:]):
		r.spoilt = true
		return cut("damaged")
	}
	r.at += int64(len(head)) + int64(size)
	return head[0], content, nil
}
