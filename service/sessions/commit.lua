-- One accepted action is one version: everything of it is written, or nothing.
-- KEYS: session, log, and, where the request had a key, the answer kept under it.
-- ARGV: version before, version after, state, window, expires, ttl (ms), entry, channel, session id, about,
--       digest of the request, answer, time to keep it (ms).
-- Answers {'kept', digest, answer}, {'stale', version} or {'done'}.
if KEYS[3] then
  local kept = redis.call('HMGET', KEYS[3], 'asked', 'answer')
  if kept[1] then return {'kept', kept[1], kept[2]} end
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
  redis.call('HSET', KEYS[3], 'asked', ARGV[11], 'answer', ARGV[12])
  redis.call('PEXPIRE', KEYS[3], ARGV[13])
end
redis.call('PUBLISH', ARGV[8], ARGV[9])
return {'done'}
