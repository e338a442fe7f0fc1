import type { Fault } from '../../targets/target.ts';
import { nameOf } from '../../delivery/delivery-faults.ts';
import { isKeyFault, receiverFaults } from '../receiver/receiver-faults.ts';

/** A signal could not be made, or `Authorization` of its push not be opened; `cause` says why. */
export class SignalUnavailable extends Error {
  override readonly name = 'SignalUnavailable';
}

const mustAuthorize =
  'The tenant must check `authorization_header` of the stream, which the receiver must accept';

const faults = receiverFaults({
  prefix: 'Signals.',
  whose: "the stream's",
  correct: 'update the stream with',
  refusals: {
    // RFC 8935, section 2.4: the body says why.
    400: 'The tenant must let the receiver verify signals with the keys of `jwks_uri`, and accept the issuer and the audience of the stream.',
    401: `${mustAuthorize}.`,
    403: `${mustAuthorize}, and that no firewall blocks the calls.`,
    404: 'The tenant must start the receiver at this URL, or update the stream.',
    405: 'The receiver at this URL does not accept POST. The tenant must update the stream with the right URL.',
    410: 'The receiver refuses all further calls. The tenant must start it again, or delete the stream.',
  },
});

export const signalsFaultOf = faults.ofAnswer;

/** Why a signal did not arrive. */
export function explainSignalsError(error: unknown): Fault {
  if (!(error instanceof SignalUnavailable)) return faults.ofError(error);
  const name = nameOf(error.cause);
  return isKeyFault(error.cause)
    ? faults.ofOperator(
        name,
        "The service cannot use a key of the stream. The operator must check the stack's keys for signals and for secrets.",
      )
    : faults.ofService(
        name,
        'KMS is throttled or unavailable. Nobody needs to act: the events are sent again.',
      );
}

/** A table that fails is the service's own trouble, and it passes. */
export const explainTableError = (error: unknown): Fault =>
  error instanceof SignalUnavailable
    ? explainSignalsError(error)
    : faults.ofService(
        nameOf(error),
        'The table of signals is throttled or unavailable. Nobody needs to act: the events are sent again.',
      );
