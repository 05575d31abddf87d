/** Small images for the map's style, drawn without a canvas in the theme's colors. */
import type { MapTokens } from './map-tokens.ts';

interface MapImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
  /** How it grows around a text. */
  readonly stretch?: {
    readonly stretchX: [number, number][];
    readonly stretchY: [number, number][];
    readonly content: [number, number, number, number];
  };
}

export const mapImages: Readonly<Record<string, (tokens: MapTokens, pixelRatio: number) => MapImage>> = {
  hatch: hatchImage,
  half: halfImage,
  plate: (tokens, pixelRatio) => plateImage(tokens.halo, tokens, pixelRatio),
  'plate-aim': (tokens, pixelRatio) => plateImage(tokens.selectCasing, tokens, pixelRatio),
  'mark-waypoint': (tokens, pixelRatio) => markImage(pinStrokes, tokens, pixelRatio),
  'mark-photo': (tokens, pixelRatio) => markImage(cameraStrokes, tokens, pixelRatio),
  wet: wetImage,
  flood: floodImage,
  summit: summitImage,
  shield: shieldImage,
};

/** 6 px across the lines are 6 · √2 along an edge; a tile with a whole number of pixels repeats without a seam. */
const period = 8;
const lineShare = 2 / 6;

/** The hatch of "no value": the mock's pattern, 2 px lines at 45° every 6 px. */
export function hatchImage({ lot, line }: Pick<MapTokens, 'lot' | 'line'>, pixelRatio: number): MapImage {
  const size = period * pixelRatio;
  const [ground, ink] = [parseColor(lot), parseColor(line)];
  return paint(size, (x, y) => {
    const at = ((x + y) % size) / size;
    // The share of the pixel that the line covers, for smooth edges.
    const share = clamp((lineShare / 2 - Math.min(at, 1 - at)) * size + 0.5);
    return [...ground.map((one, i) => one * (1 - share) + (ink[i] ?? 0) * share), 255];
  });
}

/** The left half of a dot of 4 px: fills the ring of a pending comp. */
function halfImage({ comp }: Pick<MapTokens, 'comp'>, pixelRatio: number): MapImage {
  const size = 12 * pixelRatio;
  const ink = parseColor(comp);
  return paint(size, (x, y) => {
    const distance = Math.hypot(x + 0.5 - size / 2, y + 0.5 - size / 2);
    return [...ink, x + 0.5 < size / 2 ? 255 * clamp(4 * pixelRatio - distance + 0.5) : 0];
  });
}

/** Pixels. The tip is as long as the letters keep clear of the user who stands at its end. */
export const plateEdge = { border: 2, tip: 18 } as const;

/** Half its width by its length. */
const tipSlope = 0.4;

/** A plate with a border and a tip below it, for the name of a waypoint. */
function plateImage(ground: string, { hover }: Pick<MapTokens, 'hover'>, pixelRatio: number): MapImage {
  const [inside, ink] = [parseColor(ground), parseColor(hover)];
  const [width, height] = [24 * pixelRatio, 22 * pixelRatio];
  const [border, tip] = [plateEdge.border * pixelRatio, plateEdge.tip * pixelRatio];
  const picture = paintBox(width, height + tip, (x, y) => {
    const fromMiddle = Math.abs(x + 0.5 - width / 2);
    if (y >= height) return [...ink, 255 * clamp((height + tip - y) * tipSlope - fromMiddle)];
    const toEdge = Math.min(x, y, width - 1 - x, height - 1 - y);
    return [...(toEdge < border ? ink : inside), 255];
  });
  const end = width / 2 - tip * tipSlope;
  return {
    ...picture,
    stretch: {
      // Beside the tip, which keeps its width. A pixel off the border, whose color a smoothed picture would smear over all.
      stretchX: [
        [border + 1, end],
        [width - end, width - border - 1],
      ],
      stretchY: [[border + 1, height - border - 1]],
      // With the parts that grow: else a text would not widen it.
      content: [border, border, width - border, height - border],
    },
  };
}

type Stroke = readonly [ax: number, ay: number, bx: number, by: number];

/** Strokes of one color on nothing, in pixels of the screen. */
function strokes(size: number, pixelRatio: number, color: string, lines: readonly Stroke[], width: number): MapImage {
  const ink = parseColor(color);
  return paint(size * pixelRatio, (column, row) => {
    const [x, y] = [(column + 0.5) / pixelRatio, (row + 0.5) / pixelRatio];
    const nearest = Math.min(...lines.map((line) => distanceTo(line, x, y)));
    return [...ink, 255 * clamp((width / 2 - nearest) * pixelRatio + 0.5)];
  });
}

function distanceTo([ax, ay, bx, by]: Stroke, x: number, y: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const at = clamp(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1));
  return Math.hypot(x - ax - at * dx, y - ay - at * dy);
}

/** Pixels of the sign before a name on a plate. */
export const markPixels = 14;

