package joblog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/job"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/plan"
)

// A Record is a result in a log.
type Record struct {
	Key     plan.Key
	Machine string // that made it
	Audit   bool   // a second run of the job
	Result  []byte // as job.Result.Encode returns it
}

// Decode returns the result.
func (r *Record) Decode() (*job.Result, error) { return job.DecodeResult(r.Result) }

type line struct {
	Key     string          `json:"key"`
	Machine string          `json:"machine"`
	Audit   bool            `json:"audit,omitempty"`
	Result  json.RawMessage `json:"result"`
}

// table is that of CRC-32C, for which processors have an instruction.
var table = crc32.MakeTable(crc32.Castagnoli)

const prefix = 9 // the checksum and a space

// appendLine appends the line of a record.
func appendLine(b []byte, r *Record) []byte {
	text, err := json.Marshal(line{r.Key.String(), r.Machine, r.Audit, r.Result})
	if err != nil {
		panic("joblog: " + err.Error()) // the result is JSON
	}
	b = fmt.Appendf(b, "%08x ", crc32.Checksum(text, table))
	return append(append(b, text...), '\n')
}

// parse reads a line without its end. It reports false if the line is damaged.
func parse(text []byte) (*Record, bool) {
	if len(text) < prefix || text[prefix-1] != ' ' || !bytes.Equal(fmt.Appendf(nil, "%08x", crc32.Checksum(text[prefix:], table)), text[:prefix-1]) {
		return nil, false
	}
	var l line
	if json.Unmarshal(text[prefix:], &l) != nil {
		return nil, false
	}
	key, ok := plan.ParseKey(l.Key)
	return &Record{key, l.Machine, l.Audit, l.Result}, ok
}
