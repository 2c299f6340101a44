-- Takes one from a bucket, which fills by itself. KEYS: bucket. ARGV: now (ms), how many a second, how many at most.
-- Answers {what is left, whether it was taken}. A bucket that would be full has gone.
local now, rate, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local left, at = string.match(redis.call('GET', KEYS[1]) or '', '^(%S+) (%S+)$')
left = left and math.min(most, tonumber(left) + math.max(0, now - tonumber(at)) * rate / 1000) or most
if left < 1 then return {tostring(left), 0} end
redis.call('SET', KEYS[1], string.format('%.3f %.0f', left - 1, now), 'PX', math.ceil(most * 1000 / rate))
return {tostring(left - 1), 1}
