/** The website, as a client of the OpenID provider. */
export const cibaClient = { id: 'website', secret: 'known-to-the-website-and-the-provider-alone' };

export const cibaGrant = 'urn:openid:params:grant-type:ciba';
