import type { BusEvent } from '../aws/stand-ins/eventbridge/backend.ts';

/** What was sent to the bus, oldest first. */
export async function sentTo(endpoint: string, busArn: string): Promise<BusEvent[]> {
  const headers = { 'x-amz-target': 'AWSEvents.ListSentEvents' };
  const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ Name: busArn }) });
  return ((await response.json()) as { Events: BusEvent[] }).Events;
}
