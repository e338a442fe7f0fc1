import type * as v from 'valibot';
import type { MessageName } from './device-messages.ts';

/** A body that answers: its component schema, and examples by name. */
export type Content = { schema: string; examples: Record<string, { summary: string; value: unknown }> };

export type Success = {
  status: 200 | 201 | 202 | 204;
  description: string;
  content?: Content;
  /** Media types of a file, in place of JSON. */
  files?: readonly string[];
  /** The answer may be kept for five minutes. */
  cacheable?: boolean;
  /** The header Retry-After says when to poll again. */
  retryAfter?: boolean;
};

export type Words = { summary: string; description: string; success: Success };

/** An operation with an access token: parameters and body by the schemas that the service checks them with. */
export type WebsiteOperation = Words & {
  /** Where it stands in the document, if it is not for websites. */
  tag?: 'events' | 'exports' | 'signals';
  /** Of parameters that are something else than those of the same name elsewhere. */
  parameters?: Record<string, { description: string; example: string }>;
  path?: v.ObjectSchema<v.ObjectEntries, undefined>;
  query?: v.ObjectSchema<v.ObjectEntries, undefined>;
  body?: Content & { isOptional?: true };
};

/** An operation without credentials. */
export type OpenOperation = Words & {
  tag: 'device' | 'openid' | 'signals';
  path?: v.ObjectSchema<v.ObjectEntries, undefined>;
  body?: Content;
};

/** An operation of a device, which signs the body or, where there is none, a header. */
export type DeviceOperation = Words & {
  path?: v.ObjectSchema<v.ObjectEntries, undefined>;
  signs: { message: MessageName; in: 'body' | 'header' };
};
