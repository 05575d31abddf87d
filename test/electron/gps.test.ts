/** From a receiver's line to a sentence about the parcel. */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LocationChoice, PositionNews } from '../../electron/bridge.ts';
import { gpsdParser, parseGpsd } from '../../electron/gps/gpsd.ts';
import { gpsdAddress, serialDevice } from '../../electron/gps/location-choice.ts';
import { nmeaChecksum, nmeaParser, parseNmea } from '../../electron/gps/nmea.ts';
import type { Position, PositionSource } from '../../electron/gps/position.ts';
import { openPositionWatch } from '../../electron/gps/position-watch.ts';
import { gpsdSource, lineReader, serialSource, simulatedSource } from '../../electron/gps/sources.ts';
import { metersToBoundary } from '../../engine/geo/boundary-distance.ts';
import type { ParcelPosition } from '../../engine/query/parcel-position.ts';
import { runRead } from '../../engine/reads/index.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { requireOrSkip } from '../support/require.ts';

const hasTerminals = requireOrSkip(
  'python3 with pseudo-terminals',
  spawnSync('python3', ['-c', 'import pty']).status === 0,
  'one stands for a serial port (apt-get install python3)',
);

/** Prints the name of its other end, writes its input there, and prints what it receives from there. */
const pairOfTerminals = `
import os, pty, select
near, far = pty.openpty()
print(os.ttyname(far), flush=True)
while True:
    ready, _, _ = select.select([0, near], [], [])
    if 0 in ready:
        told = os.read(0, 4096)
        if not told: break
        os.write(near, told)
    if near in ready: os.write(1, os.read(near, 4096))
`;

// The examples that Wikipedia's article on NMEA 0183 and gpsd's "NMEA Revealed" give.
const gga = '$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47';
const rmc = '$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A';
const gga2 = '$GPGGA,092750.000,5321.6802,N,00630.3372,W,1,8,1.03,61.7,M,55.2,M,,*76';
const rmc2 = '$GPRMC,092750.000,A,5321.6802,N,00630.3372,W,0.02,31.66,280511,,,A*43';

/** A position whose source says neither motion nor satellites. */
const still = { course: null, speed: null, satellites: null };

describe('NMEA', () => {
  test('GGA gives the place, and its accuracy from the dilution', () => {
    // 48° 07.038′ = 48 + 7.038 ÷ 60; 11° 31.000′ = 11 + 31 ÷ 60; 0.9 × 5 m.
    expect(parseNmea(gga)).toEqual({
      latitude: 48.1173,
      longitude: 11 + 31 / 60,
      accuracyMeters: 4.5,
      at: null,
      course: null,
      speed: null,
      satellites: 8,
    });
    const west = parseNmea(`${gga2}\r\n`);
    expect(west?.latitude).toBeCloseTo(53.361337, 6);
    expect(west?.longitude).toBeCloseTo(-6.50562, 6);
  });

  test('RMC gives the place, the moment, the course and the speed', () => {
    expect(parseNmea(rmc)).toMatchObject({ latitude: 48.1173, at: '1994-03-23T12:35:19.000Z', course: 84.4 });
    // 22.4 knots of 1852 m an hour.
    expect(parseNmea(rmc)?.speed).toBeCloseTo(11.5236, 4);
    expect(parseNmea(rmc2)).toMatchObject({ at: '2011-05-28T09:27:50.000Z' });
  });

  test('the checksum is that of the published sentences, and one wrong character is noticed', () => {
    expect(nmeaChecksum(gga.slice(1, -3))).toBe('47');
    expect(nmeaChecksum(rmc2.slice(1, -3))).toBe('43');
    for (let at = 1; at < gga.length; at++) {
      const other = gga[at] === '1' ? '2' : '1';
      const wrong = gga.slice(0, at) + other + gga.slice(at + 1);
      expect(parseNmea(wrong), wrong).toBeNull();
    }
  });

  const signed = (body: string) => `$${body}*${nmeaChecksum(body)}`;
  const place = '4807.038,N,01131.000,E';

  test('the sentences of one moment complete each other, in either order', () => {
    const whole = {
      accuracyMeters: 4.5,
      at: '1994-03-23T12:35:19.000Z',
      course: 84.4,
      satellites: 8,
      speed: expect.closeTo(11.5236, 4),
    };
    for (const lines of [
      [gga, rmc],
      [rmc, gga],
    ]) {
      const parse = nmeaParser();
      expect(lines.map(parse).at(-1)).toMatchObject(whole);
    }
  });

  test('a sentence of another moment completes nothing; over midnight the day goes on', () => {
    const parse = nmeaParser();
    parse(rmc);
    expect(parse(signed(`GPGGA,123522,${place},1,08,0.9,545.4,M,46.9,M,,`))).toMatchObject({ course: null, at: null });
    parse(signed(`GPRMC,235959,A,${place},022.4,084.4,311225,003.1,W`));
    expect(parse(signed(`GPGGA,000000,${place},1,08,0.9,545.4,M,46.9,M,,`))).toMatchObject({
      at: '2026-01-01T00:00:00.000Z',
      course: 84.4,
    });
  });

  test('a receiver that stands has no course', () => {
    expect(parseNmea(signed(`GPRMC,123519,A,${place},,,230394,003.1,W`))).toMatchObject({ course: null, speed: null });
  });

  test.each([
    ['no fix', 'GPGGA,123519,4807.038,N,01131.000,E,0,08,0.9,545.4,M,46.9,M,,'],
    ['a simulated fix', 'GPGGA,123519,4807.038,N,01131.000,E,8,08,0.9,545.4,M,46.9,M,,'],
    ['not valid', 'GPRMC,123519,V,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W'],
    ['empty fields', 'GPGGA,,,,,,0,,,,,,,,'],
    ['61 minutes', 'GPGGA,123519,4861.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,'],
    ['beyond the pole', 'GPGGA,123519,9107.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,'],
    ['north for east', 'GPGGA,123519,4807.038,N,01131.000,N,1,08,0.9,545.4,M,46.9,M,,'],
    ['satellites in view', 'GPGSV,1,1,01,01,40,083,46'],
  ])('says nothing of %s', (_what, body) => {
    expect(parseNmea(signed(body))).toBeNull();
  });

  test('any talker will do, and a dilution that is missing makes the fix a poor one', () => {
    expect(parseNmea(signed('GNGGA,123519,4807.038,N,01131.000,E,1,08,,545.4,M,46.9,M,,'))?.accuracyMeters).toBe(15);
  });
});

