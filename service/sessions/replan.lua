-- Plans when to look at a session again, unless it has been planned anew meanwhile.
-- KEYS: the plan. ARGV: session id, the time that was planned (ms), the time to plan ('': none).
local planned = redis.call('ZSCORE', KEYS[1], ARGV[1])
if planned and tonumber(planned) == tonumber(ARGV[2]) then
  if ARGV[3] == '' then redis.call('ZREM', KEYS[1], ARGV[1]) else redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1]) end
end
