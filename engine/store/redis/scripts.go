package redis

import (
	"sync"

	"github.com/redis/go-redis/v9"
)

// Each change is one script, which Redis runs as one step. A space has four kinds of keys, with one hash tag:
//
//	luahook:{/space}:k:key  the value; Redis itself expires it
//	luahook:{/space}:i      a sorted set of the keys, by expiry in milliseconds
//	luahook:{/space}:s      a hash of what each key takes with its value, in bytes; their
//	                        sum is at the empty key
//	luahook:{/space}:q      the set of the quotas that it counts towards
//
// In a cluster all that a script needs lies in one slot: there a space that counts towards quotas, and all quotas, have
// the hash tag {q}, as in luahook:{q}/space:k:key and luahook:{q}q/quota:k.
//
// Each change removes expired keys from the index and the sizes. Both go with the last key, whether that is
// deleted or expires. A quota has
//
//	luahook:{q/quota}:k     a hash of how many keys each of its spaces has; their sum is at
//	                        the empty name
//	luahook:{q/quota}:b     likewise how many bytes
//	luahook:{q/quota}:e     a sorted set of its spaces, by when the first key of each expires
//
// With them a space's numbers are updated when the space has changed, and when a key of it has expired.
const prelude = `
local value, index, sizes = KEYS[1], KEYS[2], KEYS[3]
local space = string.sub(sizes, 1, -3)
local name, max_keys, max_bytes, ttl, fresh = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local quotas, wanted = {}, {}
for at = #ARGV - 3 * tonumber(ARGV[#ARGV]), #ARGV - 1, 3 do
  quotas[#quotas + 1] = { base = ARGV[at], max_keys = tonumber(ARGV[at + 1]), max_bytes = tonumber(ARGV[at + 2]) }
  wanted[ARGV[at]] = true
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function text(n) return string.format('%.0f', n) end

local function forget(space, key)
  local sizes = space .. ':s'
  local size = redis.call('HGET', sizes, key)
  if size then
    redis.call('HDEL', sizes, key)
    redis.call('HINCRBY', sizes, '', -tonumber(size))
  end
  redis.call('ZREM', space .. ':i', key)
end

local function sweep(space, most)
  local over = redis.call('ZRANGEBYSCORE', space .. ':i', '-inf', '(' .. text(now), 'LIMIT', 0, most)
  for _, key in ipairs(over) do forget(space, key) end
end

-- Returns what a space has, and how much of it a quota has counted.
local function held(space)
  return redis.call('ZCARD', space .. ':i'), tonumber(redis.call('HGET', space .. ':s', '') or 0)
end

local function counted(quota, of)
  return tonumber(redis.call('HGET', quota .. ':k', of) or 0), tonumber(redis.call('HGET', quota .. ':b', of) or 0)
end

-- Counts a space towards a quota with its current content, or no longer.
local function count(quota, space, keys, bytes)
  local had_keys, had_bytes = counted(quota, space)
  redis.call('HINCRBY', quota .. ':k', '', keys - had_keys)
  redis.call('HINCRBY', quota .. ':b', '', bytes - had_bytes)
  if keys > 0 then
    redis.call('HSET', quota .. ':k', space, keys)
    redis.call('HSET', quota .. ':b', space, bytes)
    local first = redis.call('ZRANGE', space .. ':i', 0, 0, 'WITHSCORES')
    redis.call('ZADD', quota .. ':e', first[2], space)
    return
  end
  redis.call('HDEL', quota .. ':k', space)
  redis.call('HDEL', quota .. ':b', space)
  redis.call('ZREM', quota .. ':e', space)
  if redis.call('ZCARD', quota .. ':e') == 0 then
    redis.call('DEL', quota .. ':k', quota .. ':b', quota .. ':e')
  end
end

-- Sets the expiry of a bookkeeping key: when the last of its entries expires.
local function lives(key, till)
  if till == 'inf' then
    redis.call('PERSIST', key)
  else
    redis.call('PEXPIREAT', key, text(tonumber(till) + 1))
  end
end

local function tidy(space)
  local index, sizes, counts_for = space .. ':i', space .. ':s', space .. ':q'
  local keys, bytes = held(space)
  for _, quota in ipairs(redis.call('SMEMBERS', counts_for)) do
    local fresh = redis.call('EXISTS', quota .. ':k') == 0
    count(quota, space, keys, bytes)
    if keys > 0 then
      local last = redis.call('ZREVRANGE', index, 0, 0, 'WITHSCORES')[2]
      local left = redis.call('PTTL', quota .. ':k')
      if fresh or last == 'inf' or left >= 0 and tonumber(last) >= now + left then
        for _, part in ipairs({':k', ':b', ':e'}) do lives(quota .. part, last) end
      end
    end
  end
  if keys == 0 then
    redis.call('DEL', index, sizes, counts_for)
    return
  end
  local last = redis.call('ZREVRANGE', index, 0, 0, 'WITHSCORES')[2]
  for _, key in ipairs({index, sizes, counts_for}) do lives(key, last) end
end

-- Makes the space count towards the given quotas, and no others.
local function belong()
  for _, quota in ipairs(redis.call('SMEMBERS', space .. ':q')) do
    if not wanted[quota] then
      redis.call('SREM', space .. ':q', quota)
      count(quota, space, 0, 0)
    end
  end
  for _, quota in ipairs(quotas) do redis.call('SADD', space .. ':q', quota.base) end
end

-- Updates a quota's numbers for up to this many spaces with an expired key.
local function reconcile(quota, most)
  local over = redis.call('ZRANGEBYSCORE', quota .. ':e', '-inf', '(' .. text(now), 'LIMIT', 0, most)
  for _, space in ipairs(over) do
    sweep(space, -1)
    if redis.call('SISMEMBER', space .. ':q', quota) == 1 then
      tidy(space)
    else
      count(quota, space, 0, 0)
    end
  end
end

-- Returns the value of the key, false for none.
local function current()
  sweep(space, 32)
  for _, quota in ipairs(quotas) do reconcile(quota.base, 4) end
  local old = redis.call('GET', value)
  if old and redis.call('HEXISTS', sizes, name) == 1 then return old end
  redis.call('DEL', value)
  forget(space, name)
  return false
end

local function remove()
  redis.call('DEL', value)
  forget(space, name)
  tidy(space)
  return {0}
end

-- Returns how many keys and bytes there would be, and which quota that exceeds: 0 is the
-- space's own.
local function would(size)
  local had = redis.call('HGET', sizes, name)
  local more_keys, more_bytes = had and 0 or 1, size - (had or 0)
  local keys, bytes = held(space)
  local function over(keys, bytes, max_keys, max_bytes)
    return (more_keys > 0 or more_bytes > 0) and (max_keys > 0 and keys > max_keys or max_bytes > 0 and bytes > max_bytes)
  end
  if over(keys + more_keys, bytes + more_bytes, max_keys, max_bytes) then
    return 0, keys + more_keys, bytes + more_bytes
  end
  for i, quota in ipairs(quotas) do
    local all_keys, all_bytes = counted(quota.base, '')
    local own_keys, own_bytes = counted(quota.base, space)
    all_keys = all_keys - own_keys + keys + more_keys
    all_bytes = all_bytes - own_bytes + bytes + more_bytes
    if over(all_keys, all_bytes, quota.max_keys, quota.max_bytes) then return i, all_keys, all_bytes end
  end
end

local function put(new, answer)
  local size = #name + #new
  local over, keys, bytes = would(size)
  if over then
    sweep(space, -1)
    for _, quota in ipairs(quotas) do reconcile(quota.base, -1) end
    over, keys, bytes = would(size)
    if over then
      tidy(space)
      return {1, keys, bytes, over}
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
  belong()
  tidy(space)
  return {0, answer}
end
`

var (
	setScript = &script{body: `
current()
return put(ARGV[6])
`}

	deleteScript = &script{body: `
sweep(space, 32)
return remove()
`}

	// casScript replaces the expected value with another one, or with none.
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

	// listScript forgets keys that Redis has evicted.
	listScript = &script{body: `
sweep(space, -1)
local found = {}
for _, key in ipairs(redis.call('ZRANGE', index, 0, -1)) do
  if string.sub(key, 1, #name) == name then
    if redis.call('EXISTS', value .. key) == 1 then
      found[#found + 1] = key
    else
      forget(space, key)
    end
  end
end
tidy(space)
return {0, found}
`}
)

// script is one of those; go-redis hashes it on first use, not at the start of each process.
type script struct {
	body string
	once sync.Once
	made *redis.Script
}

func (s *script) script() *redis.Script {
	s.once.Do(func() { s.made = redis.NewScript(s.text()) })
	return s.made
}

func (s *script) text() string { return prelude + s.body }
