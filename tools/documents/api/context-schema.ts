import { purposes } from '../../../core/confirmations/context.ts';
import { userVerificationModes } from '../../../core/tenants/tenant.ts';
import { ref, type JsonSchema } from './json-schema.ts';
import { deviceId, digest, strictObject, text, type Members } from './objects.ts';

/** Bytes in UTF-8. */
const largestContextBytes = 2048;

const requestedFrom: Members = {
  'browser?': text('Such as "Firefox on Windows".'),
  'place?': text('Such as a town.'),
  'ip?': text('An IPv4 or IPv6 address.'),
};

export const contextSchemas: Members = {
  Context: strictObject(
    'What a device shows of a confirmation besides message and details. The service writes the text once.',
    {
      'requester?': strictObject('Who asks. Show both names.', {
        tenant: text("The tenant's registered name."),
        client: text("The registered name of the tenant's client."),
      }),
      'purpose?': text(
        "Show this in the app's own words: the confirmation allows a device to be added to the account, or removed from it.",
        { enum: purposes },
      ),
      'device?': strictObject(
        'The device that the confirmation removes, with `remove-device`. Show its name.',
        {
          deviceId,
          name: text('The name that the device gave itself.'),
        },
      ),
      userVerification: text(
        '`required`: a `confirm` needs the claim `userVerification`; get an assertion of the passkey. `preferred`: get one if the device ' +
          'has a passkey. `off`: do not ask for one.',
        { enum: userVerificationModes },
      ),
      'requestedFrom?': strictObject(
        "Where the user's request to the website came from, as the website says. Show it, so that the user notices somebody else's request.",
        requestedFrom,
      ),
      'group?': strictObject('The answer is a vote. Show how many of how many people must confirm.', {
        id: digest('The group.'),
        required: { type: 'integer', minimum: 1, description: 'How many must confirm.' },
        of: { type: 'integer', minimum: 2, description: 'How many are asked.' },
      }),
    },
  ),
};

const contextText: JsonSchema = {
  ...text('A JSON text, whose content is a `Context`.', { maxLength: largestContextBytes }),
  contentMediaType: 'application/json',
  contentSchema: ref('Context'),
};

/** Of everything that shows a confirmation. */
export const contextMembers: Members = {
  context: contextText,
  contextHash: digest('The digest of the text of `context`. The device signs it.'),
};
