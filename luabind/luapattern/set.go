package luapattern

// set is a set of bytes.
type set [8]uint32

func (s *set) has(c byte) bool { return s[c>>5]&(1<<(c&31)) != 0 }

func (s *set) add(c byte) { s[c>>5] |= 1 << (c & 31) }

// addRange adds the bytes from low to high; none where high is the lower one.
func (s *set) addRange(low, high byte) {
	for c := int(low); c <= int(high); c++ {
		s.add(byte(c))
	}
}

func (s *set) addAll(other *set) {
	for i := range s {
		s[i] |= other[i]
	}
}

func (s *set) invert() {
	for i := range s {
		s[i] = ^s[i]
	}
}

func (s *set) disjoint(other *set) bool {
	for i := range s {
		if s[i]&other[i] != 0 {
			return false
		}
	}
	return true
}

// classes are the sets that %a, %d ... stand for, by letter, in the C locale. The
// capital is the complement.
var classes = func() (classes [256]*set) {
	for letter, ranges := range map[byte]string{
		'a': "AZaz",
		'c': "\x00\x1f\x7f\x7f",
		'd': "09",
		'l': "az",
		'p': "!/:@[`{~",
		's': "\t\r  ",
		'u': "AZ",
		'w': "09AZaz",
		'x': "09AFaf",
		'z': "\x00\x00",
	} {
		class, complement := new(set), new(set)
		for i := 0; i < len(ranges); i += 2 {
			class.addRange(ranges[i], ranges[i+1])
		}
		*complement = *class
		complement.invert()
		classes[letter], classes[letter-'a'+'A'] = class, complement
	}
	return classes
}()
