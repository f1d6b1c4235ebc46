-- For wrk: POST the lines of a file in turn, every thread and run from a place of its own.
local bodies, place = {}, 0

function setup(thread)
  started = (started or 0) + 1
  thread:set("number", started)
end

function init(args)
  for line in io.lines(args[1]) do
    bodies[#bodies + 1] = line
  end
  place = (number * 97 + os.time()) % #bodies
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  wrk.headers["Accept"] = "application/json"
end

function request()
  place = place % #bodies + 1
  return wrk.format(nil, nil, nil, bodies[place])
end

function done(summary, latency)
  local e = summary.errors
  print(string.format(
    '\n{"requests":%d,"microseconds":%d,"p50":%.1f,"p99":%.1f,"failed":%d}',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end
