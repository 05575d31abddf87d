/** The parcel's location for the phone: a `geo:` link (RFC 5870) as a QR code, made on this computer. */
import { QrCode } from 'lucide-react';
import { create } from 'qrcode';
import { useMemo } from 'react';
import { PopoverButton } from '../parts/popover-button.tsx';

/** About a meter. */
const decimals = 5;

export const geoLink = (longitude: number, latitude: number): string =>
  `geo:${latitude.toFixed(decimals)},${longitude.toFixed(decimals)}`;

/** Dark squares as one path, one unit per module. */
export function qrPath(text: string): { readonly size: number; readonly path: string } {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const { size, data } = modules;
  const squares: string[] = [];
  for (let at = 0; at < size * size; at++) {
    if (data[at]) squares.push(`M${at % size} ${Math.floor(at / size)}h1v1h-1z`);
  }
  return { size, path: squares.join('') };
}

/** @param point longitude and latitude; null: the parcel has no location, and no button is shown */
export function QrButton({ point }: { point: readonly [number, number] | null }) {
  if (!point) return null;
  return (
    <PopoverButton
      hint="QR code for the phone"
      face={<QrCode aria-hidden />}
      label="Place of the parcel for the phone"
      className="map-qr"
    >
      <Code link={geoLink(...point)} />
    </PopoverButton>
  );
}

/**
 * Black on white in every theme: cameras read nothing else reliably. With a border of four white modules, as the
 * standard requires.
 */
function Code({ link }: { link: string }) {
  const { size, path } = useMemo(() => qrPath(link), [link]);
  return (
    <>
      <svg viewBox={`-4 -4 ${size + 8} ${size + 8}`} role="img" aria-label={`QR code of ${link}`}>
        <rect x={-4} y={-4} width={size + 8} height={size + 8} className="qr-ground" />
        <path d={path} className="qr-ink" />
      </svg>
      <p className="mono small-text">{link}</p>
      <p className="small-text quieter">The phone’s camera opens it in its own map.</p>
    </>
  );
}
