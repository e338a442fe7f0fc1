// @ts-check
/**
 * The settings of your stages. All have defaults, so an empty stage is a whole service. An editor shows what each setting does,
 * and a misspelt one stops `cdk synth`. `npx omi preflight` checks what the account must have for them.
 *
 * @type {import('@omi/cdk').Stages}
 */
export const stages = {
  dev: {},

  production: {
    // The only account and region to which this stage may be deployed.
    // env: { account: '111122223333', region: 'eu-central-1' },
    // Choose the names before the first device enrols: a device calls and signs the address of its enrolment.
    // api: {
    //   // The certificate is one of the stage's region.
    //   domain: { name: 'api.example.com', certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/…' },
    // },
    // webApp: {
    //   // The certificate is one of us-east-1, because CloudFront serves the app.
    //   domain: { name: 'confirm.example.com', certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/…' },
    // },
    // For native apps: the secrets with the credentials of Google and Apple. Web devices need none.
    // push: { fcm: { secretName: 'omi/fcm' }, apns: { secretName: 'omi/apns' } },
    // At whom push services of browsers may complain. Apple rejects pushes without a valid address.
    // webPush: { contact: 'mailto:security@example.com' },
    // Access tokens of your own OpenID provider in place of Amazon Cognito.
    // identity: { kind: 'oidc', issuer: 'https://id.example.com', audience: 'omi' },
  },
};
