import { provisioningFault } from './provisioning-fault.ts';
import type { Fault } from '../targets/target.ts';

/** Firehose does not do it: why, and whose move it is. */
export class DeliveryStreamRefused extends Error {
  override readonly name = 'DeliveryStreamRefused';
  readonly fault: Fault;

  constructor(fault: Fault, cause: unknown) {
    super(fault.code, { cause });
    this.fault = fault;
  }
}

/** There is one already, there is none, it is in use, or it has another version: somebody else was quicker. */
export class DeliveryStreamChanged extends Error {
  override readonly name = 'DeliveryStreamChanged';
  readonly code: string;

  constructor(code: string, cause: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

const changed = new Set([
  'ResourceInUseException',
  'ResourceNotFoundException',
  'ConcurrentModificationException',
]);

/** Of a role that is new, IAM's copies know nothing for a while; Firehose words it in several ways. */
const aboutRole = /assume|role|security token/i;

function faultOf(code: string, message: string): Fault {
  switch (code) {
    case 'InvalidArgumentException':
      return aboutRole.test(message)
        ? provisioningFault('RoleNotUsable', message)
        : provisioningFault('SettingsRefused', message);
    case 'InvalidKMSResourceException':
      return provisioningFault('KeyNotUsable', message);
    case 'AccessDeniedException':
      return provisioningFault('NotAllowed', message);
    case 'LimitExceededException':
      return provisioningFault('LimitReached', message);
    default:
      return provisioningFault('NotNow', `${code} ${message}`.trim());
  }
}

/** An error of Firehose's control plane in the service's own terms. */
export function translateControlError(error: unknown): DeliveryStreamRefused | DeliveryStreamChanged {
  const { name, message } = error instanceof Error ? error : { name: 'Unknown', message: String(error) };
  return changed.has(name)
    ? new DeliveryStreamChanged(name, error)
    : new DeliveryStreamRefused(faultOf(name, message), error);
}
