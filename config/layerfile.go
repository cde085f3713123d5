package config

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/config/files"
	"github.com/ecsrun/ecsrun/ecs"
)

// This file reads the files of layers: rows of numbers as CSV, and grey images as PGM.

// readLayer reads the file of a layer.
func (d *decoder) readLayer(v *Layer, t ecs.FieldType, at string) {
	fail := func(pos Pos, format string, args ...any) {
		d.add(pos, at, fmt.Sprintf(format, args...), "write rows of values that fit the type, or name another file")
		v.File = ""
	}
	f, err := files.Open(v.File)
	if errors.Is(err, fs.ErrNotExist) {
		d.add(v.Pos, at, fmt.Sprintf("there is no file %q; paths start from the folder of the config", v.Written), "write the file, or name another one")
		v.File = ""
		return
	}
	if err != nil {
		fail(v.Pos, "%v", err)
		return
	}
	defer func() { _ = f.Close() }() // it was only read
	data, err := io.ReadAll(io.LimitReader(f, maxLayerFile+1))
	if err != nil {
		fail(v.Pos, "%v", err)
		return
	}
	if len(data) > maxLayerFile {
		fail(Pos{File: v.File}, "the file is larger than %d MiB", maxLayerFile>>20)
		return
	}
	read := csvCells
	if strings.EqualFold(filepath.Ext(v.File), ".pgm") {
		read = pgmCells
	}
	schema, err := ecs.NewSchema(ecs.Field{Name: "value", Type: t})
	if err != nil {
		fail(v.Pos, "%v", err)
		return
	}
	fits := func(x float64) error {
		if t == ecs.Bool {
			if x != 0 && x != 1 {
				return fmt.Errorf("%v is no boolean: write true or false, 1 or 0", x)
			}
			return nil
		}
		return schema.Check(ecs.FieldValue{Value: ecs.Number(x)})
	}
	cells, width, err := read(data, fits)
	var wrong *cellError
	switch {
	case errors.As(err, &wrong):
		fail(Pos{File: v.File, Line: wrong.line, Column: wrong.column}, "%v", wrong.err)
		return
	case err != nil:
		fail(Pos{File: v.File}, "%v", err)
		return
	}
	height := len(cells) / width
	if v.Width != 0 && v.Width != width || v.Height != 0 && v.Height != height {
		fail(v.Pos, "the layer has %d × %d cells, and %s has %d × %d", cmp.Or(v.Width, width), cmp.Or(v.Height, height), v.Written, width, height)
		return
	}
	v.Width, v.Height, v.Cells = width, height, cells
}

// maxLayerFile is the largest size of a file of a layer, in bytes.
const maxLayerFile = 512 << 20

// A cellError is about a place in a file of a layer.
type cellError struct {
	line, column int
	err          error
}

func (e *cellError) Error() string { return fmt.Sprintf("line %d: %v", e.line, e.err) }

// csvCells reads rows of numbers, true and false, with commas. All rows have the same length.
func csvCells(data []byte, fits func(float64) error) (cells []float64, width int, err error) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	r.ReuseRecord, r.TrimLeadingSpace, r.FieldsPerRecord = true, true, -1
	for {
		row, err := r.Read()
		var parse *csv.ParseError
		switch {
		case errors.Is(err, io.EOF) && width == 0:
			return nil, 0, errors.New("the file has no rows")
		case errors.Is(err, io.EOF):
			return cells, width, nil
		case errors.As(err, &parse):
			return nil, 0, &cellError{parse.Line, parse.Column, parse.Err}
		case err != nil:
			return nil, 0, err
		}
		line, _ := r.FieldPos(0)
		if width == 0 {
			width = len(row)
		}
		if len(row) != width {
			return nil, 0, &cellError{line, 1, fmt.Errorf("the row has %d values, and the first row has %d", len(row), width)}
		}
		if len(cells)+width > ecs.MaxLayerCells {
			return nil, 0, &cellError{line, 1, fmt.Errorf("more than %d cells", ecs.MaxLayerCells)}
		}
		for i, text := range row {
			line, column := r.FieldPos(i)
			x, err := cellOf(text)
			if err == nil {
				err = fits(x)
			}
			if err != nil {
				return nil, 0, &cellError{line, column, err}
			}
			cells = append(cells, x)
		}
	}
}

