import { Metrics } from '@aws-lambda-powertools/metrics';
import type { Platform } from '../device.ts';
import { stage } from '../../kernel/observability.ts';

/** Apart from the logger, so that only the Lambdas that push carry it. The namespace comes from the environment. */
const metrics = new Metrics({ defaultDimensions: { stage } });

const metricOf = { sent: 'PushSent', failed: 'PushFailed', unreachable: 'PushUnreachable' } as const;

/** What SNS answered to a push, by platform. What the provider answers comes later, and only SNS learns it. */
export function countPush(platform: Platform, delivery: keyof typeof metricOf): void {
  metrics.singleMetric().addDimension('platform', platform).addMetric(metricOf[delivery], 'Count', 1);
}

/** How long the push token of a removed device has stayed at SNS, though it should have been deleted. */
export function measureOldestRelease(age: number): void {
  metrics.singleMetric().addMetric('OldestReleasedEndpointAge', 'Milliseconds', age);
}
