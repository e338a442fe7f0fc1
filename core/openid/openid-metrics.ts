import { Metrics } from '@aws-lambda-powertools/metrics';
import { stage } from '../kernel/observability.ts';
import { countedErrors, type DeliveryMode } from './metric-values.ts';
import type { OAuthErrorCode } from './oauth-error.ts';

const metrics = new Metrics({ defaultDimensions: { stage } });

export function countAuthentication(mode: DeliveryMode): void {
  metrics.singleMetric().addDimension('mode', mode).addMetric('BackchannelAuthentications', 'Count', 1);
}

/** An ID token and an access token. */
export function countTokens(): void {
  metrics.singleMetric().addMetric('TokensIssued', 'Count', 1);
}

export function countOAuthError(error: OAuthErrorCode): void {
  if (!countedErrors.includes(error)) return;
  metrics.singleMetric().addDimension('error', error).addMetric('OAuthErrors', 'Count', 1);
}
