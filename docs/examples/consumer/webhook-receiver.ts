/** Receives webhooks behind your TLS proxy: `OMI_WEBHOOK_SECRET=whsec_… PORT=3000 node webhook-receiver.ts` */
import { createServer } from 'node:http';
import { createWebhookReceiver, toNodeListener } from '@omi/consumer';
import { handlers } from './handlers.ts';

const { OMI_WEBHOOK_SECRET = '', PORT = '3000' } = process.env;

const receiver = createWebhookReceiver({ secret: OMI_WEBHOOK_SECRET.split(' '), handlers });
const server = createServer(toNodeListener(receiver));
server.listen(Number(PORT), () => console.log('listening'));
process.once('SIGTERM', () => server.close());
