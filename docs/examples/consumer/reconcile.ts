/**
 * Compares a bucket with the ledger, and asks for a replay of what is missing: `node reconcile.ts <bucket> public 24` for the last
 * 24 hours. Run it each hour; it ends with 1 if events are missing.
 */
import { S3Client } from '@aws-sdk/client-s3';
import { Exports, reconcile, type Event } from '@omi/consumer';
import { eventsOf } from './bucket-events.ts';

const hourMs = 3_600_000;
const { OMI_BASE_URL = '', OMI_TOKEN_URL = '', OMI_CLIENT_ID = '', OMI_CLIENT_SECRET = '' } = process.env;
const [bucket = '', category = 'public', hours = '24'] = process.argv.slice(2);
const to = Date.now();
const from = to - Number(hours) * hourMs;

/** Objects are filed by the hour in which they reached Firehose: never before the hour of acceptance, but maybe after it. */
async function* copy(): AsyncGenerator<Event> {
  for (let hour = from - (from % hourMs); hour <= Date.now(); hour += hourMs) {
    const prefix = new Date(hour).toISOString().slice(0, 13).replace(/[-T]/g, '/');
    yield* eventsOf(new S3Client(), bucket, `${prefix}/${category}/`);
  }
}

const result = await reconcile({
  exports: new Exports({
    baseUrl: OMI_BASE_URL,
    tokenUrl: OMI_TOKEN_URL,
    clientId: OMI_CLIENT_ID,
    clientSecret: OMI_CLIENT_SECRET,
  }),
  category: category === 'log' ? 'log' : 'public',
  from: new Date(from),
  to: new Date(to),
  copy: copy(),
  repair: true,
});
console.log(JSON.stringify(result, undefined, 2));
if (result.missingCount > 0) process.exitCode = 1;
