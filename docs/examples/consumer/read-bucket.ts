/** Reads the objects of an hour, in UTC, and of a category: `node read-bucket.ts <bucket> 2026/03/01/08/public/` */
import { S3Client } from '@aws-sdk/client-s3';
import { Consumer, sortByTime, type Event } from '@omi/consumer';
import { eventsOf } from './bucket-events.ts';
import { handlers } from './handlers.ts';

const [bucket = '', prefix = ''] = process.argv.slice(2);
const events: Event[] = [];
for await (const event of eventsOf(new S3Client(), bucket, prefix)) events.push(event);
await new Consumer({ handlers }).handle(sortByTime(events));
