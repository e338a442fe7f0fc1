export { ConsumerError, type ConsumerErrorCode } from './consumer-error.ts';
export { isTest, keyOf, orderingKeyOf, type Event } from './event.ts';
export { decodeObject, decodeRecord, type DecodeOptions, type ObjectBody } from './decode.ts';
export { momentOf, sortByTime } from './moment.ts';
export { SeenEvents, type EventMemory } from './event-memory.ts';
export type { Handler, Handlers } from './handlers.ts';
export { Consumer, type BatchFailure, type ConsumerOptions } from './consumer.ts';
export {
  createStreamHandler,
  type StreamBatch,
  type StreamBatchResponse,
  type StreamHandlerOptions,
} from './stream-handler.ts';
export { verifyWebhook, type Webhook, type WebhookOptions } from './webhook.ts';
export {
  createWebhookReceiver,
  toNodeListener,
  type WebhookReceiver,
  type WebhookReceiverOptions,
} from './webhook-receiver.ts';
export { Exports, type ExportsOptions } from './exports/exports-client.ts';
export type { TokenOptions } from '../../http/src/access-tokens.ts';
export type { Category, Export, ExportTest, GivenUp, TestOptions } from './exports/types.ts';
export type { EventName, InclusionProof, LogLeaf, LogMinute } from './exports/types.ts';
export type { LedgerHour, LedgerSum, Replay, ReplayRequest } from './exports/types.ts';
export {
  reconcile,
  type HourResult,
  type Reconciliation,
  type ReconcileOptions,
  type ReplayResult,
} from './exports/reconcile.ts';
export type { Missing } from './exports/compare-hour.ts';
export { eventTexts, eventTextsOfObject } from './log/event-texts.ts';
export { openCheckpoint, type Checkpoint, type LogTrust } from './log/checkpoint.ts';
export { LogError, type LogFault, type LogFinding } from './log/log-error.ts';
export { verifyInclusion, type ProvenEvent } from './log/verify-inclusion.ts';
export { verifyLog, type LogVerification, type VerifyLogOptions } from './log/verify-log.ts';
export {
  verifyTree,
  type FoundMinute,
  type LogState,
  type TreeVerification,
  type VerifyTreeOptions,
} from './log/verify-tree.ts';
export { toOcsf, type OcsfOptions } from './ocsf/to-ocsf.ts';
export { OCSF_VERSION, type OcsfEvent } from './ocsf/ocsf-event.ts';
export type { Evidence } from './ocsf/attestation.ts';
export { verifyEvidence, type KnownQuestion } from './verify-evidence.ts';
export { EvidenceError, type EvidenceFault } from '../../evidence/src/evidence-error.ts';
export { audit, type Audit, type AuditFiles, type AuditStep } from '../../evidence/src/audit/audit.ts';
export {
  auditGroup,
  type AuditGroupFiles,
  type GroupAudit,
  type GroupStatement,
} from '../../evidence/src/audit/audit-group.ts';
export type { AuditFault } from '../../evidence/src/audit/audit-fault.ts';
export type { ExportedEvent } from '../../evidence/src/audit/exported-events.ts';
export type { Statement } from '../../evidence/src/audit/statement.ts';
export { isKeyDocument } from '../../evidence/src/key-source.ts';
export type { KeyLookup, OmiKey, OmiKeys, Trust } from '../../evidence/src/types.ts';
