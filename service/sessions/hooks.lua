-- Changes what is kept of a session's webhooks, unless somebody else has, or the session has ended meanwhile.
-- KEYS: session. ARGV: what was there, what is to be there ('': nothing). Answers 1 where it was written.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if (redis.call('HGET', KEYS[1], 'hooks') or '') ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('HDEL', KEYS[1], 'hooks') else redis.call('HSET', KEYS[1], 'hooks', ARGV[2]) end
return 1
