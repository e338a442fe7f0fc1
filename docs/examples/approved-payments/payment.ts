/** The action that agents may ask for. The operator decides what there is, and how the user reads it. */
import { z } from 'zod';

export const paymentFields = {
  to: z.string().min(1).max(70).describe('Name of the payee'),
  amount: z
    .string()
    .regex(/^(0|[1-9]\d{0,5})\.\d{2}$/)
    .describe('For example 16.00'),
  currency: z.enum(['EUR', 'USD']),
};
export const paymentSchema = z.strictObject(paymentFields);
export type Payment = z.infer<typeof paymentSchema>;

/** The only text that the user must read. The model does not write it. */
export const messageOf = ({ to, amount, currency }: Payment): string => `Pay ${amount} ${currency} to ${to}?`;

/** The user's device shows and signs each member (RFC 9396). */
export const detailOf = ({ to, amount, currency }: Payment) => ({ type: 'payment', to, amount, currency });
