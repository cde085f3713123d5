package ecs

// Memory for plain data. A Data and its entries are one piece of memory if there are few entries, so that making one
// is one allocation, and reading it touches neighbouring cache lines.

// A withRoom is a Data with the memory of its entries. A is an array of entries.
type withRoom[A any] struct {
	data    Data
	entries A
}

// dataRooms makes them, by the number of entries.
var dataRooms = [...]func() (*Data, []DataEntry){
	1: func() (*Data, []DataEntry) { r := new(withRoom[[1]DataEntry]); return &r.data, r.entries[:0] },
	2: func() (*Data, []DataEntry) { r := new(withRoom[[2]DataEntry]); return &r.data, r.entries[:0] },
	3: func() (*Data, []DataEntry) { r := new(withRoom[[3]DataEntry]); return &r.data, r.entries[:0] },
	4: func() (*Data, []DataEntry) { r := new(withRoom[[4]DataEntry]); return &r.data, r.entries[:0] },
	5: func() (*Data, []DataEntry) { r := new(withRoom[[5]DataEntry]); return &r.data, r.entries[:0] },
	6: func() (*Data, []DataEntry) { r := new(withRoom[[6]DataEntry]); return &r.data, r.entries[:0] },
}

// roomFor returns new data and memory for n entries of it, with a length of 0.
func roomFor(n int) (*Data, []DataEntry) {
	if 0 < n && n < len(dataRooms) {
		return dataRooms[n]()
	}
	return new(Data), make([]DataEntry, 0, n)
}
