package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/ecsrun/ecsrun/config"
)

// A Stored is a plan as plan.json has it: the hashes of its files, and what is needed to make the list of its jobs again.
type Stored struct {
	Version int          `json:"version"`
	Plan    string       `json:"plan"` // a hash of everything that decides which rows there are, and what each yields
	Shard   string       `json:"shard,omitempty"`
	Program string       `json:"program"`
	Set     []string     `json:"set,omitempty"`
	Base    string       `json:"base"`
	Files   []StoredFile `json:"files"`
	Sweep   config.Sweep `json:"sweep"`
	Keys    []string     `json:"keys,omitempty"` // of a list
	List    [][]string   `json:"list,omitempty"`
}

// A StoredFile is a file with its hash.
type StoredFile struct {
	Path string `json:"path"`
	Hash string `json:"hash"`
}

// Store returns the plan for plan.json.
func (p *Plan) Store(b *Bundle, shard string) *Stored {
	s := &Stored{Version: 1, Shard: shard, Program: b.Program, Set: p.Set, Base: hex.EncodeToString(p.Base[:]), Sweep: *p.Sweep, List: p.list}
	if p.design == nil {
		s.Keys = p.Keys
	}
	for _, f := range b.Files {
		s.Files = append(s.Files, StoredFile{f.Path, f.Hash()})
	}
	s.Plan = p.Hash()
	return s
}

// Hash returns a hash of everything that decides which rows there are, and what each yields. Thresholds, stop, worst and out are not in it.
func (p *Plan) Hash() string {
	s := p.Sweep
	d := s.Design
	d.File = ""
	vary := append([]config.Vary{}, p.vary...)
	for i := range vary {
		vary[i].Pos = config.Pos{}
	}
	text, err := json.Marshal([]any{p.Base, p.Set, s.Seeds, vary, d, p.Keys, p.list})
	if err != nil {
		panic("plan: " + err.Error()) // it is plain data
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// Restore makes the plan of a plan.json.
func (s *Stored) Restore() (*Plan, error) {
	base, err := hex.DecodeString(s.Base)
	if err != nil || len(base) != sha256.Size || s.Version != 1 {
		return nil, fmt.Errorf("it is damaged, or of another version of ecsrun")
	}
	p := &Plan{Sweep: &s.Sweep, Set: s.Set, Keys: s.Keys, Base: [32]byte(base), list: s.List, vary: s.Sweep.Vary}
	if s.Sweep.Design.Kind != config.DesignList {
		if p, err = New(&s.Sweep, s.Set, [32]byte(base)); err != nil {
			return nil, err
		}
	}
	if p.Hash() != s.Plan {
		return nil, fmt.Errorf("it is damaged")
	}
	return p, nil
}

// Differs says what another plan has otherwise, for a message; "" if nothing.
func (s *Stored) Differs(now *Stored) string {
	if s.Plan == now.Plan {
		return ""
	}
	if s.Program != now.Program {
		return "the program is another one"
	}
	was := map[string]string{}
	for _, f := range s.Files {
		was[f.Path] = f.Hash
	}
	for _, f := range now.Files {
		switch hash, there := was[f.Path]; {
		case !there:
			return fmt.Sprintf("the file %q is new", f.Path)
		case hash != f.Hash:
			return fmt.Sprintf("the file %q has changed", f.Path)
		}
		delete(was, f.Path)
	}
	for _, f := range s.Files {
		if _, gone := was[f.Path]; gone {
			return fmt.Sprintf("the file %q is gone", f.Path)
		}
	}
	return "its seeds, keys, design, measures, frames or --set are others"
}
