-- One accepted action is one version: everything of it is written, or nothing.
-- KEYS: session, log, and, where the request had a key, the answers kept under keys and their names by age.
-- ARGV: version before, version after, state, window, expires, ttl (ms), entry, channel, session id, about,
--       who acts ('': without limit), now (ms, 13 digits), actions a second that he may do, how many at once,
--       name of the answer, until when it is kept (ms, 13 digits), the answer, time to keep it (ms).
-- Answers {'kept', answer}, {'stale', version}, {'limited', what is left of an action} or {'done'}.
if KEYS[3] then
  local kept = redis.call('HGET', KEYS[3], ARGV[15])
  if kept and string.sub(kept, 1, 13) > ARGV[12] then return {'kept', kept} end
end
local version = redis.call('HGET', KEYS[1], 'version') or '0'
if version ~= ARGV[1] then return {'stale', version} end
local bucket
if ARGV[11] ~= '' then
  local now, rate, most = tonumber(ARGV[12]), tonumber(ARGV[13]), tonumber(ARGV[14])
  local left, at = string.match(redis.call('HGET', KEYS[1], 'rate:' .. ARGV[11]) or '', '^(%S+) (%S+)$')
  left = left and math.min(most, tonumber(left) + math.max(0, now - tonumber(at)) * rate / 1000) or most
  if left < 1 then return {'limited', tostring(left)} end
  bucket = string.format('%.3f %.0f', left - 1, now)
end
-- The entry first: the log takes no version twice, and a store that is full refuses here, before anything is written.
redis.call('XADD', KEYS[2], ARGV[2] .. '-0', 'entry', ARGV[7])
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'state', ARGV[3], 'window', ARGV[4], 'expires', ARGV[5])
if bucket then redis.call('HSET', KEYS[1], 'rate:' .. ARGV[11], bucket) end
if ARGV[10] ~= '' then redis.call('HSET', KEYS[1], 'about', ARGV[10]) end
redis.call('PEXPIRE', KEYS[1], ARGV[6])
redis.call('PEXPIRE', KEYS[2], ARGV[6])
if KEYS[3] then
  redis.call('HSET', KEYS[3], ARGV[15], ARGV[16] .. ARGV[17])
  redis.call('RPUSH', KEYS[4], ARGV[16] .. ARGV[15])
  redis.call('PEXPIRE', KEYS[3], ARGV[18])
  redis.call('PEXPIRE', KEYS[4], ARGV[18])
  -- Those whose time is over go, unless their name was used anew.
  local oldest = redis.call('LINDEX', KEYS[4], 0)
  while oldest and string.sub(oldest, 1, 13) <= ARGV[12] do
    local name = string.sub(oldest, 14)
    local kept = redis.call('HGET', KEYS[3], name)
    if kept and string.sub(kept, 1, 13) == string.sub(oldest, 1, 13) then redis.call('HDEL', KEYS[3], name) end
    redis.call('LPOP', KEYS[4])
    oldest = redis.call('LINDEX', KEYS[4], 0)
  end
end
-- With whether it has webhooks, so that whoever sends those need not ask for each change.
redis.call('PUBLISH', ARGV[8], ARGV[9] .. ' ' .. ARGV[2] .. ' ' .. redis.call('HEXISTS', KEYS[1], 'hooks'))
return {'done'}
