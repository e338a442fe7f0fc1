import { accessKeyOf } from '../../../endpoint/caller.ts';
import type { AwsRequest, Backend } from '../../../endpoint/http.ts';
import { ACCOUNT_ID } from '../../../identity.ts';
import { openJsonFile } from '../../../json-file.ts';
import type { Sessions } from '../../../stand-ins/sts/sessions.ts';
import { AwsServiceError } from '../../../protocols/errors.ts';
import { type JsonObject, parseJson, withInput } from '../../../protocols/json.ts';

const STREAM_ARN = /(arn:aws:kinesis:[^:"]+:)(\d{12})(:stream\/([\w.-]+))/;
const EVERY_STREAM_ARN = new RegExp(STREAM_ARN, 'g');

export type StreamAccounts = { backend: Backend; flush: () => Promise<void> };

/**
 * Streams of several accounts on an emulator that has one: a stream is its creator's, so a name exists once in all of
 * them. Whoever is of the local account, as any credentials are, reads every stream by its name; an ARN has to name the
 * account that the stream is in.
 */
export function withAccounts(
  backend: Backend,
  sessions: Pick<Sessions, 'identify'>,
  stateFile?: string,
): StreamAccounts {
  const owners = new Map<string, string>();
  const file = openJsonFile<[string, string][]>(stateFile, () => [...owners]);
  for (const [name, account] of file.saved ?? []) owners.set(name, account);
  const ownerOf = (name: string): string => owners.get(name) ?? ACCOUNT_ID;
  return {
    flush: () => file.flush(),
    backend: async (request) => {
      const { account } = sessions.identify(accessKeyOf(request));
      const { operation, input } = parseJson(request);
      if (operation !== 'CreateStream') checkOwner(input, account, ownerOf);
      const answer = await backend(asLocal(request, input));
      if (operation === 'CreateStream' && answer.status === 200) {
        owners.set(String(input['StreamName']), account);
        file.changed();
      }
      const body = answer.body.toString();
      if (!body.includes('arn:aws:kinesis:')) return answer;
      const named = body.replace(
        EVERY_STREAM_ARN,
        (_arn, head: string, _local, tail: string, name: string) => head + ownerOf(name) + tail,
      );
      return {
        ...answer,
        headers: { ...answer.headers, 'content-length': Buffer.byteLength(named) },
        body: named,
      };
    },
  };
}

function checkOwner(
  { StreamARN: arn, StreamName: name }: JsonObject,
  caller: string,
  ownerOf: (name: string) => string,
): void {
  const [, , account = '', , ofArn = ''] = STREAM_ARN.exec(String(arn)) ?? [];
  if (typeof arn === 'string' && ownerOf(ofArn) !== account) throw notFound(`Stream arn ${arn}`);
  if (typeof name !== 'string' || caller === ACCOUNT_ID) return;
  if (ownerOf(name) !== caller) throw notFound(`Stream ${name} under account ${caller}`);
}

function asLocal(request: AwsRequest, input: JsonObject): AwsRequest {
  const { authorization = '' } = request.headers;
  // The emulator takes twelve digits for an account of its own.
  const headers = {
    ...request.headers,
    authorization: authorization.replace(/Credential=\d{12}\//, 'Credential=LOCAL/'),
  };
  const { StreamARN: arn } = input;
  if (typeof arn !== 'string' || arn.includes(`:${ACCOUNT_ID}:`)) return { ...request, headers };
  return withInput(
    { ...request, headers },
    { ...input, StreamARN: arn.replace(STREAM_ARN, `$1${ACCOUNT_ID}$3`) },
  );
}

const notFound = (what: string): AwsServiceError =>
  new AwsServiceError(400, 'ResourceNotFoundException', `${what} not found.`);
