// @ts-check
import { OmiStage } from '@omi/cdk';
import { App } from 'aws-cdk-lib';
import { stages } from './omi.config.js';

const app = new App();

// The stage that `-c stage=production` names.
const stage = app.node.tryGetContext('stage') ?? 'dev';
const config = stages[stage];
if (!config) throw new Error(`omi.config.js has no stage "${stage}".`);

// `-c demo=true` adds the demo bank, `-c demo=false` leaves it out.
const demo = { true: true, false: false }[app.node.tryGetContext('demo')];

new OmiStage(app, `omi-${stage}`, { config: { ...config, ...(demo !== undefined && { demo }) } });
