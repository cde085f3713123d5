package control

import (
	"github.com/ecsrun/ecsrun/ecs"
)

// world.info.

type infoOf struct {
	Frame      uint64          `json:"frame"`
	Time       float64         `json:"time"`
	DT         float64         `json:"dt"`
	Seed       any             `json:"seed"`
	Paused     bool            `json:"paused"`
	Turn       *string         `json:"turn"` // the next system, where the world stands within a frame
	Ended      *string         `json:"ended"`
	Speed      float64         `json:"speed"`
	Last       uint64          `json:"last"` // the last frame, 0 if there is none
	Entities   int             `json:"entities"`
	Digest     string          `json:"digest,omitempty"`
	Components []componentInfo `json:"components"`
	Tags       []string        `json:"tags"`
	Events     []eventInfo     `json:"events"`
	Resources  []resourceInfo  `json:"resources"`
	Relations  []string        `json:"relations"`
	Systems    []systemInfo    `json:"systems"`
	Edited     bool            `json:"edited"`
	AsOf       any             `json:"as_of"`
}

type fieldInfo struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Default field  `json:"default"`
}

type componentInfo struct {
	Name     string      `json:"name"`
	Fields   []fieldInfo `json:"fields"`
	Entities int         `json:"entities"` // that have it themselves
}

type eventInfo struct {
	Name   string      `json:"name"`
	Fields []fieldInfo `json:"fields"`
	Held   int         `json:"held"`
	Sent   uint64      `json:"sent"`
}

type resourceInfo struct {
	Name   string      `json:"name"`
	Fields []fieldInfo `json:"fields"`
	Value  any         `json:"value"`
}

type systemInfo struct {
	Name    string  `json:"name"`
	Stage   string  `json:"stage"`
	Impl    string  `json:"impl"`
	Every   int     `json:"every"`
	Enabled bool    `json:"enabled"`
	Turns   uint64  `json:"turns"`
	Seconds float64 `json:"seconds"` // of all turns since the inspector was opened
	Share   float64 `json:"share"`   // of the time of all systems
	Last    float64 `json:"last"`    // seconds of the last turn
}

func (p *Plane) info(c *call) (any, error) {
	w := p.world
	i := infoOf{
		Frame: p.firstFrame(), Time: w.Time(), DT: w.DT(), Seed: field{value: ecs.Uint(p.host.Seed)},
		Paused: p.stand.paused, Speed: p.stand.speed, Last: p.host.Last(), Entities: w.Len(),
		Tags: append([]string{}, w.TagNames()...), Relations: append([]string{}, w.RelationNames()...),
		Components: []componentInfo{}, Events: []eventInfo{}, Resources: []resourceInfo{}, Systems: []systemInfo{},
		Edited: p.host.Edited(), AsOf: p.asOf(p.firstFrame()),
	}
	if i.Frame != w.Frame() {
		i.Time = max(0, w.Time()-w.DT())
	}
	if w.Frame() == 0 {
		i.DT = p.host.DT
	}
	if sys := p.stand.within; sys != nil {
		name := sys.Name()
		i.Turn = &name
	}
	if p.stand.ended != "" {
		i.Ended = &p.stand.ended
	}
	if c.args.truth("digest") {
		i.Digest = w.Digest().String()
	}
	having := map[ecs.ComponentID]int{}
	for _, t := range w.Tables() {
		if t.Prefab() {
			continue
		}
		for _, id := range t.Components() {
			having[id] += t.Len()
		}
	}
	for n := range w.ComponentNames() {
		if info, ok := w.ComponentInfo(ecs.ComponentID(n)); ok && !info.Relation {
			i.Components = append(i.Components, componentInfo{info.Name, fieldsOf(info.Schema), having[info.ID]})
		}
	}
	for n, name := range w.EventNames() {
		held, sent := w.EventCount(ecs.EventID(n))
		i.Events = append(i.Events, eventInfo{name, fieldsOf(w.EventSchema(ecs.EventID(n))), held, sent})
	}
	for n, name := range w.ResourceNames() {
		row := w.Resource(ecs.ResourceID(n))
		i.Resources = append(i.Resources, resourceInfo{name, fieldsOf(row.Schema()), resourceValue(row)})
	}
	for _, sys := range p.host.Runtime.Schedule().Systems() {
		spec := sys.Spec()
		seconds, last, share := p.times.of(sys)
		i.Systems = append(i.Systems, systemInfo{spec.Name, spec.Stage.String(), p.host.Impl(spec.Name), max(1, spec.Every), sys.Enabled(), sys.Turns(), seconds, share, last})
	}
	return i, nil
}

// resourceValue copies a resource: the value itself if it has one field, value.
func resourceValue(row ecs.Row) any {
	r := recordOf(row)
	if f := r.schema.Fields(); len(f) == 1 && f[0].Name == "value" {
		return field{r.values[0], f[0].Type}
	}
	return r
}

func fieldsOf(s *ecs.Schema) []fieldInfo {
	list := []fieldInfo{}
	for _, f := range s.Fields() {
		list = append(list, fieldInfo{f.Name, f.Type.String(), field{defaultOf(f), f.Type}})
	}
	return list
}

// defaultOf returns the value of a field in a fresh row.
func defaultOf(f ecs.Field) ecs.Value {
	switch {
	case f.Default.Kind() != ecs.NilValue:
		return f.Default
	case f.Type.Elem().Numeric():
		return ecs.Number(0)
	case f.Type.Elem() == ecs.Bool:
		return ecs.Boolean(false)
	case f.Type == ecs.String:
		return ecs.Text("")
	case f.Type == ecs.TableField:
		return ecs.TableOf(nil)
	}
	return ecs.EntityOf(ecs.None)
}
