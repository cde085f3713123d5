package machine

import "github.com/ecsrun/ecsrun/luabind/internal/machine/abi"

// Fuel is granted and charged as closures do it (closures.Kernel), so that a budget
// is spent at the same row.

func (k *Kernel) grant() {
	k.granted = abi.Grain
	if limit := k.budget.Limit(); limit > 0 {
		k.granted = max(0, min(abi.Grain, limit-k.budget.Used()))
	}
	*k.fuel = k.granted
}

// refuel charges what was used; false when the turn must end.
func (k *Kernel) refuel() bool {
	need := k.granted - *k.fuel
	limit := k.budget.Limit()
	if limit > 0 && k.budget.Used()+need > limit || !k.budget.Charge(need) {
		k.granted, *k.fuel = 0, 0
		return false
	}
	k.grant()
	return true
}
