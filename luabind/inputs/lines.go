package inputs

import (
	"bufio"
	"errors"
	"io"
)

// Lines splits what it reads into lines. It keeps at most about [MaxLine] bytes in memory, however long a line is.
type Lines struct{ from *bufio.Reader }

// NewLines returns a splitter over a reader.
func NewLines(from io.Reader) *Lines { return &Lines{bufio.NewReaderSize(from, 1<<16)} }

// Next returns the next line without its end, in memory of its own. A line that is too long is cut behind MaxLine+1
// bytes, so that [Decoder.Decode] refuses it. At the end the error is [io.EOF]; a last line without an end counts.
func (l *Lines) Next() ([]byte, error) {
	var line []byte
	for {
		part, err := l.from.ReadSlice('\n')
		if room := MaxLine + 1 + 2 - len(line); len(part) > room { // 2 for the end of the line
			part = part[:max(room, 0)]
		}
		line = append(line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == nil:
			return chomp(line), nil
		case err == io.EOF && len(line) > 0:
			return chomp(line), nil
		default:
			return nil, err
		}
	}
}

// chomp removes "\n" or "\r\n".
func chomp(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line
}
