/** A Lambda behind the stream. Its event source mapping needs `FunctionResponseTypes: [ReportBatchItemFailures]`. */
import { createStreamHandler } from '@omi/consumer';
import { handlers } from './handlers.ts';

export const handler = createStreamHandler({ handlers });
