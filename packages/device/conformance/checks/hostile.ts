/** Answers that are not the service's: redirects, other hosts, too much, too late, or something else altogether. */
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { must } from '../failure.ts';
import type { Check, Scene } from '../scene.ts';
import { linkTo, type Call } from '../service/fake-service.ts';
import { close, listen } from '../service/listener.ts';
import { drips, json, padded, problem, redirect, silent, text, type Reply } from '../service/replies.ts';
import { untrusted } from '../service/untrusted.ts';

/** Another host, which must get nothing. */
async function withOtherHost(
  use: (url: string, requests: readonly string[]) => Promise<void>,
  tls?: { key: string; cert: string },
): Promise<void> {
  const requests: string[] = [];
  const answer: RequestListener = (request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      '{"challenges":[],"status":"confirmed","deviceId":"d","tenantId":"t","userId":"u","tenant":"Bank"}',
    );
  };
  const server = tls ? createHttpsServer(tls, answer) : createHttpServer(answer);
  try {
    const port = await listen(server);
    await use(`${tls ? 'https' : 'http'}://localhost:${port}`, requests);
  } finally {
    await close(server);
  }
}

async function refusesRedirects(
  scene: Scene,
  call: Call,
  command: () => Promise<Record<string, unknown> & { do: string }>,
) {
  await withOtherHost(async (url, requests) => {
    for (const status of [301, 302, 303, 307, 308]) {
      const given = await command();
      scene.service.always(call, redirect(status, `${url}/omi/device`));
      await scene.refusal(given);
      scene.service.behave();
      must(requests.length === 0, `The redirect ${status} was followed.`);
    }
  });
}

const largestBytes = 8 * 1024 * 1024;

/** The device asks for challenges, gets this, and must not take it for the service's answer. */
async function refusesChallenges(scene: Scene, reply: Reply): Promise<void> {
  const { name } = await scene.enrol();
  scene.service.always('challenges', reply);
  await scene.refusal({ do: 'challenges', device: name });
  scene.service.behave();
}

const retryAfterSeconds = 1;

export const hostileChecks: readonly Check[] = [
  {
    id: 'redirect-enrolment',
    says: 'follows no redirect at the enrolment',
    run: async (scene) =>
      await refusesRedirects(
        scene,
        'enrol',
        async () =>
          await Promise.resolve({ do: 'enrol', device: scene.newName(), link: scene.service.link() }),
      ),
  },
  {
    id: 'redirect-request',
    says: 'follows no redirect when it asks for challenges',
    run: async (scene) => {
      const { name } = await scene.enrol();
      await refusesRedirects(
        scene,
        'challenges',
        async () => await Promise.resolve({ do: 'challenges', device: name }),
      );
    },
  },
  {
    id: 'redirect-answer',
    says: 'follows no redirect when it answers',
    run: async (scene) =>
      await refusesRedirects(scene, 'answer', async () => {
        const { device, challenge } = await scene.asked();
        return scene.answering(device, challenge.challengeId, { decision: 'confirm' });
      }),
  },
  {
    id: 'server-certificate',
    says: 'sends nothing to a server whose certificate nobody vouches for',
    run: async (scene) =>
      await withOtherHost(async (url, requests) => {
        await scene.refusal({ do: 'enrol', device: scene.newName(), link: linkTo(url, 'code') });
        must(requests.length === 0, 'The server got a request.');
      }, untrusted),
  },
  {
    id: 'answer-size',
    says: 'does not read an answer of 8 MiB to its end',
    run: async (scene) => await refusesChallenges(scene, padded(largestBytes, '{"challenges":[]}')),
  },
  {
    id: 'answer-never',
    says: 'gives up an answer that never comes',
    run: async (scene) => await refusesChallenges(scene, silent),
  },
  {
    id: 'answer-slow',
    says: 'gives up an answer that comes byte by byte without end',
    run: async (scene) => await refusesChallenges(scene, drips),
  },
  {
    id: 'answer-foreign',
    says: "takes nothing for the service's answer that has another form",
    run: async (scene) => {
      const page = '<!doctype html><title>Sign in to the hotel</title>';
      await refusesChallenges(scene, text(200, 'text/html', page));
      for (const body of ['', 'null', '[]', '{"challenges":{}}', '{"challenges":[7]}'])
        await refusesChallenges(scene, text(200, 'application/json', body));
    },
  },
  {
    id: 'answer-path',
    says: 'sends no answer to another path than that of challenges',
    run: async (scene) => {
      for (const challengeId of ['../../../push-token', 'a/b', 'a?b', '..']) {
        const device = await scene.enrol();
        scene.open(device, { challengeId });
        const arrived = await scene.during(async () => {
          await scene.outcome({ do: 'challenges', device: device.name });
          await scene.outcome(scene.answering(device, challengeId, { decision: 'confirm' }));
        });
        const expected = `/omi/device/challenges/${encodeURIComponent(challengeId)}/response`;
        const strays = arrived.filter(({ call, path }) => call !== 'challenges' && path !== expected);
        must(strays.length === 0, `A message went to ${strays[0]?.path ?? ''}`);
      }
    },
  },
  {
    id: 'retry-after',
    says: 'repeats no call before the time that Retry-After names',
    run: async (scene) => {
      const device = await scene.enrol();
      const headers = { 'retry-after': String(retryAfterSeconds) };
      scene.service.next(
        'challenges',
        problem(503, 'temporarily-unavailable', {}, headers),
        json(200, { challenges: [] }),
      );
      const arrived = await scene.during(
        async () => await scene.outcome({ do: 'challenges', device: device.name }),
      );
      const [first, second] = arrived;
      if (!first || !second) return;
      const pauseMs = second.at - first.at;
      // Timers may end a little early.
      must(pauseMs >= retryAfterSeconds * 1000 - 50, `It was repeated after ${pauseMs} ms.`);
    },
  },
];
