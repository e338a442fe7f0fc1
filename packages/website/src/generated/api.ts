// Generated from docs/api/openapi.yaml by tools/documents/api/generate-types.ts: run npm run docs:generate.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description JWS in compact serialization (RFC 7515), signed with ES256. */
    CompactJws: string;
    /** @description One question to a user, and its state. */
    Confirmation: {
      /** @description The nonce of the request. */
      nonce: string;
      /** @description What the device answers: the digest of `<tenantId>`, a line feed (U+000A) and `<nonce>`. */
      challengeId: components['schemas']['Digest'];
      /**
       * Format: uuid
       * @description Your tenant: that of the access token that asked for the confirmation.
       */
      tenantId: string;
      /** @description The website's id of the user. */
      userId: string;
      /**
       * Format: uuid
       * @description The device that is asked, or that answered. Absent while all devices of the user are asked.
       */
      deviceId?: string;
      /** @description The devices that are asked, of a question to all devices of the user: fixed when it was asked. */
      deviceIds?: string[];
      /** @description The digest of the message. The device signs the digest instead of the message. */
      messageHash: components['schemas']['Digest'];
      /** @description The digest of the authorization details, as `JSON.stringify` writes the list. The device signs it, too. */
      detailsHash?: components['schemas']['Digest'];
      /** @description A JSON text, whose content is a `Context`. */
      context: string;
      /** @description The digest of the text of `context`. The device signs it. */
      contextHash: components['schemas']['Digest'];
      /**
       * @description `pending` changes to one of the others, which are final.
       * @enum {string}
       */
      status: 'pending' | 'confirmed' | 'denied' | 'expired' | 'cancelled' | 'failed';
      /**
       * @description Why. `denied`: `user_declined` or `not_me` (the user did not start this: think of an attack). `failed`: `wrong_number`, `too_many_bad_responses`, or of a vote `not_reachable`. `cancelled`: `device_removed`, `withdrawn` by the website, or of a vote `group_decided`.
       * @enum {string}
       */
      reason?:
        | 'user_declined'
        | 'not_me'
        | 'wrong_number'
        | 'too_many_bad_responses'
        | 'device_removed'
        | 'withdrawn'
        | 'group_decided'
        | 'not_reachable';
      /**
       * @description The result of the push. It does not affect `status`, because the app can fetch the challenge without a push. `unreachable`: the push provider no longer knows the device.
       * @enum {string}
       */
      delivery: 'sent' | 'failed' | 'unreachable';
      /** @description When the confirmation was asked for. */
      createdAt: components['schemas']['Time'];
      /** @description When the app first fetched the challenge. */
      openedAt?: components['schemas']['Time'];
      /** @description When the status became final. An expired confirmation has none. */
      decidedAt?: components['schemas']['Time'];
      /** @description When it expires, if nobody answers before. */
      expiresAt: components['schemas']['Time'];
      /**
       * @description Seconds to wait before the next poll.
       * @enum {integer}
       */
      interval: 1 | 2;
      /** @description The number to show to the user, who repeats it on the device: 2 digits to pick, or 6 to type. Only the answers of `sendToDevice` and `sendToUser` have it, and only where number matching is on. */
      matchCode?: string;
      /**
       * @description An earlier call with this nonce made the confirmation; this call pushed nothing. Only the answers of `sendToDevice` and `sendToUser` have it.
       * @constant
       */
      repeated?: true;
      /** @description The device proved with its passkey that it verified its user for this answer: by fingerprint, face or PIN. */
      userVerified: boolean;
      /** @description The device's signed answer, an `AnswerMessage`: with every `confirmed` and `denied`. */
      evidence?: components['schemas']['CompactJws'];
      /** @description The key that verifies `evidence`; it stays here after the device was removed. */
      deviceKey?: components['schemas']['PublicKey'];
      /** @description The device's receipt: the service's signed statement that it enrolled `deviceKey`. */
      receipt?: components['schemas']['Receipt'];
      /** @description The key that verifies the claim `userVerification` in `evidence`, if `userVerified`. */
      passkeyKey?: components['schemas']['PublicKey'];
    };
    /** @description What a device shows of a confirmation besides message and details. The service writes the text once. */
    Context: {
      /** @description Who asks. Show both names. */
      requester?: {
        /** @description The tenant's registered name. */
        tenant: string;
        /** @description The registered name of the tenant's client. */
        client: string;
      };
      /**
       * @description Show this in the app's own words: the confirmation allows a device to be added to the account, or removed from it.
       * @enum {string}
       */
      purpose?: 'add-device' | 'remove-device';
      /** @description The device that the confirmation removes, with `remove-device`. Show its name. */
      device?: {
        /**
         * Format: uuid
         * @description The device.
         */
        deviceId: string;
        /** @description The name that the device gave itself. */
        name: string;
      };
      /**
       * @description `required`: a `confirm` needs the claim `userVerification`; get an assertion of the passkey. `preferred`: get one if the device has a passkey. `off`: do not ask for one.
       * @enum {string}
       */
      userVerification: 'off' | 'preferred' | 'required';
      /** @description Where the user's request to the website came from, as the website says. Show it, so that the user notices somebody else's request. */
      requestedFrom?: {
        /** @description Such as "Firefox on Windows". */
        browser?: string;
        /** @description Such as a town. */
        place?: string;
        /** @description An IPv4 or IPv6 address. */
        ip?: string;
      };
      /** @description The answer is a vote. Show how many of how many people must confirm. */
      group?: {
        /** @description The group. */
        id: components['schemas']['Digest'];
        /** @description How many must confirm. */
        required: number;
        /** @description How many are asked. */
        of: number;
      };
    };
    /** @description A device of a user, as a website sees it. Its push token or subscription stays in the service. */
    Device: {
      /**
       * Format: uuid
       * @description The device.
       */
      deviceId: string;
      /** @description The name that the device gave itself. */
      name: string;
      /** @enum {string} */
      platform: 'fcm' | 'apns' | 'apns-sandbox' | 'web';
      /** @description As the app reported it at the enrolment. */
      model?: string;
      /** @description As the app reported it at the enrolment. */
      osVersion?: string;
      /** @description As the app reported it at the enrolment. */
      appVersion?: string;
      /**
       * @description `unreachable`: the push token or subscription is no longer valid at the push provider. The device is `active` again with the next push that reaches it, or with a new token or subscription.
       * @enum {string}
       */
      status: 'active' | 'unreachable';
      /** @description When the device enrolled. */
      enrolledAt: components['schemas']['Time'];
      /** @description When the app last asked for challenges or renewed its push token, to within 5 minutes. */
      lastSeenAt?: components['schemas']['Time'];
      /** @description The thumbprint of the device's public key (RFC 7638). It never changes: keep it from the enrolment on, and compare it with that of `deviceKey`. */
      keyThumbprint: components['schemas']['Digest'];
      receipt: components['schemas']['Receipt'];
    };
    /** @description The devices of a user. */
    DeviceList: {
      /** @description Newest enrolment first. */
      devices: components['schemas']['Device'][];
    };
    /** @description SHA-256 of UTF-8 text, in base64url without padding. */
    Digest: string;
    /** @description An invitation to enrol one device. */
    Enrolment: {
      /** @description Poll the status of the enrolment with it. */
      enrolmentId: components['schemas']['Digest'];
      /**
       * Format: uri
       * @description The content of the QR code: show it only to this user, and do not change it.
       */
      qr: string;
      /** @description When the code expires: after 10 minutes. */
      expiresAt: components['schemas']['Time'];
    };
    /** @description The user whose device is to be enrolled. */
    EnrolmentRequest: {
      /** @description The website's id of the user. */
      userId: string;
      /** @description What apps show in place of the user id, so that the user knows the account: under the rules of `message`. It is neither in the QR code nor in events. It becomes the user's label when a device uses the code. */
      accountLabel?: string;
      /** @description The nonce of the confirmation that allows a further device, if the tenant requires one. Otherwise it is ignored. */
      confirmation?: string;
    };
    /** @description The state of an invitation. */
    EnrolmentStatus:
      | {
          /**
           * @description `expired`: make a new code.
           * @enum {string}
           */
          status: 'waiting' | 'expired';
        }
      | {
          /** @constant */
          status: 'completed';
          /** @description As it was when it enrolled. */
          device: components['schemas']['Device'];
        };
    /** @description One question to several users, of whom some must confirm, and its state. */
    Group: {
      /** @description The nonce of the request. */
      nonce: string;
      /** @description The digest of `<tenantId>`, `<nonce>`, `<required>` and the sorted members, with a line feed (U+000A) between them. */
      groupId: components['schemas']['Digest'];
      /**
       * @description `approved`: as many members confirmed as must. `denied`: too few are left who could. Both come at the deciding vote, and end the votes that are still open.
       * @enum {string}
       */
      status: 'pending' | 'approved' | 'denied' | 'expired' | 'cancelled';
      /** @description How many members must confirm. */
      required: number;
      /** @description In the order of the members. That of a user who was erased is missing. */
      votes: components['schemas']['Vote'][];
      /** @description When the members were asked. */
      createdAt: components['schemas']['Time'];
      /** @description When the status became final. An expired group has none. */
      decidedAt?: components['schemas']['Time'];
      /** @description When it expires, if it is not decided before. */
      expiresAt: components['schemas']['Time'];
      /**
       * @description An earlier call with this nonce made the group; this call pushed nothing. Only the answer of `requestGroup` has it.
       * @constant
       */
      repeated?: true;
    };
    /** @description What to ask the members of a group. */
    GroupRequest: {
      /** @description Shown on the device, byte for byte: up to 256 code points, and so at most 1,024 bytes of UTF-8; no control characters, no line ends, no characters that are invisible or change the direction of text, no lone surrogates. Joiners, variation selectors and tags are allowed only where emoji and words in other scripts than Latin, Greek and Cyrillic need them. */
      message: string;
      /** @description The idempotency key, at least 128 random bits. Used later to poll. */
      nonce: string;
      /**
       * @description Seconds in which the user may answer. The tenant's setting `longestLifetime` is the most that is allowed: 600, unless the operator changed it. The default is 120, or `longestLifetime` if that is shorter.
       * @default 120
       */
      expiresIn?: number;
      /** @description Where the user's request to your website came from, as you know it, such as browser, town and address. The device shows it, so that the user notices somebody else's request, and signs it. The texts follow the rules of `message`. */
      requestedFrom?: {
        browser?: string;
        place?: string;
        ip?: string;
      };
      /** @description What the user agrees to, for programs (RFC 9396): objects of any `type`. The device shows every member beside the message, and signs them. At most 4,096 bytes of UTF-8 as compact JSON, 5 levels of lists and objects with the list itself, no member twice, no number that a double changes; member names and strings without the characters that a message may not have. */
      authorizationDetails?: ({
        type: string;
      } & {
        [key: string]: unknown;
      })[];
      /** @description The ids of 2 to 20 users, no two alike. Each is asked on all devices with a free place. Leave out the user who asks: nobody should approve their own request. */
      members: string[];
      /** @description How many of them must confirm, from 1 to all. */
      required: number;
    };
    /** @description A problem document that names the faults of the request, at most 100: `detail` says how many more there are. */
    InvalidRequest: {
      /**
       * Format: uri
       * @description `/problems/<code>` of the API: a page that says what the code means, and what to do.
       */
      type: string;
      /** @description The same for every problem of this code. */
      title: string;
      /**
       * @description The HTTP status.
       * @enum {integer}
       */
      status: 400;
      /** @description What is wrong with this call, for a developer. */
      detail: string;
      /**
       * @description The code by which a program decides.
       * @enum {string}
       */
      code: 'invalid-request' | 'invalid_authorization_details';
      /** @description Identifies this call in questions to the operator. */
      traceId: string;
      errors: {
        /** @description The place: a JSON Pointer (RFC 6901) into the body or the claims, such as `/nonce`, empty for the whole; `#/path/<name>` or `#/query/<name>` for a parameter. */
        pointer: string;
        /** @description What was expected there. */
        detail: string;
      }[];
    };
    /** @description A P-256 public key as a JWK (RFC 7517). */
    PublicKey: {
      /** @constant */
      kty: 'EC';
      /** @constant */
      crv: 'P-256';
      x: string;
      y: string;
    };
    /** @description What to ask the user. */
    PushRequest: {
      /** @description Shown on the device, byte for byte: up to 256 code points, and so at most 1,024 bytes of UTF-8; no control characters, no line ends, no characters that are invisible or change the direction of text, no lone surrogates. Joiners, variation selectors and tags are allowed only where emoji and words in other scripts than Latin, Greek and Cyrillic need them. */
      message: string;
      /** @description The idempotency key, at least 128 random bits. Used later to poll. */
      nonce: string;
      /**
       * @description Seconds in which the user may answer. The tenant's setting `longestLifetime` is the most that is allowed: 600, unless the operator changed it. The default is 120, or `longestLifetime` if that is shorter.
       * @default 120
       */
      expiresIn?: number;
      /** @description Where the user's request to your website came from, as you know it, such as browser, town and address. The device shows it, so that the user notices somebody else's request, and signs it. The texts follow the rules of `message`. */
      requestedFrom?: {
        browser?: string;
        place?: string;
        ip?: string;
      };
      /** @description What the user agrees to, for programs (RFC 9396): objects of any `type`. The device shows every member beside the message, and signs them. At most 4,096 bytes of UTF-8 as compact JSON, 5 levels of lists and objects with the list itself, no member twice, no number that a double changes; member names and strings without the characters that a message may not have. */
      authorizationDetails?: ({
        type: string;
      } & {
        [key: string]: unknown;
      })[];
      /**
       * @description What the confirmation allows, besides what the message says. The device shows it. Only a confirmation with the matching purpose allows a change of the user's devices.
       * @enum {string}
       */
      purpose?: 'add-device' | 'remove-device';
      /** @description With the purpose `remove-device`, and only with it: which of the user's devices the confirmation removes. The device that is asked shows its name, and the confirmation removes no other. */
      subjectDeviceId?: string;
      /**
       * Format: uri
       * @description Where the app leads the user back to after the answer, if your website is open on the same phone: a URL of at most 512 bytes, without user information, of an origin that is registered for your client. It is not signed, and says nothing about the answer.
       */
      returnTo?: string;
      /**
       * @description `all` asks every device of the user that has a free place, as they are at this moment. Each gets the same challenge; the first answer decides, and the notifications of the others are replaced. Only for `sendToUser`; the default is `one`.
       * @enum {string}
       */
      devices?: 'one' | 'all';
    };
    /** @description The signed statement of the service that it enrolled a key for a user: a JWS `omi-receipt+jwt`, header `ReceiptHeader`, payload `ReceiptClaims`. Verify it with the key of `omiKeys` that the header names, and whose `for` is `receipt`. */
    Receipt: string;
    /** @description The claims of a receipt. */
    ReceiptClaims: {
      /**
       * Format: uri
       * @description The base URL of the service.
       */
      iss: string;
      /** @description When the device enrolled, in seconds since 1970. */
      iat: number;
      /** @description The user. */
      sub: string;
      /**
       * Format: uuid
       * @description The tenant.
       */
      tid: string;
      /**
       * Format: uuid
       * @description The device.
       */
      deviceId: string;
      /** @description The thumbprint of the device's public key (RFC 7638). */
      jkt: components['schemas']['Digest'];
      /** @enum {string} */
      platform: 'fcm' | 'apns' | 'apns-sandbox' | 'web';
      /** @description The passkey that verifies the user. Absent if the device has none. */
      passkey?: {
        /** @description The id of the credential, in base64url. */
        id: string;
        /** @description The thumbprint of the passkey's public key. */
        jkt: components['schemas']['Digest'];
        /** @description The host to which it belongs. */
        rpId: string;
      };
      /**
       * @description What allowed the enrolment. `first`: nothing was asked for, because the user never had a device. `free`: nothing, by the tenant's policy. `confirmation`: one by the user, on another device. `recovery`: the scope for users who lost every device. `test`: the user is none.
       * @enum {string}
       */
      by: 'first' | 'free' | 'confirmation' | 'recovery' | 'test';
      /** @description Which confirmation, with `confirmation`. */
      challengeId?: components['schemas']['Digest'];
      /** @description The client that asked for the code. */
      client: string;
    };
    /** @description The header of a receipt. */
    ReceiptHeader: {
      /** @constant */
      alg: 'ES256';
      /** @constant */
      typ: 'omi-receipt+jwt';
      /** @description Of the key at `omiKeys`. */
      kid: string;
    };
    /**
     * Format: date-time
     * @description RFC 3339, in UTC, with milliseconds.
     */
    Time: string;
    /** @description The question to one member of a group, on all devices of the user, and its state. Its `challengeId` is the digest of `<groupId>`, a line feed (U+000A) and `<userId>`. */
    Vote: {
      /** @description What the device answers: the digest of `<tenantId>`, a line feed (U+000A) and `<nonce>`. */
      challengeId: components['schemas']['Digest'];
      /**
       * Format: uuid
       * @description Your tenant: that of the access token that asked for the confirmation.
       */
      tenantId: string;
      /** @description The website's id of the user. */
      userId: string;
      /**
       * Format: uuid
       * @description The device that is asked, or that answered. Absent while all devices of the user are asked.
       */
      deviceId?: string;
      /** @description The devices that are asked, of a question to all devices of the user: fixed when it was asked. */
      deviceIds?: string[];
      /** @description The digest of the message. The device signs the digest instead of the message. */
      messageHash: components['schemas']['Digest'];
      /** @description The digest of the authorization details, as `JSON.stringify` writes the list. The device signs it, too. */
      detailsHash?: components['schemas']['Digest'];
      /** @description A JSON text, whose content is a `Context`. */
      context: string;
      /** @description The digest of the text of `context`. The device signs it. */
      contextHash: components['schemas']['Digest'];
      /**
       * @description `pending` changes to one of the others, which are final.
       * @enum {string}
       */
      status: 'pending' | 'confirmed' | 'denied' | 'expired' | 'cancelled' | 'failed';
      /**
       * @description Why. `denied`: `user_declined` or `not_me` (the user did not start this: think of an attack). `failed`: `wrong_number`, `too_many_bad_responses`, or of a vote `not_reachable`. `cancelled`: `device_removed`, `withdrawn` by the website, or of a vote `group_decided`.
       * @enum {string}
       */
      reason?:
        | 'user_declined'
        | 'not_me'
        | 'wrong_number'
        | 'too_many_bad_responses'
        | 'device_removed'
        | 'withdrawn'
        | 'group_decided'
        | 'not_reachable';
      /**
       * @description The result of the push. It does not affect `status`, because the app can fetch the challenge without a push. `unreachable`: the push provider no longer knows the device.
       * @enum {string}
       */
      delivery: 'sent' | 'failed' | 'unreachable';
      /** @description When the confirmation was asked for. */
      createdAt: components['schemas']['Time'];
      /** @description When the app first fetched the challenge. */
      openedAt?: components['schemas']['Time'];
      /** @description When the status became final. An expired confirmation has none. */
      decidedAt?: components['schemas']['Time'];
      /** @description When it expires, if nobody answers before. */
      expiresAt: components['schemas']['Time'];
      /**
       * @description Seconds to wait before the next poll.
       * @enum {integer}
       */
      interval: 1 | 2;
      /** @description The device proved with its passkey that it verified its user for this answer: by fingerprint, face or PIN. */
      userVerified: boolean;
      /** @description The device's signed answer, an `AnswerMessage`: with every `confirmed` and `denied`. */
      evidence?: components['schemas']['CompactJws'];
      /** @description The key that verifies `evidence`; it stays here after the device was removed. */
      deviceKey?: components['schemas']['PublicKey'];
      /** @description The device's receipt: the service's signed statement that it enrolled `deviceKey`. */
      receipt?: components['schemas']['Receipt'];
      /** @description The key that verifies the claim `userVerification` in `evidence`, if `userVerified`. */
      passkeyKey?: components['schemas']['PublicKey'];
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