describe('gpsd', () => {
  // From gpsd's own page gpsd_json(5).
  const tpv =
    '{"class":"TPV","device":"/dev/pts/1","time":"2005-06-08T10:34:48.283Z","ept":0.005,"lat":46.498293369,"lon":7.567411672,"alt":1343.127,"eph":36.000,"epv":32.321,"track":10.3788,"speed":0.091,"climb":-0.085,"mode":3}';

  test('a TPV gives place, error and moment', () => {
    expect(parseGpsd(tpv)).toEqual({
      latitude: 46.498293369,
      longitude: 7.567411672,
      accuracyMeters: 36,
      at: '2005-06-08T10:34:48.283Z',
      course: 10.3788,
      speed: 0.091,
      satellites: null,
    });
    expect(parseGpsd(tpv.replace('"eph":36.000,', '"epx":3,"epy":4,'))?.accuracyMeters).toBe(4);
  });

  test('the satellites in use come in a report of their own', () => {
    const parse = gpsdParser();
    expect(
      parse('{"class":"SKY","satellites":[{"PRN":5,"used":true},{"PRN":7,"used":false},{"PRN":9,"used":true}]}'),
    ).toBe(null);
    expect(parse(tpv)?.satellites).toBe(2);
    parse('{"class":"SKY","uSat":11}');
    expect(parse(tpv)?.satellites).toBe(11);
  });

  test.each([
    '',
    'x',
    'null',
    '[]',
    '{"class":"VERSION"}',
    '{"class":"TPV","mode":1,"lat":1,"lon":1}',
    '{"class":"TPV","mode":3,"lat":"1","lon":1}',
    '{"class":"TPV","mode":3,"lat":91,"lon":1}',
  ])('says nothing of %s', (line) => expect(parseGpsd(line)).toBeNull());
});

