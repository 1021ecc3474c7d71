package redis

import (
	"sync"

	"github.com/redis/go-redis/v9"
)

// Each change is one script, which Redis runs as one step. A space has three kinds of keys,
// with one hash tag, so that a cluster keeps them in one place:
//
//	luahook:{/space}:k:key  the value; Redis itself ends its life
//	luahook:{/space}:i      a sorted set of the keys, by when they are over, in milliseconds
//	luahook:{/space}:s      a hash of what each key takes with its value, in bytes; their
//	                        sum is at the empty key
//
// The index and the sizes are put right by each change: what is over leaves them. They go
// with the last key, whether that is deleted or its life ends.
const prelude = `
local value, index, sizes = KEYS[1], KEYS[2], KEYS[3]
local name, max_keys, max_bytes, ttl, fresh = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function text(n) return string.format('%.0f', n) end

local function forget(key)
  local size = redis.call('HGET', sizes, key)
  if size then
    redis.call('HDEL', sizes, key)
    redis.call('HINCRBY', sizes, '', -tonumber(size))
  end
  redis.call('ZREM', index, key)
end

local function sweep(most)
  local over = redis.call('ZRANGEBYSCORE', index, '-inf', '(' .. text(now), 'LIMIT', 0, most)
  for _, key in ipairs(over) do forget(key) end
end

local function tidy()
  local last = redis.call('ZREVRANGE', index, 0, 0, 'WITHSCORES')
  if not last[1] then
    redis.call('DEL', index, sizes)
  elseif last[2] == 'inf' then
    redis.call('PERSIST', index)
    redis.call('PERSIST', sizes)
  else
    redis.call('PEXPIREAT', index, text(tonumber(last[2]) + 1))
    redis.call('PEXPIREAT', sizes, text(tonumber(last[2]) + 1))
  end
end

-- What the key has, false for nothing.
local function current()
  sweep(32)
  local old = redis.call('GET', value)
  if old and redis.call('HEXISTS', sizes, name) == 1 then return old end
  redis.call('DEL', value)
  forget(name)
  return false
end

local function remove()
  redis.call('DEL', value)
  forget(name)
  tidy()
  return {0}
end

-- How many keys and bytes the space would have, and whether that is too much.
local function would(size)
  local had = redis.call('HGET', sizes, name)
  local keys = redis.call('ZCARD', index)
  local bytes = (redis.call('HGET', sizes, '') or 0) + size - (had or 0)
  if not had then keys = keys + 1 end
  local more = not had or size > tonumber(had)
  local over = max_keys > 0 and keys > max_keys or max_bytes > 0 and bytes > max_bytes
  return keys, bytes, more and over
end

local function put(new, answer)
  local size = #name + #new
  local keys, bytes, over = would(size)
  if over then
    sweep(-1)
    keys, bytes, over = would(size)
    if over then
      tidy()
      return {1, keys, bytes}
    end
  end
  local known = redis.call('HEXISTS', sizes, name) == 1
  if ttl == -1 and not known then ttl = fresh end
  if ttl == -1 then
    redis.call('SET', value, new, 'KEEPTTL')
  elseif ttl > 0 then
    redis.call('SET', value, new, 'PXAT', text(now + ttl))
    redis.call('ZADD', index, text(now + ttl), name)
  else
    redis.call('SET', value, new)
    redis.call('ZADD', index, '+inf', name)
  end
  redis.call('HINCRBY', sizes, '', size - (redis.call('HGET', sizes, name) or 0))
  redis.call('HSET', sizes, name, size)
  tidy()
  return {0, answer}
end
`

var (
	setScript = &script{body: `
current()
return put(ARGV[6])
`}

	deleteScript = &script{body: `
sweep(32)
return remove()
`}

	// casScript puts a value, or none, in the place of the one that is expected.
	casScript = &script{body: `
local old = current()
local expected = ARGV[6] == '1' and ARGV[7]
if old ~= expected then return {4, old} end
if ARGV[8] == '0' then return remove() end
return put(ARGV[9])
`}

	// incrScript reads and writes numbers as store.Add does.
	incrScript = &script{body: `
local old = current()
local n = 0
if old then
  n = string.find(old, '^[%d%+%-%.eE]+$') and tonumber(old)
  if not n or n ~= n or n == math.huge or n == -math.huge then return {2, string.sub(old, 1, 41)} end
end
n = n + tonumber(ARGV[6])
if n ~= n or n == math.huge or n == -math.huge then return {3} end
local new
if n == math.floor(n) and math.abs(n) < 2 ^ 63 then
  new = string.format('%.0f', n == 0 and 0 or n)
else
  for digits = 15, 17 do
    new = string.format('%.' .. digits .. 'g', n)
    if tonumber(new) == n then break end
  end
end
return put(new, new)
`}

	// listScript forgets keys that Redis has dropped to have room.
	listScript = &script{body: `
sweep(-1)
local found = {}
for _, key in ipairs(redis.call('ZRANGE', index, 0, -1)) do
  if string.sub(key, 1, #name) == name then
    if redis.call('EXISTS', value .. key) == 1 then
      found[#found + 1] = key
    else
      forget(key)
    end
  end
end
tidy()
return {0, found}
`}
)

// script is one of those; go-redis hashes it when it is first used, and not as each
// process starts.
type script struct {
	body string
	once sync.Once
	made *redis.Script
}

func (s *script) script() *redis.Script {
	s.once.Do(func() { s.made = redis.NewScript(prelude + s.body) })
	return s.made
}
