import { unpack } from './packing.ts';

/**
 * The events of a packed record, each as the text that was recorded. They are not parsed: another serialization could change
 * numbers.
 *
 * @param events JSON objects with commas between them
 */
export function splitEvents(events: string): string[] {
  const found: string[] = [];
  let [start, depth, isText] = [0, 0, false];
  for (let index = 0; index < events.length; index += 1) {
    const character = events[index];
    if (isText) {
      if (character === '\\') index += 1;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    else if (character === ',' && depth === 0) {
      found.push(events.slice(start, index));
      start = index + 1;
    }
  }
  return [...found, events.slice(start)];
}

/** @param record `{"events":[…]}` */
export const eventsOf = (record: Buffer): string[] => splitEvents(unpack(record.toString()));
