import { randomUUID } from 'node:crypto';
import { region } from '../../identity.ts';
import { accessKeyOf } from '../../endpoint/caller.ts';
import type { Backend } from '../../endpoint/http.ts';
import { type JsonFile, openJsonFile } from '../../json-file.ts';
import { AwsServiceError } from '../../protocols/errors.ts';
import { asArray, asObject, jsonResponse, type JsonObject, parseJson } from '../../protocols/json.ts';
import type { Sessions } from '../sts/sessions.ts';

/** An event that a bus took. */
export type BusEvent = { bus: string; source: string; detailType: string; detail: string };

type Saved = { buses: string[]; taken: BusEvent[] };

const largestCall = 1024 * 1024;
const mostEntries = 10;
const longestDetailType = 128;

const sizeOf = ({ Source, DetailType, Detail }: JsonObject): number =>
  Buffer.byteLength([Source, DetailType, Detail].map(String).join(''));

/**
 * EventBridge's buses of all accounts. What is sent to a bus is kept for who asks by `ListSentEvents`, an operation that
 * AWS does not have: there a rule passes events on.
 */
export function createEventBridge(
  sessions: Pick<Sessions, 'identify'>,
  stateFile?: string,
): { backend: Backend; flush: () => Promise<void> } {
  const file: JsonFile<Saved> = openJsonFile<Saved>(stateFile, () => ({ buses: [...buses], taken }));
  const buses = new Set<string>(file.saved?.buses);
  const taken: BusEvent[] = file.saved?.taken ?? [];

  const required = (arn: string): string => {
    // Every account has one.
    if (buses.has(arn) || arn.endsWith(':event-bus/default')) return arn;
    throw new AwsServiceError(400, 'ResourceNotFoundException', `Event bus ${arn} does not exist.`);
  };

  const put = (entry: JsonObject, bus: string): JsonObject => {
    if (String(entry['DetailType']).length > longestDetailType)
      return { ErrorCode: 'InvalidArgument', ErrorMessage: 'Parameter DetailType is not valid.' };
    const detail = String(entry['Detail']);
    if (!isJsonObject(detail)) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
    taken.push({ bus, source: String(entry['Source']), detailType: String(entry['DetailType']), detail });
    file.changed();
    return { EventId: randomUUID() };
  };

  const putAll = (entries: JsonObject[], account: string): JsonObject => {
    const size = entries.reduce((total, entry) => total + sizeOf(entry), 0);
    if (entries.length === 0 || entries.length > mostEntries || size > largestCall)
      throw new AwsServiceError(400, 'ValidationException', 'The entries are too many or too large.');
    const buses = entries.map(({ EventBusName = 'default' }) =>
      required(arnOf(String(EventBusName), account)),
    );
    const results = entries.map((entry, index) => put(entry, buses[index] ?? ''));
    return { Entries: results, FailedEntryCount: results.filter(({ ErrorCode }) => ErrorCode).length };
  };

  const backend: Backend = (request) => {
    const { operation, input } = parseJson(request);
    const { account } = sessions.identify(accessKeyOf(request));
    const arn = arnOf(String(input['Name']), account);
    switch (operation) {
      case 'CreateEventBus':
        buses.add(arn);
        file.changed();
        return jsonResponse(200, { EventBusArn: arn });
      case 'DeleteEventBus':
        buses.delete(arn);
        file.changed();
        return jsonResponse(200, {});
      case 'DescribeEventBus':
        return jsonResponse(200, { Name: required(arn).split('/').at(-1), Arn: arn });
      case 'ListSentEvents':
        return jsonResponse(200, { Events: taken.filter(({ bus }) => bus === arn) });
      case 'PutEvents':
        return jsonResponse(200, putAll(asArray(input['Entries']).map(asObject), account));
      default:
        throw new AwsServiceError(400, 'UnknownOperationException', `There is no operation ${operation}.`);
    }
  };
  return { backend, flush: file.flush };
}

const arnOf = (nameOrArn: string, account: string): string =>
  nameOrArn.startsWith('arn:') ? nameOrArn : `arn:aws:events:${region}:${account}:event-bus/${nameOrArn}`;

function isJsonObject(text: string): boolean {
  try {
    return text.startsWith('{') && JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}
