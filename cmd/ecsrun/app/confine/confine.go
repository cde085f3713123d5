package confine

// Rules say what the process may still do with files. All paths must exist. A rule for a folder covers what is in it,
// at any depth.
type Rules struct {
	Read  []string // folders and files that it may read
	Write []string // folders in which it may also make, write, rename and remove files
}

// Process confines the calling process, and all threads of it. It returns what could not be restricted, one line for
// each, because the kernel or the system lacks it; the rest is restricted then. The error is about the rules: a path
// that does not exist; the process may be confined in part then, and should end.
func Process(r Rules) (gaps []string, err error) { return process(r) }
