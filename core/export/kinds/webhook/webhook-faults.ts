import type { OutboundAnswer } from '../../../outbound/post.ts';
import type { Fault } from '../../targets/target.ts';
import { nameOf } from '../../delivery/delivery-faults.ts';
import { isKeyFault, receiverFaults } from '../receiver/receiver-faults.ts';

export { asLasting, lateReceiver } from '../receiver/receiver-faults.ts';

/** A secret of the webhook could not be opened; `cause` says why. */
export class SecretUnavailable extends Error {
  override readonly name = 'SecretUnavailable';
}

const mustVerify =
  'The tenant must check that the receiver verifies signatures with the secret of this webhook';

const { ofAnswer, ofError, ofOperator, ofService } = receiverFaults({
  prefix: 'Webhook.',
  whose: "the webhook's",
  correct: 'tell the operator',
  refusals: {
    400: `${mustVerify}.`,
    401: `${mustVerify}, and requires no other credentials.`,
    403: `${mustVerify}, and that no firewall blocks the calls.`,
    404: 'The tenant must start the receiver at this URL, or tell the operator where it is.',
    405: 'The receiver at this URL does not accept POST. The tenant must tell the operator the right URL.',
    410: 'The receiver refuses all further calls. The tenant must start it again, tell the operator where it is, or have the export ended.',
    413: 'The tenant must let the receiver accept bodies of 256 KB and, for a larger single event, up to 1 MB.',
  },
});

/**
 * What an answer of a receiver says of its webhook.
 *
 * @returns nothing for an answer that takes the events
 */
export const webhookFaultOf: (answer: OutboundAnswer, now: number) => Fault | undefined = ofAnswer;

/** Why a call got no answer. */
export const explainWebhookError = (error: unknown): Fault =>
  error instanceof SecretUnavailable ? secretFault(error) : ofError(error);

function secretFault({ cause }: SecretUnavailable): Fault {
  if (cause === undefined)
    return ofOperator(
      'NoSecret',
      'The webhook has no secret. The operator must make one with "omi target rotate", and give it to the tenant.',
    );
  const name = nameOf(cause);
  if (isKeyFault(cause))
    return ofOperator(
      name,
      'The service cannot open the webhook\'s secret. The operator must check the stack\'s key for secrets, or make a new secret with "omi target rotate".',
    );
  return ofService(name, 'KMS is throttled or unavailable. Nobody needs to act: the events are sent again.');
}
