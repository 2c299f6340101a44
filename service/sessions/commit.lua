-- One accepted action is one version: everything of it is written, or nothing.
-- KEYS: session, log, and, where the request had a key, the answers kept under keys and their names by age.
-- ARGV: version before, version after, state, window, expires, ttl (ms), entry, channel, session id, about,
--       name of the answer, now, until when it is kept (ms, both of 13 digits), the answer, time to keep it (ms).
-- Answers {'kept', answer}, {'stale', version} or {'done'}.
if KEYS[3] then
  local kept = redis.call('HGET', KEYS[3], ARGV[11])
  if kept and string.sub(kept, 1, 13) > ARGV[12] then return {'kept', kept} end
end
local version = redis.call('HGET', KEYS[1], 'version') or '0'
if version ~= ARGV[1] then return {'stale', version} end
-- The entry first: the log takes no version twice, and a store that is full refuses here, before anything is written.
redis.call('XADD', KEYS[2], ARGV[2] .. '-0', 'entry', ARGV[7])
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'state', ARGV[3], 'window', ARGV[4], 'expires', ARGV[5])
if ARGV[10] ~= '' then redis.call('HSET', KEYS[1], 'about', ARGV[10]) end
redis.call('PEXPIRE', KEYS[1], ARGV[6])
redis.call('PEXPIRE', KEYS[2], ARGV[6])
if KEYS[3] then
  redis.call('HSET', KEYS[3], ARGV[11], ARGV[13] .. ARGV[14])
  redis.call('RPUSH', KEYS[4], ARGV[13] .. ARGV[11])
  redis.call('PEXPIRE', KEYS[3], ARGV[15])
  redis.call('PEXPIRE', KEYS[4], ARGV[15])
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
redis.call('PUBLISH', ARGV[8], ARGV[9] .. ' ' .. ARGV[2])
return {'done'}
