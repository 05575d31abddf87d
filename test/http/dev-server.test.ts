/** `npm run dev`: the pages by vite before a listener that stays as it ships. */
import { spawn } from 'node:child_process';
import http from 'node:http';
import path from 'node:path';
import { expect, test } from 'vitest';
import { copyOfHome, sampleHome } from '../support/homes.ts';

const root = path.resolve(import.meta.dirname, '..', '..');

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

const ask = (method: string, address: string, headers: http.OutgoingHttpHeaders = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = http.request(address, { method, headers }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    request.on('error', reject);
    request.end(method === 'POST' ? '{}' : undefined);
  });

test('npm run dev serves the pages from their sources, to whom its link was given and to no other page', {
  timeout: 60_000,
}, async () => {
  const home = copyOfHome(sampleHome());
  const dev = spawn(process.execPath, [path.join(root, 'engine/bin/dev.mjs'), '--home', home], { cwd: root });
  const ended = new Promise((resolve) => dev.on('close', resolve));
  try {
    const link = await new Promise<URL>((resolve, reject) => {
      let heard = '';
      dev.stdout.on('data', (chunk) => {
        heard += chunk;
        const [, address] = /^App: (\S+)$/m.exec(heard) ?? [];
        if (address) resolve(new URL(address));
      });
      void ended.then(() => reject(new Error(`npm run dev ended: ${heard}`)));
    });
    const read = (headers: http.OutgoingHttpHeaders) =>
      ask('POST', `${link.origin}/app/read/home`, { 'Content-Type': 'application/json', ...headers });
    const own = { Origin: link.origin };
    expect((await read(own)).status).toBe(401);

    const opened = await ask('GET', link.href);
    expect([opened.status, opened.headers.location]).toEqual([303, '/']);
    const Cookie = opened.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const { status, body } = await read({ ...own, Cookie });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ data: { kind: 'sample' } });

    const page = await ask('GET', `${link.origin}/`);
    expect(page.body).toContain('/@vite/client');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect((await ask('GET', `${link.origin}/main.tsx`)).body).toContain('/frame/app.tsx');
    expect((await ask('GET', `${link.origin}/licences.txt`)).body).toContain('MIT');

    expect((await read({ Origin: 'http://other.example', Cookie })).status).toBe(403);
    expect((await read({ 'Sec-Fetch-Site': 'cross-site', Cookie })).status).toBe(403);
    expect((await read({ Host: 'other.example', Origin: 'http://other.example', Cookie })).status).toBe(403);
    expect((await ask('GET', `${link.origin}/@fs${root}/package.json`)).status).toBe(403);
  } finally {
    dev.kill('SIGTERM');
    await ended;
  }
});
