import { expect } from '@jest/globals';
import { Visitor } from '../../pages/bank/visitor.ts';
import type { KilledScene } from './scene.ts';

const anna = 'customer-2071';
const payment = { action: 'payment', to: 'Café Zoë', amount: '10' };

export function bank(): KilledScene {
  let cookie: string | undefined;
  let deviceId = '';
  let paid: Record<string, string> = {};
  return {
    begin: async (stack) => {
      const before = new Visitor(stack.file.siteUrl);
      await before.signIn(anna);
      const phone = await before.enrol('Phone');
      paid = { ...payment, 'omi-confirmation': await before.confirm(phone, payment) };
      expect((await before.post('/bank/payments', paid)).status).toBe(200);
      ({ cookie } = before);
      ({ deviceId } = phone.identity);
    },
    check: async (stack) => {
      const after = new Visitor(stack.file.siteUrl, cookie);
      expect((await after.call('/bank/account')).status).toBe(401);
      await after.signIn(anna);
      expect((await after.post('/bank/payments', paid)).status).toBe(403);
      const { devices, payments } = await after.account();
      expect(devices).toMatchObject([{ deviceId }]);
      expect(payments).toEqual([]);
      expect((await after.ask(payment, deviceId)).status).toBe(201);
    },
  };
}
