package lib

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"hash/crc32"
	"strings"

	"github.com/luahook/luahook/luabind"
)

func hashModule() luabind.Module {
	return module("hash", "checksums and encodings of bytes; checksums are lower-case hex",
		function{
			"sha256", "(data: string): string",
			"the SHA-256 of data",
			`assert(hash.sha256(""):sub(1, 8) == "e3b0c442")`,
			sum(sha256.New),
		},
		function{
			"sha1", "(data: string): string",
			"the SHA-1 of data, for comparing with existing checksums; it protects nothing",
			`assert(hash.sha1(""):sub(1, 8) == "da39a3ee")`,
			sum(sha1.New),
		},
		function{
			"md5", "(data: string): string",
			"the MD5 of data, for comparing with existing checksums; it protects nothing",
			`assert(hash.md5("") == "d41d8cd98f00b204e9800998ecf8427e")`,
			sum(md5.New),
		},
		function{
			"crc32", "(data: string): string",
			"the CRC-32 (IEEE) of data, 8 digits",
			`assert(hash.crc32("123456789") == "cbf43926")`,
			sum(func() hash.Hash { return crc32.NewIEEE() }),
		},
		function{
			"hmac_sha256", "(key: string, message: string): string",
			"the HMAC-SHA-256 of a message under a key",
			`assert(hash.hmac_sha256("key", "message"):sub(1, 8) == "6e9ef29b")`,
			func(c call) int {
				key, message := c.text(1), c.text(2)
				c.charge(len(key))
				c.allocate(len(key))
				h := hmac.New(sha256.New, []byte(key))
				c.feed(h, message)
				return c.giveText(hex.EncodeToString(h.Sum(nil)))
			},
		},
		function{
			"base64_encode", "(data: string): string",
			"data in standard base64, padded",
			`assert(hash.base64_encode("hi") == "aGk=")`,
			encoder(base64.StdEncoding.EncodedLen, base64.StdEncoding.Encode),
		},
		function{
			"base64_decode", "(text: string): string",
			"the bytes of a standard base64 text, which is padded and may have line ends; an error for any other text",
			`assert(hash.base64_decode("aGk=") == "hi")`,
			decoder("base64", base64.StdEncoding.DecodedLen, base64.StdEncoding.Decode),
		},
		function{
			"hex_encode", "(data: string): string",
			"data in lower-case hex",
			`assert(hash.hex_encode("hi") == "6869")`,
			encoder(hex.EncodedLen, func(to, from []byte) { hex.Encode(to, from) }),
		},
		function{
			"hex_decode", "(text: string): string",
			"the bytes of a hex text; an error for any other text",
			`assert(hash.hex_decode("6869") == "hi")`,
			decoder("hex", hex.DecodedLen, hex.Decode),
		})
}

// block is how many bytes are worked on between two looks at the budget. It is a
// multiple of what base64 and hex take at a time.
const block = 48 << 10

// feed writes data to a hash without a copy of the whole.
func (c call) feed(h hash.Hash, data string) {
	buffer := make([]byte, min(len(data), block))
	for len(data) > 0 {
		n := copy(buffer, data)
		luabind.Spend(c.LState, 1+n/8)
		h.Write(buffer[:n])
		data = data[n:]
	}
}

func sum(start func() hash.Hash) func(call) int {
	return func(c call) int {
		data := c.text(1)
		h := start()
		c.feed(h, data)
		return c.giveText(hex.EncodeToString(h.Sum(nil)))
	}
}

func encoder(length func(int) int, encode func(to, from []byte)) func(call) int {
	return func(c call) int {
		data := c.text(1)
		size := length(len(data))
		c.charge(size)
		c.allocate(size)
		var text strings.Builder
		text.Grow(size)
		from := make([]byte, min(len(data), block))
		to := make([]byte, length(len(from)))
		for len(data) > 0 {
			n := copy(from, data)
			luabind.Spend(c.LState, 1+n/16)
			encode(to, from[:n])
			text.Write(to[:length(n)])
			data = data[n:]
		}
		return c.giveText(text.String())
	}
}

func decoder(what string, length func(int) int, decode func(to, from []byte) (int, error)) func(call) int {
	return func(c call) int {
		text := c.text(1)
		c.charge(2 * len(text))
		size := length(len(text))
		c.allocate(len(text)) // package base64 wants bytes
		c.allocate(size)
		c.allocate(size) // the string
		data := make([]byte, size)
		n, err := decode(data, []byte(text))
		if err != nil {
			c.bad(1, what+" text expected: "+err.Error())
		}
		return c.giveText(string(data[:n]))
	}
}
