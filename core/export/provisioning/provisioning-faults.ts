import { vendorMessage } from '../targets/vendor-message.ts';
import { provisioningFaultPrefix, type Fault } from '../targets/target.ts';

/** Why a bucket's delivery stream is not as it should be: who must act, and what is to be done. */
const known = {
  ForeignDeliveryStream: {
    actor: 'operator',
    reason:
      "The target names a delivery stream that is not its own. Nothing is sent there. Register the target's bucket again.",
  },
  ForeignDeliveryRole: {
    actor: 'operator',
    reason:
      "The target names a delivery role that is not its tenant's. Nothing is sent by it. Register the target's bucket again.",
  },
  RoleNotUsable: {
    actor: 'operator',
    reason:
      'Firehose cannot assume the delivery role. A role that was just made is usable after some minutes; otherwise it does not exist, or its trust policy does not let firehose.amazonaws.com in.',
  },
  KeyNotUsable: {
    actor: 'tenant',
    reason:
      "The bucket's key cannot be used: it must be enabled, and its policy must allow the delivery role kms:GenerateDataKey and kms:Decrypt.",
  },
  CreationFailed: {
    actor: 'operator',
    reason: 'Firehose could not create the delivery stream. It is deleted and created again.',
  },
  SettingsRefused: { actor: 'operator', reason: "Firehose does not accept the delivery stream's settings." },
  NotAllowed: {
    actor: 'operator',
    reason:
      'The service may not manage its own delivery streams, or not pass the delivery role on to Firehose.',
  },
  LimitReached: {
    actor: 'operator',
    reason: 'The account has as many Firehose streams as it may. AWS raises the quota on request.',
  },
  NotNow: {
    actor: 'nobody',
    reason: 'Firehose is throttled or unavailable for the moment. It is tried again.',
  },
} as const satisfies Record<string, Pick<Fault, 'actor' | 'reason'>>;

export type ProvisioningFaultCode = keyof typeof known;

export function provisioningFault(code: ProvisioningFaultCode, message = ''): Fault {
  const { actor, reason } = known[code];
  return { actor, code: `${provisioningFaultPrefix}${code}`, reason: `${reason}${vendorMessage(message)}` };
}

/** Of keys, as Firehose names what failed in a creation or deletion. */
export const creationFault = ({ code, details }: { code: string; details: string }): Fault =>
  provisioningFault(code.includes('KMS') ? 'KeyNotUsable' : 'CreationFailed', `${code} ${details}`.trim());

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