// cellOf returns the number that a text of a file is.
func cellOf(text string) (float64, error) {
	switch text = strings.TrimSpace(text); text {
	case "true":
		return 1, nil
	case "false":
		return 0, nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) || strings.ContainsAny(text, "xXpP_") {
		return 0, fmt.Errorf("number expected, got %q", clip(text))
	}
	return x, nil
}

// pgmCells reads the pixels of a grey image, plain (P2) or binary (P5).
func pgmCells(data []byte, fits func(float64) error) (cells []float64, width int, err error) {
	in := pgm{data: data, line: 1}
	kind := in.word()
	if kind != "P2" && kind != "P5" {
		return nil, 0, errors.New("no grey image: the file does not begin with P2 or P5")
	}
	var head [3]int // width, height, largest value
	for i := range head {
		n, err := in.number(1<<16 - 1)
		if i < 2 && err == nil && n < 1 {
			err = in.wrong("a size of %d", n)
		}
		if err != nil {
			return nil, 0, err
		}
		head[i] = n
	}
	n := head[0] * head[1]
	if n > ecs.MaxLayerCells {
		return nil, 0, in.wrong("%d × %d are more than %d cells", head[0], head[1], ecs.MaxLayerCells)
	}
	if in.at++; in.at <= len(data) && data[in.at-1] == '\n' { // one space is behind the head
		in.line++
	}
	for len(cells) < n {
		x := 0
		if kind == "P2" {
			x, err = in.number(head[2])
		} else {
			x, err = in.binary(head[2])
		}
		if err == nil {
			if err = fits(float64(x)); err != nil {
				err = in.wrong("%v", err)
			}
		}
		if err != nil {
			return nil, 0, err
		}
		cells = append(cells, float64(x))
	}
	return cells, head[0], nil
}

// A pgm reads an image.
type pgm struct {
	data []byte
	at   int
	line int
}

func (p *pgm) wrong(format string, args ...any) error {
	return &cellError{p.line, 1, fmt.Errorf(format, args...)}
}

// word returns the next word, "" at the end. A # begins a comment, to the end of the line.
func (p *pgm) word() string {
	for comment := false; p.at < len(p.data); p.at++ {
		c := p.data[p.at]
		if c == '\n' {
			p.line++
		}
		comment = c == '#' || comment && c != '\n'
		if !comment && !strings.ContainsRune(" \t\r\n\v\f", rune(c)) {
			break
		}
	}
	from := p.at
	for p.at < len(p.data) && p.data[p.at] > ' ' && p.data[p.at] != '#' {
		p.at++
	}
	return string(p.data[from:p.at])
}

// number returns the next number, at most most.
func (p *pgm) number(most int) (int, error) {
	text := p.word()
	n, err := strconv.ParseUint(text, 10, 31)
	switch {
	case text == "":
		return 0, p.wrong("the image ends early")
	case err != nil:
		return 0, p.wrong("whole number expected, got %q", clip(text))
	case int(n) > most:
		return 0, p.wrong("%d is more than %d", n, most)
	}
	return int(n), nil
}

// binary returns the next value of a binary image: a byte, or two if values may be larger.
func (p *pgm) binary(most int) (n int, err error) {
	bytes := 1
	if most > 255 {
		bytes = 2
	}
	if p.at+bytes > len(p.data) {
		return 0, p.wrong("the image ends early")
	}
	for range bytes {
		n = n<<8 | int(p.data[p.at])
		p.at++
	}
	if n > most {
		return 0, p.wrong("%d is more than %d", n, most)
	}
	return n, nil
}

// PlainPGM returns an image as text: a binary one in the plain form of the same values, anything else as it is.
func PlainPGM(data []byte) []byte {
	if !bytes.HasPrefix(data, []byte("P5")) {
		return data
	}
	most := 0.0
	cells, width, err := pgmCells(data, func(x float64) error { most = max(most, x); return nil })
	if err != nil {
		return data
	}
	out := fmt.Appendf(nil, "P2\n%d %d\n%v\n", width, len(cells)/width, max(most, 1))
	for i, x := range cells {
		out = append(strconv.AppendInt(out, int64(x), 10), ' ')
		if (i+1)%width == 0 {
			out[len(out)-1] = '\n'
		}
	}
	return out
}
