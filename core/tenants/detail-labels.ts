import * as v from 'valibot';
import { visibleText } from '../kernel/text.ts';

const label = visibleText(40);

/** One for everybody, or by the language's tag. */
const labelInLanguages = v.union([label, v.record(v.pipe(v.string(), v.regex(/^[a-z]{2}$/)), label)]);

/** A text that is as short in DynamoDB as a brand should be, which is read with it. */
const largestBytes = 8 * 1024;

/**
 * What apps call the members of authorization details, by the details' `type` and the member's name: names of nested members follow each other
 * with dots, such as `creditorAccount.iban`.
 */
export const detailLabels = v.pipe(
  v.record(v.string(), v.record(v.string(), labelInLanguages)),
  v.check(
    (labels) => Buffer.byteLength(JSON.stringify(labels)) <= largestBytes,
    `expected at most ${largestBytes} bytes`,
  ),
);
export type DetailLabels = v.InferOutput<typeof detailLabels>;
