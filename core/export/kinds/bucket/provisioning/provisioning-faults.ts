import { messageOf, nameOf, otherFault, passesByItself } from '../../../delivery/delivery-faults.ts';
import { vendorMessage } from '../../../targets/vendor-message.ts';
import { provisioningFaultPrefix, type Fault } from '../../../targets/target.ts';

/** Why a bucket's delivery stream is not as it should be, who has to act, and how. */
const known = {
  ForeignDeliveryStream: {
    actor: 'operator',
    reason:
      "The target names a delivery stream of another target. Nothing is sent there. The operator must register the target's bucket again.",
  },
  ForeignDeliveryRole: {
    actor: 'operator',
    reason:
      "The target names a delivery role that does not belong to its tenant. Nothing is sent with it. The operator must register the target's bucket again.",
  },
  RoleNotUsable: {
    actor: 'operator',
    reason:
      'Firehose cannot assume the delivery role. A new role is usable after some minutes. Otherwise the role does not exist, or its trust policy does not allow firehose.amazonaws.com.',
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
  SettingsRefused: { actor: 'operator', reason: "Firehose rejects the delivery stream's settings." },
  NotAllowed: {
    actor: 'operator',
    reason:
      'The service may not manage its own delivery streams, or may not pass the delivery role to Firehose.',
  },
  LimitReached: {
    actor: 'operator',
    reason: 'The account has reached its quota of Firehose streams. AWS raises the quota on request.',
  },
  NotNow: {
    actor: 'nobody',
    reason: 'Firehose is throttled or unavailable. The service tries again.',
  },
} as const satisfies Record<string, Pick<Fault, 'actor' | 'reason'>>;

export type ProvisioningFaultCode = keyof typeof known;

export function provisioningFault(code: ProvisioningFaultCode, message = ''): Fault {
  const { actor, reason } = known[code];
  return { actor, code: `${provisioningFaultPrefix}${code}`, reason: `${reason}${vendorMessage(message)}` };
}

/** From the code of Firehose for a creation or deletion that failed. */
export const creationFault = ({ code, details }: { code: string; details: string }): Fault =>
  provisioningFault(code.includes('KMS') ? 'KeyNotUsable' : 'CreationFailed', `${code} ${details}`.trim());

/** Firehose refused a call; `fault` says why, and who has to act. */
export class DeliveryStreamRefused extends Error {
  override readonly name = 'DeliveryStreamRefused';
  readonly fault: Fault;

  constructor(fault: Fault, cause: unknown) {
    super(fault.code, { cause });
    this.fault = fault;
  }
}

/** The delivery stream already exists, is missing, is in use, or has another version: a concurrent step changed it. */
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

/** A new role is unknown for a while. Firehose says that in several ways. */
const aboutRole = /assume|role|security token/i;

const unknownFault = (code: string, message: string): Fault => {
  const fault = otherFault(code, known.NotNow.reason);
  return {
    ...fault,
    code: `${provisioningFaultPrefix}NotNow`,
    reason: `${fault.reason}${vendorMessage(message)}`,
  };
};

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
      return passesByItself(code)
        ? provisioningFault('NotNow', `${code} ${message}`.trim())
        : unknownFault(code, message);
  }
}

/** Translates an error of Firehose's control plane. */
export function translateControlError(error: unknown): DeliveryStreamRefused | DeliveryStreamChanged {
  const [name, message] = [nameOf(error), messageOf(error)];
  return changed.has(name)
    ? new DeliveryStreamChanged(name, error)
    : new DeliveryStreamRefused(faultOf(name, message), error);
}
