package sandbox

import (
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// What a State knows of the code that it runs: names and sources, for error texts and tracebacks. A chunk is learned when it is first loaded into an
// environment, and forgotten by [State.Forget]. Several chunks may have one name, while a new version of a file is loaded beside the one that runs.

// learn keeps what error texts need to know of a chunk.
func (s *State) learn(c *Chunk) {
	if slices.Contains(s.chunks[c.Name], c) {
		return
	}
	s.chunks[c.Name] = append(s.chunks[c.Name], c)
	for p, fn := range c.functions {
		s.functions[p] = fn
	}
	for p, paths := range c.paths {
		s.paths[p] = paths
	}
}

// chunkOf returns the chunk of that name, the one learned last if there are several; nil when there is none.
func (s *State) chunkOf(name string) *Chunk {
	list := s.chunks[name]
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}

// Forget drops what the State knows of chunks that are no longer used, so that their memory can be reclaimed once no script holds a function of
// theirs. A function that is still held goes on working; error texts know less of it. Nothing may run on the State.
func (s *State) Forget(chunks ...*Chunk) {
	for _, c := range chunks {
		s.chunks[c.Name] = slices.DeleteFunc(s.chunks[c.Name], func(known *Chunk) bool { return known == c })
		if len(s.chunks[c.Name]) == 0 {
			delete(s.chunks, c.Name)
		}
		s.forget(c.proto)
	}
	s.Renew()
	s.caught = caughtErrors{}
	s.last, s.rethrown, s.spent, s.thrown = nil, nil, nil, nil
}

// Renew makes the calls that follow run on new threads. The unused registers and frames of a thread still hold values of earlier calls; a variable that a
// closure captured holds the registers of the thread it was made on. So code that is to outlive what ran before begins on a new thread. Nothing may run
// on the State.
func (s *State) Renew() {
	if len(s.active) > 0 {
		panic("sandbox: threads are renewed while a script runs")
	}
	clear(s.threads)
	clear(s.active[:cap(s.active)])
	clear(s.coroutines[:cap(s.coroutines)])
}

// forget drops a function and those in it.
func (s *State) forget(p *lua.FunctionProto) {
	delete(s.functions, p)
	delete(s.paths, p)
	delete(s.loops, p)
	if s.machine != nil {
		s.machine.Forget(p)
	}
	for _, inner := range p.FunctionPrototypes {
		s.forget(inner)
	}
}

// NameFunction says what tracebacks call fn, if it has no name of its own.
func (s *State) NameFunction(fn *lua.LFunction, name string) {
	if fn.IsG {
		return
	}
	info := s.functions[fn.Proto]
	switch {
	case info == nil:
		s.functions[fn.Proto] = &function{name: name}
	case info.name == "":
		named := *info // the chunk's own is shared between States
		named.name = name
		s.functions[fn.Proto] = &named
	}
}
