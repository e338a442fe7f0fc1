SELECT
  type,
  payload_version,
  count(DISTINCT event_id) AS events,
  count(*) - count(DISTINCT event_id) AS duplicates,
  min(occurred_at) AS first,
  max(occurred_at) AS latest
FROM public_events
WHERE datehour >= date_format(current_timestamp - INTERVAL '7' DAY, '%Y/%m/%d/%H')
GROUP BY type, payload_version
ORDER BY events DESC, type, payload_version
