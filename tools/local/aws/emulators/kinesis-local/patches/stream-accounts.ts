import { accessKeyOf } from '../../../endpoint/caller.ts';
import { type AwsRequest, type Backend, withBody } from '../../../endpoint/http.ts';
import { accountId } from '../../../identity.ts';
import { openJsonFile } from '../../../json-file.ts';
import { AwsServiceError } from '../../../protocols/errors.ts';
import { type JsonObject, parseJson, withInput } from '../../../protocols/json.ts';
import type { Sessions } from '../../../stand-ins/sts/sessions.ts';

const streamArn = /(arn:aws:kinesis:[^:"]+:)(\d{12})(:stream\/([\w.-]+))/;
const everyStreamArn = new RegExp(streamArn, 'g');

export type StreamAccounts = { backend: Backend; flush: () => Promise<void> };

type StreamAccountsOptions = {
  sessions: Pick<Sessions, 'identify'>;
  /** The emulator's account that has the streams. Clouds that share an emulator have different ones. */
  emulatorAccount?: string;
  stateFile?: string | undefined;
};

/**
 * Streams of several accounts. A stream belongs to its creator, and its name is unique in all accounts. Callers of the
 * local account, which any credentials give, read every stream by its name. An ARN must name the stream's account.
 *
 * Remove when kinesis-local has cross-account calls: its accounts do not see each other's streams, not even by ARN.
 */
export function withStreamAccounts(
  backend: Backend,
  { sessions, emulatorAccount = accountId, stateFile }: StreamAccountsOptions,
): StreamAccounts {
  const owners = new Map<string, string>();
  const file = openJsonFile<[string, string][]>(stateFile, () => [...owners]);
  for (const [name, account] of file.saved ?? []) owners.set(name, account);
  const ownerOf = (name: string): string => owners.get(name) ?? accountId;
  return {
    flush: () => file.flush(),
    backend: async (request) => {
      const { account } = sessions.identify(accessKeyOf(request));
      const { operation, input } = parseJson(request);
      if (operation !== 'CreateStream') checkOwner(input, account, ownerOf);
      const response = await backend(inEmulatorAccount(request, input, emulatorAccount));
      if (operation === 'CreateStream' && response.status === 200) {
        owners.set(String(input['StreamName']), account);
        file.changed();
      }
      const body = response.body.toString();
      if (!body.includes('arn:aws:kinesis:')) return response;
      const withOwner = (_arn: string, head: string, _local: string, tail: string, name: string): string =>
        head + ownerOf(name) + tail;
      return withBody(response, body.replace(everyStreamArn, withOwner));
    },
  };
}

function checkOwner(
  { StreamARN: arn, StreamName: name }: JsonObject,
  caller: string,
  ownerOf: (name: string) => string,
): void {
  const [, , account = '', , ofArn = ''] = streamArn.exec(String(arn)) ?? [];
  if (typeof arn === 'string' && ownerOf(ofArn) !== account) throw notFound(`Stream arn ${arn}`);
  if (typeof name !== 'string' || caller === accountId) return;
  if (ownerOf(name) !== caller) throw notFound(`Stream ${name} under account ${caller}`);
}

function inEmulatorAccount(request: AwsRequest, input: JsonObject, emulatorAccount: string): AwsRequest {
  const { authorization = '' } = request.headers;
  // The emulator takes an access key of twelve digits for an account.
  const headers = {
    ...request.headers,
    authorization: authorization.replace(/Credential=[^/]*/, `Credential=${emulatorAccount}`),
  };
  const { StreamARN: arn } = input;
  if (typeof arn !== 'string' || arn.includes(`:${emulatorAccount}:`)) return { ...request, headers };
  return withInput(
    { ...request, headers },
    { ...input, StreamARN: arn.replace(streamArn, `$1${emulatorAccount}$3`) },
  );
}

const notFound = (what: string): AwsServiceError =>
  new AwsServiceError(400, 'ResourceNotFoundException', `${what} not found.`);
