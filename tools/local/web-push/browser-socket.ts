import type { WebSocket } from 'ws';
import * as v from 'valibot';
import type { Message, Subscriptions } from './subscriptions.ts';

/** What Firefox sends (https://autopush.readthedocs.io/en/latest/design.html#simplepush-protocol). Other members are ignored. */
const incoming = v.variant('messageType', [
  v.object({ messageType: v.literal('hello'), uaid: v.optional(v.string()) }),
  v.object({ messageType: v.literal('register'), channelID: v.string(), key: v.optional(v.string()) }),
  v.object({ messageType: v.literal('unregister'), channelID: v.string() }),
  v.object({
    messageType: v.literal('ack'),
    updates: v.array(v.object({ channelID: v.string(), version: v.string() })),
  }),
]);
type Incoming = v.InferOutput<typeof incoming>;

const unpadded = (key: string): string => Buffer.from(key, 'base64url').toString('base64url');

/** Talks with one browser, until it goes. */
export function serveBrowser(
  socket: WebSocket,
  subscriptions: Subscriptions,
  endpointOf: (id: string) => string,
) {
  let browser = '';
  const send = (message: object): void => socket.send(JSON.stringify(message));
  const notify = (channelID: string, { id, headers, body }: Message): void =>
    send({
      messageType: 'notification',
      channelID,
      version: id,
      data: body.toString('base64url'),
      headers: { encoding: headers['content-encoding'] },
    });

  const answers: {
    [Type in Incoming['messageType']]: (message: Extract<Incoming, { messageType: Type }>) => void;
  } = {
    hello: ({ uaid }) => {
      browser = subscriptions.connect(uaid, notify);
      send({ messageType: 'hello', uaid: browser, status: 200, use_webpush: true, broadcasts: {} });
      subscriptions.deliverWaiting(browser);
    },
    register: ({ channelID, key }) => {
      subscriptions.register(channelID, { browser, key: key === undefined ? undefined : unpadded(key) });
      send({ messageType: 'register', channelID, status: 200, pushEndpoint: endpointOf(channelID) });
    },
    unregister: ({ channelID }) => {
      subscriptions.unregister(channelID);
      send({ messageType: 'unregister', channelID, status: 200 });
    },
    ack: ({ updates }) => {
      for (const { channelID, version } of updates) subscriptions.acknowledge(channelID, version);
    },
  };

  socket.on('message', (data: Buffer) => {
    const text = data.toString();
    // A ping of Firefox, which expects the same.
    if (text === '{}') socket.send('{}');
    const result = v.safeParse(v.pipe(v.string(), v.parseJson(), incoming), text);
    if (result.success) (answers[result.output.messageType] as (message: Incoming) => void)(result.output);
  });
  socket.on('close', () => subscriptions.disconnect(browser, notify));
}
