package luatest

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/ecsrun/ecsrun/luabind"
)

// This file writes and reads coverage in the trace format of LCOV, which genhtml and services for coverage read.

// WriteLCOV writes the covered files as an LCOV trace, with a DA record for each executable line. Files that could
// not be counted are left out.
func WriteLCOV(w io.Writer, files []luabind.CoveredFile) error {
	b := bufio.NewWriter(w)
	for i := range files {
		f := &files[i]
		if f.Uncounted {
			continue
		}
		fmt.Fprintf(b, "TN:\nSF:%s\n", oneLine(f.Name))
		for _, l := range f.Lines {
			fmt.Fprintf(b, "DA:%d,%d\n", l.Number, l.Count)
		}
		fmt.Fprintf(b, "LF:%d\nLH:%d\nend_of_record\n", len(f.Lines), f.Ran())
	}
	return b.Flush()
}

// oneLine keeps a file name in its record, and from controlling the terminal that shows it.
func oneLine(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '_'
		}
		return r
	}, name)
}

// ReadLCOV reads an LCOV trace: the line records of each file. Records of other kinds are passed over. The error
// names the line.
func ReadLCOV(r io.Reader) ([]luabind.CoveredFile, error) {
	var list []luabind.CoveredFile
	var open *luabind.CoveredFile
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	number := 0
	for in.Scan() {
		number++
		key, value, _ := strings.Cut(strings.TrimSpace(in.Text()), ":")
		switch key {
		case "SF":
			if open != nil {
				return nil, fmt.Errorf("line %d: SF inside of a record; end_of_record is missing", number)
			}
			open = &luabind.CoveredFile{Name: value}
		case "DA":
			l, err := readDA(value)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", number, err)
			}
			if open == nil {
				return nil, fmt.Errorf("line %d: DA before SF", number)
			}
			open.Lines = append(open.Lines, l)
		case "end_of_record":
			if open == nil {
				return nil, fmt.Errorf("line %d: end_of_record before SF", number)
			}
			list = append(list, *open)
			open = nil
		}
	}
	switch {
	case in.Err() != nil:
		return nil, in.Err()
	case open != nil:
		return nil, fmt.Errorf("the record of %q has no end_of_record", open.Name)
	case list == nil && number > 0:
		return nil, fmt.Errorf("there is no record of a file; is it an LCOV trace?")
	}
	return luabind.MergeCoverage(list), nil
}

// readDA reads the value of a DA record: line, count, and perhaps a checksum.
func readDA(value string) (l luabind.CoveredLine, err error) {
	part := strings.Split(value, ",")
	if len(part) < 2 {
		return l, fmt.Errorf("DA:%s is not DA:LINE,COUNT", value)
	}
	if l.Number, err = strconv.Atoi(part[0]); err != nil || l.Number < 1 {
		return l, fmt.Errorf("DA:%s has no line number", value)
	}
	if l.Count, err = strconv.ParseUint(part[1], 10, 64); err != nil {
		return l, fmt.Errorf("DA:%s has no count", value)
	}
	return l, nil
}
