SELECT
  date_trunc('day', occurred_at) AS day,
  platform,
  count(DISTINCT event_id) AS devices,
  count(DISTINCT user_id) AS users
FROM public_events
WHERE datehour >= date_format(current_timestamp - INTERVAL '30' DAY, '%Y/%m/%d/%H')
  AND type = 'UserDeviceRegisteredEvent'
GROUP BY 1, 2
ORDER BY 1, 2