describe('sources', () => {
  /** Everything that comes until the source has a problem. */
  const hear = (source: PositionSource): Promise<{ positions: Position[]; problem: string }> =>
    new Promise((resolve) => {
      const positions: Position[] = [];
      const stop = source.start(
        (position) => positions.push(position),
        (problem) => {
          resolve({ positions, problem });
          stop();
        },
      );
    });

  test('lines come together however they are cut', () => {
    const lines: string[] = [];
    const read = lineReader((line) => lines.push(line));
    for (const character of `${gga}\r\n${rmc}\npart`) read(character);
    expect(lines).toEqual([gga, rmc]);
  });

  test('a serial port is read like a file', async () => {
    const device = path.join(emptyHome(), 'tty');
    fs.writeFileSync(device, `\u00ff\u0000garbage\r\n${gga}\r\n${gga.replace('*47', '*48')}\r\n${rmc}\r\n`, 'latin1');
    const { positions, problem } = await hear(serialSource(device));
    expect(positions.map(({ latitude }) => latitude)).toEqual([48.1173, 48.1173]);
    expect(problem).toBe('The GPS has stopped.');
    expect((await hear(serialSource('/no/such/device'))).problem).toMatch(/^The GPS cannot be read: ENOENT/);
  });

  test('gpsd is asked to tell and then heard', async () => {
    const server = net.createServer((socket) =>
      socket.once('data', (asked) => {
        expect(asked.toString()).toBe('?WATCH={"enable":true,"json":true};\n');
        socket.end('{"class":"VERSION"}\n{"class":"TPV","mode":3,"lat":43.1,"lon":-72.1,"eph":4.9}\n');
      }),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { positions } = await hear(gpsdSource({ host: '127.0.0.1', port: (server.address() as AddressInfo).port }));
    expect(positions).toEqual([{ ...still, latitude: 43.1, longitude: -72.1, accuracyMeters: 4.9, at: null }]);
  });

  test.skipIf(!hasTerminals)(
    'a terminal is listened to in the raw, and let go of at once while it is silent',
    async () => {
      // A pair of terminals: what is written to one end is read at the other, like a receiver on a cable.
      const pair = spawn('python3', ['-c', pairOfTerminals], { stdio: ['pipe', 'pipe', 'inherit'] });
      onTestFinished(() => void pair.kill());
      const device = await new Promise<string>((resolve) =>
        pair.stdout.once('data', (name) => resolve(`${name}`.trim())),
      );
      const positions: Position[] = [];
      const stop = serialSource(device).start(
        (position) => positions.push(position),
        () => {},
      );
      pair.stdin.write(`${gga}\r\n`);
      await expect.poll(() => positions.length, { timeout: 10_000 }).toBe(1);
      expect(positions[0]?.latitude).toBeCloseTo(48.1173, 6);
      let sentBack = '';
      pair.stdout.on('data', (chunk) => {
        sentBack += chunk;
      });
      pair.stdin.write(`${gga}\r\n`);
      await expect.poll(() => positions.length, { timeout: 10_000 }).toBe(2);
      // A terminal that is not raw would have said the first line back to the receiver by now.
      expect(sentBack).toBe('');
      stop();
    },
  );

  test('lines are played back', async () => {
    const { positions } = await hear(simulatedSource([gga, 'noise', rmc2], 1));
    expect(positions).toHaveLength(2);
  });

  test('the sentences of one moment are played back together', async () => {
    const { positions } = await hear(simulatedSource([gga, rmc], 1));
    expect(positions.at(-1)).toMatchObject({ accuracyMeters: 4.5, course: 84.4 });
  });
});

describe('one receiver for all pages', () => {
  /** A receiver in the hands of the test. */
  function receiver() {
    const state = { running: 0, started: 0, onPosition: (_: Position) => {}, onProblem: (_: string) => {} };
    const source: PositionSource = {
      start: (onPosition, onProblem) => {
        state.running += 1;
        state.started += 1;
        state.onPosition = onPosition;
        state.onProblem = (problem) => {
          state.running -= 1;
          onProblem(problem);
        };
        return () => {
          state.running -= 1;
        };
      },
    };
    return { state, source };
  }

  const fix: Position = { ...still, longitude: 1, latitude: 2, accuracyMeters: 3, at: null };
  const serial: LocationChoice = { on: true, source: 'serial', place: '/dev/ttyUSB0' };

  function watchOn(choice: LocationChoice) {
    const { state, source } = receiver();
    const told: [number, PositionNews][] = [];
    const current = { choice };
    const watch = openPositionWatch({
      choice: () => current.choice,
      tell: (page, news) => told.push([page, news]),
      open: () => source,
      againMilliseconds: 5,
    });
    return { state, told, current, watch };
  }

  test('it is read while somebody watches, and no longer', () => {
    const { state, told, watch } = watchOn(serial);
    expect(state.running).toBe(0);
    watch.start(1);
    watch.start(2);
    expect([state.running, state.started]).toEqual([1, 1]);
    state.onPosition(fix);
    expect(told.map(([page]) => page)).toEqual([1, 2]);
    watch.stop(1);
    state.onPosition(fix);
    expect(told.map(([page]) => page)).toEqual([1, 2, 2]);
    watch.stop(2);
    expect(state.running).toBe(0);
  });

  test('the switch ends it at once, for everybody', () => {
    const { state, current, watch } = watchOn(serial);
    watch.start(1);
    current.choice = { ...serial, on: false };
    watch.choose();
    expect(state.running).toBe(0);
    current.choice = serial;
    watch.choose();
    expect(state.running).toBe(1);
    watch.stop(1);
  });

  test('reports an unplugged receiver, and retries while a window watches', async () => {
    const { state, told, watch } = watchOn(serial);
    watch.start(1);
    state.onProblem('The GPS has stopped.');
    expect(told).toEqual([[1, { position: null, problem: 'The GPS has stopped.' }]]);
    await expect.poll(() => state.started).toBe(2);
    state.onProblem('The GPS has stopped.');
    watch.stop(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([state.running, state.started]).toEqual([0, 2]);
  });

  test('a recording is played once', async () => {
    const { state, watch } = watchOn({ on: true, source: 'file', place: '/walk.nmea' });
    watch.start(1);
    state.onProblem('The GPS has stopped.');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(state.started).toBe(1);
  });

  test('only what can be a receiver is opened', () => {
    expect(serialDevice('/dev/serial/by-id/usb-u-blox_7-if00')).toBe('/dev/serial/by-id/usb-u-blox_7-if00');
    expect(serialDevice('com3')).toBe(String.raw`\\.\COM3`);
    for (const place of ['/etc/passwd', '/dev/tty/../sda', '/dev/sda', 'COM', '', '/dev/ttyUSB0\n'])
      expect(() => serialDevice(place), place).toThrow('Expected a serial port');
    expect(gpsdAddress('')).toEqual({ host: '127.0.0.1', port: 2947 });
    expect(gpsdAddress('192.168.1.20:3000')).toEqual({ host: '192.168.1.20', port: 3000 });
    for (const place of [
      'example.org',
      '8.8.8.8',
      '172.32.0.1',
      'localhost:0',
      'localhost:99999',
      'localhost:1:2',
      '10.0.0.1.example.org',
    ])
      expect(() => gpsdAddress(place), place).toThrow('your own network');
  });
});

describe('against the line', () => {
  test('the distance is that of the plane around the point', () => {
    // A square of 0.002° on the equator: 111.32 m a thousandth along it, 110.574 m across (Snyder 4-18, 4-20).
    const square = [[new Float64Array([0, 0, 0.002, 0, 0.002, 0.002, 0, 0.002, 0, 0])]];
    expect(metersToBoundary(square, 0.0005, 0.001)).toBeCloseTo(55.66, 1);
    expect(metersToBoundary(square, -0.001, 0.001)).toBeCloseTo(111.32, 1);
    expect(metersToBoundary(square, 0.001, 0.0021)).toBeCloseTo(11.06, 1);
    // Outside a corner: √(111.32² + 110.57²).
    expect(metersToBoundary(square, -0.001, -0.001)).toBeCloseTo(156.9, 0);
    expect(metersToBoundary([], 0, 0)).toBe(Number.POSITIVE_INFINITY);
  });

  test('the sentence says inside or outside only beyond the accuracy of the GPS', () => {
    const engine = engineOn(sampleHome());
    const row = engine.land.file.get<{ id: number; lon: number; lat: number }>(
      "SELECT property_id AS id, point_lon AS lon, point_lat AS lat FROM parcels WHERE geom IS NOT NULL AND status = 'current' AND acres BETWEEN 5 AND 20 LIMIT 1",
    );
    if (!row) throw new Error('the sample has no such parcel');
    const at = (lon: number, lat: number, accuracy: number, more = {}): ParcelPosition | null =>
      (
        runRead(engine, 'position_in_parcel', {
          longitude: lon,
          latitude: lat,
          accuracy_meters: accuracy,
          ...more,
        }) as { position: ParcelPosition | null }
      ).position;

    const sure = at(row.lon, row.lat, 1);
    expect(sure).toMatchObject({ property_id: row.id, side: 'inside', accuracy_feet: 4 });
    expect(sure?.sentence).toBe(`inside, ${sure?.feet_to_line} ft from the line, GPS ±4 ft`);
    // As near to the line as the GPS is accurate: unsure.
    const meters = ((sure?.feet_to_line ?? 0) + 1) * 0.3048;
    const unsure = at(row.lon, row.lat, meters);
    expect(unsure?.side).toBe('unsure');
    expect(unsure?.sentence).toMatch(/^Cannot tell: the line is \d+ ft away, GPS ±\d+ ft$/);
    expect(at(row.lon, row.lat, 30_000)?.side).toBe('unsure');

    // Walked out to the east, step by step: inside, then too near, then outside, and never back.
    const sides: string[] = [];
    for (let step = 0; step < 400; step++) {
      const side = at(row.lon + step * 0.00001, row.lat, 4.9, { id: row.id })?.side ?? 'gone';
      if (side !== sides.at(-1)) sides.push(side);
    }
    expect(sides.slice(0, 3)).toEqual(['inside', 'unsure', 'outside']);
    expect(at(0, 0, 5)).toBeNull();
  });
});
