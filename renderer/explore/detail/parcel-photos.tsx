/** Photos from the field that lie on a parcel, each opened by its name. */
import { useState } from 'react';
import { useMarks } from '../../field/use-marks.ts';
import { PhotoView } from '../../work/photo-view.tsx';

export function ParcelPhotos({ propertyId }: { propertyId: number }) {
  const photos = useMarks().photos.filter((photo) => photo.property_id === propertyId);
  const [shown, setShown] = useState<number | null>(null);
  if (photos.length === 0) return null;
  return (
    <section className="facts" aria-label="Photos">
      <h3>Photos</h3>
      <ul>
        {photos.map((photo) => (
          <li key={photo.photo_id}>
            <button
              type="button"
              className="link"
              aria-expanded={shown === photo.photo_id}
              onClick={() => setShown(shown === photo.photo_id ? null : photo.photo_id)}
            >
              {photo.name}
            </button>
            {shown === photo.photo_id ? <PhotoView photo={photo} /> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
