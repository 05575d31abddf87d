import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type ServerAccess, ServerConnection } from '../../engine/postgis/connect.ts';
import { maxMessageBytes } from '../../engine/postgis/guarded-messages.ts';
import { parseServerAddress } from '../../engine/postgis/server-address.ts';

const password = 'a secret of this test';

/** A message as a server sends it. */
function message(type: string, body: Buffer | string = ''): Buffer {
  const bytes = Buffer.from(body);
  const header = Buffer.alloc(5);
  header.write(type);
  header.writeUInt32BE(bytes.length + 4, 1);
  return Buffer.concat([header, bytes]);
}

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const authentication = (code: number, ...rest: Buffer[]) => message('R', Buffer.concat([number(code), ...rest]));
const ready = message('Z', 'I');
const done = Buffer.concat([message('C', 'SET\0'), ready]);

/** A program that has taken the server's port. @param answer to the nth piece that comes in */
async function fakeServer(answer: (socket: net.Socket, n: number) => void) {
  const received: Buffer[] = [];
  const sockets: net.Socket[] = [];
  const listener = net.createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    let n = 0;
    socket.on('data', (bytes) => {
      received.push(bytes);
      answer(socket, n++);
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
  const { port } = listener.address() as net.AddressInfo;
  return { url: `postgres://me@127.0.0.1:${port}/land`, received };
}

const connect = (url: string, access: ServerAccess = {}) =>
  new ServerConnection(parseServerAddress(url), { password, ...access });

const salt = Buffer.from([1, 2, 3, 4]);

test.each([
  ['in clear text', authentication(3)],
  ['as an MD5 sum', authentication(5, salt)],
])('a server without TLS that asks for the password %s gets none', async (words, request) => {
  const { url, received } = await fakeServer((socket, n) => {
    if (n === 0) socket.write(request);
  });
  await expect(connect(url).open()).rejects.toMatchObject({
    code: 'postgis_refused',
    message: expect.stringContaining(`asks for the password ${words}`),
  });
  const sent = Buffer.concat(received);
  expect(sent.includes(password)).toBe(false);
  expect(sent.includes('md5')).toBe(false);
});

test('with --allow-plain-password it gets it', async () => {
  const { url, received } = await fakeServer((socket, n) => {
    if (n === 0) socket.write(authentication(3));
    else if (n === 1) socket.write(Buffer.concat([authentication(0), ready]));
    else socket.write(done);
  });
  const server = connect(url, { allowPlainPassword: true });
  await server.open();
  expect(Buffer.concat(received).includes(password)).toBe(true);
  await server.close();
});

/** Opens, and answers the first question with `bytes`, piece by piece. */
const answering = (pieces: (socket: net.Socket) => void) =>
  fakeServer((socket, n) => {
    if (n === 0) socket.write(Buffer.concat([authentication(0), ready]));
    else if (n === 1) socket.write(done);
    else pieces(socket);
  });

test('a message above the limit is refused by its header, before it is collected', async () => {
  const { url } = await answering((socket) => {
    const header = Buffer.concat([Buffer.from('D'), number(512 * 1024 * 1024)]);
    // The header itself in two pieces.
    socket.write(header.subarray(0, 3));
    setTimeout(() => socket.write(Buffer.concat([header.subarray(3), Buffer.alloc(1000)])), 20);
  });
  const server = connect(url);
  await server.open();
  await expect(server.rows('SELECT 1')).rejects.toMatchObject({
    code: 'postgis_refused',
    message: expect.stringMatching(/sends a message of 536,870,908 bytes, more than the 64 MB that one may have/),
  });
  await server.close();
});

test('the largest message that is let in goes to the driver whole', async () => {
  const text = Buffer.alloc(maxMessageBytes - 6, 'x');
  const { url } = await answering((socket) => {
    const field = Buffer.concat([Buffer.from('t\0'), number(0), Buffer.alloc(2), number(25), Buffer.alloc(8)]);
    const row = Buffer.concat([Buffer.from([0, 1]), number(text.length), text]);
    socket.write(
      Buffer.concat([
        message('T', Buffer.concat([Buffer.from([0, 1]), field])),
        message('D', row),
        message('C', 'SELECT 1\0'),
        ready,
      ]),
    );
  });
  const server = connect(url);
  await server.open();
  const [row] = await server.rows<{ t: string }>('SELECT t');
  expect(row?.t.length).toBe(text.length);
  await server.close();
});

test('bytes that never complete a message end by a time limit, however steadily they drip', async () => {
  const { url } = await answering((socket) => {
    socket.write(Buffer.concat([Buffer.from('D'), number(1_000_000)]));
    const drip = setInterval(() => socket.write('x'), 10);
    socket.once('close', () => clearInterval(drip));
  });
  const server = connect(url, { patienceMilliseconds: 50 });
  await server.open();
  await expect(server.rows('SELECT 1')).rejects.toMatchObject({
    code: 'postgis_refused',
    message: expect.stringContaining('sends a message that does not end in time'),
  });
  await server.close();
});
