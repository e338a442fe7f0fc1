/** What you do with events; here they are printed. */
import type { Event, Handlers } from '@omi/consumer';

const print =
  (what: string) =>
  ({ metadata, payload }: Event): void =>
    console.log(JSON.stringify({ what, type: metadata.type, id: metadata.eventId, payload }));

export const handlers: Handlers = {
  public: {
    'UserSignedInEvent 1': print('signed in'),
    'PushNotificationConfirmedEvent 1': print('confirmed'),
    'PushNotificationDeniedEvent 1': print('denied'),
  },
  log: print('audit'),
  other: print('not known'),
};
