/** A big payment of an agent needs two of three people besides its user. The agent knows nothing of them. */
import { Omi } from '@omi/website';
import { NotApproved } from './approvals.ts';
import { detailOf, messageOf, type Payment } from './payment.ts';

const from = 10_000;

/** Its client has the scope `credential:omi:groups`, and is not the agent's. */
const omi = new Omi();

/**
 * Returns a function that throws {@link NotApproved} unless the payment is small, or two of the approvers confirm it.
 *
 * @param approvers user ids of three people
 */
export const fourEyes =
  (approvers: readonly string[]) =>
  async (payment: Payment, userId: string): Promise<void> => {
    if (Number(payment.amount) < from) return;
    const { status } = await omi.confirmGroup({
      // Nobody approves what the own agent asks for.
      members: approvers.filter((approver) => approver !== userId),
      required: 2,
      message: `An agent orders: ${messageOf(payment)}`,
      details: [detailOf(payment)],
    });
    if (status !== 'approved') throw new NotApproved(403, 'Two of the approvers did not agree.');
  };
