import { v7 as uuidv7 } from 'uuid';
import { hasSample, sampleTypes } from '../../events/sample-event.ts';
import { isStreamName } from '../../events/target-ref.ts';
import { invalidField, Refusal } from '../../kernel/refusal.ts';
import type { Target, TestEvent } from '../targets/target.ts';

/**
 * The event that a test is to send.
 *
 * @throws {Refusal} `invalid-request` if the target gets no such events, or `not-verified`
 */
export function testEventFor(target: Target, type: string): TestEvent {
  const { category } = target;
  if (isStreamName(category)) throw new Error('A stream of signals has no events to test');
  const wanted = { category, types: target.types };
  if (!hasSample(wanted, type))
    throw invalidField(
      '/type',
      `expected a type that the export has, such as ${sampleTypes(wanted).join(', ')}`,
    );
  if (target.state === 'validating')
    throw new Refusal(
      'not-verified',
      'The export is being validated. It takes a test event when a test has passed.',
    );
  return { type, eventId: uuidv7() };
}
