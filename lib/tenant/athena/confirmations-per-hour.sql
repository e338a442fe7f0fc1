SELECT
  date_trunc('hour', occurred_at) AS hour,
  count(DISTINCT CASE WHEN type = 'PushNotificationSentEvent' THEN event_id END) AS asked,
  count(DISTINCT CASE WHEN type = 'PushNotificationConfirmedEvent' THEN event_id END) AS confirmed,
  count(DISTINCT CASE WHEN type = 'PushNotificationDeniedEvent' THEN event_id END) AS denied,
  count(DISTINCT CASE WHEN type = 'PushNotificationExpiredEvent' THEN event_id END) AS expired,
  count(DISTINCT CASE WHEN type = 'PushNotificationCancelledEvent' THEN event_id END) AS cancelled,
  count(DISTINCT CASE WHEN type = 'PushNotificationFailedEvent' THEN event_id END) AS failed
FROM public_events
WHERE datehour >= date_format(current_timestamp - INTERVAL '7' DAY, '%Y/%m/%d/%H')
  AND type LIKE 'PushNotification%'
GROUP BY 1
ORDER BY 1
