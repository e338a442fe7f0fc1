import {
  faultOf,
  messageOf,
  nameOf,
  ofOperator,
  ofTenant,
  type Known,
} from '../../delivery/delivery-faults.ts';
import type { Fault } from '../../targets/target.ts';
import { CredentialsUnavailable, roleFault } from '../role/role-faults.ts';

const ofBuses: Known = {
  AccessDeniedException: ofTenant(
    'The role may not send to the event bus. The tenant must allow the role events:PutEvents on the bus.',
  ),
  ResourceNotFoundException: ofTenant(
    'The event bus does not exist. The tenant must create it again, or tell the operator which bus to use.',
  ),
  InvalidAccountIdException: ofOperator(
    "The event bus is not in an account that AWS knows. The operator must register the target again with the bus's ARN.",
  ),
  NotAuthorizedForSourceException: ofOperator(
    'The event bus takes no events with the source of the service. The operator must check how the target is registered.',
  ),
  ValidationException: ofOperator(
    'EventBridge does not accept the call. The operator must check how the target is registered, and correct the service.',
  ),
};

/**
 * EventBridge refuses such an entry for its content, each time.
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEventsResultEntry.html
 */
const contentCodes = new Set([
  'InvalidArgument',
  'MalformedDetail',
  'NotAuthorizedForDetailTypeException',
  'RedactionFailure',
]);

/** Events that a bus will never take. */
export const isRefusedEvent = ({ code }: Fault): boolean => contentCodes.has(code);

/** The fault of one entry or of a call, by the code of EventBridge. */
export const busFault = (code: string, message = ''): Fault => faultOf(ofBuses, code, message);

export const explainBusError = (error: unknown): Fault =>
  error instanceof CredentialsUnavailable ? roleFault(error) : busFault(nameOf(error), messageOf(error));
