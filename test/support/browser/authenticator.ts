import type { Visitor } from './visitor.ts';

/** A fingerprint reader: Chromium's virtual authenticator, with real keys and signatures. */
export type Authenticator = {
  /** Whether the finger is the user's. */
  recognizes: (isUser: boolean) => Promise<void>;
};

/** Gives the visitor's page a fingerprint reader, with one of the user's fingers on it. */
export async function giveAuthenticator({
  context,
  page,
}: Pick<Visitor, 'context' | 'page'>): Promise<Authenticator> {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    recognizes: async (isUserVerified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
  };
}
