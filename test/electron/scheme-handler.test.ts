/** The handler of the windows' own scheme, as a plain function. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { appAddress, homeOf } from '../../electron/app-scheme.ts';
import { schemeHandler } from '../../electron/scheme-handler.ts';
import { contentSecurityPolicy, listStaticFiles } from '../../engine/http/static-files.ts';
import { emptyHome } from '../support/homes.ts';

function pages() {
  const folder = emptyHome();
  fs.mkdirSync(path.join(folder, 'assets'));
  fs.writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>Platbook</title>');
  fs.writeFileSync(path.join(folder, 'assets', 'main.js'), 'export {};');
  fs.writeFileSync(path.join(folder, 'secret.key'), 'of an unknown kind');
  return { folder, answer: schemeHandler(listStaticFiles(folder)) };
}

describe('the scheme handler', () => {
  test('gives each home the page and its files, with their types and the policy of the listener', async () => {
    const { answer } = pages();
    for (const home of ['home', 'sample'] as const) {
      const page = answer(new Request(appAddress(home)));
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.headers.get('content-security-policy')).toBe(contentSecurityPolicy);
      expect(page.headers.get('x-content-type-options')).toBe('nosniff');
      expect(await page.text()).toContain('<title>Platbook</title>');
    }
    const script = answer(new Request('platbook-app://home/assets/main.js'));
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(await answer(new Request('platbook-app://home/assets/main.js', { method: 'HEAD' })).text()).toBe('');
  });

  test.each([
    'platbook-app://home/index.html',
    'platbook-app://home/secret.key',
    'platbook-app://home/../package.json',
    'platbook-app://home/assets/..%2f..%2fpackage.json',
    'platbook-app://home/%2e%2e/package.json',
    'platbook-app://home//etc/passwd',
    'platbook-app://home/assets/',
    'platbook-app://other/',
    'platbook-app://HOME/',
    'platbook-app://user@home/',
    'https://home/',
    'file:///etc/passwd',
  ])('finds nothing at %s', (url) => {
    const { answer } = pages();
    const { status, headers } = answer({ url, method: 'GET' } as Request);
    expect(status).toBe(404);
    expect(headers.get('content-security-policy')).toBe(contentSecurityPolicy);
  });

  test('writes nothing', () => {
    const { answer } = pages();
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = answer(new Request(appAddress('home'), { method }));
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });

  test('answers when a file has gone', () => {
    const { folder, answer } = pages();
    fs.rmSync(path.join(folder, 'assets', 'main.js'));
    expect(answer(new Request('platbook-app://home/assets/main.js')).status).toBe(500);
  });
});

test('a page belongs to a home by its origin alone', () => {
  expect(homeOf('platbook-app://sample/#/explore')).toBe('sample');
  for (const address of [
    '',
    'about:blank',
    'platbook-app:home',
    'platbook-app://home.example.org/',
    'platbook://home/',
    'https://home/',
  ])
    expect(homeOf(address)).toBeNull();
});
