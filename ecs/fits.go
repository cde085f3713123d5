package ecs

// Check says why a value cannot go into its field, nil when it can: for callers that check a whole set of values before they change
// anything.
func (s *Schema) Check(fv FieldValue) error { return s.check(fv) }
