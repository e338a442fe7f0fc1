import { Metrics } from '@aws-lambda-powertools/metrics';
import type { Platform } from '../device.ts';
import { stage } from '../../kernel/observability.ts';

/** Separate from the logger, so that only Lambdas that push include it. The namespace comes from the environment. */
const metrics = new Metrics({ defaultDimensions: { stage } });

const metricOf = { sent: 'PushSent', failed: 'PushFailed', unreachable: 'PushUnreachable' } as const;

/** Counts SNS's responses by platform. The provider's responses come later, and only to SNS. */
export function countPush(platform: Platform, delivery: keyof typeof metricOf): void {
  metrics.singleMetric().addDimension('platform', platform).addMetric(metricOf[delivery], 'Count', 1);
}

/** How long the oldest push token without a device has remained at SNS. */
export function measureOldestRelease(ageMs: number): void {
  metrics.singleMetric().addMetric('OldestReleasedEndpointAge', 'Milliseconds', ageMs);
}
