import { Metrics } from '@aws-lambda-powertools/metrics';
import type { Delivery } from './domain/confirmation.ts';
import type { Platform } from './domain/device.ts';
import { stage } from './observability.ts';

/** Apart from the logger, so that only the Lambdas that push carry it. The namespace comes from the environment. */
const metrics = new Metrics({ defaultDimensions: { stage } });

const metricOf = { sent: 'PushSent', failed: 'PushFailed', unreachable: 'PushUnreachable' } as const;

/** What SNS answered to a push, by platform: a platform whose pushes fail has lost its credentials. */
export function countPush(platform: Platform, delivery: Delivery): void {
  metrics.singleMetric().addDimension('platform', platform).addMetric(metricOf[delivery], 'Count', 1);
}
