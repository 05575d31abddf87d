import { describe, expect, test } from 'vitest';
import { routeFinder } from '../../engine/http/find-route.ts';

const routeOf = (path: string) => ({ path, reply: () => Promise.reject(new Error(path)) });
const find = routeFinder(['/', '/a/:id/', '/a/filter/', '/tile/:z/:x', '/a/:id/notes/'].map(routeOf));

describe('the route of a path', () => {
  test.each([
    ['/', '/', {}],
    ['/a/filter/', '/a/filter/', {}],
    ['/a/filter', '/a/filter/', {}],
    ['/a/%66ilter/', '/a/filter/', {}],
    ['/a/7/', '/a/:id/', { id: '7' }],
    ['/a/:id', '/a/:id/', { id: ':id' }],
    ['/a/x%2Fy/', '/a/:id/', { id: 'x/y' }],
    ['/a/x%252F/', '/a/:id/', { id: 'x%2F' }],
    ['/a/%zz/', '/a/:id/', { id: '%zz' }],
    ['/tile/1/2/', '/tile/:z/:x', { z: '1', x: '2' }],
  ])('%s is %s', (sent, path, pathValues) => {
    const found = find(sent);
    expect([found?.route.path, found?.pathValues]).toEqual([path, pathValues]);
  });

  test.each(['*', '//', '/a', '/a//', '/a%2Ffilter/', '/A/filter/', '/tile//2', '/a/7/notes/x'])(
    '%s has none',
    (sent) => {
      expect(find(sent)).toBeNull();
    },
  );
});
