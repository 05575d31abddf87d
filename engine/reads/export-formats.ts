/** The formats that the export and mail menus offer, with a line about each. */
import Type from 'typebox';
import { exportFormats, type OfferedFormat } from '../exporting/index.ts';
import { mailFormats } from '../exporting/mail-formats.ts';
import { noInput, strict } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const line = { name: Type.String(), label: Type.String(), docs: Type.String() };

const offered = ({ name, label, docs }: OfferedFormat) => ({ name, label, docs });

export const exportFormatsRead = defineRead({
  name: 'export_formats',
  docs: 'The formats of `export_parcels` and of `make_mail_merge`, in the order of the menus.',
  input: noInput,
  output: Type.Object(
    {
      parcels: Type.Array(
        Type.Object({ ...line, holds_marks: Type.Boolean({ description: 'Takes `field_marks`.' }) }, strict),
      ),
      mail: Type.Array(Type.Object(line, strict)),
    },
    strict,
  ),
  run: () => ({
    parcels: exportFormats.map((format) => ({ ...offered(format), holds_marks: format.holdsMarks === true })),
    mail: mailFormats.map(offered),
  }),
});
