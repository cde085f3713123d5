package ecs

import "bytes"

// saveOp saves the world, loads the file, and gives the world the loaded state: nothing may change for the model. What
// the test holds of the world, its open event readers among that, must go on working.
func (r *machine) saveOp() {
	r.say("w.Save(file); w.Restore(Load(file))")
	var file, again bytes.Buffer
	r.ok(r.w.Save(&file))
	memory := r.w.options.Memory
	if r.byte()%2 == 0 {
		memory = nil
	}
	loaded, err := Load(bytes.NewReader(file.Bytes()), Options{Memory: memory})
	r.ok(err)
	r.ok(loaded.Check())
	r.ok(wholeMemory(loaded))
	r.sameWorld(loaded)
	if r.ops%4 == 0 && dump(loaded) != dump(r.w) {
		r.fail("the loaded world is another one")
	}
	r.ok(loaded.Save(&again))
	if !bytes.Equal(file.Bytes(), again.Bytes()) {
		r.fail("the loaded world gives another file: %d bytes, then %d", file.Len(), again.Len())
	}
	before, used := r.w.Bytes(), r.w.measure()
	if r.byte()%2 == 0 {
		r.ok(r.w.Restore(loaded))
	} else {
		hideUnseen(r.w) // no operation may depend on what a file leaves out
	}
	r.ok(r.w.Check())
	r.same("bytes", r.w.Bytes(), before)
	r.same("measured bytes", r.w.measure(), used)
	r.compare()
}
