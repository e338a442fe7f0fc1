import { Metrics } from '@aws-lambda-powertools/metrics';
import { stage } from '../../kernel/observability.ts';

/** The namespace comes from the environment. */
const metrics = new Metrics({ defaultDimensions: { stage } });

/** Counts a message of a device that was refused because its passkey may be a copy. */
export function countPasskeyRefusal(): void {
  metrics.singleMetric().addMetric('PasskeyCountersRefused', 'Count', 1);
}
