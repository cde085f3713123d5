package sandbox

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// This file finds what is known about the code that a State runs: names and sources, for error messages and
// tracebacks. A function leads to its chunk. By name, a chunk is learned when it is first loaded into an environment, and forgotten by [State.Forget].
// Several chunks can have the same name, while a new version of a file is loaded beside the one that runs.

// learn stores what error messages need to know about a chunk.
func (s *State) learn(c *Chunk) {
	if slices.Contains(s.chunks[c.Name], c) {
		return
	}
	s.chunks[c.Name] = append(s.chunks[c.Name], c)
}

// infoOf returns what messages need to know about a function; nil if that is not known.
func (s *State) infoOf(p *lua.FunctionProto) *function {
	if named := s.named[p]; named != nil {
		return named
	}
	if c := ChunkOf(p); c != nil {
		return c.functions[p]
	}
	return nil
}

// pathsIn returns the paths of a function; nil if it has none.
func pathsIn(p *lua.FunctionProto) interp.Paths {
	if c := ChunkOf(p); c != nil {
		return c.paths[p]
	}
	return nil
}

// chunkAt returns the chunk of a position at which a function of L is, or of which only the name is known; nil if there is none.
func (s *State) chunkAt(L *lua.LState, pos Pos) *Chunk {
	for f := topFrame(L); f != nil; f = f.Parent {
		if c := ChunkOf(f.Fn.Proto); c != nil && c.Name == pos.File {
			return c
		}
	}
	return s.chunkOf(pos.File)
}

// chunkOf returns the chunk of that name, the newest if there are several; nil if there is none.
func (s *State) chunkOf(name string) *Chunk {
	list := s.chunks[name]
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}

// Forget removes what the State knows about chunks that are no longer used, so that their memory can be reclaimed
// once no script holds a function of theirs. Functions that are still held continue to work, with less precise
// error messages. Nothing may run on the State.
func (s *State) Forget(chunks ...*Chunk) {
	for _, c := range chunks {
		s.chunks[c.Name] = slices.DeleteFunc(s.chunks[c.Name], func(known *Chunk) bool { return known == c })
		if len(s.chunks[c.Name]) == 0 {
			delete(s.chunks, c.Name)
		}
		s.forget(c.proto)
	}
	s.Release()
}

// Release forgets the values of earlier calls, because those who hold them are gone. Nothing may run on the State.
func (s *State) Release() {
	s.Renew()
	s.caught = caughtErrors{}
	s.last, s.rethrown, s.spent, s.thrown = nil, nil, nil, nil
	if s.machine != nil {
		s.machine.Release()
	}
}

// Renew makes later calls run on new threads. The unused registers and frames of a thread still hold values of
// earlier calls, and a variable that a closure has captured holds the registers of the thread on which it was
// made. Code that is to outlive earlier code therefore starts on a new thread. Nothing may run on the State.
func (s *State) Renew() {
	if len(s.active) > 0 {
		panic("sandbox: threads are renewed while a script runs")
	}
	clear(s.threads)
	clear(s.left[:])
	clear(s.active[:cap(s.active)])
	clear(s.coroutines[:cap(s.coroutines)])
}

// forget removes a function and those inside of it.
func (s *State) forget(p *lua.FunctionProto) {
	delete(s.named, p)
	delete(s.loops, p)
	if s.machine != nil {
		s.machine.Forget(p)
	}
	for _, inner := range p.FunctionPrototypes {
		s.forget(inner)
	}
}

// NameFunction sets the name of fn in tracebacks, if it has no name of its own.
func (s *State) NameFunction(fn *lua.LFunction, name string) {
	if fn.IsG {
		return
	}
	info := s.infoOf(fn.Proto)
	switch {
	case info == nil:
		s.named[fn.Proto] = &function{name: name}
	case info.name == "":
		named := *info // the chunk's own is shared between States
		named.name = name
		s.named[fn.Proto] = &named
	}
}
