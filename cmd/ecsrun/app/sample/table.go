package sample

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strconv"

	"github.com/ecsrun/ecsrun/ecs"
)

// A Table writes samples as CSV: a column for the frame and one for each sample, a row for each frame that is divisible by a number.
type Table struct {
	samples []*Sample
	every   uint64
	to      io.Writer
	buf     []byte
}

// NewTable returns a table of these samples.
func NewTable(w *ecs.World, texts []string, every uint64, to io.Writer) (*Table, error) {
	t := &Table{every: max(1, every), to: to}
	for _, text := range texts {
		s, err := Parse(w, text)
		if err != nil {
			return nil, err
		}
		t.samples = append(t.samples, s)
	}
	return t, nil
}

// Head writes the names of the columns.
func (t *Table) Head() error {
	_, err := t.to.Write(t.head())
	return err
}

func (t *Table) head() []byte {
	names := []string{"frame"}
	for _, s := range t.samples {
		names = append(names, s.Text)
	}
	var b bytes.Buffer
	out := csv.NewWriter(&b)
	_ = out.Write(names) // to memory
	out.Flush()
	return b.Bytes()
}

// ErrColumns says that a file has other columns than the table.
var ErrColumns = errors.New("it has the columns of other samples")

// Keep returns how many bytes of a file that the table goes on with are its head and whole rows of frames up to one; cut says that there
// are more. An empty file has none. The error is [ErrColumns], or that of from.
func (t *Table) Keep(from io.Reader, frame uint64) (n int64, cut bool, err error) {
	in := bufio.NewReader(from)
	head := t.head()
	was := make([]byte, len(head))
	switch k, err := io.ReadFull(in, was); {
	case k == 0 && errors.Is(err, io.EOF):
		return 0, false, nil
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return 0, false, err
	case !bytes.Equal(was, head):
		return 0, false, ErrColumns
	}
	for n = int64(len(head)); ; {
		row, err := in.ReadBytes('\n')
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return n, len(row) > 0, err
		}
		number, _, _ := bytes.Cut(row, []byte(","))
		if f, err := strconv.ParseUint(string(number), 10, 64); err != nil || f > frame {
			return n, true, nil
		}
		n += int64(len(row))
	}
}

// Frame writes a row, if it is the time for one. Call it at the end of each frame. It costs O(entities) then.
func (t *Table) Frame(frame uint64) error {
	if frame%t.every != 0 {
		return nil
	}
	b := strconv.AppendUint(t.buf[:0], frame, 10)
	for _, s := range t.samples {
		b = append(b, ',')
		if v, ok := s.Read(); ok {
			b = strconv.AppendFloat(b, v, 'g', -1, 64)
		}
	}
	t.buf = append(b, '\n')
	_, err := t.to.Write(t.buf)
	return err
}
