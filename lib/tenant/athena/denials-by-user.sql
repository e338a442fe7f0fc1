SELECT
  user_id,
  count(DISTINCT event_id) AS denials,
  count(DISTINCT CASE WHEN reason = 'not_me' THEN event_id END) AS not_me,
  max(occurred_at) AS latest
FROM public_events
WHERE datehour >= date_format(current_timestamp - INTERVAL '30' DAY, '%Y/%m/%d/%H')
  AND type = 'PushNotificationDeniedEvent'
GROUP BY user_id
ORDER BY not_me DESC, denials DESC, user_id
