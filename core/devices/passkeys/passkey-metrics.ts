import { Metrics } from '@aws-lambda-powertools/metrics';
import { stage } from '../../kernel/observability.ts';
import { Refusal } from '../../kernel/refusal.ts';

/** The namespace comes from the environment. */
const metrics = new Metrics({ defaultDimensions: { stage } });

/** Counts an answer or removal that was refused because its passkey may be a copy. Other errors are none of its business. */
export function countPasskeyRefusal(error: unknown): void {
  if (error instanceof Refusal && error.code === 'passkey-counter')
    metrics.singleMetric().addMetric('PasskeyCountersRefused', 'Count', 1);
}
