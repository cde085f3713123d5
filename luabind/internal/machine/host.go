package machine

// The functions of the host, in the order of [module].imports.
const (
	// importRefuel charges what was used and grants more; 0: the row must be put back.
	importRefuel = iota
	// importPicture takes the snapshot for a loop over what is near; 0: the row must be
	// put back.
	importSnapshot
)

var hostFunctions = []imported{
	{"refuel", []byte{i32}, []byte{i32}},
	{"snapshot", []byte{i32}, []byte{i32}},
}
