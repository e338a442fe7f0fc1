WITH confirmations AS (
  SELECT
    challenge_id,
    min(CASE WHEN type = 'PushNotificationSentEvent' THEN occurred_at END) AS asked_at,
    min(CASE WHEN type <> 'PushNotificationSentEvent' THEN occurred_at END) AS answered_at
  FROM public_events
  WHERE datehour >= date_format(current_timestamp - INTERVAL '30' DAY, '%Y/%m/%d/%H')
    AND type IN ('PushNotificationSentEvent', 'PushNotificationConfirmedEvent', 'PushNotificationDeniedEvent')
  GROUP BY challenge_id
)
SELECT
  date_trunc('day', asked_at) AS day,
  count(*) AS answers,
  approx_percentile(date_diff('millisecond', asked_at, answered_at) / 1000.0, 0.5) AS median_seconds,
  approx_percentile(date_diff('millisecond', asked_at, answered_at) / 1000.0, 0.9) AS p90_seconds
FROM confirmations
WHERE asked_at IS NOT NULL AND answered_at IS NOT NULL
GROUP BY 1
ORDER BY 1
