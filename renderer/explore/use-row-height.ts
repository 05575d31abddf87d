/** Row height of a table in pixels: the token's, scaled with the text. */
import { useEffect, useState } from 'react';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';

export function useRowHeight(): number {
  const { theme, density } = useStore(settings);
  const [height, setHeight] = useState(32);
  useEffect(() => {
    const style = getComputedStyle(document.documentElement);
    const text = Number.parseFloat(style.fontSize) * 1.5;
    void [theme, density];
    setHeight(Math.max(Number.parseFloat(style.getPropertyValue('--row')) || 32, text));
  }, [theme, density]);
  return height;
}
