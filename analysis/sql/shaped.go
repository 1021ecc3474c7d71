package sql

// firm are the verbs whose statements have a shape that other texts seldom have.
const firm = "DROP DELETE TRUNCATE UPDATE INSERT REPLACE MERGE ALTER CREATE GRANT REVOKE SELECT COPY EXEC EXECUTE CALL PREPARE VACUUM PRAGMA ATTACH DETACH EXPLAIN DO BEGIN"

// shaped reports whether a text that may be anything begins with a statement: it
// is called only where that isn't known from where the text stands.
func (s *Script) shaped(text string) bool {
	if len(s.Statements) == 0 {
		return false
	}
	first := s.Statements[0]
	return first.Verb != "" && !first.odd && first.is(firm) && leads(text, first)
}

// leads reports whether nothing but a word such as WITH or EXPLAIN, and brackets,
// stands in the text in front of its first statement.
func leads(text string, s *Statement) bool {
	for _, t := range scan(text[:min(s.at, len(text))], Unknown, false).tokens {
		if t.kind == word {
			return t.is("WITH EXPLAIN DESCRIBE DESC IF WHILE BEGIN")
		}
		if t.kind != mark && t.kind != end && t.kind != batch {
			return false
		}
	}
	return true
}
