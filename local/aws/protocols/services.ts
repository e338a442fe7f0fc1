export { dynamodb } from './dynamodb.ts';
export { firehose } from './firehose.ts';
export { kinesis } from './kinesis.ts';
export { s3 } from './s3.ts';
export { secretsmanager } from './secretsmanager.ts';
export { sns } from './sns.ts';
export { sqs } from './sqs.ts';
export { sts } from './sts.ts';
