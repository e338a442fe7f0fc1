import { faultOf, messageOf, nameOf, ofOperator, type Known } from '../../delivery/delivery-faults.ts';
import { goneCode } from '../../targets/firehose-progress.ts';
import type { Fault } from '../../targets/target.ts';

const ofDeliveryStreams: Known = {
  AccessDeniedException: ofOperator(
    "The service may not write to its own delivery stream. The operator must allow the service's roles firehose:PutRecordBatch on it, as the stack does: deploy the stack again.",
  ),
  [goneCode]: {
    actor: 'nobody',
    reason:
      'The delivery stream does not exist, or is not active yet. The service creates it again. Nobody needs to act.',
  },
  InvalidKMSResourceException: ofOperator(
    "The delivery stream's key cannot be used. The operator must enable the key, and allow the service to use it.",
  ),
  InvalidSourceException: ofOperator(
    'The delivery stream rejects all records of the service. The operator must delete it, and register the target again, which creates it again.',
  ),
  InvalidArgumentException: ofOperator(
    'Firehose rejects the records. The operator must correct the service.',
  ),
  ValidationException: ofOperator(
    'Firehose rejects the call. The operator must check how the target is registered, and correct the service.',
  ),
};

export const deliveryStreamFault = (code: string, message = ''): Fault =>
  faultOf(ofDeliveryStreams, code, message);

export const explainDeliveryStreamError = (error: unknown): Fault =>
  deliveryStreamFault(nameOf(error), messageOf(error));
