package export

import (
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/ecsrun/ecsrun/ecs"
)

// Parquet with the column types that DuckDB, pandas and Arrow read without being told: integers with their width and
// sign, floats, booleans, and text for strings, entities and tables. Columns of entities are nullable.

// parquetRows is how many rows are handed to the library at a time.
const parquetRows = 512

type parquetFile struct {
	to      *parquet.GenericWriter[any]
	columns []column
	rows    []parquet.Row
	n       int // of rows that are filled
}

func newParquet(to io.Writer, columns []column) *parquetFile {
	group := ordered{Group: parquet.Group{}}
	for _, c := range columns {
		group.order = append(group.order, c.name)
		group.Group[c.name] = parquetNode(c.typ)
	}
	f := &parquetFile{to: parquet.NewGenericWriter[any](to, parquet.NewSchema("row", group), parquet.Compression(&parquet.Snappy)), columns: columns}
	for range parquetRows {
		f.rows = append(f.rows, make(parquet.Row, len(columns)))
	}
	return f
}

// ordered is a group of columns in an order of its own; that of the library is alphabetical.
type ordered struct {
	parquet.Group
	order []string
}

func (o ordered) Fields() []parquet.Field {
	fields := o.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int {
		return slices.Index(o.order, a.Name()) - slices.Index(o.order, b.Name())
	})
	return fields
}

func parquetNode(t ecs.FieldType) parquet.Node {
	switch t {
	case ecs.F64:
		return parquet.Leaf(parquet.DoubleType)
	case ecs.F32:
		return parquet.Leaf(parquet.FloatType)
	case ecs.I64:
		return parquet.Int(64)
	case ecs.U64:
		return parquet.Uint(64)
	case ecs.I32:
		return parquet.Int(32)
	case ecs.U32:
		return parquet.Uint(32)
	case ecs.I16:
		return parquet.Int(16)
	case ecs.U16:
		return parquet.Uint(16)
	case ecs.I8:
		return parquet.Int(8)
	case ecs.U8:
		return parquet.Uint(8)
	case ecs.Bool:
		return parquet.Leaf(parquet.BooleanType)
	case ecs.EntityField, 0:
		return parquet.Optional(parquet.String())
	case ecs.String, ecs.TableField:
		return parquet.String()
	default:
		panic(fmt.Sprintf("export: field type %v", t))
	}
}

// parquetValue returns the value of a column; the definition level of a nullable one that is there is 1.
func parquetValue(t ecs.FieldType, v ecs.Value, at int) parquet.Value {
	switch t {
	case ecs.F64:
		return parquet.DoubleValue(v.Float()).Level(0, 0, at)
	case ecs.F32:
		return parquet.FloatValue(float32(v.Float())).Level(0, 0, at)
	case ecs.U64:
		n, _ := v.Uint()
		return parquet.Int64Value(int64(n)).Level(0, 0, at)
	case ecs.I64:
		n, _ := v.Int()
		return parquet.Int64Value(n).Level(0, 0, at)
	case ecs.I32, ecs.U32, ecs.I16, ecs.U16, ecs.I8, ecs.U8:
		n, _ := v.Int()
		return parquet.Int32Value(int32(n)).Level(0, 0, at)
	case ecs.Bool:
		return parquet.BooleanValue(v.Bool()).Level(0, 0, at)
	case ecs.EntityField, 0:
		if v.Kind() == ecs.NilValue || v.Kind() == ecs.EntityValue && v.Entity() == ecs.None {
			return parquet.NullValue().Level(0, 0, at)
		}
		return parquet.ByteArrayValue([]byte(plainText(v, 0))).Level(0, 1, at)
	case ecs.String, ecs.TableField:
		return parquet.ByteArrayValue([]byte(plainText(v, 0))).Level(0, 0, at)
	default:
		panic(fmt.Sprintf("export: field type %v", t))
	}
}

func (f *parquetFile) row(values []ecs.Value) error {
	for i, v := range values {
		f.rows[f.n][i] = parquetValue(f.columns[i].typ, v, i)
	}
	if f.n++; f.n == len(f.rows) {
		return f.flush()
	}
	return nil
}

func (f *parquetFile) flush() error {
	_, err := f.to.WriteRows(f.rows[:f.n])
	f.n = 0
	return err
}

func (f *parquetFile) end() error {
	if err := f.flush(); err != nil {
		return err
	}
	return f.to.Close()
}
