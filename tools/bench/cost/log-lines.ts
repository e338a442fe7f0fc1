/** Examples of the log lines of Lambda, Powertools and API Gateway. The model uses only their length. */
const requestId = 'a1b2c3d4-0000-4000-8000-000000000001';
const trace = {
  spanId: '0f7f41cf5f06a9ff',
  type: 'X-Amzn-Trace-Id',
  value: 'Root=1-69690a40-0123456789abcdef01234567;Parent=0123456789abcdef;Sampled=0;Lineage=1:01234567:0',
};
const time = '2026-01-15T12:30:15.250Z';

const start = { time, type: 'platform.start', record: { requestId, version: '$LATEST' } };
const report = {
  time,
  type: 'platform.report',
  record: {
    requestId,
    metrics: { durationMs: 12.345, billedDurationMs: 13, memorySizeMB: 1024, maxMemoryUsedMB: 101 },
    tracing: trace,
    status: 'success',
  },
};

/** A line of `expire-confirmation`, with the fields of `injectLambdaContext`. Other lines have about the same length. */
const application = {
  level: 'INFO',
  message: 'expiry',
  timestamp: time,
  service: 'omi',
  cold_start: false,
  function_arn:
    'arn:aws:lambda:eu-central-1:000000000000:function:omi-production-expireconfirmationFunction01',
  function_memory_size: '1024',
  function_name: 'omi-production-expireconfirmationFunction01',
  function_request_id: requestId,
  sampling_rate: 0,
  xray_trace_id: '1-69690a40-0123456789abcdef01234567',
  outcome: 'decided',
  tenantId: requestId,
  challengeId: 'x'.repeat(43),
};

/** CloudWatch's embedded metric format. */
const metric = {
  _aws: {
    Timestamp: 1768480215250,
    CloudWatchMetrics: [
      {
        Namespace: 'omi',
        Dimensions: [['service', 'stage', 'platform']],
        Metrics: [{ Name: 'PushSent', Unit: 'Count' }],
      },
    ],
  },
  service: 'omi',
  stage: 'production',
  platform: 'fcm',
  PushSent: 1,
};

/** The fields of `lib/constructs/api-stage.ts`. */
export const access = {
  requestId: 'a1B2c3D4e5F6g7h=',
  routeKey: 'GET /omi/push/confirmation',
  status: '200',
  tenantId: requestId,
  clientId: 'x'.repeat(26),
  sourceIp: '203.0.113.42',
  responseLatency: '14',
  integrationLatency: '11',
  authorizerError: '-',
  error: '-',
};

/** Bytes that CloudWatch Logs adds to each line: "PutLogEvents" in its API reference. */
const overhead = 26;
const bytesOf = (...lines: object[]): number =>
  lines.reduce((total, line) => total + Buffer.byteLength(JSON.stringify(line)) + overhead, 0);

export const logBytes = {
  /** Lambda's own lines for an invocation, at its system log level INFO. */
  invocation: bytesOf(start, report),
  application: bytesOf(application),
  metric: bytesOf(metric),
  access: bytesOf(access),
} as const;
