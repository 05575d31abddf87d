/** Where a window opens: at its last position, if that is still on a screen. */

export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface RememberedWindow extends Bounds {
  readonly isMaximized: boolean;
}

export interface PlacedWindow extends Bounds {
  readonly minWidth: number;
  readonly minHeight: number;
}

/** The smallest window the layouts support. */
const smallest = { width: 1024, height: 680 };
const first = { width: 1440, height: 900 };
/** How much of the title bar must be visible to drag the window. */
const graspable = { width: 120, height: 24 };

const between = (low: number, value: number, high: number): number => Math.max(low, Math.min(value, high));

function overlap(a: Bounds, b: Bounds): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width < graspable.width || height < graspable.height ? 0 : width * height;
}

/**
 * @param remembered null at the first start
 * @param screens work areas of the current screens, the main one first
 */
export function placeWindow(remembered: RememberedWindow | null, screens: readonly Bounds[]): PlacedWindow {
  const main = screens[0] ?? { x: 0, y: 0, ...first };
  const shown = remembered
    ? screens.map((screen) => ({ screen, area: overlap(screen, remembered) })).sort((a, b) => b.area - a.area)[0]
    : undefined;
  const isShown = shown !== undefined && shown.area > 0;
  const screen = isShown ? shown.screen : main;
  const wanted = remembered ?? first;
  const minWidth = Math.min(smallest.width, screen.width);
  const minHeight = Math.min(smallest.height, screen.height);
  const width = between(minWidth, wanted.width, screen.width);
  const height = between(minHeight, wanted.height, screen.height);
  const place =
    remembered && isShown
      ? remembered
      : {
          x: screen.x + Math.round((screen.width - width) / 2),
          y: screen.y + Math.round((screen.height - height) / 2),
        };
  return {
    x: between(screen.x, place.x, screen.x + screen.width - width),
    y: between(screen.y, place.y, screen.y + screen.height - height),
    width,
    height,
    minWidth,
    minHeight,
  };
}
