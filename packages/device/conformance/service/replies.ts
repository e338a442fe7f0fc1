/** Answers that a service gives in place of its own. */
import type { ServerResponse } from 'node:http';

export type Reply = (response: ServerResponse) => void;

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(body === undefined ? undefined : JSON.stringify(body));

export const problem = (status: number, code: string, more: object = {}, headers = {}): Reply =>
  json(
    status,
    { type: `https://api.omi.example/problems/${code}`, title: code, status, code, detail: 'Why.', ...more },
    headers,
  );

export const text =
  (status: number, contentType: string, body: string): Reply =>
  (response) =>
    void response.writeHead(status, { 'content-type': contentType }).end(body);

/** The answer is lost. */
export const lost: Reply = (response) => void response.socket?.resetAndDestroy();

export const silent: Reply = () => undefined;

/** A byte now and then, for ever. */
export const drips: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 50);
  response.once('close', () => clearInterval(timer));
};

/** Valid at its end, so that only a limit keeps a device from reading all of it. */
export const padded =
  (largestBytes: number, end: string): Reply =>
  (response) => {
    const chunk = Buffer.alloc(64 * 1024, ' ');
    let sent = 0;
    const write = (): void => {
      while (!response.destroyed && sent < largestBytes) {
        sent += chunk.length;
        if (!response.write(chunk)) {
          response.once('drain', write);
          return;
        }
      }
      if (!response.destroyed) response.end(end);
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    write();
  };

export const redirect =
  (status: number, location: string): Reply =>
  (response) =>
    void response.writeHead(status, { location }).end();