type Corner = readonly [x: number, y: number];

const path = (...corners: readonly Corner[]): Stroke[] =>
  corners.slice(1).map(([x, y], i): Stroke => [...(corners[i] as Corner), x, y]);

/** Clockwise on the screen, degrees from east. */
const arc = (x: number, y: number, radius: number, from: number, to: number): Corner[] =>
  Array.from({ length: 13 }, (_, i) => {
    const angle = ((from + ((to - from) * i) / 12) * Math.PI) / 180;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });

/** As the buttons' signs, on 24 units. */
const pinStrokes = [...path([12, 22], ...arc(12, 10, 8, 145, 395), [12, 22]), ...path(...arc(12, 10, 2.6, 0, 360))];
const cameraStrokes = [
  ...path([2, 20], [2, 7], [7.5, 7], [9.5, 4], [14.5, 4], [16.5, 7], [22, 7], [22, 20], [2, 20]),
  ...path(...arc(12, 13, 3.4, 0, 360)),
];

function markImage(units: readonly Stroke[], { text }: Pick<MapTokens, 'text'>, pixelRatio: number): MapImage {
  const scaled = units.map((stroke) => stroke.map((one) => (one * markPixels) / 24) as unknown as Stroke);
  return strokes(markPixels, pixelRatio, text, scaled, 1.5);
}

/** Tufts of reed on a line of water, two in a square so that rows are staggered. */
function wetImage({ wet }: Pick<MapTokens, 'wet'>, pixelRatio: number): MapImage {
  const tuft = (x: number, y: number): Stroke[] => [
    [x - 4, y, x + 4, y],
    [x, y, x, y - 5],
    [x - 2.2, y - 0.5, x - 3.2, y - 3.6],
    [x + 2.2, y - 0.5, x + 3.2, y - 3.6],
  ];
  return strokes(32, pixelRatio, wet, [...tuft(8, 11), ...tuft(24, 27)], 1);
}

/** A light tint with lines at 45°, so that what lies under it is seen. */
function floodImage({ flood }: Pick<MapTokens, 'flood'>, pixelRatio: number): MapImage {
  const size = period * pixelRatio;
  const ink = parseColor(flood);
  return paint(size, (x, y) => {
    const at = ((x + y) % size) / size;
    const share = clamp((0.09 - Math.min(at, 1 - at)) * size + 0.5);
    return [...ink, 255 * (0.14 + 0.6 * share)];
  });
}

function summitImage({ summit }: Pick<MapTokens, 'summit'>, pixelRatio: number): MapImage {
  const ink = parseColor(summit);
  return paint(10 * pixelRatio, (column, row) => {
    const [x, y] = [(column + 0.5) / pixelRatio, (row + 0.5) / pixelRatio];
    // Half the triangle's width at this row, from its top at 3 to its foot at 8.
    const room = Math.min((y - 3) * 0.7 - Math.abs(x - 5), 8 - y);
    return [...ink, 255 * clamp(room * pixelRatio + 0.5)];
  });
}

/** A rounded plate that grows with the number on it. */
function shieldImage({ shield, shieldLine }: Pick<MapTokens, 'shield' | 'shieldLine'>, pixelRatio: number): MapImage {
  const size = 16;
  const [plate, edge] = [parseColor(shield), parseColor(shieldLine)];
  const [radius, border] = [4, 1.2];
  const image = paint(size * pixelRatio, (column, row) => {
    const [x, y] = [(column + 0.5) / pixelRatio - size / 2, (row + 0.5) / pixelRatio - size / 2];
    const inner = size / 2 - 0.5 - radius;
    const outside = Math.hypot(Math.max(0, Math.abs(x) - inner), Math.max(0, Math.abs(y) - inner)) - radius;
    const share = clamp((outside + border) * pixelRatio + 0.5);
    return [
      ...plate.map((one, i) => one * (1 - share) + (edge[i] ?? 0) * share),
      255 * clamp(-outside * pixelRatio + 0.5),
    ];
  });
  const [from, to] = [6 * pixelRatio, 10 * pixelRatio];
  const room = 2 * pixelRatio;
  return {
    ...image,
    stretch: {
      ...{ stretchX: [[from, to]], stretchY: [[from, to]] },
      content: [room, room, size * pixelRatio - room, size * pixelRatio - room],
    },
  };
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share));

type ColorAt = (x: number, y: number) => readonly number[];

const paint = (size: number, colorAt: ColorAt): MapImage => paintBox(size, size, colorAt);

function paintBox(width: number, height: number, colorAt: ColorAt): MapImage {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data.set(colorAt(x, y), (y * width + x) * 4);
  return { width, height, data };
}

/** `#f0eee6` → [240, 238, 230]. */
function parseColor(color: string): readonly [number, number, number] {
  const digits = /^#([0-9a-f]{6})$/i.exec(color)?.[1] ?? '808080';
  const value = Number.parseInt(digits, 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}
