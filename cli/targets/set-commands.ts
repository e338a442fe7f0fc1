import type { Command } from 'commander';
import * as v from 'valibot';
import { destination } from '../../core/export/targets/target.ts';
import { action, checkedOption, examples, listOption, type Register, wholeNumber } from '../command.ts';
import { categoryOption, eventType, tenantOption } from '../options.ts';
import { bucketName } from './bucket-name.ts';
import { regional } from './regional.ts';
import { setBucket } from './set-bucket.ts';
import { setNone } from './set-none.ts';
import { setStream } from './set-stream.ts';

const [{ entries: stream }, { entries: bucket }] = destination.options;

export const streamArnOption = () =>
  checkedOption(
    '--stream-arn <arn>',
    "the tenant's data stream",
    regional(stream.streamArn),
    'expected an ARN like arn:aws:kinesis:eu-central-1:111122223333:stream/events',
  );

export const externalIdOption = () =>
  checkedOption(
    '--external-id <text>',
    "the tenant's random string (default: the one that the target has)",
    stream.externalId,
    'expected 16 to 1224 characters of A-Z a-z 0-9 _ + = , . @ : / -',
  ).conflicts('newExternalId');

export const bucketOption = () => checkedOption('--bucket <name>', "the tenant's bucket", bucketName);

export const keyOption = () =>
  checkedOption(
    '--kms-key-arn <arn>',
    "the tenant's key, in the region of the bucket or stream",
    regional(v.unwrap(bucket.kmsKeyArn)),
    'expected an ARN like arn:aws:kms:eu-central-1:111122223333:key/11111111-2222-3333-4444-555555555555',
  );

const bucketOwnerOption = () =>
  checkedOption(
    '--bucket-owner <account>',
    "the tenant's account that the bucket is in (default: that of the key)",
    v.unwrap(bucket.bucketOwner),
    'expected the 12 digits of an account',
  );

const roleArnOption = () =>
  checkedOption(
    '--role-arn <arn>',
    'the role in their account that may write to it',
    stream.roleArn,
    'expected an ARN like arn:aws:iam::111122223333:role/omi-event-export',
  );

const lanesOption = () =>
  checkedOption(
    '--lanes <count>',
    'ordering buckets; each may fill a shard (default: 2)',
    v.pipe(wholeNumber, v.minValue(1), v.maxValue(128)),
    'expected a whole number from 1 to 128',
  );

const typeOption = () =>
  listOption('--type <type...>', 'only events of these types (default: all)', eventType);

const addTarget = (command: Command): Command =>
  command.addOption(tenantOption().makeOptionMandatory()).addOption(categoryOption().makeOptionMandatory());

const public_ = '--tenant 6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01 --category public';
const log = '--tenant 6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01 --category log';
const streamArn = '--stream-arn arn:aws:kinesis:eu-central-1:111122223333:stream/events';
const roleArn = '--role-arn arn:aws:iam::111122223333:role/omi-event-export';

export const registerTargetSet: Register = (above, terminal) => {
  const set = above
    .command('set')
    .description('Says where events of a category go. A new destination is tested before the first event.')
    .addHelpText('after', examples(`target set none ${log}`));

  addTarget(set.command('stream').description('A Kinesis data stream of the tenant.'))
    .addOption(streamArnOption().makeOptionMandatory())
    .addOption(roleArnOption().makeOptionMandatory())
    .addOption(externalIdOption())
    .option('--new-external-id', 'make an external id, for the tenant to put into their role')
    .addOption(lanesOption())
    .addOption(typeOption())
    .addHelpText(
      'after',
      examples(
        `target set stream ${public_} ${streamArn} ${roleArn} --external-id k7Qm2xV9sLr4tWp8`,
        `target set stream ${public_} ${streamArn} ${roleArn} --new-external-id --type UserSignedInEvent`,
      ),
    )
    .action(action(terminal, setStream));

  addTarget(
    set
      .command('bucket')
      .description(
        'An S3 bucket of the tenant. Makes the delivery role by which Firehose writes into it. After a change of the ' +
          'bucket, the same command once more takes back what the role may do in the earlier one.',
      ),
  )
    .addOption(bucketOption().makeOptionMandatory())
    .addOption(keyOption().makeOptionMandatory())
    .addOption(bucketOwnerOption())
    .addOption(typeOption())
    .addHelpText(
      'after',
      examples(
        `target set bucket ${log} --bucket example-bank-audit --kms-key-arn arn:aws:kms:eu-central-1:111122223333:key/11111111-2222-3333-4444-555555555555`,
      ),
    )
    .action(action(terminal, setBucket));

  addTarget(set.command('none').description('Nowhere. What waits is given up.'))
    .option('--yes', 'without a question')
    .addHelpText('after', examples(`target set none ${log} --yes`))
    .action(action(terminal, setNone));
};
