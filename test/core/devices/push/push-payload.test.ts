import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { pushNotification } from '../../../../core/devices/push/push-payload.ts';
import { nativePlatforms } from '../../../../core/devices/device.ts';
import { messageText } from '../../../../core/kernel/text.ts';

const message = fc
  .oneof(
    fc.constantFrom('Pay? 😀', '👩‍👩‍👧‍👦 🏳️‍🌈', 'e\u0301 is not \u00e9', 'تأكيد الدفع می\u200cخواهم', '"\\ </b>'),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
  )
  .filter((text) => v.is(messageText, text));

/** SNS refuses attributes with surrogates: they hold nothing but what the service itself writes. */
test.each(nativePlatforms)('%s: the message is unchanged, and appears in no attribute', (platform) => {
  fc.assert(
    fc.property(message, (alert) => {
      const content = { challengeId: 'c', expiresAt: 'e', title: 'Bank', alert, lifetimeSeconds: 120 };
      const { Message, MessageAttributes } = pushNotification(platform, content);
      const [payload = ''] = Object.values(JSON.parse(Message) as Record<string, string>);
      const { fcmV1Message, aps } = JSON.parse(payload) as {
        fcmV1Message?: { message: { notification: { body: string } } };
        aps?: { alert: { body: string } };
      };
      expect(fcmV1Message?.message.notification.body ?? aps?.alert.body).toBe(alert);
      for (const { StringValue } of Object.values(MessageAttributes))
        expect(StringValue).toMatch(/^[\x20-\x7e]+$/);
    }),
  );
});
