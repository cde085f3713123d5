package ecs_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ecsrun/ecsrun/ecs"
)

// A Merchant has a field that scripts see (gold) and fields that only Go sees.
type Merchant struct {
	Gold   float64
	Opened time.Time // brings its own codec
	Stock  map[uint32]uint32
	Notify func(text string) `ecs:",transient"`
}

// A component may hold any Go type. A map needs a codec, so that digests and files include it.
func ExampleRegisterCodec() {
	declare := func() (*ecs.World, ecs.Component[Merchant]) {
		w := ecs.NewWorld(ecs.Options{})
		ecs.RegisterCodec(w, func(b []byte, v *map[uint32]uint32) ([]byte, error) {
			for _, item := range slices.Sorted(maps.Keys(*v)) { // the order of a map is random
				b = binary.LittleEndian.AppendUint32(b, item)
				b = binary.LittleEndian.AppendUint32(b, (*v)[item])
			}
			return b, nil
		}, func(v *map[uint32]uint32, b []byte) error {
			*v = map[uint32]uint32{}
			for ; len(b) >= 8; b = b[8:] {
				(*v)[binary.LittleEndian.Uint32(b)] = binary.LittleEndian.Uint32(b[4:])
			}
			return nil
		})
		return w, ecs.MustRegister[Merchant](w, "Merchant")
	}
	w, merchants := declare()
	e := ecs.Must(w.Spawn(merchants.ID()))
	*merchants.Write(e) = Merchant{Gold: 12, Opened: time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC), Stock: map[uint32]uint32{7: 2, 1: 5}}
	info, _ := w.ComponentInfo(merchants.ID())
	fmt.Println(info.Schema)

	var file bytes.Buffer
	if err := w.Save(&file); err != nil {
		fmt.Println(err)
	}
	loaded := ecs.Must(ecs.Load(&file, ecs.Options{}))
	again, merchants := declare()
	ecs.Must(again.Adopt(loaded, ecs.Adopting{}))
	fmt.Println(merchants.Get(e).Opened.Year(), merchants.Get(e).Stock, again.Digest() == w.Digest())
	// Output:
	// {gold f64, opened time.Time, stock map[uint32]uint32, notify func(string)}
	// 2026 map[1:5 7:2] true
}

// Fields that no field type describes are seen by Go code only. A codec decides whether digests and files can include them.
func ExampleOpaqueField() {
	w := ecs.NewWorld(ecs.Options{})
	type Mind struct {
		Mood  float64
		Path  []Position
		Debug func() `ecs:",transient"`
	}
	mind := ecs.MustRegister[Mind](w, "Mind")
	info, _ := w.ComponentInfo(mind.ID())
	for _, f := range info.Schema.OpaqueFields() {
		fmt.Println(f.Name, f.Type, "transient:", f.Transient, "codec:", f.Codec)
	}
	e := ecs.Must(w.Spawn(mind.ID()))
	mind.Write(e).Path = []Position{{1, 1}, {2, 1}}
	fmt.Println(len(mind.Get(e).Path))
	// Output:
	// path []ecs_test.Position transient: false codec: false
	// debug func() transient: true codec: false
	// 2
}
