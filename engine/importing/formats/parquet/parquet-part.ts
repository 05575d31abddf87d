/** One Parquet file, opened: its columns, its geometry and its row groups. */
import type { SchemaElement } from 'hyparquet';
import { refuseColumns } from '../column-limit.ts';
import type { ColumnPlace } from './column-pages.ts';
import { findGeometry, type GeometryColumn } from './geo-metadata.ts';
import { refusal } from './parquet-damage.ts';
import { RandomFile } from './parquet-file.ts';
import { ParquetFooter } from './parquet-footer.ts';
import { bytesKind, kindOf } from './parquet-values.ts';

interface Leaf {
  readonly path: string;
  readonly element: SchemaElement;
}

export interface ParquetPart {
  readonly path: string;
  readonly footer: ParquetFooter;
  readonly rows: number;
  readonly columns: readonly ColumnPlace[];
  /** Columns that cannot be read: lists, structs, other geometries, intervals. */
  readonly leftOut: readonly string[];
  readonly geometry: GeometryColumn;
  readonly shapes: ColumnPlace;
  /** Every leaf, in the order of each row group's list. */
  readonly leaves: readonly Leaf[];
}

/** @throws EngineError import_refused, file_missing */
export function openPart(filePath: string): ParquetPart {
  const file = new RandomFile(filePath);
  try {
    const footer = new ParquetFooter(file);
    const { schema } = footer.meta;
    refuseColumns(filePath, schema.length - 1);
    const { top, leaves } = leavesOf(filePath, schema);
    const geometry = findGeometry(filePath, footer.meta, top);
    const placeOf = (name: string) => leaves.findIndex(({ path }) => path === name);
    const columns: ColumnPlace[] = [];
    const leftOut: string[] = [];
    const covering = geometry.covering?.[0]?.split('.')[0];
    for (const element of top) {
      const { name } = element;
      if (name === geometry.name || name === covering) continue;
      const kind = kindOf(element);
      if (kind) columns.push({ name, kind, leaf: placeOf(name) });
      else leftOut.push(name);
    }
    const shape = top.find(({ name }) => name === geometry.name) as SchemaElement;
    return {
      path: filePath,
      footer,
      rows: Number(footer.meta.num_rows),
      columns,
      leftOut,
      geometry,
      shapes: { name: shape.name, kind: bytesKind(shape), leaf: placeOf(shape.name) },
      leaves,
    };
  } finally {
    file.close();
  }
}

/** The schema is a tree, written depth first; its first element is the root. */
function leavesOf(filePath: string, schema: readonly SchemaElement[]): { top: SchemaElement[]; leaves: Leaf[] } {
  const top: SchemaElement[] = [];
  const leaves: Leaf[] = [];
  /** Groups around the next element, with the number of their children still to come. */
  const around: { path: string; left: number }[] = [{ path: '', left: schema[0]?.num_children ?? 0 }];
  for (const element of schema.slice(1)) {
    while (around.at(-1)?.left === 0) around.pop();
    const group = around.at(-1);
    if (group === undefined) throw refusal(filePath, 'damaged Parquet: expected a whole schema');
    group.left--;
    if (around.length === 1) top.push(element);
    const path = group.path + element.name;
    if (element.num_children) around.push({ path: `${path}.`, left: element.num_children });
    else leaves.push({ path, element });
  }
  return { top, leaves };
}
