import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { OutboundAnswer } from '../../../outbound/post.ts';
import type { WebhookCaller, WebhookTarget } from './webhook-caller.ts';
import { asLasting, explainWebhookError, webhookFaultOf } from './webhook-faults.ts';
import { CheckFailed, verificationFault } from '../checks.ts';
import type { Claim, Probe } from '../probe.ts';
import type { Fault } from '../../targets/target.ts';

/** A server that sends back whatever it gets, `type` included, has agreed to nothing. */
const answered = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ challenge: v.string(), type: v.exactOptional(v.never()) }),
);

const challengeIn = ({ body }: OutboundAnswer): string | undefined => {
  const result = v.safeParse(answered, body);
  return result.success ? result.output.challenge : undefined;
};

/**
 * A receiver that never took events does not fail for a moment: its tenant must act. One that took events is tested again
 * soon, and a delivery finds out as well.
 */
const inTest = ({ state }: WebhookTarget, fault: Fault): Fault =>
  fault.lastingActor === 'tenant' && state === 'validating' ? asLasting(fault) : fault;

/** Finds out whether the receiver of a webhook wants the events: it answers with what only this call names. */
export class WebhookProbe implements Probe {
  readonly #caller: Pick<WebhookCaller, 'call'>;

  constructor(caller: Pick<WebhookCaller, 'call'>) {
    this.#caller = caller;
  }

  /** @throws {CheckFailed} unless the receiver answers 200 with the challenge */
  async prove({ target }: Claim<WebhookTarget>): Promise<undefined> {
    const challenge = randomBytes(24).toString('base64url');
    const answer = await this.#call(target, { type: 'omi.verification', challenge });
    const fault = webhookFaultOf(answer, Date.now());
    if (fault) throw new CheckFailed(inTest(target, fault));
    if (answer.status !== 200 || challengeIn(answer) !== challenge)
      throw new CheckFailed(verificationFault('WebhookUnproven'));
  }

  async #call(target: WebhookTarget, body: object): Promise<OutboundAnswer> {
    try {
      return await this.#caller.call(target, Buffer.from(JSON.stringify(body)), { readsBody: true });
    } catch (error) {
      throw new CheckFailed(inTest(target, explainWebhookError(error)), { cause: error });
    }
  }
}
