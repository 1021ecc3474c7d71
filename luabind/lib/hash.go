package lib

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash/crc32"

	"github.com/luahook/luahook/luabind"
)

func hashModule() luabind.Module {
	return module("hash", "checksums and encodings of bytes; checksums are lower-case hex",
		function{
			"sha256", "(data: string): string",
			"the SHA-256 of data",
			`assert(hash.sha256(""):sub(1, 8) == "e3b0c442")`,
			onBytes(func(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }),
		},
		function{
			"sha1", "(data: string): string",
			"the SHA-1 of data, for comparing with what others made; it is no protection",
			`assert(hash.sha1(""):sub(1, 8) == "da39a3ee")`,
			onBytes(func(b []byte) string { return fmt.Sprintf("%x", sha1.Sum(b)) }),
		},
		function{
			"md5", "(data: string): string",
			"the MD5 of data, for comparing with what others made; it is no protection",
			`assert(hash.md5("") == "d41d8cd98f00b204e9800998ecf8427e")`,
			onBytes(func(b []byte) string { return fmt.Sprintf("%x", md5.Sum(b)) }),
		},
		function{
			"crc32", "(data: string): string",
			"the CRC-32 (IEEE) of data, 8 digits",
			`assert(hash.crc32("123456789") == "cbf43926")`,
			onBytes(func(b []byte) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE(b)) }),
		},
		function{
			"hmac_sha256", "(key: string, message: string): string",
			"the HMAC-SHA-256 of a message under a key",
			`assert(hash.hmac_sha256("key", "message"):sub(1, 8) == "6e9ef29b")`,
			func(c call) int {
				key, message := c.text(1), c.text(2)
				c.charge(len(key) + len(message))
				h := hmac.New(sha256.New, []byte(key))
				h.Write([]byte(message))
				return c.giveText(hex.EncodeToString(h.Sum(nil)))
			},
		},
		function{
			"base64_encode", "(data: string): string",
			"data in standard base64, padded",
			`assert(hash.base64_encode("hi") == "aGk=")`,
			onBytes(base64.StdEncoding.EncodeToString),
		},
		function{
			"base64_decode", "(text: string): string",
			"the bytes of a standard base64 text, which is padded and may have line ends; an error where it is none",
			`assert(hash.base64_decode("aGk=") == "hi")`,
			decoder("base64", base64.StdEncoding.DecodeString),
		},
		function{
			"hex_encode", "(data: string): string",
			"data in lower-case hex",
			`assert(hash.hex_encode("hi") == "6869")`,
			onBytes(hex.EncodeToString),
		},
		function{
			"hex_decode", "(text: string): string",
			"the bytes of a hex text; an error where it is none",
			`assert(hash.hex_decode("6869") == "hi")`,
			decoder("hex", hex.DecodeString),
		})
}

func onBytes(f func([]byte) string) func(call) int {
	return func(c call) int {
		data := c.text(1)
		c.charge(len(data))
		return c.giveText(f([]byte(data)))
	}
}

func decoder(what string, decode func(string) ([]byte, error)) func(call) int {
	return func(c call) int {
		text := c.text(1)
		c.charge(len(text))
		data, err := decode(text)
		if err != nil {
			c.bad(1, what+" text expected: "+err.Error())
		}
		return c.giveText(string(data))
	}
}
