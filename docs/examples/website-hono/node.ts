/** The same in Node.js. Start it: node --env-file=<omi>/.local/website.env node.ts */
import { serve } from '@hono/node-server';
import worker from './worker.ts';

const port = Number(process.env['PORT'] ?? 3000);
const fetch = async (request: Request): Promise<Response> => await worker.fetch(request, process.env);
serve({ fetch, port, hostname: '127.0.0.1' }, () => console.log(`Listening on ${port}`));
