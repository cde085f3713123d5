package ecs

// Memory for plain data. A Data and its values are one piece of memory if there are few of them, so that making one
// is one allocation, and reading it touches neighbouring cache lines.

// A withRoom is a Data with the memory of its values. A is an array of values.
type withRoom[A any] struct {
	data   Data
	values A
}

// dataRooms makes them, by the number of values.
var dataRooms = [...]func() (*Data, []Value){
	1:  func() (*Data, []Value) { r := new(withRoom[[1]Value]); return &r.data, r.values[:0] },
	2:  func() (*Data, []Value) { r := new(withRoom[[2]Value]); return &r.data, r.values[:0] },
	3:  func() (*Data, []Value) { r := new(withRoom[[3]Value]); return &r.data, r.values[:0] },
	4:  func() (*Data, []Value) { r := new(withRoom[[4]Value]); return &r.data, r.values[:0] },
	5:  func() (*Data, []Value) { r := new(withRoom[[5]Value]); return &r.data, r.values[:0] },
	6:  func() (*Data, []Value) { r := new(withRoom[[6]Value]); return &r.data, r.values[:0] },
	7:  func() (*Data, []Value) { r := new(withRoom[[7]Value]); return &r.data, r.values[:0] },
	8:  func() (*Data, []Value) { r := new(withRoom[[8]Value]); return &r.data, r.values[:0] },
	9:  func() (*Data, []Value) { r := new(withRoom[[9]Value]); return &r.data, r.values[:0] },
	10: func() (*Data, []Value) { r := new(withRoom[[10]Value]); return &r.data, r.values[:0] },
	11: func() (*Data, []Value) { r := new(withRoom[[11]Value]); return &r.data, r.values[:0] },
	12: func() (*Data, []Value) { r := new(withRoom[[12]Value]); return &r.data, r.values[:0] },
}

// roomFor returns new data and memory for the values of n entries, with a length of 0.
func roomFor(n int) (*Data, []Value) {
	if 0 < n && n < len(dataRooms) {
		return dataRooms[n]()
	}
	return new(Data), make([]Value, 0, n)
}
