package config

import "reflect"

// Alike reports whether two parts of configs say the same, wherever they were written: a whole [Config], or an item
// of one.
func Alike[T any](a, b T) bool { return alike(reflect.ValueOf(a), reflect.ValueOf(b)) }

func alike(a, b reflect.Value) bool {
	switch {
	case a.Type() == reflect.TypeFor[Pos]():
		return true
	case a.Kind() == reflect.Struct:
		for i := range a.NumField() {
			if a.Type().Field(i).IsExported() && !alike(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case a.Kind() == reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !alike(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}
